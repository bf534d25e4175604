//! Ending a replay before it is through.

use svc_core::audit::Action;
use svc_core::id::ReplayId;
use svc_core::refused::Refused;
use svc_core::unit::CallContext;

use super::{Replay, TransitionError, Why, audit};
use crate::ports::ReplayUnit;

/// Ends the replay; deliveries that it has added already are not taken back.
///
/// # Errors
/// [`TransitionError`] when it has ended, [`Refused::NotFound`], [`Refused::Store`]; nothing was changed.
pub async fn cancel(
    unit: &dyn ReplayUnit,
    call: CallContext<'_>,
    id: ReplayId,
) -> Result<Replay, Refused<TransitionError>> {
    let before = unit.replays().lock(call.scope, id).await?.ok_or(Refused::NotFound)?;
    let after = before.clone().cancelled(call.now, Why::Asked).map_err(Refused::Own)?;
    unit.replays().replace(before.version, &after).await?;
    audit::log(unit, call, Action::SubscriptionCancelReplay, (Some(&before), &after)).await?;
    Ok(after)
}
