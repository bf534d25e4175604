//! The queue: every method is one commit.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::DeliveryId;
use svc_webhooks::ports::{DeliveryQueue, Lease, Leased, Notification, QueueDepth, Settlement};
use svc_webhooks::subscription::Subscription;

use super::Shared;
use super::staged::pause;
use super::tables::{Queued, Tables};

#[async_trait]
impl DeliveryQueue for Shared {
    async fn claim(
        &self,
        limit: u32,
        now: Timestamp,
        lease_for: Duration,
    ) -> Result<Vec<Leased>, StoreError> {
        pause().await;
        let mut state = self.state();
        let mut due: Vec<_> = state
            .tables
            .queue
            .iter()
            .filter(|(_, row)| row.claimable_at() <= now)
            .map(|(id, row)| (row.due_at, *id))
            .collect();
        due.sort_unstable();
        due.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        let mut leased = Vec::with_capacity(due.len());
        for (due_at, id) in due {
            state.leases += 1;
            let lease = Lease(state.leases);
            leased.extend(state.tables.lease(id, lease));
            state.tables.queue.insert(id, Queued { due_at, lease: Some((lease, now.plus(lease_for))) });
        }
        Ok(leased)
    }

    async fn settle(&self, settlements: &[Settlement]) -> Result<u64, StoreError> {
        pause().await;
        let mut state = self.state();
        Ok(settlements.iter().map(|settlement| u64::from(state.tables.settle(settlement))).sum())
    }

    async fn release(&self, leases: &[(DeliveryId, Lease)]) -> Result<(), StoreError> {
        pause().await;
        let mut state = self.state();
        for (id, lease) in leases {
            if let Some(row) = state.tables.queue.get_mut(id).filter(|row| row.is_leased_by(*lease)) {
                row.lease = None;
            }
        }
        Ok(())
    }

    async fn next_due(&self) -> Result<Option<Timestamp>, StoreError> {
        pause().await;
        Ok(self.state().tables.queue.values().map(|row| row.claimable_at()).min())
    }

    async fn depth(&self, now: Timestamp) -> Result<QueueDepth, StoreError> {
        pause().await;
        let state = self.state();
        let due = state.tables.queue.values().filter(|row| row.claimable_at() <= now);
        Ok(QueueDepth {
            events: count(state.tables.outbox.len()),
            queued: count(state.tables.queue.len()),
            oldest_due: due.map(|row| row.due_at).min(),
        })
    }

    async fn purge(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        pause().await;
        Ok(self.state().tables.purge(before, limit))
    }
}

fn count(rows: usize) -> u64 {
    u64::try_from(rows).unwrap_or(u64::MAX)
}

impl Tables {
    /// The delivery as its claimant gets it.
    fn lease(&self, id: DeliveryId, lease: Lease) -> Option<Leased> {
        let delivery = self.deliveries.get(&id)?.delivery.clone();
        let notification = Notification::from(self.events.get(&delivery.event)?.as_ref());
        let subscription =
            self.subscriptions.get(&delivery.subscription).map(|known| Subscription::clone(known));
        Some(Leased { lease, delivery, notification, subscription })
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
        needed.extend(&self.outbox);
        self.events.retain(|id, event| event.occurred_at >= before || needed.contains(id));
        count(old.len())
    }
}
