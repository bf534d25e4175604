//! Requests that may be sent twice and take effect once.
//!
//! A client names a request with an `Idempotency-Key`. What each part does:
//!
//! 1. [`IdempotencyStore::claim`] writes a row `(caller, key)` with the hash of
//!    the request and a fence, or tells what the row already there means.
//! 2. The request runs. Its unit of work calls [`ReplyStore::keep`] with the
//!    fence just before it commits, so the change and its reply become durable
//!    in one commit. A fence that was overtaken makes the unit fail.
//! 3. A refusal (4xx) changes nothing and is kept the same way in a unit of its
//!    own; anything else is let go with [`IdempotencyStore::release`].
//!
//! A process that dies between 1 and 2 has changed nothing: its claim is taken
//! over once it is older than [`CLAIM_LEASE`]. One that dies after 2 has kept
//! the reply. So a repeated request never takes effect twice.

use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use crate::clock::Timestamp;
use crate::error::StoreError;
use crate::id::{AccountId, SessionId, TokenId, TypedId};

/// How long a reply is kept.
pub const KEPT_FOR: Duration = Duration::from_hours(24);

/// After this long a claim without a reply belongs to a request that died.
pub const CLAIM_LEASE: Duration = Duration::from_mins(1);

/// The credential behind an idempotent request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    /// An API token.
    Token(TokenId),
    /// A signed-in person's session.
    Session(SessionId),
}

impl Caller {
    /// What keeps the keys of credentials apart: no two ids of any kind share it.
    #[must_use]
    pub fn uuid(self) -> Uuid {
        match self {
            Self::Token(id) => id.uuid(),
            Self::Session(id) => id.uuid(),
        }
    }
}

/// Names one idempotent request: the key is unique per credential.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RequestKey {
    /// The credential that sent the request.
    pub caller: Caller,
    /// The client's key, 1 to 255 printable ASCII characters.
    pub key: String,
}

/// SHA-256 of what makes two requests the same: method, path, query and body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestHash(pub [u8; 32]);

/// Marks one run of a request: only the run that holds the claim may keep a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fence(pub i64);

/// A reply as it is kept: status, headers worth repeating, and both forms of the body.
#[derive(Clone, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status code.
    pub status: u16,
    /// `Location`, `ETag` and other headers that belong to the reply.
    pub headers: Vec<(String, String)>,
    /// The body for a caller who sees personal data masked.
    pub masked: Vec<u8>,
    /// The body for a caller who sees personal data in full, when it differs.
    pub full: Option<Vec<u8>>,
    /// Companies whose data is in the body: a caller who lost one gets no replay.
    pub companies: Vec<AccountId>,
}

impl std::fmt::Debug for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reply").field("status", &self.status).finish_non_exhaustive()
    }
}

/// What became of a claim.
#[derive(Debug)]
pub enum Claim {
    /// This run holds the key and must end it with a reply or a release.
    Held(Fence),
    /// Another run of the same request has not ended yet.
    Running,
    /// The key was used for a different request.
    Reused,
    /// The same request ended before: its reply.
    Done(Reply),
}

/// Keeps claims and replies of idempotent requests.
///
/// # Implementing this port
/// `claim` is one atomic step per key. Replies hold secrets and personal data:
/// encrypt them at rest. Rows older than [`KEPT_FOR`] may be taken as absent.
/// The contract suite is `svc_testkit::idempotency_contract!`.
#[async_trait]
pub trait IdempotencyStore: Send + Sync {
    /// Claims `key` for one run, or tells what stands there already.
    async fn claim(
        &self,
        key: &RequestKey,
        request: RequestHash,
        now: Timestamp,
    ) -> Result<Claim, StoreError>;

    /// Lets a claim go, so that the request may be tried again.
    async fn release(&self, key: &RequestKey, fence: Fence) -> Result<(), StoreError>;

    /// Forgets what was claimed before `before`; answers how many rows went.
    async fn purge(&self, before: Timestamp) -> Result<u64, StoreError>;
}

/// Keeps a reply within a unit of work.
#[async_trait]
pub trait ReplyStore: Send + Sync {
    /// Ends the claim `fence` on `key` with its reply.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the claim was taken over: the unit must not commit.
    async fn keep(&self, key: &RequestKey, fence: Fence, reply: &Reply) -> Result<(), StoreError>;
}

/// The replies of a storage that keeps none: what is to be kept fails, so that no request counts as repeatable.
#[derive(Clone, Copy, Debug)]
pub struct NoReplies;

#[async_trait]
impl ReplyStore for NoReplies {
    async fn keep(&self, _key: &RequestKey, _fence: Fence, _reply: &Reply) -> Result<(), StoreError> {
        Err(StoreError::backend("this storage keeps no replies"))
    }
}
