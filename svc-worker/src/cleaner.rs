//! Forgets what has been kept long enough, so that the storage does not grow for ever.

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::error::{StoreError, chain};

use crate::task::{self, Parts};
use tokio_util::sync::CancellationToken;

/// From one round to the next.
const EVERY: Duration = Duration::from_mins(10);
/// Between start and first round: the start has enough to do.
const FIRST: Duration = Duration::from_secs(30);
/// Between two batches: deliveries come first.
const BETWEEN_BATCHES: Duration = Duration::from_millis(50);
/// Deliveries of one batch.
const BATCH: u32 = 1_000;

/// Runs until shutdown.
pub(crate) async fn run(parts: &Parts, asked: CancellationToken) {
    let mut pause = FIRST;
    while task::pause(pause, &asked).await {
        pause = EVERY;
        let now = parts.clock.now();
        if let Err(error) = clean(parts, now, &asked).await {
            tracing::warn!("old deliveries cannot be removed: {}", chain(&error));
        }
    }
}

async fn clean(parts: &Parts, now: Timestamp, asked: &CancellationToken) -> Result<(), StoreError> {
    let (queue, before) = (parts.storage.queue(), now.minus(parts.keep));
    if let Err(error) = queue.make_room(now).await {
        tracing::warn!("no room is made for the attempts of the days to come: {}", chain(&error));
    }
    while queue.forget_removed(BATCH).await? && task::pause(BETWEEN_BATCHES, asked).await {}
    let mut deliveries = 0_u64;
    loop {
        let gone = queue.purge(before, BATCH).await?;
        deliveries = deliveries.saturating_add(gone);
        if gone < u64::from(BATCH) || !task::pause(BETWEEN_BATCHES, asked).await {
            break;
        }
    }
    let replays = forget_replays(parts, before).await?;
    parts.observer.cleaned(deliveries, replays, now);
    if deliveries > 0 || replays > 0 {
        tracing::info!(deliveries, replays, "old deliveries removed");
    }
    Ok(())
}

/// Forgets replays that ended long ago, if there are any. They are few: what is left over goes with the next round.
async fn forget_replays(parts: &Parts, before: Timestamp) -> Result<u64, StoreError> {
    let Some(storage) = &parts.replays else { return Ok(0) };
    let unit = storage.begin_replay().await?;
    let gone = unit.replays().purge(before, BATCH).await?;
    unit.commit().await?;
    Ok(gone)
}
