//! From routes to a tower service.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use axum::{Extension, Router};

use crate::app::App;
use crate::context::Context;
use crate::observe::{Observer, observe};
use crate::problem::{Code, Problem};
use crate::routes::routes;
use crate::{docs, transport};

/// The whole HTTP surface: `/api/v1/…`, `/api/v1/openapi.json` and `/docs`.
pub fn router(app: App) -> Router {
    let app = Arc::new(app);
    let mut router = Router::new().merge(docs::router(&app.settings.public_url, &app.events));
    for route in routes() {
        let path = format!("/api/v1{}", route.about().path);
        let filter =
            MethodFilter::try_from(route.about().method.clone()).expect("a route has a standard method");
        let handler =
            move |State(app): State<Arc<App>>, Extension(context): Extension<Context>, request: Request| {
                route.clone().answer(app, context, request)
            };
        router = router.route(&path, on(filter, handler));
    }
    router
        .fallback(unknown_path)
        .method_not_allowed_fallback(unknown_method)
        .with_state(app.clone())
        .layer(from_fn_with_state(app.clone(), transport::guard))
        .layer(from_fn_with_state(Arc::new(Observer::new(app)), observe))
}

async fn unknown_path(State(app): State<Arc<App>>, Extension(context): Extension<Context>) -> Response {
    Problem::unknown_path().into_response(&app.settings.public_url, context.request)
}

/// The router adds `Allow`.
async fn unknown_method(State(app): State<Arc<App>>, Extension(context): Extension<Context>) -> Response {
    Problem::new(Code::MethodNotAllowed, "the path does not take this method")
        .into_response(&app.settings.public_url, context.request)
}
