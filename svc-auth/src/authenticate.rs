//! The checks on every request, in the order of the specification, part 5.2.
//!
//! What the store knows is cached for up to a minute; [`Authenticator::forget`]
//! and [`Authenticator::refresh`] make changes effective sooner.
//!
//! Failed authentications are counted by address. Where there were too many,
//! a token that is cached and good still passes, so that a guesser does not
//! stop an honest neighbour; anything else is refused unread. Callers whose
//! address is unknown are counted together, see [`Authenticator::with_failures_per_minute`].

mod attempt;
mod cache;
mod denied;
mod failures;
mod presented;
mod uses;

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

use svc_core::clock::{Clock, Timestamp};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TokenId};
use svc_core::permission::Permission;
use svc_core::role::RoleGrants;

use self::attempt::Attempt;
use self::cache::{Cache, Known, Unread};
pub use self::denied::{Denied, Rejected};
use self::failures::Failures;
use self::presented::{Connections, Presented, Way};
use self::uses::Uses;
use crate::limit::{LimitDecision, LimitStatus};
use crate::ports::{AuthStorage, OauthStorage, RateLimiter, Use};
use crate::principal::Principal;
use crate::token::{Peppers, Status};

/// Failed authentications of one address in a minute, unless the embedder says otherwise.
const FAILURES_PER_MINUTE: NonZeroU32 = NonZeroU32::new(60).expect("not zero");

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

/// A request that passed every check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Admitted {
    /// The caller.
    pub principal: Arc<Principal>,
    /// What is left of the budgets.
    pub limits: LimitStatus,
}

