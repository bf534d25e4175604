//! One log line and a few metrics per request; the request id on every answer.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::FutureExt;
use http::header::X_CONTENT_TYPE_OPTIONS;
use http::{HeaderValue, Method};
use svc_core::id::{RequestId, TypedId};
use tracing::Instrument;
use tracing::field::Empty;

use crate::app::App;
use crate::exchange::Context;
use crate::problem::{Code, Problem};

/// Wraps every request. Neither the query nor a path with ids is logged: only the route's template.
pub(crate) async fn observe(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let started = Instant::now();
    let now = app.clock.now();
    let id = RequestId::generate(now, &*app.random);
    let method = method_name(request.method());
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("unmatched".to_owned(), |path| path.as_str().to_owned());
    let span = tracing::info_span!("request", request_id = %id, method, route, token = Empty);
    request.extensions_mut().insert(Context { request: id, now });
    let answer = next.run(request).instrument(span.clone());
    let mut response = AssertUnwindSafe(answer).catch_unwind().await.unwrap_or_else(|_| {
        span.in_scope(|| tracing::error!("answering a request panicked"));
        Problem::internal().into_response(&app.settings.public_url, id)
    });
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert("x-request-id", HeaderValue::try_from(id.to_string()).expect("an id is ASCII"));
    let status = response.status().as_u16();
    let took = started.elapsed();
    let code = response.extensions().get::<Code>().map(|code| code.name());
    span.in_scope(|| tracing::info!(status, code, duration_us = took.as_micros(), "answered"));
    if let Some(code) = code {
        metrics::counter!("http_problems_total", "code" => code).increment(1);
    }
    let status = status.to_string();
    metrics::counter!("http_requests_total", "method" => method, "route" => route.clone(), "status" => status.clone())
        .increment(1);
    metrics::histogram!("http_request_duration_seconds", "method" => method, "route" => route, "status" => status)
        .record(took.as_secs_f64());
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
