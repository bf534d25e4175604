//! From routes to a tower service.

use std::future::ready;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::Response;
use axum::routing::{MethodFilter, get, on};
use axum::{Extension, Router};
use http::header::LOCATION;
use http::{HeaderValue, Method, Uri};

use crate::app::App;
use crate::context::Context;
use crate::observe::{Observer, observe};
use crate::pace::{Pace, pace};
use crate::problem::{Code, Problem};
use crate::routes::routes;
use crate::shares::Shares;
use crate::{docs, start, transport};

/// The whole HTTP surface: `/api/v1/…`, `/api/v1/openapi.json` and `/docs`. A program that nests it below a prefix
/// says so by the path of [`Settings::public_url`](crate::Settings::public_url), and every link has it then.
pub fn router(app: App) -> Router {
    let app = Arc::new(app);
    let mut router = Router::new().merge(docs::router(&app.settings.public_url, &app.events));
    let shares = Arc::new(Shares::default());
    for route in routes() {
        let path = format!("/api/v1{}", route.about().path);
        let filter =
            MethodFilter::try_from(route.about().method.clone()).expect("a route has a standard method");
        let shares = Arc::clone(&shares);
        let handler =
            move |State(app): State<Arc<App>>, Extension(context): Extension<Context>, request: Request| {
                route.clone().answer(app, Arc::clone(&shares), context, request)
            };
        router = router.route(&path, on(filter, handler));
    }
    for path in start::PATHS {
        router = router.route(path, get(started));
    }
    let prefix: Arc<str> = app.settings.prefix().into();
    router
        .fallback(unknown_path)
        .method_not_allowed_fallback(unknown_method)
        .with_state(app.clone())
        .layer(from_fn_with_state(app.clone(), transport::guard))
        .layer(from_fn_with_state(Arc::new(Observer::new(app.clone())), observe))
        .layer(from_fn_with_state(Arc::new(Pace::new(app)), pace))
        .layer(map_response(move |response| ready(below(&prefix, response))))
}

/// The answer with its `Location` below the prefix.
fn below(prefix: &str, mut response: Response) -> Response {
    let location = response.headers().get(LOCATION).and_then(|location| location.to_str().ok());
    let mounted = location.filter(|location| !prefix.is_empty() && location.starts_with('/'));
    if let Some(Ok(mounted)) = mounted.map(|location| HeaderValue::try_from(format!("{prefix}{location}"))) {
        response.headers_mut().insert(LOCATION, mounted);
    }
    response
}

async fn started(State(app): State<Arc<App>>) -> Response {
    start::redirect(&app.settings.public_url)
}

async fn unknown_path(
    State(app): State<Arc<App>>,
    Extension(context): Extension<Context>,
    method: Method,
    uri: Uri,
) -> Response {
    if start::is_asked(&method, uri.path()) {
        return start::redirect(&app.settings.public_url);
    }
    Problem::unknown_path().into_response(&app.settings.public_url, context.request)
}

/// The router adds `Allow`.
async fn unknown_method(State(app): State<Arc<App>>, Extension(context): Extension<Context>) -> Response {
    Problem::new(Code::MethodNotAllowed, "the path does not take this method")
        .into_response(&app.settings.public_url, context.request)
}
