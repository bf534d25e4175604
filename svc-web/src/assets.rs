//! Styles, scripts and the icon: parts of the binary, each under a name that changes with its content.

use std::sync::LazyLock;

use axum::body::Body;
use axum::extract::Path;
use axum::response::Response;
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};
use sha2::{Digest, Sha256};

const CSS: &str = include_str!("../assets/site.css");
const SCRIPT: &str = include_str!("../assets/site.js");
const ICON: &str = include_str!("../assets/icon.svg");

static CSS_NAME: LazyLock<String> = LazyLock::new(|| named("site", CSS, "css"));
static SCRIPT_NAME: LazyLock<String> = LazyLock::new(|| named("site", SCRIPT, "js"));

/// The present name of the style sheet.
pub(crate) fn css_name() -> &'static str {
    &CSS_NAME
}

/// The present name of the script.
pub(crate) fn script_name() -> &'static str {
    &SCRIPT_NAME
}

/// GET /assets/{name}
pub(crate) async fn asset(Path(name): Path<String>) -> Response {
    let known = match name.as_str() {
        name if name == css_name() => Some(("text/css; charset=utf-8", CSS)),
        name if name == script_name() => Some(("text/javascript; charset=utf-8", SCRIPT)),
        "icon.svg" => Some(("image/svg+xml", ICON)),
        _ => None,
    };
    let Some((kind, content)) = known else {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_FOUND;
        return response;
    };
    let mut response = Response::new(Body::from(Bytes::from_static(content.as_bytes())));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    response
}

fn named(name: &str, content: &str, ending: &str) -> String {
    let digest: [u8; 32] = Sha256::digest(content.as_bytes()).into();
    format!("{name}-{}.{ending}", svc_core::random::base62(&digest[..8]))
}
