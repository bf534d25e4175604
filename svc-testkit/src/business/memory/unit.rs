//! A unit of work on a copy of the records.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use svc_business::ports::{AccountStore, BusinessUnit, ContactStore, GroupStore, PeopleStore};
use svc_core::audit::AuditLog;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::idempotency::{Fence, Reply, ReplyStore, RequestKey};
use svc_core::outbox::Outbox;
use svc_core::unit::UnitOfWork;

use super::state::State;
use super::{Journal, Shared, Store, lock};
use crate::audit::StagedAudit;

pub(super) struct MemoryUnit {
    shared: Arc<Shared>,
    base: State,
    store: Store,
    added: Mutex<Journal>,
    audit: StagedAudit,
}

impl MemoryUnit {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let base = shared.store.state().clone();
        let store = Store(Mutex::new(base.clone()));
        let audit = shared.audit.stage();
        Self { shared, base, store, added: Mutex::default(), audit }
    }
}

#[async_trait]
impl UnitOfWork for MemoryUnit {
    fn outbox(&self) -> &dyn Outbox {
        self
    }

    fn replies(&self) -> &dyn ReplyStore {
        self
    }

    fn audit(&self) -> &dyn AuditLog {
        &self.audit
    }

    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        let added = std::mem::take(&mut *lock(&self.added));
        let mut committed = self.shared.store.state();
        let changed = self.store.state().clone();
        self.audit.settle(changed.owes_an_entry(&self.base))?;
        let next = committed.with_changes(&self.base, &changed)?;
        *committed = next;
        let mut journal = lock(&self.shared.journal);
        journal.events.extend(added.events);
        journal.replies.extend(added.replies);
        drop(journal);
        self.audit.commit();
        Ok(())
    }
}

impl BusinessUnit for MemoryUnit {
    fn accounts(&self) -> &dyn AccountStore {
        &self.store
    }

    fn contacts(&self) -> &dyn ContactStore {
        &self.store
    }

    fn groups(&self) -> &dyn GroupStore {
        &self.store
    }

    fn people(&self) -> &dyn PeopleStore {
        &self.store
    }
}

#[async_trait]
impl Outbox for MemoryUnit {
    async fn publish(&self, events: &[Event]) -> Result<(), StoreError> {
        lock(&self.added).events.extend_from_slice(events);
        Ok(())
    }
}

#[async_trait]
impl ReplyStore for MemoryUnit {
    async fn keep(&self, key: &RequestKey, _fence: Fence, reply: &Reply) -> Result<(), StoreError> {
        lock(&self.added).replies.insert(key.clone(), reply.clone());
        Ok(())
    }
}
