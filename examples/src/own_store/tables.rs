//! The tables, and what holds in them at any time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use svc_core::audit::Entry;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::{DeliveryId, EventId, SubscriptionId};
use svc_core::resource::Version;
use svc_webhooks::delivery::Delivery;
use svc_webhooks::health::Health;
use svc_webhooks::ports::{InitialLease, Lease, LoggedDelivery, OutboxPosition};
use svc_webhooks::subscription::Subscription;

/// Every table. Rows are shared between copies.
#[derive(Clone, Default)]
pub(super) struct Tables {
    /// What each order comes to, in cents.
    pub(super) orders: Vec<i64>,
    pub(super) subscriptions: BTreeMap<SubscriptionId, Arc<Subscription>>,
    pub(super) health: BTreeMap<SubscriptionId, Health>,
    pub(super) events: BTreeMap<EventId, Arc<Event>>,
    /// Events that are not fanned out yet.
    pub(super) outbox: BTreeSet<OutboxPosition>,
    /// How many events were ever published: the latest position.
    pub(super) published: i64,
    /// The log and the queue in one: what is to be attempted has a `next_attempt_at`.
    pub(super) deliveries: BTreeMap<DeliveryId, Arc<Row>>,
    /// How many leases were ever given by claims: the latest lease.
    pub(super) leases: i64,
    audit: Vec<Entry>,
    /// Whether the open unit changed what may not change without an entry of the audit log.
    owes_an_entry: bool,
    /// Whether the open unit told the audit log of its change, if only that it concerns no company.
    told: bool,
}

/// A delivery, and who may attempt it.
#[derive(Clone)]
pub(super) struct Row {
    pub(super) logged: LoggedDelivery,
    pub(super) lease: Option<(Lease, Timestamp)>,
}

impl Row {
    /// When it can be claimed: when it is due and its lease has ended.
    pub(super) fn claimable_at(&self) -> Option<Timestamp> {
        let due_at = self.logged.delivery.next_attempt_at()?;
        Some(self.lease.map_or(due_at, |(_, until)| until.max(due_at)))
    }
}

impl Tables {
    pub(super) fn publish(&mut self, events: &[Event]) {
        for event in events {
            self.published += 1;
            self.outbox.insert(OutboxPosition { position: self.published, event: event.id });
            self.events.insert(event.id, Arc::new(event.clone()));
        }
    }

    pub(super) fn note(&mut self, entries: &[Entry]) {
        self.audit.extend_from_slice(entries);
        self.told = true;
    }

    /// The tables as a unit commits them.
    pub(super) fn settled(self) -> Result<Self, StoreError> {
        if self.owes_an_entry && !self.told {
            return Err(StoreError::backend("a subscription was changed without an audit entry"));
        }
        Ok(Self { owes_an_entry: false, told: false, ..self })
    }

    /// Puts `after`, or nothing, in the place of the subscription with this id at the version `before`, or of none.
    pub(super) fn change(
        &mut self,
        id: SubscriptionId,
        before: Option<Version>,
        after: Option<&Subscription>,
    ) -> Result<(), StoreError> {
        if self.subscriptions.get(&id).map(|stored| stored.version) != before {
            return Err(StoreError::Conflict);
        }
        self.owes_an_entry = true;
        if let Some(after) = after {
            self.subscriptions.insert(id, Arc::new(after.clone()));
        } else {
            self.subscriptions.remove(&id);
            self.health.remove(&id);
            self.deliveries.retain(|_, row| row.logged.delivery.subscription != id);
        }
        Ok(())
    }

    /// Adds a delivery of an event and to a subscription that are there; answers whether it was added.
    pub(super) fn deliver(&mut self, delivery: &Delivery, initial_lease: Option<InitialLease>) -> bool {
        let is_the_same = |row: &Arc<Row>| {
            let known = &row.logged.delivery;
            known.automatic && known.event == delivery.event && known.subscription == delivery.subscription
        };
        if delivery.automatic && self.deliveries.values().any(is_the_same) {
            return false;
        }
        let logged = LoggedDelivery { delivery: delivery.clone(), attempts: Vec::new() };
        let lease = initial_lease.map(|initial| (initial.lease, initial.until));
        self.deliveries.insert(delivery.id, Arc::new(Row { logged, lease }));
        true
    }

    /// The delivery that is held by this lease.
    pub(super) fn held(&mut self, id: DeliveryId, lease: Lease) -> Option<&mut Row> {
        let row = self.deliveries.get_mut(&id)?;
        row.lease.is_some_and(|(held, _)| held == lease).then(|| Arc::make_mut(row))
    }
}
