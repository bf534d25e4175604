//! One step of the replay that is due longest.

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::ReplayId;
use svc_core::random::RandomSource;

use super::{Plan, Status};
use crate::delivery::Delivery;
use crate::ports::{DueReplay, ReplayStorage};
use crate::retry::RetrySchedule;

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplayReport {
    /// The replay whose turn it was.
    pub replay: ReplayId,
    /// Deliveries that were added.
    pub added: u64,
    /// Where it stands now.
    pub status: Status,
    /// When its next step is due.
    pub due_at: Option<Timestamp>,
}

/// Takes the replay that is due longest one step further: what it sends has the attempts of the schedule. `None` when none is due, or others are at work on them.
///
/// # Errors
/// When nothing was changed. [`StoreError::Conflict`] says that another server came first, or that what
/// was to be sent was removed meanwhile: the next call sees it as it is.
pub async fn replay_once(
    storage: &dyn ReplayStorage,
    schedule: &RetrySchedule,
    now: Timestamp,
    random: &dyn RandomSource,
) -> Result<Option<ReplayReport>, StoreError> {
    let unit = storage.begin_replay().await?;
    let Some(DueReplay { replay, subscription, waiting }) = unit.replays().take_due(now).await? else {
        // Something may have been put off.
        unit.commit().await?;
        return Ok(None);
    };
    // What a job adds never looks older than what it selects, however slow the clock of this server.
    let now = now.max(replay.selection.asked_at);
    let (version, sent) = (replay.version, replay.sent);
    let plan = replay.plan(now, &subscription, waiting).map_err(StoreError::backend)?;
    let after = match plan {
        Plan::Cancel(why) => replay.cancelled(now, why),
        Plan::Pause(due_at) => replay.paused(due_at),
        Plan::Look(look) => {
            let candidates = unit.replays().look(&replay.selection, &look).await?;
            let taken = replay.take(now, look, &candidates, &subscription);
            let picks = taken.picks.iter().enumerate();
            let deliveries: Vec<Delivery> = picks
                .map(|(at, pick)| pick.clone().delivery(&subscription, schedule, now, at, random))
                .collect();
            if !deliveries.is_empty() {
                unit.deliveries().insert(&deliveries, None).await?;
            }
            replay.moved(now, &taken)
        }
    };
    let after = after.map_err(StoreError::backend)?;
    unit.replays().replace(version, &after).await?;
    unit.commit().await?;
    Ok(Some(ReplayReport {
        replay: after.id,
        added: after.sent - sent,
        status: after.status(),
        due_at: after.due_at(),
    }))
}
