//! Pages of other sites that may call the server (Fetch, section 3.3: the CORS protocol): those of origins on a list.
//!
//! No answer depends on a cookie, so that a page gains nothing by a browser: it has a token of its own, or none.

use axum::body::Body;
use axum::response::Response;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN, VARY,
};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use svc_auth::oauth::Issuer;

const METHODS: HeaderValue = HeaderValue::from_static("POST");
const REQUEST_HEADERS: HeaderValue = HeaderValue::from_static(
    "Authorization, Content-Type, Accept, MCP-Protocol-Version, MCP-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID",
);
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, \
     X-RateLimit-Reset, X-Request-Id",
);

/// The origins on the list, the server's own first.
#[derive(Clone, Debug)]
pub(crate) struct Origins(Vec<String>);

impl Origins {
    pub(crate) fn new(own: &Issuer, others: &[Issuer]) -> Self {
        Self([own].into_iter().chain(others).map(ToString::to_string).collect())
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// The origin of a request, if it is on the list.
    pub(crate) fn allowed(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let origin = headers.get(ORIGIN)?;
        self.0.iter().any(|known| origin == known.as_str()).then(|| origin.clone())
    }

    /// The answer to a browser that asks before it sends a request; `None` for any other request.
    pub(crate) fn preflight(&self, parts: &Parts) -> Option<Response> {
        let asks =
            parts.method == Method::OPTIONS && parts.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
        if !asks {
            return None;
        }
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::FORBIDDEN;
        if let Some(origin) = self.allowed(&parts.headers) {
            *response.status_mut() = StatusCode::NO_CONTENT;
            share(&mut response, origin);
            let headers = response.headers_mut();
            headers.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
            headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS);
            headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("3600"));
        }
        Some(response)
    }
}

/// Lets pages of this origin read an answer.
pub(crate) fn share(response: &mut Response, origin: HeaderValue) {
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    headers.append(VARY, HeaderValue::from_static("Origin"));
}
