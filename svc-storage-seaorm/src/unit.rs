//! The unit of work: one transaction, once there is need of it, that serves every domain crate.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use svc_core::audit::{AuditLog, ChainKeys, Entry};
use svc_core::error::StoreError;
use svc_core::idempotency::ReplyStore;
#[cfg(feature = "webhooks")]
use svc_core::outbox::Outbox;
use svc_core::unit::UnitOfWork;

use crate::outbox::committed::CommittedEvents;
use crate::store::SeaStore;
use crate::transaction::Transaction;

/// An open unit of work on every port at once; dropping it rolls it back.
pub struct SeaUnit {
    pub(crate) store: SeaStore<Transaction>,
    /// What the audit log is to tell of this unit; `None` when it was told nothing.
    entries: Mutex<Option<Vec<Entry>>>,
    chain: Arc<ChainKeys>,
    committed: Arc<CommittedEvents>,
}

impl SeaUnit {
    pub(crate) fn new(
        store: SeaStore<Transaction>,
        chain: Arc<ChainKeys>,
        committed: Arc<CommittedEvents>,
    ) -> Self {
        Self { store, entries: Mutex::default(), chain, committed }
    }

    /// Makes every change durable.
    pub(crate) async fn finish(self) -> Result<(), StoreError> {
        #[cfg(feature = "auth")]
        if self.store.moves_authority() {
            crate::auth::bump_authority(&self.store.conn).await?;
        }
        let owes_entry = self.store.owes_entry();
        match self.entries.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(entries) => self.store.append(&self.chain, entries).await?,
            None if owes_entry => {
                let fault = "a credential, a membership or a subscription was changed without an audit entry";
                return Err(StoreError::backend(fault));
            }
            None => {}
        }
        let committed = self.store.conn.commit().await;
        #[cfg(feature = "webhooks")]
        if owes_entry {
            // It may have been a subscription.
            self.committed.ahead().forget();
        }
        committed
    }
}

impl std::fmt::Debug for SeaUnit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SeaUnit").finish_non_exhaustive()
    }
}

#[async_trait]
impl UnitOfWork for SeaUnit {
    #[cfg(feature = "webhooks")]
    fn outbox(&self) -> &dyn Outbox {
        &self.store
    }

    fn replies(&self) -> &dyn ReplyStore {
        &self.store
    }

    fn audit(&self) -> &dyn AuditLog {
        self
    }

    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        self.finish().await
    }
}

#[async_trait]
impl AuditLog for SeaUnit {
    /// They are written with the commit, see the module `audit`. To tell it that no company is concerned
    /// is to tell it something: a person may be a member of none.
    async fn append(&self, entries: &[Entry]) -> Result<(), StoreError> {
        let mut told = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        told.get_or_insert_default().extend_from_slice(entries);
        Ok(())
    }
}
