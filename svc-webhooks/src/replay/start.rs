//! Storing a replay that was prepared.

use svc_core::audit::Action;
use svc_core::unit::CallContext;

use super::{Draft, Replay, ReplayError, audit};
use crate::ports::WebhookUnit;
use crate::subscription::State;

/// Replays of one subscription that may be open at a time.
pub const MAX_OPEN: u32 = 3;

/// Stores the replay; servers take it on from there.
///
/// # Errors
/// [`ReplayError::NotFound`] and [`ReplayError::SubscriptionInactive`] when the subscription was changed
/// meanwhile, [`ReplayError::TooMany`], [`ReplayError::Store`]; nothing was changed.
pub async fn start(
    unit: &dyn WebhookUnit,
    call: CallContext<'_>,
    draft: Draft,
) -> Result<Replay, ReplayError> {
    let Draft { selection, matched } = draft;
    let subscription = unit.subscriptions().find(call.scope, selection.subscription).await?;
    match subscription.ok_or(ReplayError::NotFound)?.state {
        State::Active { .. } => {}
        State::Inactive => return Err(ReplayError::SubscriptionInactive),
    }
    let replay = Replay::of(selection, matched, call.random);
    if !unit.replays().insert(&replay, MAX_OPEN).await? {
        return Err(ReplayError::TooMany { most: MAX_OPEN });
    }
    audit::log(unit, call, Action::SubscriptionReplay, (None, &replay)).await?;
    Ok(replay)
}
