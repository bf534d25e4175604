//! The document itself, the page that shows it, and what each error code means.
//!
//! The page is built into the binary and asks no other server for anything: its
//! content security policy forbids it.

use std::sync::Arc;
use svc_core::event::EventCatalogue;

use axum::Router;
use axum::body::Body;
use axum::extract::{Extension, Path, State};
use axum::response::{Redirect, Response};
use axum::routing::get;
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_FRAME_OPTIONS};
use http::{HeaderName, HeaderValue};

use crate::app::App;
use crate::context::Context;
use crate::openapi::openapi;
use crate::problem::{Code, Problem};

/// Scripts and requests go to this origin only; the viewer styles its elements inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const DOCUMENT: &str = "/api/v1/openapi.json";

/// A file of Swagger UI, which the build script unpacks.
macro_rules! viewer {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name))
    };
}

const INDEX: &[u8] = viewer!("index.html");

/// The name, type and content of each file that the page asks for.
const FILES: &[(&str, &str, &[u8])] = &[
    ("favicon-16x16.png", "image/png", viewer!("favicon-16x16.png")),
    ("favicon-32x32.png", "image/png", viewer!("favicon-32x32.png")),
    ("index.css", "text/css", viewer!("index.css")),
    ("swagger-initializer.js", "text/javascript", include_bytes!("docs/swagger-initializer.js")),
    ("swagger-ui-bundle.js", "text/javascript", viewer!("swagger-ui-bundle.js")),
    ("swagger-ui-standalone-preset.js", "text/javascript", viewer!("swagger-ui-standalone-preset.js")),
    ("swagger-ui.css", "text/css", viewer!("swagger-ui.css")),
];

pub(crate) fn router(public_url: &str, events: &EventCatalogue) -> Router<Arc<App>> {
    let document = Bytes::from(openapi(public_url, events).to_string());
    Router::new()
        .route(DOCUMENT, get(move || std::future::ready(page("application/json", document.clone()))))
        .route("/docs", get(|| std::future::ready(Redirect::permanent("docs/"))))
        .route("/docs/", get(index))
        .route("/docs/errors/{code}", get(error))
        .route("/docs/{file}", get(file))
}

async fn index() -> Response {
    page("text/html; charset=utf-8", Bytes::from_static(INDEX))
}

async fn file(
    State(app): State<Arc<App>>,
    Extension(context): Extension<Context>,
    Path(name): Path<String>,
) -> Response {
    match FILES.iter().find(|(known, ..)| *known == name) {
        Some((_, content_type, bytes)) => page(content_type, Bytes::from_static(bytes)),
        None => Problem::not_found().into_response(&app.settings.public_url, context.request),
    }
}

/// Where the `type` of a problem leads.
async fn error(
    State(app): State<Arc<App>>,
    Extension(context): Extension<Context>,
    Path(name): Path<String>,
) -> Response {
    match Code::ALL.iter().find(|code| code.name() == name) {
        Some(code) => {
            let (title, name, status) = (code.title(), code.name(), code.status());
            let (cause, cure) = (code.cause(), code.cure());
            let text = format!("{title}\n\n{name} ({status})\n\nCause: {cause}\nCure: {cure}\n");
            page("text/plain; charset=utf-8", Bytes::from(text))
        }
        None => Problem::not_found().into_response(&app.settings.public_url, context.request),
    }
}

fn page(content_type: &str, bytes: Bytes) -> Response {
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    let fixed = |name: HeaderName, value: &'static str| (name, HeaderValue::from_static(value));
    headers.extend([
        fixed(CONTENT_SECURITY_POLICY, POLICY),
        fixed(CACHE_CONTROL, "no-cache"),
        fixed(X_FRAME_OPTIONS, "DENY"),
        fixed(REFERRER_POLICY, "no-referrer"),
    ]);
    if let Ok(value) = HeaderValue::try_from(content_type) {
        headers.insert(CONTENT_TYPE, value);
    }
    response
}
