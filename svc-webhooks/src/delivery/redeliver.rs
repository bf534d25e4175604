//! Sending an ended delivery once more, by hand.

use svc_core::id::{DeliveryId, TypedId};
use svc_core::refused::Refused;
use svc_core::unit::CallContext;
use thiserror::Error;

use crate::delivery::{Delivery, State, Status};
use crate::ports::WebhookUnit;
use crate::subscription::Inactive;

/// Why a delivery is not sent again.
#[derive(Debug, Error)]
pub enum RedeliverError {
    /// It has not ended yet.
    #[error("the delivery has not ended yet: it is {status}")]
    NotEnded {
        /// Where it stands.
        status: Status,
    },
    /// Its subscription is switched off.
    #[error(transparent)]
    Inactive(#[from] Inactive),
}

/// Adds a new delivery of the same event to the same subscription, due at once.
///
/// It has as many attempts as the first one had: those of the schedule, or the single one of a
/// test event. Body and event id stay; URL and secret are the present ones.
///
/// # Errors
/// [`RedeliverError`], [`Refused::NotFound`], [`Refused::Store`]; nothing was changed.
pub async fn redeliver(
    unit: &dyn WebhookUnit,
    call: CallContext<'_>,
    id: DeliveryId,
) -> Result<Delivery, Refused<RedeliverError>> {
    let earlier = unit.deliveries().find(call.scope, id).await?.ok_or(Refused::NotFound)?.delivery;
    let status = earlier.status();
    if !status.is_ended() {
        return Err(Refused::Own(RedeliverError::NotEnded { status }));
    }
    let subscription = unit.subscriptions().find(call.scope, earlier.subscription).await?;
    let active = subscription.ok_or(Refused::NotFound)?.require_active();
    active.map_err(|inactive| Refused::Own(inactive.into()))?;
    let delivery = Delivery {
        id: DeliveryId::generate(call.now, call.random),
        automatic: false,
        attempts: 0,
        state: State::Pending { due_at: call.now },
        last: None,
        created_at: call.now,
        ..earlier
    };
    unit.deliveries().insert(std::slice::from_ref(&delivery), None).await?;
    Ok(delivery)
}
