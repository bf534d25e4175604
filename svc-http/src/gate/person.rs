//! Routes of the client area: for people who are signed in, never for tokens.
//!
//! In this order, so that a token hears of itself what it hears everywhere:
//!
//! 1. A request with an `Authorization` header is a token's: the first check of
//!    the specification, part 5.2, and then the second one, 403.
//! 2. The session cookie, 401.
//! 3. What changes something must come from a page of this service, with the
//!    session's CSRF token, 403.
//! 4. The role that the route asks for, 403.

use http::header::AUTHORIZATION;
use svc_auth::authenticate::{Access, Denied};
use svc_auth::ports::Standing;
use svc_auth::session::{CsrfToken, SessionValue, SignedIn, resume};
use svc_core::audit::Actor;
use svc_core::id::AccountId;
use svc_core::idempotency;
use svc_core::pii::PiiAccess;
use svc_core::role::Role;
use svc_core::tenant::Scope;

use super::{Acting, Arrival, Caller, Gate, Notice, cookie, csrf, token};
use crate::problem::{Code, Problem};
use crate::shares::Payer;
use crate::subject::Whose;

/// Lets signed-in people in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ByPerson {
    /// Everybody who is signed in.
    Any,
    /// A person who holds or administers at least one company; the handler works with those alone.
    Administrator,
}

/// A signed-in person.
pub(crate) struct PersonCaller {
    pub(crate) signed_in: SignedIn,
    pub(crate) csrf: CsrfToken,
    administered: Scope,
    actor: Actor,
}

impl Gate for ByPerson {
    type Caller = PersonCaller;

    async fn admit(&self, arrival: &Arrival) -> Result<PersonCaller, Problem> {
        if arrival.parts.headers.contains_key(AUTHORIZATION) {
            return Err(refuse_token(arrival).await);
        }
        let (signed_in, csrf) = resumed(arrival).await?;
        csrf::check(arrival, &csrf)?;
        let administered = signed_in.administered();
        let administers = administered.companies().is_none_or(|companies| !companies.is_empty());
        match self {
            Self::Administrator if !administers => return Err(Problem::role_required()),
            Self::Any | Self::Administrator => {}
        }
        let actor = signed_in.actor(arrival.from, Some(arrival.context.request));
        Ok(PersonCaller { signed_in, csrf, administered, actor })
    }

    fn notice(&self) -> Notice {
        let (access, who) = match self {
            Self::Any => ("person", "For the person who is signed in"),
            Self::Administrator => ("administrator", "For signed-in holders and administrators"),
        };
        Notice {
            access,
            permission: None,
            schemes: &["session"],
            csrf: true,
            limits: false,
            sentence: format!("{who}: tokens are answered with 403 `account_token_not_accepted`."),
        }
    }
}

/// What a token hears on a route that takes none.
async fn refuse_token(arrival: &Arrival) -> Problem {
    let authorization = token::authorization(&arrival.parts.headers);
    let admitted = arrival.app.authenticator.admit(authorization, Access::SessionOnly, arrival.from).await;
    admitted.map_or_else(Problem::from, |_| Denied::AccountTokenNotAccepted.into())
}

/// The session of the request's cookie.
pub(crate) async fn resumed(arrival: &Arrival) -> Result<(SignedIn, CsrfToken), Problem> {
    let (app, now) = (&arrival.app, arrival.context.now);
    let text = cookie::SESSION
        .read(arrival)
        .ok_or_else(|| Problem::new(Code::SessionMissing, "sign in first, with POST /session"))?;
    let ended = || Problem::new(Code::SessionInvalid, "the session has ended: sign in again");
    let text = std::str::from_utf8(text).map_err(|_| ended())?;
    let value = SessionValue::parse(text).ok_or_else(ended)?;
    let signed_in = resume(&*app.sessions, &app.peppers, app.lifetime, text, now).await?;
    Ok((signed_in.ok_or_else(ended)?, value.csrf()))
}

impl PersonCaller {
    /// What the person is in this company, which they must hold or administer. One that they do
    /// not belong to answers as one that does not exist.
    pub(crate) fn role_in(&self, company: AccountId) -> Result<Role, Problem> {
        let standing = self.signed_in.companies().iter().find(|standing| standing.id == company);
        match standing.map(|standing| (standing.is_administered(), standing.membership)) {
            Some((true, Standing::Member(role))) => Ok(role),
            Some((false, Standing::Member(_))) => Err(Problem::role_required()),
            Some((_, Standing::Stranger | Standing::Former)) | None => Err(Problem::not_found()),
        }
    }
}

impl Caller for PersonCaller {
    fn access(&self) -> PiiAccess {
        self.signed_in.access()
    }

    fn payer(&self) -> Option<Payer> {
        Some(Payer::Person(self.signed_in.session().user))
    }

    fn whose(&self) -> Whose<'_> {
        Whose::Person(self)
    }
}

impl Acting for PersonCaller {
    /// The companies that the person holds or administers.
    fn scope(&self) -> &Scope {
        &self.administered
    }

    fn actor(&self) -> &Actor {
        &self.actor
    }

    fn credential(&self) -> idempotency::Caller {
        idempotency::Caller::Session(self.signed_in.session().id)
    }
}
