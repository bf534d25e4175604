//! The authorization server of assistants, as far as clients talk to it: what it says of itself, registration, tokens.
//!
//! It stands beside the API, at the addresses that the standards name, and speaks their language: forms and JSON with
//! `error` and `error_description` (RFC 6749, section 5.2). Every answer may be read by pages of other sites, since none
//! depends on a cookie. Where people approve is the matter of the client area.

mod answer;
mod metadata;
mod register;
mod revoke;
mod token;

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Extension, Request, State};
use axum::response::Response;
use axum::routing::{MethodRouter, get, post};
use bytes::Bytes;
use http::HeaderMap;
use svc_auth::calls::CallRecorder;
use svc_auth::limit::FailureCounts;
use svc_auth::oauth::{Clients, Issuer};
use svc_auth::ports::{ClientDocuments, OauthStorage};
use svc_core::audit::Actor;
use svc_core::clock::Timestamp;
use svc_core::pii::PiiAccess;
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;

use self::answer::Told;
use crate::app::App;
use crate::body;
use crate::context::Context;
use crate::gate::Arrival;
use crate::problem::Problem;
use crate::shares::{Payer, Shares, Weight};

/// Bytes of a body: of a registration, and of what the token endpoint is sent.
const LONGEST: usize = 16 * 1024;
/// Registrations of one address in a minute.
const REGISTRATIONS_PER_MINUTE: NonZeroU32 = NonZeroU32::new(20).expect("not zero");

/// The authorization server: who it is, and what it knows.
pub struct Oauth {
    issuer: Issuer,
    storage: Arc<dyn OauthStorage>,
    clients: Clients,
    calls: CallRecorder,
    registrations: Mutex<FailureCounts>,
}

impl Oauth {
    /// For this public origin, over its clients and the documents that other clients have.
    #[must_use]
    pub fn new(issuer: Issuer, storage: Arc<dyn OauthStorage>, documents: Arc<dyn ClientDocuments>) -> Self {
        let clients = Clients::new(Arc::clone(&storage), documents);
        let registrations = Mutex::new(FailureCounts::new(REGISTRATIONS_PER_MINUTE));
        let calls = CallRecorder::new(Arc::clone(&storage));
        Self { issuer, storage, clients, calls, registrations }
    }

    /// Who answers.
    #[must_use]
    pub const fn issuer(&self) -> &Issuer {
        &self.issuer
    }

    /// Clients, grants and credentials.
    #[must_use]
    pub fn storage(&self) -> &dyn OauthStorage {
        &*self.storage
    }

    /// The clients that are known.
    #[must_use]
    pub const fn clients(&self) -> &Clients {
        &self.clients
    }

    /// Calls of assistants on their way to the storage: the server flushes them every few seconds, and when it stops.
    #[must_use]
    pub const fn calls(&self) -> &CallRecorder {
        &self.calls
    }

    /// Counts a registration of this address, or tells how long it has to wait.
    fn registers(&self, from: Option<IpAddr>, now: Timestamp) -> Result<(), Duration> {
        let mut counts = self.registrations.lock().unwrap_or_else(PoisonError::into_inner);
        counts.charge(from, now).map(drop)
    }
}

impl std::fmt::Debug for Oauth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Oauth").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}

/// What a client sent to an endpoint.
struct Sent {
    app: Arc<App>,
    oauth: Arc<Oauth>,
    context: Context,
    from: Option<IpAddr>,
    headers: HeaderMap,
    body: Bytes,
}

impl Sent {
    /// What use cases need to know: the client acts for itself, and reaches no company.
    fn call<'a>(&'a self, scope: &'a Scope, actor: &'a Actor) -> CallContext<'a> {
        let (now, random) = (self.context.now, &*self.app.random);
        CallContext { scope, access: PiiAccess::Masked, actor, now, random }
    }

    /// Whom the audit log names.
    fn actor(&self) -> Actor {
        Actor { from: self.from, request: Some(self.context.request), ..Actor::service("oauth") }
    }
}

/// The endpoints of this server.
pub(crate) fn router(oauth: &Arc<Oauth>, shares: &Arc<Shares>) -> Router<Arc<App>> {
    let (resource, server) = (metadata::resource(oauth.issuer()), metadata::server(oauth.issuer()));
    let document = |value: serde_json::Value| {
        let text = Bytes::from(value.to_string());
        let read = get(move || std::future::ready(answer::document(text.clone())));
        read.options(answer::preflight)
    };
    let on = |handler| endpoint(oauth, shares, handler);
    Router::new()
        .route("/.well-known/oauth-protected-resource", document(resource.clone()))
        .route("/.well-known/oauth-protected-resource/mcp", document(resource))
        .route("/.well-known/oauth-authorization-server", document(server))
        .route("/oauth/token", on(|sent| Box::pin(token::give(sent))))
        .route("/oauth/revoke", on(|sent| Box::pin(revoke::revoke(sent))))
        .route("/oauth/register", on(|sent| Box::pin(register::register(sent))))
}

type Handler = fn(Sent) -> futures_util::future::BoxFuture<'static, Result<Response, Told>>;

/// A POST of a client. What it changes goes on when the client goes away, so that nothing is half done.
fn endpoint(oauth: &Arc<Oauth>, shares: &Arc<Shares>, handler: Handler) -> MethodRouter<Arc<App>> {
    let (oauth, shares) = (Arc::clone(oauth), Arc::clone(shares));
    let answer = move |State(app): State<Arc<App>>, context: Extension<Context>, request: Request| {
        let (oauth, shares) = (Arc::clone(&oauth), Arc::clone(&shares));
        async move {
            let Extension(context) = context;
            let (arrival, body) = Arrival::of(app, context, request);
            let answered = answered(oauth, &shares, arrival, body, handler).await;
            answered.unwrap_or_else(Told::into_response)
        }
    };
    post(answer).options(answer::preflight)
}

async fn answered(
    oauth: Arc<Oauth>,
    shares: &Shares,
    arrival: Arrival,
    body: Body,
    handler: Handler,
) -> Result<Response, Told> {
    let Arrival { app, context, parts, from, .. } = arrival;
    app.authenticator.may_try(from).map_err(Problem::from)?;
    let weight = Weight::bytes(body::declared(&parts.headers).unwrap_or(LONGEST).min(LONGEST));
    let share = shares.take(Payer::at(from), weight).await?;
    body::refuse_coding(&parts.headers)?;
    let body = body::read(&parts.headers, body, LONGEST).await?;
    let sent = Sent { app, oauth, context, from, headers: parts.headers, body };
    let task = tokio::spawn(tracing::Instrument::in_current_span(handler(sent)));
    let response = task.await.unwrap_or_else(|_| Err(Problem::internal().into()))?;
    Ok(share.until_sent(response))
}
