//! From routes to a tower service.

use std::future::ready;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::Response;
use axum::routing::{MethodFilter, get, on};
use axum::{Extension, Router};
use futures_util::future::BoxFuture;
use http::header::{ACCEPT, LOCATION};
use http::{HeaderMap, HeaderValue};

use crate::app::App;
use crate::context::Context;
use crate::observe::{Observer, observe};
use crate::pace::{Pace, pace};
use crate::problem::{Code, Problem};
use crate::routes::routes;
use crate::shares::Shares;
use crate::visit::Door;
use crate::{docs, oauth, start, transport, uploads};

/// Pages for people that stand beside the API.
#[derive(Clone)]
pub struct Pages {
    /// Their routes: `/` may be among them, what begins with `/api/v1` or `/docs` may not.
    pub routes: Router,
    /// Answers a browser whose path names nothing.
    pub not_found: fn(Door, Request) -> BoxFuture<'static, Response>,
}

/// The whole HTTP surface of the API: `/api/v1/…`, `/api/v1/openapi.json` and `/docs`. A program that nests it below a
/// prefix says so by the path of [`Settings::public_url`](crate::Settings::public_url), and every link has it then.
pub fn router(app: App) -> Router {
    let (app, shares) = (Arc::new(app), Arc::default());
    let api = api(&app, &shares);
    build(app, &shares, api, None)
}

/// The same with pages for people, which are made with the [`Door`] that lets their requests in.
pub fn router_with(app: App, pages: impl FnOnce(Door) -> Pages) -> Router {
    let (app, shares) = (Arc::new(app), Arc::<Shares>::default());
    let api = api(&app, &shares);
    let door = Door::new(Arc::clone(&app), Arc::clone(&shares), api.clone());
    let pages = pages(door.clone());
    build(app, &shares, api, Some((door, pages)))
}

/// The routes of the API alone.
fn api(app: &Arc<App>, shares: &Arc<Shares>) -> Router {
    let mut router = Router::new();
    for route in routes() {
        let path = format!("/api/v1{}", route.about().path);
        let filter =
            MethodFilter::try_from(route.about().method.clone()).expect("a route has a standard method");
        let shares = Arc::clone(shares);
        let handler =
            move |State(app): State<Arc<App>>, Extension(context): Extension<Context>, request: Request| {
                route.clone().answer(app, Arc::clone(&shares), context, request)
            };
        router = router.route(&path, on(filter, handler));
    }
    router.with_state(Arc::clone(app))
}

fn build(app: Arc<App>, shares: &Arc<Shares>, api: Router, pages: Option<(Door, Pages)>) -> Router {
    let mut router = Router::new().merge(docs::router(&app.settings.public_url, &app.events));
    if let Some(oauth) = &app.oauth {
        router =
            router.merge(oauth::router(oauth, shares)).merge(uploads::router(oauth, &api, pages.is_some()));
    }
    for path in start::PATHS {
        router = router.route(path, get(started));
    }
    let prefix: Arc<str> = app.settings.prefix().into();
    let mut router = router.with_state(app.clone()).merge(api);
    let mut lost = None;
    if let Some((door, pages)) = pages {
        router = router.merge(pages.routes);
        lost = Some((door, pages.not_found));
    }
    let known = app.clone();
    router
        .fallback(move |context: Extension<Context>, request: Request| {
            let (app, lost) = (known.clone(), lost.clone());
            async move {
                match lost {
                    Some((door, not_found)) if wants_page(&request) => not_found(door, request).await,
                    Some(_) | None => unknown_path(&app, context, &request),
                }
            }
        })
        .method_not_allowed_fallback({
            let app = app.clone();
            move |context: Extension<Context>| ready(unknown_method(&app, context))
        })
        .layer(from_fn_with_state(app.clone(), transport::guard))
        .layer(from_fn_with_state(Arc::new(Observer::new(app.clone())), observe))
        .layer(from_fn_with_state(Arc::new(Pace::new(app)), pace))
        .layer(map_response(move |response| ready(below(&prefix, response))))
}

/// Whether a browser asks for a page, outside of the API.
fn wants_page(request: &Request) -> bool {
    !request.uri().path().starts_with("/api/") && takes_pages(request.headers())
}

/// Whether a browser asks: it takes pages.
pub(crate) fn takes_pages(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT).iter().filter_map(|line| line.to_str().ok());
    accepted.into_iter().any(|line| line.contains("text/html"))
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

fn unknown_path(app: &App, Extension(context): Extension<Context>, request: &Request) -> Response {
    if start::is_asked(request.method(), request.uri().path()) {
        return start::redirect(&app.settings.public_url);
    }
    Problem::unknown_path().into_response(&app.settings.public_url, context.request)
}

/// The router adds `Allow`.
fn unknown_method(app: &App, Extension(context): Extension<Context>) -> Response {
    Problem::new(Code::MethodNotAllowed, "the path does not take this method")
        .into_response(&app.settings.public_url, context.request)
}
