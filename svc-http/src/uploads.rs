//! `POST /uploads/{link}`: the file for which an assistant asked for a link (see [`svc_auth::upload`]).
//!
//! The link is all that the sender needs. What follows is a POST to `/api/v1/files` by the credential that asked for the
//! link, with the properties that were fixed then put in front of the body: the same checks, bounds and answers. It is done
//! under a key of the link, so that the link is used once: the same file again gets the same answer. A browser is sent back to
//! the page of the link, with what came of it.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Extension, Path, Request, State};
use axum::response::Response;
use axum::routing::post;
use axum::{Router, body::Bytes};
use futures_util::{StreamExt as _, stream};
use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, EXPECT, LOCATION};
use http::{HeaderValue, Method, StatusCode, Uri};
use svc_auth::upload::{self, UploadLink};
use svc_core::clock::Timestamp;
use svc_core::permission::Grants;
use tower::ServiceExt as _;

use crate::app::App;
use crate::assistant::{Call, Guest, IDEMPOTENCY_KEY};
use crate::context::Context;
use crate::gate::Arrival;
use crate::multipart;
use crate::oauth::Oauth;
use crate::problem::{Code, Problem};
use crate::router::takes_pages;
use crate::upload::PROPERTIES;

/// What an assistant needs to ask for a link.
pub(crate) const PERMISSION: &str = "documents:files.create";
/// Where links lead, below the public address.
pub(crate) const PATH: &str = "/uploads";

/// Headers of the sender that say how the body is to be read.
const OF_THE_BODY: [http::HeaderName; 3] = [CONTENT_TYPE, CONTENT_ENCODING, EXPECT];

/// The route, and what it works with.
struct Uploads {
    oauth: Arc<Oauth>,
    /// The routes of the API.
    api: Router,
    /// Whether there is a page of the link.
    pages: bool,
    /// All that an upload may use of what its credential may do.
    bounds: Grants,
}

/// The route, over the routes of the API.
/// With `pages`, browsers are sent back to that of the link.
pub(crate) fn router(oauth: &Arc<Oauth>, api: &Router, pages: bool) -> Router<Arc<App>> {
    let bounds = Grants::parse([PERMISSION]).expect("a permission of the catalogue");
    let route = Arc::new(Uploads { oauth: Arc::clone(oauth), api: api.clone(), pages, bounds });
    let answer = move |State(app): State<Arc<App>>,
                       Extension(context): Extension<Context>,
                       Path(link): Path<String>,
                       request: Request| {
        let route = Arc::clone(&route);
        async move {
            let public_url = app.settings.public_url.clone();
            let browser = route.pages && takes_pages(request.headers());
            let answered = route.answered(app, context, (&link, request)).await;
            let answered =
                answered.unwrap_or_else(|problem| problem.into_response(&public_url, context.request));
            let answered = of_the_link(answered, &public_url, context);
            if browser { back(&link, &answered) } else { answered }
        }
    };
    Router::new().route(&format!("{PATH}/{{link}}"), post(answer))
}

impl Uploads {
    async fn answered(
        &self,
        app: Arc<App>,
        context: Context,
        (presented, request): (&str, Request),
    ) -> Result<Response, Problem> {
        let (arrival, body) = Arrival::of(app, context, request);
        let link = known(&arrival.app, &self.oauth, presented, (arrival.from, context.now)).await?;
        let admitted = arrival.app.authenticator.admit_credential(link.credential, arrival.from).await?;
        let principal = Arc::new(admitted.principal.within(&self.bounds));
        let guest = Guest { principal, limits: admitted.limits, from: arrival.from };
        let request = asked(&arrival, &link, body, guest)?;
        match self.api.clone().oneshot(request).await {
            Ok(response) => Ok(response),
            Err(never) => match never {},
        }
    }
}

/// The link that is presented; an address that presents unknown ones is held up, as one with bad tokens is.
pub(crate) async fn known(
    app: &App,
    oauth: &Oauth,
    presented: &str,
    (from, now): (Option<IpAddr>, Timestamp),
) -> Result<UploadLink, Problem> {
    app.authenticator.may_try(from)?;
    let known = upload::known(oauth.storage(), presented, &app.peppers, now).await?;
    known.ok_or_else(|| {
        app.authenticator.count_failure(from);
        Problem::not_found()
    })
}

/// What the API says of keys, in terms of the link.
fn of_the_link(response: Response, public_url: &str, context: Context) -> Response {
    if response.extensions().get() != Some(&Code::IdempotencyKeyReused) {
        return response;
    }
    let detail = "another file came by this link: ask the assistant for another link";
    Problem::new(Code::UploadLinkUsed, detail).into_response(public_url, context.request)
}

/// Sends a browser back to the page of the link. The router puts the prefix in front of the path.
fn back(link: &str, response: &Response) -> Response {
    let outcome = response.extensions().get::<Code>().map_or("stored", |code| code.name());
    let mut answer = Response::new(Body::empty());
    *answer.status_mut() = StatusCode::SEE_OTHER;
    let page = HeaderValue::try_from(format!("{PATH}/{}?outcome={outcome}", Call::segment(link)));
    let headers = answer.headers_mut();
    headers.insert(LOCATION, page.unwrap_or(HeaderValue::from_static("/")));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

/// The same body as an upload by the API, behind what was said of the file when the link was made.
fn asked(arrival: &Arrival, link: &UploadLink, body: Body, guest: Guest) -> Result<Request, Problem> {
    let headers = &arrival.parts.headers;
    let boundary = multipart::boundary(headers).ok_or_else(multipart::no_boundary)?;
    let said = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"{PROPERTIES}\"\r\n\r\n{}\r\n",
        link.properties
    );
    let length = crate::body::declared(headers).map(|length| length.saturating_add(said.len()));
    let first = stream::iter([Ok(Bytes::from(said))]);
    let mut request = Request::new(Body::from_stream(first.chain(body.into_data_stream())));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = Uri::from_static("/api/v1/files");
    let to = request.headers_mut();
    for name in OF_THE_BODY {
        to.extend(headers.get_all(&name).iter().map(|value| (name.clone(), value.clone())));
    }
    if let Some(length) = length {
        to.insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    to.insert(IDEMPOTENCY_KEY, HeaderValue::try_from(link.key()).map_err(|_| Problem::internal())?);
    request.extensions_mut().insert(arrival.context);
    request.extensions_mut().insert(guest);
    Ok(request)
}
