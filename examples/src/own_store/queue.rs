//! The queue: what is due, leased to one worker at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{DeliveryId, SubscriptionId};
use svc_webhooks::delivery::Delivery;
use svc_webhooks::health::{Health, Tally};
use svc_webhooks::ports::{
    ClaimRequest, Claimed, DeliveryQueue, FanOut, FannedOut, Lease, Leased, Notification, Remaining,
    Settlement, Waiting,
};

use super::OwnStore;
use super::tables::{Row, Tables};

#[async_trait]
impl DeliveryQueue for OwnStore {
    async fn waiting(&self, limit: u32) -> Result<Waiting, StoreError> {
        let tables = self.committed.tables();
        let events = tables.outbox.iter().filter_map(|position| {
            let event = tables.events.get(&position.event)?;
            Some((*position, event.as_ref().clone()))
        });
        let events: Vec<_> = events.take(limit as usize).collect();
        let accounts: BTreeSet<_> = events.iter().filter_map(|(_, event)| event.account()).collect();
        let subscriptions = tables.subscriptions.values();
        let wanting = subscriptions.filter(|known| known.is_active() && accounts.contains(&known.account));
        Ok(Waiting {
            more: events.len() < tables.outbox.len(),
            events,
            subscriptions: wanting.map(|known| known.as_ref().clone()).collect(),
            backoffs: tables.health.iter().map(|(id, health)| (*id, health.backoff())).collect(),
        })
    }

    async fn fan_out(&self, batch: &FanOut) -> Result<FannedOut, StoreError> {
        let _turn = self.turn.lock().await;
        let mut tables = self.committed.tables();
        let taken = batch.positions.iter().filter(|position| tables.outbox.remove(position));
        let events: BTreeSet<_> = taken.map(|position| position.event).collect();
        let added = batch.deliveries().filter(|(delivery, initial_lease)| {
            let subscription = tables.subscriptions.get(&delivery.subscription);
            let is_wanted = subscription.is_some_and(|known| known.is_active());
            is_wanted && events.contains(&delivery.event) && tables.deliver(delivery, *initial_lease)
        });
        let deliveries = added.map(|(delivery, _)| delivery.id).collect();
        Ok(FannedOut { events, deliveries })
    }

    async fn claim(
        &self,
        request: &ClaimRequest,
        now: Timestamp,
        lease_for: Duration,
    ) -> Result<Claimed, StoreError> {
        let _turn = self.turn.lock().await;
        let mut tables = self.committed.tables();
        let (picked, remaining) = pick(&tables, request, now);
        let leased = picked.into_iter().filter_map(|id| tables.lease(id, now, lease_for)).collect();
        Ok(Claimed { leased, remaining })
    }

    async fn settle(&self, settlements: &[Settlement]) -> Result<u64, StoreError> {
        let _turn = self.turn.lock().await;
        let mut tables = self.committed.tables();
        let ours: Vec<_> = settlements.iter().filter(|settlement| tables.settle(settlement)).collect();
        for (id, tally) in Tally::of(ours.iter().copied()) {
            let before = tables.health.remove(&id);
            tables.health.insert(id, Health::after(before, &tally));
        }
        Ok(ours.len() as u64)
    }

    async fn release(&self, leases: &[Leased]) -> Result<(), StoreError> {
        let _turn = self.turn.lock().await;
        let mut tables = self.committed.tables();
        for Leased { lease, delivery, .. } in leases {
            if let Some(row) = tables.held(delivery.id, *lease) {
                row.lease = None;
            }
        }
        Ok(())
    }

    async fn next_due(&self, request: &ClaimRequest) -> Result<Option<Timestamp>, StoreError> {
        let tables = self.committed.tables();
        let wanted = tables.deliveries.values().filter(|row| asks_for(request, &row.logged.delivery));
        Ok(wanted.filter_map(|row| row.claimable_at()).min())
    }

    async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let _turn = self.turn.lock().await;
        Ok(self.committed.tables().purge(before, limit))
    }
}

