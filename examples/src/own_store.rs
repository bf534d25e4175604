//! A storage of webhooks that a team writes itself: what svc-webhooks asks of any database, in plain tables.
//!
//! One unit of work is open at a time: it waits for its turn, works on a copy of the tables, and its commit puts the
//! copy in their place. Dropped, it leaves nothing. Whatever else changes the tables waits for the same turn; reads see
//! what is committed and wait for no unit. The shop's own orders are a table beside the others, so an order and its event
//! commit together or not at all.
//!
//! Everything is in memory and is looked through row by row. A storage in earnest has a transaction where this one has
//! a copy, and an index where this one has a filter; what it must keep is the same, and `tests/own_store.rs` tests it.

mod deliveries;
mod queue;
mod subscriptions;
mod tables;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use svc_core::audit::{AuditLog, Entry};
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::outbox::Outbox;
use svc_core::unit::UnitOfWork;
use svc_webhooks::ports::{
    DeliveryQueue, DeliveryReader, DeliveryStore, EventReader, SubscriptionReader, SubscriptionStore,
    WebhookStorage, WebhookUnit,
};
use tokio::sync::{Notify, OwnedMutexGuard};

use self::tables::Tables;

/// The storage; clones share one.
#[derive(Clone, Default)]
pub struct OwnStore {
    committed: Arc<View>,
    turn: Arc<tokio::sync::Mutex<()>>,
    published: Arc<Notify>,
}

impl OwnStore {
    /// Opens a unit of work on orders and webhooks once no other one is open.
    pub async fn unit(&self) -> Unit {
        let turn = Arc::clone(&self.turn).lock_owned().await;
        let work = View(Mutex::new(self.committed.tables().clone()));
        Unit { store: self.clone(), work, turn }
    }

    /// How many orders are kept.
    #[must_use]
    pub fn orders(&self) -> usize {
        self.committed.tables().orders.len()
    }

    /// Notified after commits that published events: for the deliverer.
    #[must_use]
    pub fn published(&self) -> Arc<Notify> {
        Arc::clone(&self.published)
    }
}

#[async_trait]
impl WebhookStorage for OwnStore {
    async fn begin(&self) -> Result<Box<dyn WebhookUnit>, StoreError> {
        Ok(Box::new(self.unit().await))
    }

    fn subscriptions(&self) -> &dyn SubscriptionReader {
        &*self.committed
    }

    fn deliveries(&self) -> &dyn DeliveryReader {
        &*self.committed
    }

    fn queue(&self) -> &dyn DeliveryQueue {
        self
    }

    fn events(&self) -> &dyn EventReader {
        &*self.committed
    }
}

/// A unit of work; dropped, it leaves nothing.
pub struct Unit {
    store: OwnStore,
    work: View,
    turn: OwnedMutexGuard<()>,
}

impl Unit {
    /// Adds an order of the shop; answers its number.
    #[must_use]
    pub fn place(&self, total_cents: i64) -> usize {
        let mut tables = self.work.tables();
        tables.orders.push(total_cents);
        tables.orders.len()
    }
}

#[async_trait]
impl UnitOfWork for Unit {
    fn outbox(&self) -> &dyn Outbox {
        &self.work
    }

    fn audit(&self) -> &dyn AuditLog {
        &self.work
    }

    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        let Self { store, work, turn } = *self;
        let next = work.0.into_inner().unwrap_or_else(PoisonError::into_inner).settled()?;
        let published = next.published;
        let before = std::mem::replace(&mut *store.committed.tables(), next);
        drop(turn);
        if published > before.published {
            store.published.notify_one();
        }
        Ok(())
    }
}

impl WebhookUnit for Unit {
    fn subscriptions(&self) -> &dyn SubscriptionStore {
        &self.work
    }

    fn deliveries(&self) -> &dyn DeliveryStore {
        &self.work
    }
}

/// The tables as they are seen from one place: what is committed, or the copy of a unit.
#[derive(Default)]
struct View(Mutex<Tables>);

impl View {
    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Outbox for View {
    async fn publish(&self, events: &[Event]) -> Result<(), StoreError> {
        self.tables().publish(events);
        Ok(())
    }
}

#[async_trait]
impl AuditLog for View {
    async fn append(&self, entries: &[Entry]) -> Result<(), StoreError> {
        self.tables().note(entries);
        Ok(())
    }
}
