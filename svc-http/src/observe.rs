//! One log line and a few metrics per request; the request id on every answer.
//!
//! The line is an event of its own, outside the request's span: whatever else
//! is logged meanwhile carries the span with the request's id, but writing the
//! one line that every request has must not cost reading the span back.

mod meters;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::FutureExt;
use http::header::X_CONTENT_TYPE_OPTIONS;
use http::{HeaderName, HeaderValue, Method};
use svc_core::id::{RequestId, TokenId, TypedId};
use tracing::Instrument;
use tracing::field::display;

use self::meters::Meters;
use crate::app::App;
use crate::context::Context;
use crate::problem::{Code, Problem};

/// Names the request in answers and logs.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What watches the requests of one router.
pub(crate) struct Observer {
    app: Arc<App>,
    meters: Meters,
}

/// The token that a request was let in with, as an extension of its answer: for the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CalledBy(pub(crate) TokenId);

impl Observer {
    pub(crate) fn new(app: Arc<App>) -> Self {
        Self { app, meters: Meters::default() }
    }
}

/// Wraps every request. Neither the query nor a path with ids is logged: only the route's template.
pub(crate) async fn observe(
    State(observer): State<Arc<Observer>>,
    mut request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let app = &observer.app;
    let now = app.clock.now();
    let id = RequestId::generate(now, &*app.random);
    let text = id.to_string();
    let method = method_name(request.method());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("unmatched", MatchedPath::as_str);
    let span = tracing::info_span!("request", request_id = text.as_str());
    request.extensions_mut().insert(Context { request: id, now });
    let answer = next.run(request).instrument(span.clone());
    let mut response = AssertUnwindSafe(answer).catch_unwind().await.unwrap_or_else(|_| {
        span.in_scope(|| tracing::error!("answering a request panicked"));
        Problem::internal().into_response(&app.settings.public_url, id)
    });
    let (status, took) = (response.status(), started.elapsed());
    let code = response.extensions().get::<Code>().map(|code| code.name());
    let token = response.extensions().get::<CalledBy>().map(|CalledBy(token)| display(token));
    tracing::info!(
        parent: None,
        request_id = text.as_str(),
        method,
        route,
        token,
        status = status.as_u16(),
        code,
        duration_us = took.as_micros(),
        "answered"
    );
    if let Some(code) = code {
        metrics::counter!("http_problems_total", "code" => code).increment(1);
    }
    observer.meters.count(method, route, status, took);
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REQUEST_ID, HeaderValue::try_from(text).expect("an id is ASCII"));
    response
}

/// Methods are free text: others than the usual ones share one name, so that labels stay few.
fn method_name(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "OTHER",
    }
}
