//! Forgets what has been kept long enough, so that the database does not grow for ever.

use std::time::Duration;

use svc_auth::session::Throttle;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::idempotency::KEPT_FOR;

use super::wait;
use crate::failure::chain;
use crate::metric;
use crate::shutdown::Shutdown;
use crate::wiring::Wiring;

/// From one round to the next.
const EVERY: Duration = Duration::from_mins(10);
/// Between start and first round: the start has enough to do.
const FIRST: Duration = Duration::from_secs(30);
/// Between two batches: deliveries come first.
const BETWEEN_BATCHES: Duration = Duration::from_millis(50);
/// Deliveries of one batch.
const BATCH: u32 = 1_000;

/// Runs until shutdown; ended deliveries are kept for `keep`.
pub(crate) async fn run(wiring: Wiring, keep: Duration, asked: Shutdown) {
    let mut pause = FIRST;
    metric::clean_as_of(wiring.clock.now());
    while wait(pause, &asked).await {
        pause = EVERY;
        let now = wiring.clock.now();
        if let Err(error) = clean(&wiring, now, keep, &asked).await {
            tracing::warn!("old records cannot be removed: {}", chain(&error));
        }
    }
}

async fn clean(wiring: &Wiring, now: Timestamp, keep: Duration, asked: &Shutdown) -> Result<(), StoreError> {
    let database = &wiring.store.database;
    if let Err(error) = database.webhooks().queue().make_room(now).await {
        tracing::warn!("no room is made for the attempts of the days to come: {}", chain(&error));
    }
    let replies = database.idempotency().purge(now.minus(KEPT_FOR)).await?;
    let sessions = end_sessions(wiring, now).await?;
    database.sessions().attempts().purge(now.minus(Throttle::LONGEST_WINDOW)).await?;
    let mut deliveries = 0_u64;
    loop {
        let gone = database.webhooks().queue().purge(now.minus(keep), BATCH).await?;
        deliveries = deliveries.saturating_add(gone);
        if gone < u64::from(BATCH) || !wait(BETWEEN_BATCHES, asked).await {
            break;
        }
    }
    let replays = forget_replays(wiring, now.minus(keep)).await?;
    metric::purged(deliveries, replies);
    metric::clean_as_of(now);
    if deliveries > 0 || replies > 0 || sessions > 0 || replays > 0 {
        tracing::info!(deliveries, replies, sessions, replays, "old records removed");
    }
    Ok(())
}

/// Forgets replays that ended long ago. They are few: what is left over goes with the next round.
async fn forget_replays(wiring: &Wiring, before: Timestamp) -> Result<u64, StoreError> {
    let unit = wiring.store.database.webhooks().begin().await?;
    let gone = unit.replays().purge(before, BATCH).await?;
    unit.commit().await?;
    Ok(gone)
}

/// Ends the sessions of people who left without signing out.
async fn end_sessions(wiring: &Wiring, now: Timestamp) -> Result<u64, StoreError> {
    let unit = wiring.store.database.sessions().begin().await?;
    let ended = unit.sessions().purge(now.minus(wiring.lifetime.idle), now).await?;
    unit.commit().await?;
    metric::expired_sessions(ended);
    Ok(ended)
}
