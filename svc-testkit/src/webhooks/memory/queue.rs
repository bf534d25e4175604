//! The queue: every method is one commit.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::{DeliveryId, SubscriptionId};
use svc_webhooks::health::{Health, Tally};
use svc_webhooks::ports::{
    ClaimRequest, Claimed, DeliveryQueue, FanOut, FannedOut, Lease, Leased, Notification, OutboxPosition,
    Remaining, Settlement, Waiting,
};
use svc_webhooks::subscription::Subscription;

use super::Shared;
use super::staged::pause;
use super::tables::{Queued, Tables};

#[async_trait]
impl DeliveryQueue for Shared {
    async fn waiting(&self, limit: u32) -> Result<Waiting, StoreError> {
        pause().await;
        let tables = &self.state().tables;
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let event =
            |position: &OutboxPosition| Some((*position, Event::clone(tables.events.get(&position.event)?)));
        let mut rest = tables.outbox.iter().filter_map(event);
        let events: Vec<_> = rest.by_ref().take(limit).collect();
        let more = rest.next().is_some();
        let accounts: BTreeSet<_> = events.iter().filter_map(|(_, event)| event.account()).collect();
        let wanted = |known: &&Arc<Subscription>| known.is_active() && accounts.contains(&known.account);
        let subscriptions =
            tables.subscriptions.values().filter(wanted).map(|known| Subscription::clone(known)).collect();
        let backoffs = tables.health.iter().map(|(id, health)| (*id, health.backoff())).collect();
        Ok(Waiting { events, more, subscriptions, backoffs })
    }

    async fn fan_out(&self, batch: &FanOut) -> Result<FannedOut, StoreError> {
        pause().await;
        let tables = &mut self.state().tables;
        let taken = batch.positions.iter().filter(|position| tables.outbox.remove(position));
        let events: BTreeSet<_> = taken.map(|position| position.event).collect();
        let mut deliveries = BTreeSet::new();
        for (delivery, initial_lease) in batch.deliveries() {
            let subscription = tables.subscriptions.get(&delivery.subscription);
            let fits =
                events.contains(&delivery.event) && subscription.is_some_and(|known| known.is_active());
            if fits {
                tables.deliver(delivery, initial_lease)?;
                deliveries.extend(tables.deliveries.contains_key(&delivery.id).then_some(delivery.id));
            }
        }
        Ok(FannedOut { events, deliveries })
    }

    async fn claim(
        &self,
        request: &ClaimRequest,
        now: Timestamp,
        lease_for: Duration,
    ) -> Result<Claimed, StoreError> {
        pause().await;
        let mut state = self.state();
        let mut lanes: BTreeMap<Lane, Vec<(Timestamp, DeliveryId)>> = BTreeMap::new();
        for (id, row) in &state.tables.queue {
            let Some(lane) = state.tables.lane(*id).filter(|lane| lane.is_in(request)) else { continue };
            if row.claimable_at() <= now {
                lanes.entry(lane).or_default().push((row.due_at, *id));
            }
        }
        for rows in lanes.values_mut() {
            rows.sort_unstable();
        }
        let mut lanes: Vec<_> = lanes.into_iter().collect();
        lanes.sort_by_key(|(_, rows)| rows.first().copied());
        let (mut due, mut free, mut remaining) = (Vec::new(), request.limit, Remaining::Nothing);
        let mut taken: BTreeMap<SubscriptionId, u32> = BTreeMap::new();
        let count = lanes.len();
        for (index, (lane, mut rows)) in lanes.into_iter().enumerate() {
            let others = u32::try_from(count - index).expect("few lanes");
            let taken = taken.entry(lane.subscription).or_default();
            let room = request.room(lane.subscription) - *taken;
            let share = room.min(free.div_ceil(others));
            let most = usize::try_from(share).expect("a share is small");
            if rows.len() > most {
                remaining = remaining.max(if share < room { Remaining::More } else { Remaining::NoRoom });
            }
            rows.truncate(most);
            let number = u32::try_from(rows.len()).expect("no more than the room");
            free -= number;
            *taken += number;
            due.extend(rows);
        }
        due.sort_unstable();
        let mut leased = Vec::with_capacity(due.len());
        for (due_at, id) in due {
            state.leases += 1;
            let lease = Lease(state.leases);
            leased.extend(state.tables.lease(id, lease, now));
            state.tables.queue.insert(id, Queued { due_at, lease: Some((lease, now.plus(lease_for))) });
        }
        Ok(Claimed { leased, remaining })
    }

