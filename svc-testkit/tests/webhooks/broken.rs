//! A store with one fault, everything else as it should be.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use svc_core::audit::AuditLog;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{DeliveryId, SubscriptionId, TypedId};
use svc_core::idempotency::ReplyStore;
use svc_core::outbox::Outbox;
use svc_core::unit::UnitOfWork;
use svc_testkit::fakes::SeededRandom;
use svc_testkit::webhooks::MemoryWebhooks;
use svc_webhooks::delivery::{Delivery, State};
use svc_webhooks::ports::{
    ClaimRequest, Claimed, DeliveryQueue, DeliveryReader, DeliveryStore, EventReader, FanOut, FannedOut,
    Lease, Leased, Settlement, SubscriptionReader, SubscriptionStore, Waiting, WebhookStorage, WebhookUnit,
};
use svc_webhooks::subscription::Subscription;

/// What is wrong with a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    SettlesUnderAnyLease,
    ForgetsSettlements,
    SettlesEverythingAsArrived,
    TakesEventsFirst,
    LosesCommits,
    FansOutTwice,
    LeasesTwice,
    ClaimsEarly,
    RemembersSubscriptions,
    RemembersSecrets,
    MixesBodies,
    LeavesRetries,
    LeasesForEver,
}

impl Fault {
    pub(crate) const ALL: [Self; 13] = [
        Self::SettlesUnderAnyLease,
        Self::ForgetsSettlements,
        Self::SettlesEverythingAsArrived,
        Self::TakesEventsFirst,
        Self::LosesCommits,
        Self::FansOutTwice,
        Self::LeasesTwice,
        Self::ClaimsEarly,
        Self::RemembersSubscriptions,
        Self::RemembersSecrets,
        Self::MixesBodies,
        Self::LeavesRetries,
        Self::LeasesForEver,
    ];
}

pub(crate) struct Broken {
    memory: MemoryWebhooks,
    fault: Fault,
    random: SeededRandom,
    commits: Arc<AtomicU64>,
    leased: Mutex<BTreeMap<DeliveryId, Leased>>,
    leases: Mutex<BTreeMap<DeliveryId, Lease>>,
    first: Mutex<BTreeMap<SubscriptionId, Arc<Subscription>>>,
}

impl Broken {
    pub(crate) fn new(memory: MemoryWebhooks, fault: Fault) -> Self {
        Self {
            memory,
            fault,
            random: SeededRandom::new(7),
            commits: Arc::default(),
            leased: Mutex::default(),
            leases: Mutex::default(),
            first: Mutex::default(),
        }
    }

    fn is(&self, fault: Fault) -> bool {
        self.fault == fault
    }

    /// What a claimant gets of what was leased.
    fn spoil(&self, leased: &mut Vec<Leased>) {
        for one in leased.iter_mut() {
            let Some(present) = one.subscription.clone() else { continue };
            let first = Arc::clone(lock(&self.first).entry(present.id).or_insert_with(|| present.clone()));
            if self.is(Fault::RemembersSubscriptions) {
                one.subscription = Some(first);
            } else if self.is(Fault::RemembersSecrets) {
                let secret = first.secret.clone();
                one.subscription = Some(Arc::new(Subscription { secret, ..Subscription::clone(&present) }));
            }
        }
        if self.is(Fault::MixesBodies)
            && let [one, other, ..] = leased.as_mut_slice()
        {
            std::mem::swap(&mut one.notification, &mut other.notification);
        }
        if self.is(Fault::LeasesTwice) {
            let known = &mut *lock(&self.leased);
            let again = known.pop_first().map(|(_, leased)| leased);
            known.extend(leased.iter().map(|leased| (leased.delivery.id, leased.clone())));
            leased.extend(again);
        }
    }

