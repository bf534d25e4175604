//! From routes to a tower service.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::extract::{FromRequestParts, RawPathParams, Request, State};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use axum::{Extension, Router};
use futures_util::FutureExt;
use http::{HeaderValue, Method, StatusCode};
use svc_auth::limit::LimitStatus;
use tracing::Instrument;

use crate::api::{Handler, Route, routes};
use crate::app::App;
use crate::exchange::{Context, Exchange, admit};
use crate::precondition;
use crate::problem::{Code, Problem};
use crate::query::{Query, carries_token};
use crate::server::Peer;
use crate::{body, docs, idempotency, observe};

/// The whole HTTP surface: `/api/v1/…`, `/api/v1/openapi.json` and `/docs`.
pub fn router(app: App) -> Router {
    let app = Arc::new(app);
    let mut router = Router::new().merge(docs::router(&app.settings.public_url));
    for route in routes() {
        let path = format!("/api/v1{}", route.about.path);
        let filter =
            MethodFilter::try_from(route.about.method.clone()).expect("a route has a standard method");
        let route = Arc::new(route);
        let handler =
            move |State(app): State<Arc<App>>, Extension(context): Extension<Context>, request: Request| {
                let route = route.clone();
                async move { answer(app, &route, context, request).await }
            };
        router = router.route(&path, on(filter, handler));
    }
    router
        .fallback(unknown_path)
        .method_not_allowed_fallback(unknown_method)
        .with_state(app.clone())
        .layer(from_fn_with_state(app, observe::observe))
}

async fn unknown_path(State(app): State<Arc<App>>, Extension(context): Extension<Context>) -> Response {
    Problem::new(Code::NotFound, "the API has no such path")
        .into_response(&app.settings.public_url, context.request)
}

/// The router adds `Allow`.
async fn unknown_method(State(app): State<Arc<App>>, Extension(context): Extension<Context>) -> Response {
    Problem::new(Code::MethodNotAllowed, "the path does not take this method")
        .into_response(&app.settings.public_url, context.request)
}

async fn answer(app: Arc<App>, route: &Arc<Route>, context: Context, request: Request) -> Response {
    let mut limits = None;
    let outcome = respond(&app, route, context, request, &mut limits).await;
    let mut response = match outcome {
        Ok(response) => response,
        Err(problem) => {
            limits = limits.or_else(|| problem.limit_status());
            problem.into_response(&app.settings.public_url, context.request)
        }
    };
    if let Some(status) = limits {
        tell_limits(&mut response, status);
    }
    response
}

async fn respond(
    app: &Arc<App>,
    route: &Arc<Route>,
    context: Context,
    request: Request,
    limits: &mut Option<LimitStatus>,
) -> Result<Response, Problem> {
    let (mut parts, body) = request.into_parts();
    if carries_token(&parts.uri) {
        let detail = "send the token in the Authorization header, and replace this one: URLs end up in logs";
        return Err(Problem::new(Code::TokenInUrl, detail));
    }
    let about = &route.about;
    let peer = parts.extensions.get::<Peer>().copied();
    let admitted = admit(app, about.access, &parts.headers, peer).await?;
    *limits = Some(admitted.limits);
    tracing::Span::current().record("token", tracing::field::display(admitted.principal.token));
    let path = RawPathParams::from_request_parts(&mut parts, &()).await.map_err(|_| Problem::not_found())?;
    let path = path.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let reads = matches!(route.handler, Handler::Read(_));
    let most = app.settings.max_json_bytes;
    let exchange = Exchange {
        app: app.clone(),
        context,
        principal: admitted.principal,
        path,
        query: Query::read(&parts.uri, &about.params)?,
        body: if reads { bytes::Bytes::new() } else { body::read(&parts.headers, body, most).await? },
        method: parts.method,
        uri: parts.uri,
        headers: parts.headers,
    };
    if reads {
        return guarded(route.clone(), exchange).await;
    }
    // A client that goes away drops this future, but not the task: a write is never half done.
    let task = guarded(route.clone(), exchange).instrument(tracing::Span::current());
    tokio::spawn(task).await.unwrap_or_else(|_| Err(Problem::internal()))
}

/// Runs the handler; a panic becomes a problem without details.
async fn guarded(route: Arc<Route>, exchange: Exchange) -> Result<Response, Problem> {
    AssertUnwindSafe(handle(&route, exchange)).catch_unwind().await.unwrap_or_else(|_| {
        tracing::error!("a handler panicked");
        Err(Problem::internal())
    })
}

async fn handle(route: &Route, exchange: Exchange) -> Result<Response, Problem> {
    let sight = exchange.sight();
    match &route.handler {
        Handler::Read(handler) => {
            let conditions = exchange.headers.clone();
            let mut response = handler(exchange).await?.into_response(sight);
            if precondition::is_known(&conditions, response.headers()) {
                *response.body_mut() = axum::body::Body::empty();
                *response.status_mut() = StatusCode::NOT_MODIFIED;
                response.headers_mut().remove(http::header::CONTENT_TYPE);
            }
            Ok(response)
        }
        Handler::Change(handler) => {
            if exchange.method == Method::DELETE {
                exchange.no_body()?;
            }
            Ok(handler(exchange).await?.into_response(sight))
        }
        Handler::Post(handler) => idempotency::run(exchange, handler).await,
        Handler::SessionOnly => {
            Err(Problem::new(Code::AccountTokenNotAccepted, "this route takes signed-in people only"))
        }
    }
}

/// `RateLimit` and `RateLimit-Policy` as the IETF draft writes them; a month has no fixed window.
fn tell_limits(response: &mut Response, status: LimitStatus) {
    let policy =
        format!("\"minute\";q={};w=60, \"month\";q={}", status.limits.per_minute, status.limits.per_month);
    let left = format!(
        "\"minute\";r={};t={}, \"month\";r={};t={}",
        status.minute_left,
        status.minute_resets_in.as_secs(),
        status.month_left,
        status.month_resets_in.as_secs()
    );
    for (name, text) in [("ratelimit-policy", policy), ("ratelimit", left)] {
        if let Ok(value) = HeaderValue::try_from(text) {
            response.headers_mut().insert(name, value);
        }
    }
}
