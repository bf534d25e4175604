//! What a replay sends again, and where it stands in it.

use std::collections::BTreeSet;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::event::EventType;
use svc_core::id::{AccountId, DeliveryId, EventId, SubscriptionId, TypedId};
use svc_core::random::RandomSource;

use crate::delivery::{Delivery, State, Status};
use crate::retry::RetrySchedule;
use crate::subscription::Subscription;

/// What is sent again to a subscription, fixed at the instant of asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The company of the subscription: nothing of any other is selected.
    pub account: AccountId,
    /// The subscription.
    pub subscription: SubscriptionId,
    /// Only these types. A type that the subscription no longer lists at the time of a step is left out.
    pub types: BTreeSet<EventType>,
    /// Events that occurred, or deliveries that were made, at this instant or later.
    pub from: Option<Timestamp>,
    /// The same, before this instant: a whole millisecond, and no later than the one after `asked_at`.
    pub until: Timestamp,
    /// When it was asked for.
    pub asked_at: Timestamp,
    /// Of what.
    pub source: Source,
}

/// Events, or deliveries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Every event, whether it was ever delivered to the subscription or not.
    Events,
    /// Deliveries of the subscription that had ended when it was asked for.
    ///
    /// Of each event one delivery at most: none of those that have a later one
    /// to the same subscription that is selected too, or is still under way,
    /// or has arrived.
    Deliveries {
        /// How they ended.
        ended: Ended,
        /// Only of this event.
        event: Option<EventId>,
        /// Also those whose event arrived later, by another delivery.
        even_if_arrived: bool,
    },
}

/// How a delivery ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ended {
    /// No attempt was left.
    #[default]
    Failed,
    /// A receiver answered 2xx.
    Delivered,
}

svc_core::wire_names!(Ended { Failed = "failed", Delivered = "delivered" });

impl Ended {
    /// The status of such a delivery.
    #[must_use]
    pub fn status(self) -> Status {
        match self {
            Self::Failed => Status::Failed,
            Self::Delivered => Status::Delivered,
        }
    }
}

/// A cursor in the order in which a replay goes through what it looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cursor {
    /// Of events: by id, which is by time.
    Event(EventId),
    /// Of deliveries: by the instant at which they were made, then by id.
    Delivery(Timestamp, DeliveryId),
}

/// Something that a replay looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Where it is.
    pub cursor: Cursor,
    /// What to send; `None` when it is not selected.
    pub pick: Option<Pick>,
}

/// An event that is to be sent again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pick {
    /// The event.
    pub event: EventId,
    /// Its type.
    pub kind: EventType,
    /// Attempts that its delivery has: those of the one that is sent again. `None` for an event, whose
    /// delivery has as many as the schedule gives.
    pub max_attempts: Option<u8>,
}

impl Pick {
    /// A new delivery of it, not the dispatcher's, so it may be one of several. It is due at once, but for
    /// the microseconds that keep it behind the `earlier` ones of the same step.
    pub(super) fn delivery(
        self,
        subscription: &Subscription,
        schedule: &RetrySchedule,
        now: Timestamp,
        earlier: usize,
        random: &dyn RandomSource,
    ) -> Delivery {
        let wait = Duration::from_micros(u64::try_from(earlier).unwrap_or_default());
        Delivery {
            id: DeliveryId::generate(now, random),
            account: subscription.account,
            subscription: subscription.id,
            event: self.event,
            event_type: self.kind,
            automatic: false,
            attempts: 0,
            max_attempts: self.max_attempts.unwrap_or(schedule.attempts()),
            state: State::Pending { due_at: now.plus(wait) },
            last: None,
            created_at: now,
        }
    }
}
