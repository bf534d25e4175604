//! Letting requests of pages in.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequestParts, RawPathParams, Request};
use axum::response::Response;
use futures_util::FutureExt;
use http::{HeaderMap, Method, Uri};
use svc_auth::session::{Device, SessionValue};
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, RequestId};
use svc_core::pii::{PiiAccess, Reveal};
use svc_core::role::Role;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use tracing::Instrument;

use super::{Browser, Form, Seed, Visitor, form};
use crate::app::App;
use crate::body;
use crate::context::Context;
use crate::device;
use crate::gate::{Arrival, cookie, origin, resumed};
use crate::problem::{Code, Problem};
use crate::shares::{Payer, Share, Shares, Weight};

/// Bytes of a form.
const LONGEST: usize = 64 * 1024;
/// What a page costs beside the records of lists.
const PAGE: u32 = 50;
/// The field of every form that carries its CSRF token.
const CSRF: &str = "csrf";

/// Lets requests of pages in.
#[derive(Clone)]
pub struct Door {
    app: Arc<App>,
    shares: Arc<Shares>,
    api: Router,
}

/// A request that was let in.
pub struct Visit {
    app: Arc<App>,
    context: Context,
    from: Option<IpAddr>,
    secure: bool,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    path: Vec<(String, String)>,
    query: Form,
    form: Form,
    browser: Browser,
    share: Share,
}

/// A request that was not let in.
#[derive(Debug)]
pub struct Refusal {
    /// Why.
    pub problem: Problem,
    /// Of whom it came, as far as that was found out.
    pub browser: Browser,
}

/// What a request brings.
struct Sent {
    arrival: Arrival,
    path: Vec<(String, String)>,
    query: Form,
    form: Form,
    share: Share,
}

impl Door {
    pub(crate) fn new(app: Arc<App>, shares: Arc<Shares>, api: Router) -> Self {
        Self { app, shares, api }
    }

    pub(crate) const fn wiring(&self) -> &Arc<App> {
        &self.app
    }

    pub(crate) const fn shares(&self) -> &Arc<Shares> {
        &self.shares
    }

    /// The routes of the API.
    pub(crate) const fn api(&self) -> &Router {
        &self.api
    }

    /// What the pages are wired to.
    #[must_use]
    pub fn app(&self) -> &App {
        &self.app
    }

    /// Lets a request in: see the order in [`crate::visit`].
    ///
    /// # Errors
    /// A [`Refusal`], for a page that tells of it.
    pub async fn receive(&self, request: Request) -> Result<Visit, Refusal> {
        let mut browser = Browser::default();
        let Some(context) = request.extensions().get::<Context>().copied() else {
            return Err(Refusal { problem: Problem::internal(), browser });
        };
        let (arrival, body) = Arrival::of(Arc::clone(&self.app), context, request);
        match self.admit(arrival, body, &mut browser).await {
            Ok(Sent { arrival, path, query, form, share }) => {
                let Arrival { app, context, parts, from, secure } = arrival;
                let (method, uri, headers) = (parts.method, parts.uri, parts.headers);
                Ok(Visit {
                    app,
                    context,
                    from,
                    secure,
                    method,
                    uri,
                    headers,
                    path,
                    query,
                    form,
                    browser,
                    share,
                })
            }
            Err(problem) => Err(Refusal { problem, browser }),
        }
    }

    async fn admit(&self, mut arrival: Arrival, body: Body, browser: &mut Browser) -> Result<Sent, Problem> {
        let began = self.app.clock.now();
        browser.seed = cookie::SEED.read(&arrival).and_then(Seed::parse);
        browser.visitor = visitor(&arrival).await?;
        let share = self.shares.take(payer(&arrival, browser), weight(&arrival)).await?;
        let path = RawPathParams::from_request_parts(&mut arrival.parts, &()).await;
        let path = path.map_err(|_| Problem::not_found())?;
        let path = path.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let query = arrival.parts.uri.query().unwrap_or_default();
        let query = Form::read(query.as_bytes()).map_err(unreadable)?;
        if arrival.parts.method.is_safe() {
            return Ok(Sent { arrival, path, query, form: Form::default(), share });
        }
        let form = sent_form(&arrival, body).await?;
        if arrival.took_long(began) {
            browser.visitor = visitor(&arrival).await?;
        }
        check_csrf(&arrival, &form, browser)?;
        Ok(Sent { arrival, path, query, form, share })
    }
}

