//! The delivery log.

mod attempt;
pub(super) mod get;
pub(super) mod list;
pub(super) mod redeliver;

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::event::EventType;
use svc_core::id::{DeliveryId, EventId, SubscriptionId};
use svc_core::wire::Form;
use svc_core::wire_view;
use svc_webhooks::delivery::{Attempt, Delivery, State, Status};

use self::attempt::AttemptView;

wire_view! {
    /// A delivery of an event to a subscription.
    #[derive(Debug)]
    pub(crate) struct View as "Delivery" {
        /// Distinct per delivery: a redelivery has a new one.
        id: DeliveryId,
        subscription_id: SubscriptionId,
        /// The same on every attempt and resend.
        event_id: EventId,
        event_type: EventType,
        status: Status => Form::ANY.example("delivered"),
        /// Attempts made so far.
        attempts: u8,
        /// When it is tried next; null once it has ended.
        next_attempt_at: Option<Timestamp> => Form::ANY.json("null"),
        last_status_code: Option<u16> => Form::range(100, 999).number(204),
        last_error: Option<String>,
        last_duration_ms: Option<u64>,
        created_at: Timestamp,
        delivered_at: Option<Timestamp>,
        /// Every attempt, oldest first.
        attempt_log: Vec<AttemptView>,
    }
}

impl View {
    fn of(delivery: &Delivery, attempts: &[Attempt]) -> Self {
        let delivered_at = match delivery.state {
            State::Delivered { at } => Some(at),
            State::Pending { .. } | State::Retrying { .. } | State::Failed { .. } => None,
        };
        let last = delivery.last.as_ref();
        Self {
            id: delivery.id,
            subscription_id: delivery.subscription,
            event_id: delivery.event,
            event_type: delivery.event_type.clone(),
            status: delivery.status(),
            attempts: delivery.attempts,
            next_attempt_at: delivery.next_attempt_at(),
            last_status_code: last.and_then(|last| last.status_code),
            last_error: last.and_then(|last| last.error.clone()),
            last_duration_ms: last.map(|last| millis(last.duration)),
            created_at: delivery.created_at,
            delivered_at,
            attempt_log: attempts.iter().map(AttemptView::of).collect(),
        }
    }
}

/// Whole milliseconds.
pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
