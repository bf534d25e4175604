//! Units of work: what commits together.

use async_trait::async_trait;

use crate::audit::{Actor, AuditLog};
use crate::clock::Timestamp;
use crate::error::StoreError;
use crate::idempotency::{NoReplies, ReplyStore};
use crate::outbox::{NoOutbox, Outbox};
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
    /// A storage whose use cases emit none need not implement it: [`NoOutbox`] refuses what is published.
    fn outbox(&self) -> &dyn Outbox {
        &NoOutbox
    }

    /// Replies to idempotent requests that are kept with the commit.
    ///
    /// A storage without idempotent requests need not implement it: [`NoReplies`] refuses what is kept.
    fn replies(&self) -> &dyn ReplyStore {
        &NoReplies
    }

    /// Entries of the audit log that commit with the change.
    ///
    /// A storage that keeps no log says so by its name, [`DiscardedAudit`](crate::audit::DiscardedAudit).
    fn audit(&self) -> &dyn AuditLog;

    /// Makes every change of this unit durable.
    ///
    /// # Errors
    /// When nothing of it was made durable.
    async fn commit(self: Box<Self>) -> Result<(), StoreError>;
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

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    use uuid::Uuid;

    use super::*;
    use crate::audit::DiscardedAudit;
    use crate::id::{TokenId, TypedId as _};
    use crate::idempotency::{Caller, Fence, Reply, RequestKey};

    /// A unit of a storage that has only what it must.
    struct Bare;

    #[async_trait]
    impl UnitOfWork for Bare {
        fn audit(&self) -> &dyn AuditLog {
            &DiscardedAudit
        }

        async fn commit(self: Box<Self>) -> Result<(), StoreError> {
            Ok(())
        }
    }

    fn ready<T>(mut future: Pin<Box<dyn Future<Output = T> + Send + '_>>) -> T {
        match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => value,
            Poll::Pending => panic!("it waits for nothing"),
        }
    }

    #[test]
    fn a_unit_without_outbox_and_replies_loses_neither_silently() {
        let key =
            RequestKey { caller: Caller::Token(TokenId::from_uuid(Uuid::from_u128(1))), key: "k".into() };
        let reply = Reply { status: 201, headers: vec![], masked: vec![], full: None, companies: vec![] };
        assert!(matches!(ready(Bare.outbox().publish(&[])), Err(StoreError::Backend(_))));
        assert!(matches!(ready(Bare.replies().keep(&key, Fence(1), &reply)), Err(StoreError::Backend(_))));
        assert!(matches!(ready(Bare.audit().append(&[])), Ok(())), "its author asked for no log");
    }
}
