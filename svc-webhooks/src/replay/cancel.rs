//! Ending a replay before it is through.

use svc_core::audit::Action;
use svc_core::error::StoreError;
use svc_core::id::ReplayId;
use svc_core::unit::CallContext;
use thiserror::Error;

use super::{Replay, TransitionError, Why, audit};
use crate::ports::WebhookUnit;

/// Why a replay is not cancelled.
#[derive(Debug, Error)]
pub enum CancelError {
    /// There is none with this id within the scope.
    #[error("no such replay")]
    NotFound,
    /// It has ended already.
    #[error(transparent)]
    Ended(#[from] TransitionError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Ends the replay; deliveries that it has added already are not taken back.
///
/// # Errors
/// [`CancelError`]; nothing was changed.
pub async fn cancel(
    unit: &dyn WebhookUnit,
    call: CallContext<'_>,
    id: ReplayId,
) -> Result<Replay, CancelError> {
    let before = unit.replays().lock(call.scope, id).await?.ok_or(CancelError::NotFound)?;
    let after = before.clone().cancelled(call.now, Why::Asked)?;
    unit.replays().replace(before.version, &after).await?;
    audit::log(unit, call, Action::SubscriptionCancelReplay, (Some(&before), &after)).await?;
    Ok(after)
}
