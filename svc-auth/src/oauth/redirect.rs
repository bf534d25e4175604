//! Where a person is sent back to, with the code of the client or with an error.

use std::fmt;

use thiserror::Error;
use url::{Host, Url};

/// The address of a client: `https` anywhere, or `http` on the machine of the person (RFC 8252, section 7.3).
///
/// It is compared letter by letter as the client wrote it; on the person's machine the port is free, since the client
/// takes whichever is at hand when it starts to listen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RedirectUri(String);

/// The text cannot be an address to come back to.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum MalformedRedirect {
    /// It is no absolute URL, has a space or another letter that URLs have not, or is too long.
    #[error(
        "write an absolute URL of at most {} characters, with what is not ASCII percent-encoded",
        RedirectUri::MOST
    )]
    Form,
    /// It is neither `https` nor `http` of a loopback host.
    #[error("use https, or http with localhost, 127.0.0.1 or [::1]")]
    Scheme,
    /// It names a person.
    #[error("leave the user name and the password out")]
    Credentials,
    /// It has a fragment (RFC 6749, section 3.1.2).
    #[error("leave the fragment (#…) out")]
    Fragment,
}

impl RedirectUri {
    /// Characters of the longest one.
    pub const MOST: usize = 2_048;

    /// Reads one.
    ///
    /// # Errors
    /// [`MalformedRedirect`].
    pub fn parse(text: &str) -> Result<Self, MalformedRedirect> {
        // A URL is read more kindly than it is compared: what the reader would leave out or change is refused.
        let plain =
            text.len() <= Self::MOST && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
        let url = Url::parse(text).ok().filter(|_| plain).ok_or(MalformedRedirect::Form)?;
        let well = match url.scheme() {
            "https" => url.host().is_some(),
            "http" => is_loopback(&url),
            _ => false,
        };
        if !well {
            return Err(MalformedRedirect::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() || authority(text).contains('@') {
            return Err(MalformedRedirect::Credentials);
        }
        if url.fragment().is_some() {
            return Err(MalformedRedirect::Fragment);
        }
        Ok(Self(text.to_owned()))
    }

    /// Whether the address of a request is this one, which the client has registered.
    #[must_use]
    pub fn admits(&self, presented: &Self) -> bool {
        self.0 == presented.0
            || is_loopback(&self.url())
                && is_loopback(&presented.url())
                && self.portless() == presented.portless()
    }

    /// The same with these parameters behind those that it has (RFC 6749, section 4.1.2).
    #[must_use]
    pub fn with(&self, parameters: &[(&str, &str)]) -> String {
        let mut url = self.url();
        url.query_pairs_mut().extend_pairs(parameters);
        url.into()
    }

    /// Its scheme, host and port: what a page may be left to, and what a person is shown.
    #[must_use]
    pub fn origin(&self) -> String {
        self.url().origin().ascii_serialization()
    }

    /// As the client wrote it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn url(&self) -> Url {
        Url::parse(&self.0).expect("it was read before")
    }

    /// All but the port, as it is written.
    fn portless(&self) -> (String, &str) {
        let authority = authority(&self.0);
        let rest = self.0.split_once(authority).map_or("", |(_, rest)| rest);
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            Some(_) | None => authority,
        };
        (format!("{}://{host}", self.url().scheme()), rest)
    }
}

impl fmt::Display for RedirectUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What stands between `//` and the path, the query or the fragment.
fn authority(text: &str) -> &str {
    let rest = text.split_once("//").map_or("", |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip == std::net::Ipv4Addr::LOCALHOST,
        Some(Host::Ipv6(ip)) => ip == std::net::Ipv6Addr::LOCALHOST,
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> RedirectUri {
        RedirectUri::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn https_and_the_loopback_are_addresses_and_all_else_is_none() {
        for good in [
            "https://claude.ai/api/mcp/auth_callback",
            "https://app.example:8443/cb?tenant=7",
            "http://localhost/cb",
            "http://localhost:33418",
            "http://127.0.0.1:8000/",
            "http://[::1]:9/cb",
        ] {
            assert_eq!(parse(good).as_str(), good);
        }
        for (bad, error) in [
            ("", MalformedRedirect::Form),
            ("/cb", MalformedRedirect::Form),
            ("https://app.example/a b", MalformedRedirect::Form),
            ("https://app.example/\n", MalformedRedirect::Form),
            ("https:\\\\app.example", MalformedRedirect::Form),
            ("https://exämple.com/", MalformedRedirect::Form),
            ("http://app.example/cb", MalformedRedirect::Scheme),
            ("http://127.0.0.2/cb", MalformedRedirect::Scheme),
            ("http://localhost.evil.example/", MalformedRedirect::Scheme),
            ("javascript:alert(1)", MalformedRedirect::Scheme),
            ("data:text/html,x", MalformedRedirect::Scheme),
            ("com.example.app:/cb", MalformedRedirect::Scheme),
            ("https://user@app.example/", MalformedRedirect::Credentials),
            ("https://@app.example/", MalformedRedirect::Credentials),
            ("http://localhost@app.example/", MalformedRedirect::Scheme),
            ("https://localhost:x@app.example/", MalformedRedirect::Credentials),
            ("https://app.example/#top", MalformedRedirect::Fragment),
            ("https://app.example/#", MalformedRedirect::Fragment),
        ] {
            assert_eq!(RedirectUri::parse(bad), Err(error), "{bad}");
        }
        let long = format!("https://app.example/{}", "a".repeat(RedirectUri::MOST));
        assert_eq!(RedirectUri::parse(&long), Err(MalformedRedirect::Form));
    }

    #[test]
    fn addresses_are_compared_letter_by_letter_but_for_the_port_of_the_loopback() {
        let registered = parse("http://127.0.0.1:1/cb");
        assert!(
            registered.admits(&parse("http://127.0.0.1:65535/cb"))
                && registered.admits(&parse("http://127.0.0.1/cb"))
        );
        let bracketed = parse("http://[::1]/cb");
        assert!(bracketed.admits(&parse("http://[::1]:7/cb")));
        for (known, other) in [
            ("http://127.0.0.1/cb", "http://127.0.0.1:5/cb/"),
            ("http://127.0.0.1/cb", "http://127.0.0.1:5/cb?x=1"),
            ("http://127.0.0.1/cb", "http://localhost:5/cb"),
            ("http://127.0.0.1/cb", "https://127.0.0.1:5/cb"),
            ("http://localhost/cb", "http://LOCALHOST:5/cb"),
            ("https://app.example/cb", "https://app.example:443/cb"),
            ("https://app.example/cb", "https://app.example/cb?"),
            ("https://app.example/cb", "https://app.example/%63b"),
            ("https://app.example/cb", "https://APP.example/cb"),
            ("https://app.example", "https://app.example/"),
        ] {
            assert!(!parse(known).admits(&parse(other)), "{known} {other}");
            assert!(parse(known).admits(&parse(known)));
        }
    }

    #[test]
    fn parameters_come_behind_those_that_are_there() {
        let plain = parse("https://app.example/cb");
        assert_eq!(
            plain.with(&[("state", "a&b=c"), ("iss", "https://x")]),
            "https://app.example/cb?state=a%26b%3Dc&iss=https%3A%2F%2Fx"
        );
        assert_eq!(
            parse("https://app.example/cb?t=7").with(&[("code", "1")]),
            "https://app.example/cb?t=7&code=1"
        );
        assert_eq!(
            (plain.origin(), parse("http://[::1]:9/cb").origin()),
            ("https://app.example".to_owned(), "http://[::1]:9".to_owned())
        );
    }
}