/// Who is signed in, as the session counts at this instant.
async fn visitor(arrival: &Arrival) -> Result<Option<Arc<Visitor>>, Problem> {
    match resumed(arrival).await {
        Ok((signed_in, csrf)) => {
            let actor = signed_in.actor(arrival.from, Some(arrival.context.request));
            Ok(Some(Arc::new(Visitor { signed_in, csrf, actor })))
        }
        Err(problem) if problem.is_of_session() => Ok(None),
        Err(problem) => Err(problem),
    }
}

fn payer(arrival: &Arrival, browser: &Browser) -> Payer {
    let visitor = browser.visitor.as_ref();
    visitor.map_or_else(|| Payer::at(arrival.from), |visitor| Payer::Person(visitor.signed_in.person().id))
}

fn weight(arrival: &Arrival) -> Weight {
    if arrival.parts.method.is_safe() {
        return Weight::records(PAGE);
    }
    Weight::bytes(body::declared(&arrival.parts.headers).unwrap_or(LONGEST))
}

/// What a page of this service sent.
async fn sent_form(arrival: &Arrival, body: Body) -> Result<Form, Problem> {
    origin::check(arrival)?;
    let headers = &arrival.parts.headers;
    if !form::is_declared(headers) {
        let detail = "a page takes forms: application/x-www-form-urlencoded";
        return Err(Problem::new(Code::UnsupportedMediaType, detail));
    }
    Form::read(&body::read(headers, body, LONGEST).await?).map_err(unreadable)
}

/// Whether the form is of a page that this browser had.
fn check_csrf(arrival: &Arrival, form: &Form, browser: &Browser) -> Result<(), Problem> {
    if browser.csrf().is_some_and(|token| token.matches(form.raw(CSRF))) {
        return Ok(());
    }
    // The form was made in a session that has ended since.
    if browser.visitor.is_none() && cookie::SESSION.read(arrival).is_some() {
        return Err(Problem::new(Code::SessionInvalid, "the session has ended: sign in again"));
    }
    Err(Problem::new(
        Code::CsrfRejected,
        "the form is of another session or another browser: open its page again, and let the browser keep cookies",
    ))
}

fn unreadable(error: super::TooManyFields) -> Problem {
    Problem::new(Code::PayloadTooLarge, error.to_string())
}

impl Visit {
    /// What the pages are wired to.
    #[must_use]
    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// The instant at which the request was let in.
    #[must_use]
    pub const fn now(&self) -> Timestamp {
        self.context.now
    }

    /// Names the request in logs.
    #[must_use]
    pub const fn request(&self) -> RequestId {
        self.context.request
    }

    /// The address of the client, as far as it is known.
    #[must_use]
    pub const fn from(&self) -> Option<IpAddr> {
        self.from
    }

    /// Whether the browser came over https.
    pub(super) const fn is_secure(&self) -> bool {
        self.secure
    }

    /// GET, HEAD or POST.
    #[must_use]
    pub const fn method(&self) -> &Method {
        &self.method
    }

    /// Path and query of the request, below the prefix of [`Settings::public_url`](crate::Settings::public_url).
    #[must_use]
    pub const fn uri(&self) -> &Uri {
        &self.uri
    }

    /// Its headers.
    #[must_use]
    pub const fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// What the path names so.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&str> {
        self.path.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The fields of the query.
    #[must_use]
    pub const fn query(&self) -> &Form {
        &self.query
    }

