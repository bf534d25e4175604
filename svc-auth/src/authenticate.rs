//! The checks on every request, in the order of the specification, part 5.2.
//!
//! What the store knows is cached for up to a minute; [`Authenticator::forget`]
//! and [`Authenticator::refresh`] make changes effective sooner.

mod cache;
mod uses;

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use svc_core::clock::{Clock, Timestamp};
use svc_core::error::StoreError;
use svc_core::permission::Permission;
use thiserror::Error;

use self::cache::{Cache, Known};
use self::uses::Uses;
use crate::limit::{Budget, LimitDecision, LimitStatus};
use crate::ports::{AuthStorage, RateLimiter, Use};
use crate::principal::Principal;
use crate::scope::resolve;
use crate::token::{Peppers, Status, TokenValue};

/// What a route asks of its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Any valid token.
    AnyToken,
    /// A token that holds this permission.
    Permission(Permission),
    /// A signed-in person; no token is accepted.
    SessionOnly,
}

/// Why a request is refused. Each has a status and a code of its own.
#[derive(Debug, Error)]
pub enum Denied {
    /// 401: no `Authorization` header.
    #[error("the request carries no token")]
    TokenMissing,
    /// 401: another scheme than `Bearer`, junk, a token that nobody knows, or a value replaced by a rotation.
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
    /// 429: a budget of the primary account is used up.
    #[error("too many requests")]
    LimitExceeded {
        /// Which budget.
        budget: Budget,
        /// What is left.
        status: LimitStatus,
        /// When to come back.
        retry_after: Duration,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A request that passed every check.
#[derive(Clone, Debug)]
pub struct Admitted {
    /// Who is calling.
    pub principal: Arc<Principal>,
    /// What is left of the budgets.
    pub limits: LimitStatus,
}

/// Checks requests. Cheap to share: keep one per process.
pub struct Authenticator {
    storage: Arc<dyn AuthStorage>,
    limiter: Arc<dyn RateLimiter>,
    clock: Arc<dyn Clock>,
    peppers: Peppers,
    cache: Cache,
    uses: Uses,
    /// The authority version of the last refresh; `None` before the first one.
    seen: Mutex<Option<i64>>,
}

impl Authenticator {
    /// Wires the checks to their ports.
    #[must_use]
    pub fn new(
        storage: Arc<dyn AuthStorage>,
        limiter: Arc<dyn RateLimiter>,
        clock: Arc<dyn Clock>,
        peppers: Peppers,
    ) -> Self {
        let (cache, uses) = (Cache::new(), Uses::default());
        Self { storage, limiter, clock, peppers, cache, uses, seen: Mutex::default() }
    }

    /// Runs the five checks on the value of an `Authorization` header.
    ///
    /// # Errors
    /// The first check that fails, in the order of the specification.
    pub async fn admit(
        &self,
        authorization: Option<&str>,
        access: Access,
        source: Option<IpAddr>,
    ) -> Result<Admitted, Denied> {
        let principal = self.identify(authorization).await?;
        match access {
            Access::SessionOnly => return Err(Denied::AccountTokenNotAccepted),
            Access::Permission(required) if !principal.grants.cover(required) => {
                return Err(Denied::MissingPermission { required });
            }
            Access::Permission(_) | Access::AnyToken => {}
        }
        if !principal.allowed_ips.allow(source) {
            return Err(Denied::IpNotAllowed);
        }
        let now = self.clock.now();
        match self.limiter.take(principal.primary, now).await {
            LimitDecision::Within(limits) => {
                self.uses.record(Use { token: principal.token, at: now, from: source });
                Ok(Admitted { principal, limits })
            }
            LimitDecision::Exceeded { budget, status, retry_after } => {
                Err(Denied::LimitExceeded { budget, status, retry_after })
            }
        }
    }

    /// The first check: the token exists, works at present, and its creator may still use it.
    async fn identify(&self, authorization: Option<&str>) -> Result<Arc<Principal>, Denied> {
        let header = authorization.ok_or(Denied::TokenMissing)?;
        let value =
            bearer(header).and_then(|text| TokenValue::parse(text).ok()).ok_or(Denied::TokenInvalid)?;
        let digest = self.peppers.fingerprint(&value).digest;
        let known = self.cache.find(digest, &*self.clock, |read_at| self.read(&value, read_at)).await?;
        let known = known.ok_or(Denied::TokenInvalid)?;
        match known.token.status(self.clock.now()) {
            Status::Active => known.principal.clone().ok_or(Denied::CreatorLostRole),
            Status::Revoked => Err(Denied::TokenRevoked),
            Status::Disabled => Err(Denied::TokenDisabled),
            Status::Expired => Err(Denied::TokenExpired),
        }
    }

    async fn read(&self, value: &TokenValue, read_at: Timestamp) -> Result<Option<Known>, StoreError> {
        let candidates = self.peppers.candidates(value);
        let Some(token) = self.storage.tokens().find_by_fingerprint(&candidates).await? else {
            return Ok(None);
        };
        // The index found it; whether it is the one is decided here, in constant time.
        if !candidates.iter().any(|candidate| candidate.matches(&token.fingerprint)) {
            return Ok(None);
        }
        let named = token.companies.iter().copied().chain([token.primary]).collect();
        let standings = self.storage.directory().standings(token.created_by, &named, &token.groups).await?;
        let principal = resolve(&token, &standings).map(|reach| Arc::new(Principal::of(&token, reach)));
        Ok(Some(Known { read_at, token, principal }))
    }

    /// Forgets what is cached, so that the next request of every token reads the store.
    ///
    /// The node that changed an authority calls this after its commit; others
    /// notice by [`Self::refresh`].
    pub fn forget(&self) {
        self.cache.forget();
    }

    /// Compares the store's authority version with the one seen last, and
    /// forgets when it moved. To be called every two seconds or so.
    ///
    /// # Errors
    /// When the store could not be read; the cache then lives on to its own end.
    pub async fn refresh(&self) -> Result<(), StoreError> {
        let version = self.storage.tokens().authority_version().await?;
        let before = self.seen.lock().unwrap_or_else(PoisonError::into_inner).replace(version);
        // The first call cannot tell what was cached before it, so it forgets too.
        if before != Some(version) {
            tracing::debug!(version, "authority changed");
            self.forget();
        }
        Ok(())
    }

    /// Takes the last uses collected since the last call, to be written in one
    /// batch: at most one of each token per minute.
    #[must_use]
    pub fn take_uses(&self) -> Vec<Use> {
        self.uses.take(self.clock.now())
    }
}

impl std::fmt::Debug for Authenticator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authenticator").finish_non_exhaustive()
    }
}

/// The credential of the `Bearer` scheme, whose name has no case (RFC 9110, section 11.1).
fn bearer(header: &str) -> Option<&str> {
    let (scheme, credential) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| credential.trim_matches(' '))
}
