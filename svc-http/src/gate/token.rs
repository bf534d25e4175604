//! Routes for API tokens: the five checks of the specification, part 5.2.

use std::sync::Arc;

use http::HeaderMap;
use http::header::AUTHORIZATION;
use svc_auth::authenticate::{Access, permit};
use svc_auth::limit::LimitStatus;
use svc_auth::principal::Principal;
use svc_core::audit::{Actor, Who};
use svc_core::id::TokenId;
use svc_core::idempotency;
use svc_core::permission::Permission;
use svc_core::pii::PiiAccess;
use svc_core::tenant::Scope;

use super::{Acting, Arrival, Caller, Gate, Notice};
use crate::assistant::Guest;
use crate::problem::Problem;
use crate::shares::Payer;
use crate::subject::Whose;

/// Lets tokens in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ByToken {
    /// Any valid one.
    Any,
    /// One that holds this permission.
    With(Permission),
}

/// A token that passed every check.
pub(crate) struct TokenCaller {
    pub(crate) principal: Arc<Principal>,
    actor: Actor,
    limits: LimitStatus,
}

impl Gate for ByToken {
    type Caller = TokenCaller;

    async fn admit(&self, arrival: &Arrival) -> Result<TokenCaller, Problem> {
        if let Some(Guest { principal, limits, .. }) = arrival.parts.extensions.get() {
            permit(principal, self.access())?;
            return Ok(TokenCaller::new(Arc::clone(principal), arrival, *limits));
        }
        let authorization = authorization(&arrival.parts.headers);
        let admitted = arrival.app.authenticator.admit(authorization, self.access(), arrival.from).await?;
        Ok(TokenCaller::new(admitted.principal, arrival, admitted.limits))
    }

    async fn admit_again(&self, arrival: &Arrival, caller: TokenCaller) -> Result<TokenCaller, Problem> {
        let checks = &arrival.app.authenticator;
        if arrival.parts.extensions.get::<Guest>().is_some() {
            let principal = checks.admit_credential_again(caller.principal.token).await?;
            let principal = Arc::new(principal.within(&caller.principal.grants));
            permit(&principal, self.access())?;
            return Ok(TokenCaller { principal, ..caller });
        }
        let authorization = authorization(&arrival.parts.headers);
        let principal = checks.admit_again(authorization, self.access(), arrival.from).await?;
        Ok(TokenCaller { principal, ..caller })
    }

    fn notice(&self) -> Notice {
        let (access, permission, sentence) = match *self {
            Self::Any => ("any_token", None, "Any valid token.".to_owned()),
            Self::With(permission) => ("token", Some(permission), format!("Requires `{permission}`.")),
        };
        Notice { access, permission, schemes: &["bearer"], csrf: false, limits: true, sentence }
    }
}

impl ByToken {
    fn access(self) -> Access {
        match self {
            Self::Any => Access::AnyToken,
            Self::With(permission) => Access::Permission(permission),
        }
    }
}

impl TokenCaller {
    fn new(principal: Arc<Principal>, arrival: &Arrival, limits: LimitStatus) -> Self {
        let who = Who::Token(principal.token);
        let actor = Actor { who, from: arrival.from, request: Some(arrival.context.request) };
        Self { principal, actor, limits }
    }
}

impl Caller for TokenCaller {
    fn access(&self) -> PiiAccess {
        self.principal.access
    }

    fn whose(&self) -> Whose<'_> {
        Whose::Token(&self.principal)
    }

    fn limits(&self) -> Option<LimitStatus> {
        Some(self.limits)
    }

    fn token(&self) -> Option<TokenId> {
        Some(self.principal.token)
    }

    fn payer(&self) -> Option<Payer> {
        Some(Payer::Company(self.principal.primary))
    }
}

impl Acting for TokenCaller {
    fn scope(&self) -> &Scope {
        &self.principal.scope
    }

    fn actor(&self) -> &Actor {
        &self.actor
    }

    fn credential(&self) -> idempotency::Caller {
        idempotency::Caller::Token(self.principal.token)
    }
}

/// The `Authorization` header of a request, when it has any.
pub(crate) fn authorization(headers: &HeaderMap) -> Option<&str> {
    let mut lines = headers.get_all(AUTHORIZATION).iter();
    match (lines.next(), lines.next()) {
        (None, _) => None,
        (Some(line), None) => Some(line.to_str().unwrap_or(UNREADABLE)),
        // Two credentials: the request does not say for whom it is.
        (Some(_), Some(_)) => Some(UNREADABLE),
    }
}

/// A credential of no scheme: refused, and counted as an attempt.
const UNREADABLE: &str = "";
