//! Storing a replay that was prepared.

use svc_core::audit::Action;
use svc_core::refused::Refused;
use svc_core::unit::CallContext;

use super::{Draft, Replay, ReplayError, audit};
use crate::ports::ReplayUnit;

/// Replays of one subscription that may be open at a time.
pub const MAX_OPEN: u32 = 3;

/// Stores the replay; servers take it on from there.
///
/// # Errors
/// [`Refused::NotFound`] and [`ReplayError::Inactive`] when the subscription was changed meanwhile,
/// [`ReplayError::TooMany`], [`Refused::Store`]; nothing was changed.
pub async fn start(
    unit: &dyn ReplayUnit,
    call: CallContext<'_>,
    draft: Draft,
) -> Result<Replay, Refused<ReplayError>> {
    let Draft { selection, matched } = draft;
    let subscription = unit.subscriptions().find(call.scope, selection.subscription).await?;
    let active = subscription.ok_or(Refused::NotFound)?.require_active();
    active.map_err(|inactive| Refused::Own(inactive.into()))?;
    let replay = Replay::of(selection, matched, call.random);
    if !unit.replays().insert(&replay, MAX_OPEN).await? {
        return Err(Refused::Own(ReplayError::TooMany { most: MAX_OPEN }));
    }
    audit::log(unit, call, Action::SubscriptionReplay, (None, &replay)).await?;
    Ok(replay)
}
