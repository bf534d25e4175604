//! A delivery in a list.

use svc_core::id::DeliveryId;
use svc_webhooks::ports::LoggedDelivery;

use super::state;
use crate::instant::{Instant, millis};
use crate::texts::{Texts, filled};

/// A delivery as lists show it.
pub(crate) struct Row {
    pub(crate) id: DeliveryId,
    pub(crate) created: Instant,
    pub(crate) event: String,
    pub(crate) state: (&'static str, &'static str),
    /// `1 of 6`
    pub(crate) attempts: String,
    /// The status of the latest answer, or why there was none.
    pub(crate) answer: Option<String>,
    pub(crate) took: Option<String>,
    pub(crate) next: Option<Instant>,
}

/// The row of a delivery.
pub(crate) fn of(logged: &LoggedDelivery, texts: &Texts) -> Row {
    let (delivery, t) = (&logged.delivery, &texts.deliveries);
    let last = delivery.last.as_ref();
    Row {
        id: delivery.id,
        created: delivery.created_at.into(),
        event: delivery.event_type.name().to_owned(),
        state: state(delivery.status(), t),
        attempts: filled(&filled(t.attempts_of, delivery.attempts), delivery.max_attempts),
        answer: last
            .and_then(|last| last.status_code.map(|code| code.to_string()).or_else(|| last.error.clone())),
        took: last.map(|last| millis(last.duration)),
        next: delivery.next_attempt_at().map(Instant::from),
    }
}