/// Validator requests. Cheap to share: keep one per process.
pub struct Authenticator {
    storage: Arc<dyn AuthStorage>,
    limiter: Arc<dyn RateLimiter>,
    clock: Arc<dyn Clock>,
    peppers: Peppers,
    connections: Option<Connections>,
    cache: Cache,
    failures: Failures,
    uses: Uses,
    /// The authority version of the last refresh; `None` before the first one, and where there is none.
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
        let (cache, uses) = (Cache::new(), Uses::new());
        let failures = Failures::new(FAILURES_PER_MINUTE);
        let connections = None;
        Self { storage, limiter, clock, peppers, connections, cache, failures, uses, seen: Mutex::default() }
    }

    /// Knows the access tokens of connections too, which may do what their person may at present.
    #[must_use]
    pub fn with_connections(self, storage: Arc<dyn OauthStorage>, roles: RoleGrants) -> Self {
        Self { connections: Some(Connections { storage, roles }), ..self }
    }

    /// Lets each address fail so many times per minute, in place of 60, and all
    /// unknown ones together ten times as often.
    #[must_use]
    pub fn with_failures_per_minute(self, failures: NonZeroU32) -> Self {
        Self { failures: Failures::new(failures), ..self }
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
    ) -> Result<Admitted, Rejected> {
        let principal = self.admit_again(authorization, access, source).await?;
        self.charge(principal, source).await
    }

    /// Runs the checks but the last one on a request that was admitted a while ago, so that it is
    /// charged once: for the moment before it acts, when its body took long to arrive.
    ///
    /// # Errors
    /// The first check that fails, in the order of the specification.
    pub async fn admit_again(
        &self,
        authorization: Option<&str>,
        access: Access,
        source: Option<IpAddr>,
    ) -> Result<Arc<Principal>, Rejected> {
        let principal = self.identify(Way::Api, authorization, source).await?;
        permit(&principal, access).and_then(|()| allow(&principal, source)).map_err(|denied| {
            let limits = Some(self.limiter.status(principal.primary, self.clock.now()));
            Rejected { denied, limits }
        })?;
        Ok(principal)
    }

    /// Runs the checks on a request of an assistant, which presents the access token of a connection, or a token
    /// without a list of addresses (specification, part 5.4). What it may call is for [`permit`] to judge.
    ///
    /// # Errors
    /// The first check that fails, in the order of the specification.
    pub async fn admit_assistant(
        &self,
        authorization: Option<&str>,
        source: Option<IpAddr>,
    ) -> Result<Admitted, Rejected> {
        let principal = self.admit_assistant_again(authorization, source).await?;
        self.charge(principal, source).await
    }

    /// The same on a request that was admitted and charged a while ago.
    ///
    /// # Errors
    /// The first check that fails, in the order of the specification.
    pub async fn admit_assistant_again(
        &self,
        authorization: Option<&str>,
        source: Option<IpAddr>,
    ) -> Result<Arc<Principal>, Rejected> {
        let principal = self.identify(Way::Mcp, authorization, source).await?;
        if principal.allowed_ips.is_empty() {
            return Ok(principal);
        }
        let limits = Some(self.limiter.status(principal.primary, self.clock.now()));
        Err(Rejected { denied: Denied::IpRestrictedToken, limits })
    }

    /// Runs the checks for a credential that asked for what is presented in its place: a link for an upload.
    ///
    /// # Errors
    /// The first check that fails, in the order of the specification.
    pub async fn admit_credential(&self, id: TokenId, source: Option<IpAddr>) -> Result<Admitted, Rejected> {
        let principal = self.admit_credential_again(id).await?;
        self.charge(principal, source).await
    }

    /// The same on a request that was admitted and charged a while ago. What is cached is not asked.
    ///
    /// # Errors
    /// The first check that fails, in the order of the specification.
    pub async fn admit_credential_again(&self, id: TokenId) -> Result<Arc<Principal>, Rejected> {
        let now = self.clock.now();
        let known =
            self.read_credential(id, now).await.map_err(Denied::Store)?.ok_or(Denied::TokenInvalid)?;
        let principal = usable(&known, now)?;
        if principal.allowed_ips.is_empty() {
            return Ok(principal);
        }
        let limits = Some(self.limiter.status(principal.primary, now));
        Err(Rejected { denied: Denied::IpRestrictedToken, limits })
    }

    /// The last check.
    async fn charge(&self, principal: Arc<Principal>, source: Option<IpAddr>) -> Result<Admitted, Rejected> {
        let now = self.clock.now();
        match self.limiter.take(principal.primary, now).await {
            LimitDecision::Within(limits) => {
                self.uses.record(Use { token: principal.token, at: now, from: source });
                Ok(Admitted { principal, limits })
            }
            LimitDecision::Exceeded { budget, status, retry_after } => {
                let denied = Denied::LimitExceeded { budget, retry_after };
                Err(Rejected { denied, limits: Some(status) })
            }
        }
    }

    /// The first check: the token exists, works at present, and its creator may still use it.
    async fn identify(
        &self,
        way: Way,
        authorization: Option<&str>,
        source: Option<IpAddr>,
    ) -> Result<Arc<Principal>, Denied> {
        let header = authorization.ok_or(Denied::TokenMissing)?;
        let presented = bearer(header).and_then(|text| Presented::read(text, way, &self.peppers));
        let presented = presented.map(|one| (self.peppers.fingerprint(one.value()).digest, one));
        let now = self.clock.now();
        if let Some((digest, _)) = &presented
            && let Some(known) = self.cache.warm(*digest, now).await
            && let Ok(principal) = usable(&known, now)
        {
            return Ok(principal);
        }
        let attempt = Attempt::begin(&self.failures, source, now)?;
        let outcome = match &presented {
            // In a box of its own: a warm request need not carry the room that a read takes.
            Some((digest, presented)) => Box::pin(self.look_up(*digest, presented, &attempt)).await,
            None => Err(Denied::TokenInvalid),
        };
        attempt.end(&outcome, self.clock.now());
        outcome
    }

    async fn look_up(
        &self,
        digest: [u8; 32],
        presented: &Presented,
        attempt: &Attempt<'_>,
    ) -> Result<Arc<Principal>, Denied> {
        let read = async |read_at| {
            attempt.charge(read_at).map_err(Unread::Throttled)?;
            self.read(presented, read_at).await.map_err(Unread::Store)
        };
        let found = self.cache.find(digest, &*self.clock, read).await;
        let known = found?.ok_or(Denied::TokenInvalid)?;
        usable(&known, self.clock.now())
    }

    /// What is left of the budgets of a company, as far as all processes know. Nothing is taken.
    ///
    /// # Errors
    /// When the store of the budgets could not be read.
    pub async fn limits_of(&self, company: AccountId) -> Result<LimitStatus, StoreError> {
        self.limiter.look_up(company, self.clock.now()).await
    }

    /// Lets an address present another credential than a token, unless it failed too often.
    ///
    /// # Errors
    /// [`Denied::TooManyFailures`].
    pub fn may_try(&self, source: Option<IpAddr>) -> Result<(), Denied> {
        Attempt::begin(&self.failures, source, self.clock.now()).map(drop)
    }

    /// Counts another credential than a token that was no good against its address.
    pub fn count_failure(&self, source: Option<IpAddr>) {
        // The failure is the answer, whether or not it is the one that uses the minute up.
        drop(self.failures.charge(source, self.clock.now()));
    }

    /// Forgets what is cached, so that the next request of every token reads the store.
    ///
    /// The node that changed an authority calls this after its commit; others
    /// notice by [`Self::refresh`].
    pub fn forget(&self) {
        self.cache.forget();
    }

    /// Compares the store's authority version with the one seen last, and
    /// forgets when it moved, or when the store counts no changes. To be called every two seconds or so.
    ///
    /// # Errors
    /// When the store could not be read; the cache then lives on to its own end.
    pub async fn refresh(&self) -> Result<(), StoreError> {
        let version = self.storage.tokens().authority_version().await?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut *seen, version);
        drop(seen);
        // The first call cannot tell what was cached before it, so it forgets too; so does each one over a
        // storage that counts no changes.
        if version.is_none() || before != version {
            tracing::debug!(version, "authority may have changed");
            self.forget();
        }
        Ok(())
    }

    /// How many tokens are cached, roughly: for a metric.
    #[must_use]
    pub fn cached(&self) -> u64 {
        self.cache.size()
    }

    /// How many attempts to authenticate came from unknown addresses so far, except with tokens that
    /// were cached: for a metric.
    #[must_use]
    pub fn attempts_from_unknown_addresses(&self) -> u64 {
        self.failures.unknown()
    }

    /// Takes the last uses collected since the last call, to be written in one
    /// batch: at most one of each token per minute.
    #[must_use]
    pub fn take_uses(&self) -> Vec<Use> {
        self.uses.take(self.clock.now())
    }

    /// Takes every last use that is left, for the end of the process.
    #[must_use]
    pub fn take_remaining_uses(&self) -> Vec<Use> {
        self.uses.take_all()
    }

    /// Takes back uses that could not be written, so that they are taken again.
    pub fn put_back_uses(&self, uses: Vec<Use>) {
        self.uses.put_back(uses);
    }
}

