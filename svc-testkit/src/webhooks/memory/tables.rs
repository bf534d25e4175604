//! The tables, and the changes that units make to them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::{AccountId, DeliveryId, EventId, ReplayId, SubscriptionId};
use svc_core::resource::Version;
use svc_webhooks::delivery::Delivery;
use svc_webhooks::health::Health;
use svc_webhooks::ports::{InitialLease, Lease, LoggedDelivery, OutboxPosition};
use svc_webhooks::replay::Replay;
use svc_webhooks::subscription::Subscription;

/// Everything behind the lock.
#[derive(Default)]
pub(super) struct State {
    pub(super) tables: Tables,
    pub(super) leases: i64,
}

/// The committed rows. Rows are shared between clones, so a clone is cheap.
#[derive(Clone, Default)]
pub(super) struct Tables {
    pub(super) subscriptions: BTreeMap<SubscriptionId, Arc<Subscription>>,
    pub(super) health: BTreeMap<SubscriptionId, Health>,
    pub(super) deliveries: BTreeMap<DeliveryId, Arc<LoggedDelivery>>,
    pub(super) queue: BTreeMap<DeliveryId, Queued>,
    pub(super) events: BTreeMap<EventId, Arc<Event>>,
    pub(super) outbox: BTreeSet<OutboxPosition>,
    published: i64,
    pub(super) replays: BTreeMap<ReplayId, Arc<Replay>>,
}

/// A row of the queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queued {
    pub(super) due_at: Timestamp,
    pub(super) lease: Option<(Lease, Timestamp)>,
}

impl Queued {
    /// When it can be claimed: when it is due and its lease has ended.
    pub(super) fn claimable_at(self) -> Timestamp {
        self.lease.map_or(self.due_at, |(_, until)| until.max(self.due_at))
    }

    pub(super) fn is_leased_by(self, lease: Lease) -> bool {
        self.lease.is_some_and(|(held, _)| held == lease)
    }
}

/// One change of a unit.
#[derive(Clone)]
pub(super) enum Op {
    Insert { subscription: Subscription, most: u32 },
    Replace { before: Version, after: Subscription },
    Remove { id: SubscriptionId, version: Version },
    ForgetHealth(SubscriptionId),
    Publish(Vec<Event>),
    Deliver(Vec<Delivery>, Option<InitialLease>),
    AddReplay { replay: Replay, most: u32 },
    ReplaceReplay { before: Version, after: Replay },
    ForgetReplays(BTreeSet<ReplayId>),
}

impl Op {
    /// What it changes of the things that may not change without an audit entry.
    pub(super) fn owes_an_entry(&self) -> Option<&'static str> {
        match self {
            Self::Insert { .. } | Self::Replace { .. } | Self::Remove { .. } => Some("a subscription"),
            Self::AddReplay { .. } => Some("a replay"),
            Self::Publish(_)
            | Self::ForgetHealth(_)
            | Self::Deliver(..)
            | Self::ReplaceReplay { .. }
            | Self::ForgetReplays(_) => None,
        }
    }
}

impl Tables {
    /// Makes one change; one that does not fit these rows leaves them half changed.
    pub(super) fn apply(&mut self, op: &Op) -> Result<(), StoreError> {
        match op {
            Op::Insert { subscription, most } => self.insert(subscription, *most),
            Op::Replace { before, after } => {
                self.expect(after.id, *before)?;
                self.subscriptions.insert(after.id, Arc::new(after.clone()));
                Ok(())
            }
            Op::Remove { id, version } => self.remove(*id, *version),
            Op::ForgetHealth(id) => {
                self.health.remove(id);
                Ok(())
            }
            Op::Publish(events) => {
                for event in events {
                    self.events.insert(event.id, Arc::new(event.clone()));
                    self.published += 1;
                    self.outbox.insert(OutboxPosition { position: self.published, event: event.id });
                }
                Ok(())
            }
            Op::Deliver(deliveries, initial_lease) => {
                deliveries.iter().try_for_each(|delivery| self.deliver(delivery, *initial_lease))
            }
            Op::AddReplay { replay, most } => self.add_replay(replay, *most),
            Op::ReplaceReplay { before, after } => self.replace_replay(*before, after),
            Op::ForgetReplays(ids) => {
                self.forget_replays(ids);
                Ok(())
            }
        }
    }

    /// Whether the account may have one more subscription.
    pub(super) fn has_room(&self, account: AccountId, most: u32) -> bool {
        let count = self.subscriptions.values().filter(|known| known.account == account).count();
        u32::try_from(count).is_ok_and(|count| count < most)
    }

    /// Refuses unless the subscription is stored at this version.
    fn expect(&self, id: SubscriptionId, version: Version) -> Result<(), StoreError> {
        let stored = self.subscriptions.get(&id).is_some_and(|known| known.version == version);
        if stored { Ok(()) } else { Err(StoreError::Conflict) }
    }

    fn insert(&mut self, subscription: &Subscription, most: u32) -> Result<(), StoreError> {
        if self.subscriptions.contains_key(&subscription.id) || !self.has_room(subscription.account, most) {
            return Err(StoreError::Conflict);
        }
        self.subscriptions.insert(subscription.id, Arc::new(subscription.clone()));
        Ok(())
    }

    fn remove(&mut self, id: SubscriptionId, version: Version) -> Result<(), StoreError> {
        self.expect(id, version)?;
        self.subscriptions.remove(&id);
        self.replays.retain(|_, replay| replay.selection.subscription != id);
        self.health.remove(&id);
        self.deliveries.retain(|_, logged| logged.delivery.subscription != id);
        let deliveries = &self.deliveries;
        self.queue.retain(|delivery, _| deliveries.contains_key(delivery));
        Ok(())
    }

    pub(super) fn deliver(
        &mut self,
        delivery: &Delivery,
        initial_lease: Option<InitialLease>,
    ) -> Result<(), StoreError> {
        if !self.subscriptions.contains_key(&delivery.subscription) {
            return Err(StoreError::Conflict);
        }
        if !self.events.contains_key(&delivery.event) {
            return Err(StoreError::backend("a delivery of an event that was never published"));
        }
        if delivery.automatic && self.is_fanned_out(delivery) {
            return Ok(());
        }
        if let Some(due_at) = delivery.next_attempt_at() {
            let lease = initial_lease.map(|initial| (initial.lease, initial.until));
            self.queue.insert(delivery.id, Queued { due_at, lease });
        }
        let logged = LoggedDelivery { delivery: delivery.clone(), attempts: Vec::new() };
        self.deliveries.insert(delivery.id, Arc::new(logged));
        Ok(())
    }

    /// Whether the dispatcher delivered this event to this subscription before.
    fn is_fanned_out(&self, delivery: &Delivery) -> bool {
        self.deliveries.values().map(|logged| &logged.delivery).any(|known| {
            known.automatic && known.event == delivery.event && known.subscription == delivery.subscription
        })
    }
}
