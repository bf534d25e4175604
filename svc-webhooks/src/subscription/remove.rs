//! Deleting a subscription: it gets nothing more, not even what is queued.

use svc_core::audit::Action;
use svc_core::refused::Refused;

use crate::subscription::{OpenedSubscription, audit};

/// Deletes the subscription, its secret, its log and everything queued for it.
///
/// # Errors
/// [`Refused::Store`]; nothing was changed.
pub async fn remove(opened: OpenedSubscription<'_>) -> Result<(), Refused> {
    let OpenedSubscription { unit, call, before } = opened;
    unit.subscriptions().remove(&before).await?;
    audit::log(unit, call, Action::SubscriptionDelete, &before, (Some(&before), None)).await?;
    Ok(())
}
