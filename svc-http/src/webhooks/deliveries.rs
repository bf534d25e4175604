//! The delivery log.

mod attempt;
pub(super) mod get;
pub(super) mod list;
pub(super) mod redeliver;

use std::time::Duration;

use serde::Serialize;
use svc_core::clock::Timestamp;
use svc_core::event::EventType;
use svc_core::id::{DeliveryId, EventId, SubscriptionId};
use svc_webhooks::delivery::{Attempt, Delivery, State};
use utoipa::ToSchema;

use self::attempt::AttemptView;

/// A delivery of an event to a subscription.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Delivery)]
pub(crate) struct View {
    /// Distinct per delivery: a redelivery has a new one.
    #[schema(value_type = String)]
    id: DeliveryId,
    #[schema(value_type = String)]
    subscription_id: SubscriptionId,
    /// The same on every attempt and resend.
    #[schema(value_type = String)]
    event_id: EventId,
    #[schema(value_type = String)]
    event_type: EventType,
    /// `pending`, `retrying`, `delivered` or `failed`
    status: &'static str,
    /// Attempts made so far.
    attempts: u8,
    /// When it is tried next; null once it has ended.
    #[schema(value_type = Option<String>)]
    next_attempt_at: Option<Timestamp>,
    last_status_code: Option<u16>,
    last_error: Option<String>,
    last_duration_ms: Option<u64>,
    #[schema(value_type = String)]
    created_at: Timestamp,
    #[schema(value_type = Option<String>)]
    delivered_at: Option<Timestamp>,
    /// Every attempt, oldest first.
    attempt_log: Vec<AttemptView>,
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
            event_type: delivery.event_type,
            status: delivery.status().name(),
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