impl std::fmt::Debug for Authenticator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authenticator").finish_non_exhaustive()
    }
}

/// What a known token may do now: its state and its expiry are looked at on each request.
fn usable(known: &Known, now: Timestamp) -> Result<Arc<Principal>, Denied> {
    match known.token.status(now) {
        Status::Active if known.until.is_some_and(|end| now >= end) => Err(Denied::TokenExpired),
        Status::Active => known.principal.clone().ok_or(Denied::CreatorLostRole),
        Status::Revoked => Err(Denied::TokenRevoked),
        Status::Disabled => Err(Denied::TokenDisabled),
        Status::Expired => Err(Denied::TokenExpired),
    }
}

/// The second and the third check: whether a caller that was admitted may call a route.
///
/// # Errors
/// [`Denied::AccountTokenNotAccepted`], [`Denied::MissingPermission`].
pub fn permit(principal: &Principal, access: Access) -> Result<(), Denied> {
    match access {
        Access::SessionOnly => Err(Denied::AccountTokenNotAccepted),
        Access::Permission(required) if !principal.grants.cover(required) => {
            Err(Denied::MissingPermission { required })
        }
        Access::Permission(_) | Access::AnyToken => Ok(()),
    }
}

/// The fourth check.
fn allow(principal: &Principal, source: Option<IpAddr>) -> Result<(), Denied> {
    if principal.allowed_ips.allow(source) { Ok(()) } else { Err(Denied::IpNotAllowed) }
}

/// The credential of the `Bearer` scheme, whose name has no case (RFC 9110, section 11.1).
fn bearer(header: &str) -> Option<&str> {
    let (scheme, credential) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| credential.trim_matches(' '))
}
