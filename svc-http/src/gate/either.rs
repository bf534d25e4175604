//! Routes of which tokens and the client area both read: a token with the permission, or a signed-in holder or
//! administrator.
//!
//! A request with an `Authorization` header is a token's and is judged as one, whatever cookies come along. One with
//! the session cookie alone is a person's. One with neither is told to send a token.

use http::header::AUTHORIZATION;
use svc_auth::limit::LimitStatus;
use svc_core::audit::Actor;
use svc_core::id::{AccountId, TokenId};
use svc_core::idempotency;
use svc_core::permission::Permission;
use svc_core::pii::PiiAccess;
use svc_core::tenant::Scope;

use super::{Acting, Arrival, ByPerson, ByToken, Caller, Gate, Notice, PersonCaller, TokenCaller, cookie};
use crate::problem::Problem;
use crate::shares::Payer;
use crate::subject::Whose;

/// Lets tokens with this permission in, and holders and administrators.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByEither(pub(crate) Permission);

/// A token, or a person who holds or administers a company.
pub(crate) enum EitherCaller {
    Token(TokenCaller),
    Person(Box<PersonCaller>),
}

impl Gate for ByEither {
    type Caller = EitherCaller;

    async fn admit(&self, arrival: &Arrival) -> Result<EitherCaller, Problem> {
        let token = arrival.parts.headers.contains_key(AUTHORIZATION);
        if !token && cookie::SESSION.read(arrival).is_some() {
            let person = ByPerson::Administrator.admit(arrival).await?;
            return Ok(EitherCaller::Person(Box::new(person)));
        }
        ByToken::With(self.0).admit(arrival).await.map(EitherCaller::Token)
    }

    async fn admit_again(&self, arrival: &Arrival, caller: EitherCaller) -> Result<EitherCaller, Problem> {
        match caller {
            EitherCaller::Token(token) => {
                ByToken::With(self.0).admit_again(arrival, token).await.map(EitherCaller::Token)
            }
            EitherCaller::Person(_) => self.admit(arrival).await,
        }
    }

    fn notice(&self) -> Notice {
        let token = ByToken::With(self.0).notice();
        Notice {
            access: "token_or_administrator",
            schemes: &["bearer", "session"],
            sentence: format!("{} Signed-in holders and administrators need no token.", token.sentence),
            ..token
        }
    }
}

impl EitherCaller {
    /// Refuses a person who neither holds nor administers this company; a token is judged by its scope.
    pub(crate) fn administers(&self, company: AccountId) -> Result<(), Problem> {
        match self {
            Self::Token(_) => Ok(()),
            Self::Person(person) => person.role_in(company).map(drop),
        }
    }

    fn acting(&self) -> &dyn Acting {
        match self {
            Self::Token(token) => token,
            Self::Person(person) => &**person,
        }
    }
}

impl Caller for EitherCaller {
    fn access(&self) -> PiiAccess {
        self.acting().access()
    }

    fn whose(&self) -> Whose<'_> {
        self.acting().whose()
    }

    fn limits(&self) -> Option<LimitStatus> {
        self.acting().limits()
    }

    fn token(&self) -> Option<TokenId> {
        self.acting().token()
    }

    fn payer(&self) -> Option<Payer> {
        self.acting().payer()
    }
}

impl Acting for EitherCaller {
    fn scope(&self) -> &Scope {
        self.acting().scope()
    }

    fn actor(&self) -> &Actor {
        self.acting().actor()
    }

    fn credential(&self) -> idempotency::Caller {
        self.acting().credential()
    }
}