/// What a claim takes, longest due first: in rounds, one of each lane a round, so that no lane waits for a longer one.
fn pick(tables: &Tables, request: &ClaimRequest, now: Timestamp) -> (Vec<DeliveryId>, Remaining) {
    let due = |row: &Row| row.claimable_at().is_some_and(|at| at <= now);
    let rows = tables.deliveries.values().filter(|row| due(row)).map(|row| &row.logged.delivery);
    let mut rows: Vec<_> = rows.filter(|delivery| asks_for(request, delivery)).collect();
    rows.sort_by_key(|delivery| (delivery.next_attempt_at(), delivery.id));
    let mut rounds: BTreeMap<(SubscriptionId, bool), u32> = BTreeMap::new();
    let mut in_rounds: Vec<_> = rows
        .into_iter()
        .map(|delivery| {
            let lane = rounds.entry((delivery.subscription, delivery.attempts > 0)).or_default();
            *lane += 1;
            (*lane, delivery)
        })
        .collect();
    // Stable: within a round, what is due longest comes first.
    in_rounds.sort_by_key(|(round, _)| *round);

    let (mut picked, mut remaining) = (Vec::new(), Remaining::Nothing);
    let mut taken: BTreeMap<SubscriptionId, u32> = BTreeMap::new();
    for (_, delivery) in in_rounds {
        let taken = taken.entry(delivery.subscription).or_default();
        if *taken == request.room(delivery.subscription) {
            remaining = remaining.max(Remaining::NoRoom);
        } else if picked.len() == request.limit as usize {
            remaining = Remaining::More;
        } else {
            *taken += 1;
            picked.push((delivery.next_attempt_at(), delivery.id));
        }
    }
    picked.sort_unstable();
    (picked.into_iter().map(|(_, id)| id).collect(), remaining)
}

/// Whether the request asks for the lane of this delivery.
fn asks_for(request: &ClaimRequest, delivery: &Delivery) -> bool {
    let is_first = delivery.attempts == 0;
    request.room(delivery.subscription) > 0
        && (is_first || request.retries)
        && !(is_first && request.in_backoff.contains(&delivery.subscription))
}

impl Tables {
    /// Leases a delivery; the caller has seen that it is due.
    fn lease(&mut self, id: DeliveryId, now: Timestamp, lease_for: Duration) -> Option<Leased> {
        let row = Arc::make_mut(self.deliveries.get_mut(&id)?);
        let delivery = row.logged.delivery.clone();
        self.leases += 1;
        let lease = Lease(self.leases);
        row.lease = Some((lease, now.plus(lease_for)));
        let notification = Notification::from(self.events.get(&delivery.event)?.as_ref());
        let subscription = self.subscriptions.get(&delivery.subscription).map(Arc::clone);
        let backoff = self.health.get(&delivery.subscription).map(Health::backoff).unwrap_or_default();
        Some(Leased { lease, since: now, delivery, notification, subscription, backoff })
    }

    /// Writes an attempt back if its lease still holds; answers whether it did.
    fn settle(&mut self, settlement: &Settlement) -> bool {
        let Some(row) = self.held(settlement.delivery.id, settlement.lease) else { return false };
        row.lease = None;
        row.logged.delivery = settlement.delivery.clone();
        row.logged.attempts.extend(settlement.attempt.clone());
        true
    }

    fn purge(&mut self, before: Timestamp, limit: u32) -> u64 {
        let deliveries = self.deliveries.values().map(|row| &row.logged.delivery);
        let old = deliveries.filter(|delivery| delivery.status().is_ended() && delivery.created_at < before);
        let mut old: Vec<_> = old.map(|delivery| (delivery.created_at, delivery.id)).collect();
        old.sort_unstable();
        old.truncate(limit as usize);
        for (_, id) in &old {
            self.deliveries.remove(id);
        }
        let mut needed: BTreeSet<_> = self.outbox.iter().map(|position| position.event).collect();
        needed.extend(self.deliveries.values().map(|row| row.logged.delivery.event));
        self.events.retain(|id, event| event.occurred_at >= before || needed.contains(id));
        old.len() as u64
    }
}