    async fn add(&self, deliveries: &[Delivery], batch: &FanOut) -> Result<(), StoreError> {
        let unit = WebhookStorage::begin(&self.memory).await?;
        let is_held = |one: &&Delivery| batch.leased.iter().any(|held| held.id == one.id);
        let (held, queued): (Vec<_>, Vec<_>) = deliveries.iter().partition(is_held);
        for (some, initial_lease) in [(held, Some(batch.initial_lease)), (queued, None)] {
            let some: Vec<_> = some.into_iter().cloned().collect();
            unit.deliveries().insert(&some, initial_lease).await?;
        }
        unit.commit().await
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[async_trait]
impl DeliveryQueue for Broken {
    async fn waiting(&self, limit: u32) -> Result<Waiting, StoreError> {
        self.memory.queue().waiting(limit).await
    }

    async fn fan_out(&self, batch: &FanOut) -> Result<FannedOut, StoreError> {
        let all: Vec<Delivery> = batch.deliveries().map(|(delivery, _)| delivery.clone()).collect();
        lock(&self.leases).extend(batch.leased.iter().map(|one| (one.id, batch.initial_lease.lease)));
        if self.is(Fault::TakesEventsFirst) {
            let events = FanOut { leased: Vec::new(), queued: Vec::new(), ..batch.clone() };
            let mut done = self.memory.queue().fan_out(&events).await?;
            let ours: Vec<_> = all.into_iter().filter(|one| done.events.contains(&one.event)).collect();
            self.add(&ours, batch).await?;
            done.deliveries = ours.iter().map(|one| one.id).collect();
            return Ok(done);
        }
        let done = self.memory.queue().fan_out(batch).await?;
        if self.is(Fault::FansOutTwice) {
            let again = all.into_iter().filter(|one| done.deliveries.contains(&one.id));
            let again: Vec<_> = again
                .map(|one| Delivery {
                    id: DeliveryId::generate(one.created_at, &self.random),
                    automatic: false,
                    ..one
                })
                .collect();
            self.add(&again, batch).await?;
        }
        Ok(done)
    }

    async fn claim(
        &self,
        request: &ClaimRequest,
        now: Timestamp,
        lease_for: Duration,
    ) -> Result<Claimed, StoreError> {
        let mut request = request.clone();
        request.retries &= !self.is(Fault::LeavesRetries);
        let early = if self.is(Fault::ClaimsEarly) { Duration::from_secs(20) } else { Duration::ZERO };
        let lease_for = if self.is(Fault::LeasesForEver) { lease_for * 1_000 } else { lease_for };
        let mut claimed = self.memory.queue().claim(&request, now.plus(early), lease_for).await?;
        lock(&self.leases).extend(claimed.leased.iter().map(|one| (one.delivery.id, one.lease)));
        self.spoil(&mut claimed.leased);
        Ok(claimed)
    }

    async fn settle(&self, settlements: &[Settlement]) -> Result<u64, StoreError> {
        if self.is(Fault::ForgetsSettlements) {
            return Ok(settlements.len() as u64);
        }
        let mut settlements = settlements.to_vec();
        for one in &mut settlements {
            if self.is(Fault::SettlesUnderAnyLease) {
                one.lease = lock(&self.leases).get(&one.delivery.id).copied().unwrap_or(one.lease);
            }
            if let (true, Some(attempt)) = (self.is(Fault::SettlesEverythingAsArrived), &one.attempt) {
                one.delivery.state = State::Delivered { at: attempt.at };
            }
        }
        self.memory.queue().settle(&settlements).await
    }

    async fn release(&self, leases: &[Leased]) -> Result<(), StoreError> {
        self.memory.queue().release(leases).await
    }

    async fn next_due(&self, request: &ClaimRequest) -> Result<Option<Timestamp>, StoreError> {
        let retries = request.retries && !self.is(Fault::LeavesRetries);
        self.memory.queue().next_due(&ClaimRequest { retries, ..request.clone() }).await
    }

    async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        self.memory.queue().purge(before, limit).await
    }
}

#[async_trait]
impl WebhookStorage for Broken {
    async fn begin(&self) -> Result<Box<dyn WebhookUnit>, StoreError> {
        let unit = WebhookStorage::begin(&self.memory).await?;
        if !self.is(Fault::LosesCommits) {
            return Ok(unit);
        }
        Ok(Box::new(LosingUnit { unit, commits: Arc::clone(&self.commits) }))
    }

    fn subscriptions(&self) -> &dyn SubscriptionReader {
        self.memory.subscriptions()
    }

    fn deliveries(&self) -> &dyn DeliveryReader {
        self.memory.deliveries()
    }

    fn events(&self) -> &dyn EventReader {
        self.memory.events()
    }

    fn queue(&self) -> &dyn DeliveryQueue {
        self
    }
}

/// Of several commits one is not made, and the caller gets a success.
struct LosingUnit {
    unit: Box<dyn WebhookUnit>,
    commits: Arc<AtomicU64>,
}

#[async_trait]
impl UnitOfWork for LosingUnit {
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
        if self.commits.fetch_add(1, Ordering::SeqCst) % 4 == 3 {
            return Ok(());
        }
        self.unit.commit().await
    }
}

impl WebhookUnit for LosingUnit {
    fn subscriptions(&self) -> &dyn SubscriptionStore {
        self.unit.subscriptions()
    }

    fn deliveries(&self) -> &dyn DeliveryStore {
        self.unit.deliveries()
    }
}
