//! The document itself, the page that shows it, and what each error code means.
//!
//! The page is built into the binary and asks no other server for anything: its
//! content security policy forbids it.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Extension, Path, State};
use axum::response::{Redirect, Response};
use axum::routing::get;
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_FRAME_OPTIONS};
use http::{HeaderName, HeaderValue};
use utoipa_swagger_ui::{Config, Url, serve};

use crate::app::App;
use crate::context::Context;
use crate::openapi::openapi;
use crate::problem::{Code, Problem};

/// Scripts and requests go to this origin only; the viewer styles its elements inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const DOCUMENT: &str = "/api/v1/openapi.json";

pub(crate) fn router(public_url: &str) -> Router<Arc<App>> {
    let document = Bytes::from(openapi(public_url).to_string());
    Router::new()
        .route(DOCUMENT, get(move || std::future::ready(page("application/json", document.clone()))))
        .route("/docs", get(|| std::future::ready(Redirect::permanent("/docs/"))))
        .route("/docs/", get(index))
        .route("/docs/errors/{code}", get(error))
        .route("/docs/{file}", get(file))
}

async fn index(state: State<Arc<App>>, context: Extension<Context>) -> Response {
    viewer("index.html", &state, *context)
}

async fn file(state: State<Arc<App>>, context: Extension<Context>, Path(name): Path<String>) -> Response {
    viewer(&name, &state, *context)
}

fn viewer(name: &str, app: &App, context: Context) -> Response {
    // No validator: it is a web service, and the badge would tell it of this server.
    let config = Config::new([Url::new("API", DOCUMENT)]).validator_url("none").persist_authorization(false);
    match serve(name, Arc::new(config)) {
        Ok(Some(file)) => page(&file.content_type, Bytes::from(file.bytes.into_owned())),
        Ok(None) => Problem::not_found().into_response(&app.settings.public_url, context.request),
        Err(error) => {
            tracing::error!(%error, "the page of the API could not be made");
            Problem::internal().into_response(&app.settings.public_url, context.request)
        }
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
            let text = format!("{}\n\n{} ({})\n", code.title(), code.name(), code.status());
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
