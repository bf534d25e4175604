//! Webhook storage in memory.
//!
//! A unit of work keeps a list of its changes. Each read within it sees the
//! committed tables with these changes applied (*read committed*), and the
//! commit applies the list once more to the tables as they are by then: a
//! change that no longer fits makes the whole commit a conflict.

mod events;
mod overview;
mod queue;
mod replays;
mod staged;
mod tables;
mod unit;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::{DeliveryId, SubscriptionId};
use svc_core::idempotency::IdempotencyStore;
use svc_core::unit::UnitOfWork;
use svc_webhooks::ports::{
    DeliveryQueue, DeliveryReader, EventReader, LoggedDelivery, SubscriptionReader, WebhookStorage,
    WebhookUnit,
};
use svc_webhooks::subscription::Subscription;

use self::staged::Staged;
use self::tables::{Op, State};
use self::unit::MemoryUnit;
use crate::audit::MemoryAudit;
use crate::idempotency::{Fixture, MemoryIdempotency};

/// Webhook storage that forgets with the process; clones share one state.
#[derive(Clone)]
pub struct MemoryWebhooks {
    shared: Shared,
    committed: Staged,
    idempotency: MemoryIdempotency,
    audit: MemoryAudit,
}

/// What all units of one storage share.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<State>>);

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MemoryWebhooks {
    /// An empty storage with an idempotency store of its own.
    #[must_use]
    pub fn new() -> Self {
        Self::with_idempotency(MemoryIdempotency::new())
    }

    /// An empty storage whose units keep their replies in `idempotency`.
    #[must_use]
    pub fn with_idempotency(idempotency: MemoryIdempotency) -> Self {
        let shared = Shared::default();
        Self { committed: Staged::over(shared.clone()), shared, idempotency, audit: MemoryAudit::default() }
    }

    /// The audit log that its units write to.
    #[must_use]
    pub fn audit(&self) -> &MemoryAudit {
        &self.audit
    }

    /// The store of the replies that units of this storage keep.
    #[must_use]
    pub fn idempotency(&self) -> &MemoryIdempotency {
        &self.idempotency
    }

    /// Adds events as if a unit that published them had committed: the way for
    /// the commits of other in-memory storages.
    pub fn append(&self, events: &[Event]) {
        let publish = Op::Publish(events.to_vec());
        self.shared.state().tables.apply(&publish).expect("publishing conflicts with nothing");
    }

    /// Events in the outbox that no dispatcher has taken yet, oldest first.
    #[must_use]
    pub fn outbox(&self) -> Vec<Event> {
        let tables = &self.shared.state().tables;
        tables
            .outbox
            .iter()
            .filter_map(|position| tables.events.get(&position.event))
            .map(|event| Event::clone(event))
            .collect()
    }
}

/// What is committed, for tests that look from outside.
impl MemoryWebhooks {
    pub(crate) fn committed_subscriptions(&self) -> BTreeMap<SubscriptionId, Arc<Subscription>> {
        self.shared.state().tables.subscriptions.clone()
    }

    pub(crate) fn committed_deliveries(&self) -> BTreeMap<DeliveryId, Arc<LoggedDelivery>> {
        self.shared.state().tables.deliveries.clone()
    }

    /// Whether nothing waits, neither events nor deliveries.
    pub(crate) fn is_drained(&self) -> bool {
        let tables = &self.shared.state().tables;
        tables.outbox.is_empty() && tables.queue.is_empty()
    }
}

impl Default for MemoryWebhooks {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MemoryWebhooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryWebhooks").finish_non_exhaustive()
    }
}

#[async_trait]
impl WebhookStorage for MemoryWebhooks {
    async fn begin(&self) -> Result<Box<dyn WebhookUnit>, StoreError> {
        Ok(Box::new(MemoryUnit::begin(self.shared.clone(), &self.idempotency, &self.audit)))
    }

    fn subscriptions(&self) -> &dyn SubscriptionReader {
        &self.committed
    }

    fn deliveries(&self) -> &dyn DeliveryReader {
        &self.committed
    }

    fn queue(&self) -> &dyn DeliveryQueue {
        &self.shared
    }

    fn events(&self) -> &dyn EventReader {
        &self.committed
    }
}

#[async_trait]
impl Fixture for MemoryWebhooks {
    fn store(&self) -> &dyn IdempotencyStore {
        &self.idempotency
    }

    async fn begin(&self) -> Result<Box<dyn UnitOfWork>, StoreError> {
        Ok(Box::new(MemoryUnit::begin(self.shared.clone(), &self.idempotency, &self.audit)))
    }
}
