//! Takes replays on, one step at a time.
//!
//! Every server that dispatches does; which of them makes a step is decided by
//! the database. How fast a replay goes is decided by its own pauses, not here.

use std::time::Duration;

use svc_core::error::{StoreError, chain};
use svc_webhooks::ports::ReplayStorage;
use svc_webhooks::replay::{ReplayReport, replay_once};

use crate::task::{self, Parts, failing};
use tokio_util::sync::CancellationToken;

/// How often it is looked for new replays while none is due.
const POLL: Duration = Duration::from_secs(1);
/// Between two steps: deliveries come first.
const BETWEEN_STEPS: Duration = Duration::from_millis(20);

/// Runs until shutdown; at an end at once where the storage has no replays.
pub(crate) async fn run(parts: &Parts, asked: CancellationToken) {
    let Some(storage) = &parts.replays else { return };
    let mut failure = failing();
    let mut pause = POLL;
    while task::pause(pause, &asked).await {
        pause = match step(&**storage, parts).await {
            Ok(Some(report)) => {
                parts.observer.replayed(report.added);
                failure.reset();
                BETWEEN_STEPS
            }
            Ok(None) => {
                failure.reset();
                pause_until_due(&**storage, parts).await
            }
            // Another server made the step, or a request removed the subscription: the next step reads the new state.
            Err(StoreError::Conflict) => BETWEEN_STEPS,
            Err(
                error @ (StoreError::Busy
                | StoreError::Undone
                | StoreError::Taken { .. }
                | StoreError::OutOfRange
                | StoreError::Backend(_)),
            ) => {
                tracing::warn!("replays cannot go on: {}", chain(&error));
                failure.step()
            }
        };
    }
}

/// One step, if any replay is due: looking for one begins no write transaction.
async fn step(storage: &dyn ReplayStorage, parts: &Parts) -> Result<Option<ReplayReport>, StoreError> {
    let now = parts.clock.now();
    if storage.replays().next_due().await?.is_none_or(|due| due > now) {
        return Ok(None);
    }
    replay_once(storage, &parts.attempts.schedule, now, &*parts.random).await
}

/// How long to wait when nothing could be done: never long, as a new replay is due at once.
async fn pause_until_due(storage: &dyn ReplayStorage, parts: &Parts) -> Duration {
    let next = storage.replays().next_due().await;
    let next = next.ok().flatten().map(|due| due.since(parts.clock.now()));
    next.unwrap_or(POLL).clamp(BETWEEN_STEPS, POLL)
}