    /// The fields of the form; none of a GET.
    #[must_use]
    pub const fn form(&self) -> &Form {
        &self.form
    }

    /// What the browser calls itself.
    #[must_use]
    pub fn device(&self) -> Option<Device> {
        device::of(&self.headers)
    }

    /// Whose browser it is.
    #[must_use]
    pub const fn browser(&self) -> &Browser {
        &self.browser
    }

    /// Who is signed in.
    #[must_use]
    pub const fn visitor(&self) -> Option<&Arc<Visitor>> {
        self.browser.visitor.as_ref()
    }

    /// What use cases need to know of this visit, within a scope that was granted to the visitor.
    #[must_use]
    pub fn call<'a>(&'a self, visitor: &'a Visitor, scope: &'a Scope) -> CallContext<'a> {
        CallContext {
            scope,
            access: visitor.signed_in.access(),
            actor: &visitor.actor,
            now: self.context.now,
            random: &*self.app.random,
        }
    }

    /// How the visitor sees personal data.
    #[must_use]
    pub fn access(&self) -> PiiAccess {
        self.visitor().map_or(PiiAccess::Masked, |visitor| visitor.signed_in.access())
    }

    /// How the visitor sees personal data of one company: in full, unless they are an auditor there, or no member
    /// (domain part 2.2).
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the role of the session's person was read with the request"
    )]
    pub fn access_in(&self, company: AccountId) -> PiiAccess {
        let role = self.visitor().and_then(|visitor| visitor.company(company)).map(|(_, role)| role);
        match role {
            None | Some(Role::Auditor) => PiiAccess::Masked,
            Some(Role::Holder | Role::Administrator | Role::Manager | Role::Accountant | Role::Employee) => {
                PiiAccess::Full(Reveal::granted())
            }
        }
    }

    /// What the browser holds in the place of a session's value, whole or not.
    #[must_use]
    pub fn session_value(&self) -> String {
        let value = cookie::SESSION.read_from(&self.headers, self.secure).unwrap_or_default();
        String::from_utf8_lossy(value).into_owned()
    }

    /// The line `Set-Cookie` of a new session.
    #[must_use]
    pub fn session_cookie(&self, value: &SessionValue) -> String {
        cookie::SESSION.set(self.app.settings.prefix(), self.secure, value)
    }

    /// The line `Set-Cookie` that forgets the session.
    #[must_use]
    pub fn no_session_cookie(&self) -> String {
        cookie::SESSION.clear(self.app.settings.prefix(), self.secure)
    }

    /// The line `Set-Cookie` of a seed.
    #[must_use]
    pub fn seed_cookie(&self, seed: &Seed) -> String {
        seed.cookie(self.app.settings.prefix(), self.secure)
    }

    /// Hands the visit to `answer`, and keeps its share until the answer is sent. What changes something goes on when
    /// the client goes away, so that nothing is half done; a panic becomes a [`Problem`] without details.
    ///
    /// # Errors
    /// Those of `answer`.
    pub async fn answered<F, R>(self, answer: F) -> Result<Response, Problem>
    where
        F: FnOnce(Arc<Self>) -> R + Send + 'static,
        R: Future<Output = Result<Response, Problem>> + Send + 'static,
    {
        let reads = self.method.is_safe();
        let _turn = if reads { Some(self.share.turn().await?) } else { None };
        let visit = Arc::new(self);
        let kept = Arc::clone(&visit);
        let guarded = async move {
            AssertUnwindSafe(async { answer(visit).await }).catch_unwind().await.unwrap_or_else(|_| {
                tracing::error!("a page panicked");
                Err(Problem::internal())
            })
        };
        let response = if reads {
            guarded.await
        } else {
            let task = guarded.instrument(tracing::Span::current());
            tokio::spawn(task).await.unwrap_or_else(|_| Err(Problem::internal()))
        };
        Ok(response?.map(|body| Body::new(crate::kept::Kept::with(body, kept))))
    }
}
