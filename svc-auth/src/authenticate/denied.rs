//! Why a request is refused.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use svc_core::error::StoreError;
use svc_core::permission::Permission;
use thiserror::Error;

use crate::authenticate::cache::Unread;
use crate::limit::{Budget, LimitStatus};

/// A request that failed a check.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rejected {
    /// The check that failed first.
    pub denied: Denied,
    /// What is left of the caller's budgets, where the caller is known: with every 403 and when a
    /// budget is used up.
    pub limits: Option<LimitStatus>,
}

impl From<Denied> for Rejected {
    fn from(denied: Denied) -> Self {
        Self { denied, limits: None }
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.denied.fmt(f)
    }
}

impl Error for Rejected {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.denied.source()
    }
}

/// Why a request is refused. Each has a status and a code of its own.
#[derive(Debug, Error)]
pub enum Denied {
    /// 401: no `Authorization` header.
    #[error("the request carries no token")]
    TokenMissing,
    /// 401: another scheme than `Bearer`, junk, an unknown token, or a value replaced by a rotation.
    #[error("the token is not valid")]
    TokenInvalid,
    /// 401: switched off.
    #[error("the token is switched off")]
    TokenDisabled,
    /// 401: revoked for ever.
    #[error("the token was revoked")]
    TokenRevoked,
    /// 401: past its expiry date.
    #[error("the token has expired")]
    TokenExpired,
    /// 401: the creator no longer holds or administers the primary account.
    #[error("the creator of the token no longer holds or administers its primary account")]
    CreatorLostRole,
    /// 403: the route takes signed-in people only.
    #[error("this route does not accept account-bound tokens")]
    AccountTokenNotAccepted,
    /// 403: no permission of the token covers the required one.
    #[error("the token lacks the permission {required}")]
    MissingPermission {
        /// What the route requires.
        required: Permission,
    },
    /// 403: the source address is not on the token's list.
    #[error("the token may not be used from this address")]
    IpNotAllowed,
    /// 403: assistants come from elsewhere than the token's list allows (specification, part 5.4).
    #[error("a token with a list of addresses does not work on the MCP server")]
    IpRestrictedToken,
    /// 429: a budget of the primary account is used up.
    #[error("too many requests")]
    LimitExceeded {
        /// Which budget.
        budget: Budget,
        /// When to come back.
        retry_after: Duration,
    },
    /// 429: too many failed authentications from this address; only tokens that are known to be
    /// good without asking the store pass from there for the rest of the minute.
    #[error("too many failed authentications from this address")]
    TooManyFailures {
        /// When to come back.
        retry_after: Duration,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Unread> for Denied {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Throttled(retry_after) => Self::TooManyFailures { retry_after },
            Unread::Store(error) => Self::Store(error),
        }
    }
}

impl Denied {
    /// Whether a credential was presented and is not good: what is counted against the address
    /// that it came from.
    pub(super) const fn is_failed_authentication(&self) -> bool {
        match self {
            Self::TokenInvalid
            | Self::TokenDisabled
            | Self::TokenRevoked
            | Self::TokenExpired
            | Self::CreatorLostRole => true,
            Self::TokenMissing
            | Self::AccountTokenNotAccepted
            | Self::MissingPermission { .. }
            | Self::IpNotAllowed
            | Self::IpRestrictedToken
            | Self::LimitExceeded { .. }
            | Self::TooManyFailures { .. }
            | Self::Store(_) => false,
        }
    }
}
