//! Units of work: what commits together.

use async_trait::async_trait;

use crate::audit::{Actor, AuditLog};
use crate::clock::Timestamp;
use crate::error::StoreError;
use crate::event::Event;
use crate::idempotency::{Fence, Reply, ReplyStore, RequestKey};
use crate::outbox::Outbox;
use crate::pii::PiiAccess;
use crate::random::RandomSource;
use crate::tenant::Scope;

/// Changes that commit together or not at all; dropping a unit rolls it back.
///
/// # Implementing this port
/// Each domain crate extends this trait with its stores. The transaction opens
/// when the unit is begun and ends with [`UnitOfWork::commit`] or with the drop. No
/// unit may stay open across network I/O.
///
/// A unit that changed a token, a membership, a webhook subscription or a
/// password, and whose audit log was told nothing, does not commit: a use case
/// that forgets its entry fails in its first test. Last uses are no changes.
/// The contract suite is that of the storage that opens the unit, and
/// `svc_testkit::audit_contract!` for the entries.
#[async_trait]
pub trait UnitOfWork: Send + Sync {
    /// Events that become visible with the commit.
    ///
    /// A storage whose use cases emit none need not implement it: what is published then fails.
    fn outbox(&self) -> &dyn Outbox {
        &NotKept("events")
    }

    /// Replies to idempotent requests that are kept with the commit.
    ///
    /// A storage without idempotent requests need not implement it: what is kept then fails.
    fn replies(&self) -> &dyn ReplyStore {
        &NotKept("replies")
    }

    /// Entries of the audit log that commit with the change.
    fn audit(&self) -> &dyn AuditLog;

    /// Makes every change of this unit durable.
    ///
    /// # Errors
    /// When nothing of it was made durable.
    async fn commit(self: Box<Self>) -> Result<(), StoreError>;
}

/// What stands in for a part that a storage does not have.
struct NotKept(&'static str);

impl NotKept {
    fn refuse(&self) -> Result<(), StoreError> {
        Err(StoreError::backend(format!("this storage keeps no {}", self.0)))
    }
}

#[async_trait]
impl Outbox for NotKept {
    async fn publish(&self, _events: &[Event]) -> Result<(), StoreError> {
        self.refuse()
    }
}

#[async_trait]
impl ReplyStore for NotKept {
    async fn keep(&self, _key: &RequestKey, _fence: Fence, _reply: &Reply) -> Result<(), StoreError> {
        self.refuse()
    }
}

/// What a use case needs to know of the call that it serves.
#[derive(Clone, Copy)]
pub struct CallContext<'a> {
    /// The companies that the caller reaches.
    pub scope: &'a Scope,
    /// How the caller sees personal data: decides what may be filtered by and written back.
    pub access: PiiAccess,
    /// The person or program behind the call: the audit log names it.
    pub actor: &'a Actor,
    /// The instant of the call; everything it changes carries this one.
    pub now: Timestamp,
    /// Where new ids and secrets come from.
    pub random: &'a dyn RandomSource,
}

impl std::fmt::Debug for CallContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CallContext")
            .field("scope", self.scope)
            .field("access", &self.access)
            .field("actor", self.actor)
            .field("now", &self.now)
            .finish_non_exhaustive()
    }
}
