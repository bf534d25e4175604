//! The store as a server sees it: slow, sometimes failing, sometimes silent about what it did. What it
//! answers is never old.

use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use svc_core::audit::AuditLog;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::idempotency::ReplyStore;
use svc_core::outbox::Outbox;
use svc_core::unit::UnitOfWork;
use svc_webhooks::ports::{
    ClaimRequest, Claimed, DeliveryQueue, DeliveryReader, DeliveryStore, EventReader, FanOut, FannedOut,
    Leased, Settlement, SubscriptionReader, SubscriptionStore, Waiting, WebhookStorage, WebhookUnit,
};

use super::faults::{Fate, Faults, lost};
use super::truth::{Moment, Truth};
use super::turns::{Turn, Turns};
use super::{Store, world::Process};

/// The store of one server. What is committed in it is written down in the truth at the same moment.
pub(super) struct UnreliableStorage {
    pub(super) server: Process,
    pub(super) inner: Store,
    pub(super) faults: Faults,
    pub(super) truth: Truth,
    /// Taken by what changes something, where the store needs it.
    pub(super) turns: Option<Turns>,
    /// When this server last looked what waits to be fanned out.
    pub(super) looked: Mutex<Moment>,
}

impl UnreliableStorage {
    /// Lets time pass before a call; answers what becomes of it.
    async fn before(&self) -> Result<Fate, StoreError> {
        self.faults.before_store().await;
        match self.faults.of_store() {
            Fate::Refused => Err(lost()),
            fate @ (Fate::Done | Fate::AnswerLost) => Ok(fate),
        }
    }

    async fn after<T>(&self, fate: Fate, answer: Result<T, StoreError>) -> Result<T, StoreError> {
        self.faults.after_store().await;
        match fate {
            Fate::Done | Fate::Refused => answer,
            Fate::AnswerLost => Err(lost()),
        }
    }

    /// Until it is dropped, no other task changes anything.
    async fn turn(&self) -> Option<Turn> {
        match &self.turns {
            Some(turns) => Some(turns.take().await),
            None => None,
        }
    }

    fn looked(&self) -> Moment {
        *self.looked.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[async_trait]
impl WebhookStorage for UnreliableStorage {
    async fn begin(&self) -> Result<Box<dyn WebhookUnit>, StoreError> {
        self.before().await?;
        let turn = self.turn().await;
        let unit = UnreliableUnit {
            unit: self.inner.begin().await?,
            store: self.inner.clone(),
            faults: self.faults.clone(),
            truth: self.truth.clone(),
            turn,
        };
        Ok(Box::new(unit))
    }

    fn subscriptions(&self) -> &dyn SubscriptionReader {
        self.inner.subscriptions()
    }

    fn deliveries(&self) -> &dyn DeliveryReader {
        self.inner.deliveries()
    }

    fn events(&self) -> &dyn EventReader {
        self.inner.events()
    }

    fn queue(&self) -> &dyn DeliveryQueue {
        self
    }
}

#[async_trait]
impl DeliveryQueue for UnreliableStorage {
    async fn waiting(&self, limit: u32) -> Result<Waiting, StoreError> {
        let fate = self.before().await?;
        *self.looked.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = self.truth.moment();
        let waiting = self.inner.queue().waiting(limit).await;
        self.after(fate, waiting).await
    }

    async fn fan_out(&self, batch: &FanOut) -> Result<FannedOut, StoreError> {
        let fate = self.before().await?;
        let turn = self.turn().await;
        let done = self.inner.queue().fan_out(batch).await;
        if let Ok(done) = &done {
            self.truth.fanned_out(self.server, batch, done, self.looked());
        }
        drop(turn);
        self.after(fate, done).await
    }

    async fn claim(
        &self,
        request: &ClaimRequest,
        now: Timestamp,
        lease_for: Duration,
    ) -> Result<Claimed, StoreError> {
        let fate = self.before().await?;
        let turn = self.turn().await;
        let claimed = self.inner.queue().claim(request, now, lease_for).await;
        if let Ok(claimed) = &claimed {
            self.truth.claimed(self.server, &claimed.leased, now, now.plus(lease_for));
        }
        drop(turn);
        self.after(fate, claimed).await
    }

    async fn settle(&self, settlements: &[Settlement]) -> Result<u64, StoreError> {
        let fate = self.before().await?;
        let turn = self.turn().await;
        let settled = self.inner.queue().settle(settlements).await;
        if let Ok(settled) = settled {
            self.truth.settled(self.server, settlements, settled);
        }
        drop(turn);
        self.after(fate, settled).await
    }

    async fn release(&self, leases: &[Leased]) -> Result<(), StoreError> {
        let fate = self.before().await?;
        let turn = self.turn().await;
        let released = self.inner.queue().release(leases).await;
        if released.is_ok() {
            self.truth.released(leases);
        }
        drop(turn);
        self.after(fate, released).await
    }

    async fn next_due(&self, request: &ClaimRequest) -> Result<Option<Timestamp>, StoreError> {
        let fate = self.before().await?;
        let due = self.inner.queue().next_due(request).await;
        self.after(fate, due).await
    }

    async fn forget_removed(&self, limit: u32) -> Result<bool, StoreError> {
        let _turn = self.turn().await;
        self.inner.queue().forget_removed(limit).await
    }

    async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let _turn = self.turn().await;
        self.inner.queue().purge(before, limit).await
    }
}

struct UnreliableUnit {
    unit: Box<dyn WebhookUnit>,
    store: Store,
    faults: Faults,
    truth: Truth,
    /// Dropped after the unit.
    turn: Option<Turn>,
}

#[async_trait]
impl UnitOfWork for UnreliableUnit {
    fn outbox(&self) -> &dyn Outbox {
        self.unit.outbox()
    }

    fn replies(&self) -> &dyn ReplyStore {
        self.unit.replies()
    }

    fn audit(&self) -> &dyn AuditLog {
        self.unit.audit()
    }

    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        let Self { unit, store, faults, truth, turn } = *self;
        faults.before_store().await;
        let fate = faults.of_store();
        if fate == Fate::Refused {
            return Err(lost());
        }
        let committed = unit.commit().await;
        // The truth forgets a removed subscription at once, and a store bit by bit.
        while store.queue().forget_removed(100).await? {}
        truth.look();
        drop(turn);
        faults.after_store().await;
        if fate == Fate::AnswerLost { Err(lost()) } else { committed }
    }
}

impl WebhookUnit for UnreliableUnit {
    fn subscriptions(&self) -> &dyn SubscriptionStore {
        self.unit.subscriptions()
    }

    fn deliveries(&self) -> &dyn DeliveryStore {
        self.unit.deliveries()
    }
}
