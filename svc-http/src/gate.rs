//! Gates: who may call a route, as a type.
//!
//! A route is made with a gate, and the gate decides what the route's handler
//! is handed: [`ByToken`] a token's principal, [`ByPerson`] a signed-in person,
//! [`ByEither`] one of the two, [`ByReport`] a secret scanner, [`ByAnyone`] an anonymous caller. A handler of one
//! cannot be put behind another, and a route without a gate does not compile.
//!
//! A gate sees the head of a request only; the body is read once it let the
//! caller in, or to say more of a refusal: [`Gate::refuse`]. Meanwhile a role, a session or a token may end: a caller whose
//! body took long is let in again before anything is done for them, see
//! [`Gate::admit_again`]. A caller who vouches for the body is held to it before
//! the handler runs: [`Caller::check_body`]. What each of them looks at stands
//! in its own file.

mod anyone;
pub(crate) mod cookie;
mod csrf;
mod either;
pub(crate) mod origin;
mod person;
mod report;
mod subscriber;
mod token;

use std::future::Future;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use http::request::Parts;
use http::{Extensions, HeaderMap};
use svc_auth::client_address::client_address;
use svc_auth::limit::LimitStatus;
use svc_core::audit::Actor;
use svc_core::clock::Timestamp;
use svc_core::id::TokenId;
use svc_core::idempotency;
use svc_core::permission::Permission;
use svc_core::pii::PiiAccess;
use svc_core::tenant::Scope;

pub(crate) use self::anyone::{Anonymous, ByAnyone};
pub(crate) use self::either::{ByEither, EitherCaller};
pub(crate) use self::person::{ByPerson, PersonCaller, resumed};
pub(crate) use self::report::{ByReport, Reporter};
pub(crate) use self::subscriber::BySubscriber;
pub(crate) use self::token::{ByToken, TokenCaller, authorization};
use crate::app::App;
use crate::assistant::Guest;
use crate::context::Context;
use crate::problem::Problem;
use crate::server::Peer;
use crate::shares::Payer;
use crate::subject::Whose;
use crate::transport::Channel;

/// How long a caller stays admitted while the body comes in.
const ADMITTED_FOR: Duration = Duration::from_secs(1);

/// The head of a request that has not been let in yet.
pub(crate) struct Arrival {
    pub(crate) app: Arc<App>,
    pub(crate) context: Context,
    pub(crate) parts: Parts,
    /// The address of the client, as far as it is known.
    pub(crate) from: Option<IpAddr>,
    /// Whether it came over https.
    pub(crate) secure: bool,
}

/// Lets callers in, or says why not.
pub(crate) trait Gate: Send + Sync + 'static {
    /// What is known of a caller who was let in.
    type Caller: Caller;

    /// Runs the checks of this gate, in their order.
    fn admit(&self, arrival: &Arrival) -> impl Future<Output = Result<Self::Caller, Problem>> + Send;

    /// Runs the checks anew for a caller whom they let in a while ago; what was charged for the
    /// request is not charged again.
    fn admit_again(
        &self,
        arrival: &Arrival,
        caller: Self::Caller,
    ) -> impl Future<Output = Result<Self::Caller, Problem>> + Send {
        drop(caller);
        self.admit(arrival)
    }

    /// How many bytes of the body [`Gate::refuse`] reads at most; `None` when it reads none.
    fn reads_of_refused(&self, _problem: &Problem) -> Option<usize> {
        None
    }

    /// What a caller hears who was not let in. A gate that says more than its checks found reads the body for it; it is
    /// asked when it [reads some](Gate::reads_of_refused).
    fn refuse(
        &self,
        _arrival: &Arrival,
        _body: Body,
        problem: Problem,
    ) -> impl Future<Output = Problem> + Send {
        std::future::ready(problem)
    }

    /// What the `OpenAPI` document says of it.
    fn notice(&self) -> Notice;
}

/// A caller who was let in.
pub(crate) trait Caller: Send + Sync + 'static {
    /// How they see personal data.
    fn access(&self) -> PiiAccess;

    /// Judges what the head alone could not show, before the handler sees the body.
    fn check_body(&self, _body: &[u8]) -> Result<(), Problem> {
        Ok(())
    }

    /// Whose things a path names to them.
    fn whose(&self) -> Whose<'_> {
        Whose::Unknown
    }

    /// What is left of the budgets that the request was taken from.
    fn limits(&self) -> Option<LimitStatus> {
        None
    }

    /// Whose requests wait for each other; those of the address unless the caller is known.
    fn payer(&self) -> Option<Payer> {
        None
    }

    /// The token that they came with.
    fn token(&self) -> Option<TokenId> {
        None
    }
}

/// A caller who works with companies.
pub(crate) trait Acting: Caller {
    /// The companies that they may work with.
    fn scope(&self) -> &Scope;

    /// Whom the audit log names.
    fn actor(&self) -> &Actor;

    /// Whose `Idempotency-Key`s these are.
    fn credential(&self) -> idempotency::Caller;
}

/// A gate as the `OpenAPI` document shows it.
pub(crate) struct Notice {
    /// `x-access`
    pub(crate) access: &'static str,
    /// `x-required-permission`
    pub(crate) permission: Option<Permission>,
    /// Names of the security schemes, one of which is needed.
    pub(crate) schemes: &'static [&'static str],
    /// Whether an unsafe request must bring the session's CSRF token.
    pub(crate) csrf: bool,
    /// Whether answers tell what is left of the budgets.
    pub(crate) limits: bool,
    /// For people.
    pub(crate) sentence: String,
}

impl Arrival {
    /// Takes the head of a request.
    pub(crate) fn of(app: Arc<App>, context: Context, request: Request) -> (Self, Body) {
        let (parts, body) = request.into_parts();
        let from = match parts.extensions.get::<Guest>() {
            Some(guest) => guest.from,
            None => source(&app, &parts.headers, &parts.extensions),
        };
        let secure = parts.extensions.get() == Some(&Channel::Https);
        (Self { app, context, parts, from, secure }, body)
    }

    /// Whether the body, which began to be read at `began`, took so long that its caller is to be let in once more.
    /// The request then counts as made at this instant, so that no limit in time is judged by the earlier one.
    pub(crate) fn took_long(&mut self, began: Timestamp) -> bool {
        let now = self.app.clock.now();
        let long = took_long(began, now);
        if long {
            self.context.now = now;
        }
        long
    }
}

/// Whether a caller who was let in at `began` is to be let in once more.
pub(crate) fn took_long(began: Timestamp, now: Timestamp) -> bool {
    // A clock that was set back meanwhile does not tell how long it took.
    now < began || now.since(began) > ADMITTED_FOR
}

/// The address of the client behind a request, as far as it is known.
pub(crate) fn source(app: &App, headers: &HeaderMap, extensions: &Extensions) -> Option<IpAddr> {
    let settings = &app.settings;
    let lines = headers.get_all(&settings.client_ip_header);
    // A line that is no text is unusable where it is reached, as an empty one is.
    let lines: Vec<&str> = lines.iter().map(|line| line.to_str().unwrap_or_default()).collect();
    let Peer(peer) = extensions.get::<Peer>()?;
    client_address(peer.ip(), &lines, &settings.trusted_proxies)
}