    async fn settle(&self, settlements: &[Settlement]) -> Result<u64, StoreError> {
        pause().await;
        let mut state = self.state();
        let ours: Vec<_> = settlements.iter().filter(|settlement| state.tables.settle(settlement)).collect();
        for (id, tally) in Tally::of(ours.iter().copied()) {
            let before = state.tables.health.remove(&id);
            state.tables.health.insert(id, Health::after(before, &tally));
        }
        Ok(count(ours.len()))
    }

    async fn release(&self, leases: &[Leased]) -> Result<(), StoreError> {
        pause().await;
        let mut state = self.state();
        for Leased { lease, delivery, .. } in leases {
            if let Some(row) = state.tables.queue.get_mut(&delivery.id).filter(|row| row.is_leased_by(*lease))
            {
                row.lease = None;
            }
        }
        Ok(())
    }

    async fn next_due(&self, request: &ClaimRequest) -> Result<Option<Timestamp>, StoreError> {
        pause().await;
        let tables = &self.state().tables;
        let requested = |id: &DeliveryId| tables.lane(*id).is_some_and(|lane| lane.is_in(request));
        let rows = tables.queue.iter().filter(|(id, _)| requested(id));
        Ok(rows.map(|(_, row)| row.claimable_at()).min())
    }

    async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        pause().await;
        Ok(self.state().tables.purge(before, limit))
    }
}

pub(super) fn count(rows: usize) -> u64 {
    u64::try_from(rows).unwrap_or(u64::MAX)
}

/// First attempts of a subscription, or later ones.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lane {
    pub(super) subscription: SubscriptionId,
    pub(super) retry: bool,
}

impl Lane {
    fn is_in(&self, request: &ClaimRequest) -> bool {
        request.room(self.subscription) > 0
            && (request.retries || !self.retry)
            && (self.retry || !request.in_backoff.contains(&self.subscription))
    }
}

impl Tables {
    pub(super) fn lane(&self, id: DeliveryId) -> Option<Lane> {
        let delivery = &self.deliveries.get(&id)?.delivery;
        Some(Lane { subscription: delivery.subscription, retry: delivery.attempts > 0 })
    }

    /// The delivery as its claimant gets it.
    fn lease(&self, id: DeliveryId, lease: Lease, since: Timestamp) -> Option<Leased> {
        let delivery = self.deliveries.get(&id)?.delivery.clone();
        let notification = Notification::from(self.events.get(&delivery.event)?.as_ref());
        let subscription = self.subscriptions.get(&delivery.subscription).map(Arc::clone);
        let backoff = self.health.get(&delivery.subscription).map(Health::backoff).unwrap_or_default();
        Some(Leased { lease, since, delivery, notification, subscription, backoff })
    }

    /// Writes an attempt back, if the lease is still held.
    fn settle(&mut self, settlement: &Settlement) -> bool {
        let id = settlement.delivery.id;
        let held = self.queue.get(&id).is_some_and(|row| row.is_leased_by(settlement.lease));
        let Some(logged) = self.deliveries.get_mut(&id).filter(|_| held) else {
            return false;
        };
        let logged = Arc::make_mut(logged);
        logged.delivery = settlement.delivery.clone();
        logged.attempts.extend(settlement.attempt.clone());
        match settlement.delivery.next_attempt_at() {
            Some(due_at) => self.queue.insert(id, Queued { due_at, lease: None }),
            None => self.queue.remove(&id),
        };
        true
    }

    fn purge(&mut self, before: Timestamp, limit: u32) -> u64 {
        let mut old: Vec<_> = self
            .deliveries
            .values()
            .map(|logged| &logged.delivery)
            .filter(|delivery| delivery.status().is_ended() && delivery.created_at < before)
            .map(|delivery| (delivery.created_at, delivery.id))
            .collect();
        old.sort_unstable();
        old.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        for (_, id) in &old {
            self.deliveries.remove(id);
        }
        let mut needed: BTreeSet<_> = self.deliveries.values().map(|logged| logged.delivery.event).collect();
        needed.extend(self.outbox.iter().map(|position| &position.event));
        self.events.retain(|id, event| event.occurred_at >= before || needed.contains(id));
        count(old.len())
    }
}
