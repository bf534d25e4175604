//! How the deliverer ends: attempts under way may finish, and no lease is kept.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::steps::{Settle, Steps, give_back, settled};
use super::{DelivererState, Delivering};
use crate::task;

/// How long attempts may go on when nothing is begun any more.
const LAST_ATTEMPTS: Duration = Duration::from_secs(11);
/// How often the last settlements are tried.
const LAST_TRIES: u32 = 3;

impl Delivering {
    /// Returns when the last attempt is settled or given back.
    pub(super) async fn end(&self, mut state: DelivererState, mut steps: Steps) {
        self.end_steps(&mut state, &mut steps).await;
        give_back(&self.parts, &state.scheduler.clear()).await;
        self.last_attempts(&mut state, steps.settle).await;
        self.last_settlements(&mut state).await;
        let unused: Vec<_> = state.started.into_values().collect();
        if !unused.is_empty() {
            tracing::info!(
                leases = unused.len(),
                "attempts did not end in time; their leases are given back"
            );
        }
        give_back(&self.parts, &unused).await;
    }

    /// Lets the steps under way end, beside each other: one may hold what another waits for.
    pub(super) async fn end_steps(&self, state: &mut DelivererState, steps: &mut Steps) {
        while !steps.are_idle() {
            let finished = steps.finished().await;
            steps.end(finished, state, self.parts.clock.now());
        }
    }

    /// Waits for attempts under way, until the deadline; settles those that end meanwhile.
    async fn last_attempts(&self, state: &mut DelivererState, mut settle: Settle) {
        let deadline = Instant::now() + LAST_ATTEMPTS;
        while !state.attempts.is_empty() && Instant::now() < deadline {
            settle.begin(self, state);
            let next = settle.next(state).map_or(deadline, |at| at.min(deadline));
            tokio::select! {
                Some(joined) = state.attempts.join_next() => state.record(joined),
                finished = settle.job.finished() => settle.end(finished, state),
                () = sleep_until(next) => {}
            }
        }
        state.record_finished();
        state.attempts.abort_all();
        if !settle.job.is_idle() {
            let finished = settle.job.finished().await;
            settle.end(finished, state);
        }
    }

    async fn last_settlements(&self, state: &mut DelivererState) {
        let mut failing = task::failing();
        for _ in 0..LAST_TRIES {
            if state.ended.is_empty() {
                break;
            }
            let ended = std::mem::take(&mut state.ended);
            let outcome = self.parts.storage.queue().settle(&ended).await;
            settled(state, ended, outcome);
            if !state.ended.is_empty() {
                tokio::time::sleep(failing.step()).await;
            }
        }
    }
}
