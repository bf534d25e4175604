//! Where a person begins who knows the address alone: `/` and `/api/v1` lead to the reference page.
//!
//! A redirect, as a browser follows it, with the links of RFC 8631 for programs that look for the document. It is
//! no permanent one: clients keep those, and a service may give `/` a page of its own one day.

use axum::body::Body;
use axum::response::Response;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, LINK, LOCATION};
use http::{HeaderValue, Method, StatusCode};

/// The paths that lead there, in their place below the API's prefix.
pub(crate) const PATHS: [&str; 2] = ["/api/v1", "/api/v1/"];

/// Whether the request asks for the root of the address. The fallback asks, and no route: a program that merges
/// the API into its own router may have a page there.
pub(crate) fn is_asked(method: &Method, path: &str) -> bool {
    path == "/" && (method == Method::GET || method == Method::HEAD)
}

/// The way to the documentation of the API at `public_url`.
pub(crate) fn redirect(public_url: &str) -> Response {
    let (page, document) = (format!("{public_url}/docs/"), format!("{public_url}/api/v1/openapi.json"));
    let text = format!("The documentation is at {page}, its OpenAPI document at {document}.\n");
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = StatusCode::TEMPORARY_REDIRECT;
    let headers = response.headers_mut();
    headers.insert(LOCATION, HeaderValue::from_static("/docs/"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    let links = format!("<{document}>; rel=\"service-desc\", <{page}>; rel=\"service-doc\"");
    if let Ok(links) = HeaderValue::try_from(links) {
        headers.insert(LINK, links);
    }
    response
}
