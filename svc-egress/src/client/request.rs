//! The request as it is written.

use bytes::Bytes;
use http::header::{
    ACCEPT, ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, HOST, TRANSFER_ENCODING, USER_AGENT,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Uri};
use http_body_util::Full;
use svc_webhooks::ports::{Outgoing, SendError};
use svc_webhooks::subscription::CustomHeaders;
use url::{Position, Url};

/// Headers that frame the message or steer the connection: the sender's own business.
const OWN_HEADERS: [HeaderName; 5] = [HOST, ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING];

/// What a GET says of who asks.
const AGENT: HeaderValue = HeaderValue::from_static(concat!("svc-egress/", env!("CARGO_PKG_VERSION")));

/// The POST of `outgoing`.
pub(super) fn post(outgoing: Outgoing) -> Result<Request<Full<Bytes>>, SendError> {
    let url = outgoing.endpoint.url();
    let headers = headers(url, outgoing.headers, &outgoing.custom)?;
    request(Method::POST, url, headers, outgoing.body)
}

/// The GET of a document of this media type.
pub(super) fn get(url: &Url, accept: &'static str) -> Result<Request<Full<Bytes>>, SendError> {
    let mut headers = headers(url, Vec::new(), &CustomHeaders::default())?;
    headers.insert(ACCEPT, HeaderValue::from_static(accept));
    headers.insert(USER_AGENT, AGENT);
    request(Method::GET, url, headers, Bytes::new())
}

fn request(
    method: Method,
    url: &Url,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Request<Full<Bytes>>, SendError> {
    let uri: Uri = url
        .as_str()
        .parse()
        .map_err(|error| SendError::Protocol(format!("the URL cannot be written as a request: {error}")))?;
    let mut request = Request::new(Full::new(body));
    *request.method_mut() = method;
    *request.uri_mut() = uri;
    *request.headers_mut() = headers;
    Ok(request)
}

/// `Host` first (RFC 9110, 7.2), then the caller's headers in their order, then those of the
/// subscription, of which none may be among the former.
fn headers(
    url: &Url,
    given: Vec<(svc_webhooks::names::HeaderName, String)>,
    custom: &CustomHeaders,
) -> Result<HeaderMap, SendError> {
    let unsendable = |name: &str| SendError::Protocol(format!("the header `{name}` cannot be sent"));
    let mut headers = HeaderMap::with_capacity(given.len() + 3);
    // The URL's own text: brackets of an IPv6 address stay, a default port is absent.
    let host = &url[Position::BeforeHost..Position::AfterPort];
    headers.insert(HOST, HeaderValue::from_str(host).map_err(|_| unsendable("host"))?);
    for (name, value) in given {
        let parsed = HeaderName::from_bytes(name.as_bytes()).map_err(|_| unsendable(&name))?;
        if OWN_HEADERS.contains(&parsed) {
            return Err(unsendable(&name));
        }
        headers.append(parsed, HeaderValue::try_from(value).map_err(|_| unsendable(&name))?);
    }
    for (name, value) in custom.iter() {
        let parsed = HeaderName::from_bytes(name.as_bytes()).map_err(|_| unsendable(name))?;
        if OWN_HEADERS.contains(&parsed) || headers.contains_key(&parsed) {
            return Err(unsendable(name));
        }
        let mut value = HeaderValue::from_str(value.expose()).map_err(|_| unsendable(name))?;
        // Neither shown by Debug nor indexed by HPACK.
        value.set_sensitive(true);
        headers.insert(parsed, value);
    }
    // Nothing is ever decompressed here: a small answer must stay small.
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    Ok(headers)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;
    use svc_webhooks::endpoint::Endpoint;

    use super::*;

    proptest! {
        #[test]
        fn every_path_and_query_of_an_endpoint_can_be_written_as_a_request(tail in "[ -~]{0,20}|\\PC{0,20}") {
            let Ok(endpoint) = Endpoint::parse(&format!("https://hooks.example.com/{tail}")) else { return Ok(()) };
            let text = endpoint.as_str().to_owned();
            let request = post(Outgoing {
                endpoint,
                headers: Vec::new(),
                custom: CustomHeaders::default(),
                body: Bytes::new(),
                timeout: Duration::from_secs(1),
            });
            prop_assert_eq!(request.map(|request| request.uri().to_string()), Ok(text));
        }
    }
}
