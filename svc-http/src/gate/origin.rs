//! Whether a browser sent the request from a page of this very service.
//!
//! Browsers add `Origin` to every unsafe request and `Sec-Fetch-Site` to each
//! request; scripts cannot forge either. Other clients send neither, so what is
//! not there is no reason to refuse.

use http::{HeaderMap, Uri};

use super::Arrival;
use crate::problem::{Code, Problem};

/// Refuses what a page of another site sent.
pub(crate) fn check(arrival: &Arrival) -> Result<(), Problem> {
    let headers = &arrival.parts.headers;
    let expected = [Origin::of(&arrival.app.settings.public_url), own(arrival)];
    let at_home = |value: &[u8]| {
        let origin = std::str::from_utf8(value).ok().and_then(Origin::of);
        origin.is_some() && expected.contains(&origin)
    };
    let same_site = |value: &[u8]| value == b"same-origin";
    if all(headers, "origin", at_home) && all(headers, "sec-fetch-site", same_site) {
        return Ok(());
    }
    let detail = format!(
        "a browser sends this only from a page of {}, with `Sec-Fetch-Site: same-origin`",
        arrival.app.settings.public_url
    );
    Err(Problem::new(Code::CsrfRejected, detail))
}

fn all(headers: &HeaderMap, name: &'static str, test: impl Fn(&[u8]) -> bool) -> bool {
    headers.get_all(name).iter().all(|value| test(value.as_bytes()))
}

/// The origin that this request was sent to.
fn own(arrival: &Arrival) -> Option<Origin> {
    let host = arrival.parts.headers.get("host").and_then(|host| host.to_str().ok());
    let host = host.or_else(|| arrival.parts.uri.authority().map(http::uri::Authority::as_str))?;
    let scheme = if arrival.secure { "https" } else { "http" };
    Origin::of(&format!("{scheme}://{host}"))
}

/// Scheme, host and port (RFC 6454).
#[derive(Debug, PartialEq, Eq)]
struct Origin {
    scheme: String,
    host: String,
    port: u16,
}

impl Origin {
    fn of(url: &str) -> Option<Self> {
        let uri: Uri = url.parse().ok()?;
        let scheme = uri.scheme_str()?.to_ascii_lowercase();
        let usual = match scheme.as_str() {
            "https" => 443,
            "http" => 80,
            _ => return None,
        };
        Some(Self { host: uri.host()?.to_ascii_lowercase(), port: uri.port_u16().unwrap_or(usual), scheme })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_port_may_be_left_out_and_letters_have_no_case() {
        let origin = Origin::of("https://API.example.com").expect("an origin");
        assert_eq!(Origin::of("HTTPS://api.example.com:443/path"), Some(origin));
    }

    #[test]
    fn scheme_host_and_port_all_count() {
        let origin = Origin::of("https://api.example.com");
        for other in ["http://api.example.com", "https://example.com", "https://api.example.com:8443"] {
            let other = Origin::of(other);
            assert!(other.is_some() && other != origin, "{other:?}");
        }
    }

    #[test]
    fn what_is_no_web_origin_is_none() {
        for text in ["null", "", "api.example.com", "file:///x", "ftp://api.example.com", "https://"] {
            assert_eq!(Origin::of(text), None, "{text}");
        }
    }
}
