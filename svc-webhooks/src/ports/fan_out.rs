//! From events to deliveries: what the queue is asked, and what it answers.

use std::collections::{BTreeMap, BTreeSet};

use svc_core::event::Event;
use svc_core::id::{DeliveryId, EventId, SubscriptionId};

use super::InitialLease;
use crate::delivery::Delivery;
use crate::health::ReceiverBackoff;
use crate::subscription::Subscription;

/// Where an event stands in the outbox. Positions are in the order in which events were published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OutboxPosition {
    /// A number of the storage. It may be given to another event once this one is gone.
    pub position: i64,
    /// The event: it alone is taken from this position.
    pub event: EventId,
}

/// Events that are not fanned out yet, with the subscriptions that may want them.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    /// The events, in the order in which they were published.
    pub events: Vec<(OutboxPosition, Event)>,
    /// Whether there may be more of them.
    pub more: bool,
    /// The active subscriptions of their companies.
    pub subscriptions: Vec<Subscription>,
    /// How their receivers answer; absent where nothing was sent yet.
    pub backoffs: BTreeMap<SubscriptionId, ReceiverBackoff>,
}

/// What events became, to be written in one commit.
#[derive(Clone, Debug)]
pub struct FanOut {
    /// Events to take out of the outbox.
    pub positions: Vec<OutboxPosition>,
    /// Deliveries of these events that the caller attempts at once, under `initial_lease`.
    pub leased: Vec<Delivery>,
    /// Deliveries of these events that wait in the queue for a claim.
    pub queued: Vec<Delivery>,
    /// The lease of what is leased at once.
    pub initial_lease: InitialLease,
}

impl FanOut {
    /// Every delivery, with the lease on it.
    pub fn deliveries(&self) -> impl Iterator<Item = (&Delivery, Option<InitialLease>)> {
        let leased = self.leased.iter().map(|delivery| (delivery, Some(self.initial_lease)));
        leased.chain(self.queued.iter().map(|delivery| (delivery, None)))
    }
}

/// What a fan-out changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FannedOut {
    /// The events that were taken out of the outbox.
    pub events: BTreeSet<EventId>,
    /// The deliveries that were added.
    pub deliveries: BTreeSet<DeliveryId>,
}
