//! How the deliverer ends: attempts under way may finish, and no lease is kept.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::steps::{Settle, Steps, give_back, settled};
use super::{Deliverer, Work};
use crate::workers;

/// How long attempts may go on when nothing is begun any more.
const LAST_ATTEMPTS: Duration = Duration::from_secs(11);
/// How often the last settlements are tried.
const LAST_TRIES: u32 = 3;

impl Deliverer {
    /// Returns when the last attempt is settled or given back.
    pub(super) async fn end(&self, mut work: Work, mut steps: Steps) {
        self.end_steps(&mut work, &mut steps).await;
        give_back(self.storage.as_ref(), &work.scheduler.clear()).await;
        self.last_attempts(&mut work, steps.settle).await;
        self.last_settlements(&mut work).await;
        let unused: Vec<_> = work.started.into_values().collect();
        if !unused.is_empty() {
            tracing::info!(
                leases = unused.len(),
                "attempts did not end in time; their leases are given back"
            );
        }
        give_back(self.storage.as_ref(), &unused).await;
    }

    /// Lets the steps under way end, beside each other: one may hold what another waits for.
    pub(super) async fn end_steps(&self, work: &mut Work, steps: &mut Steps) {
        while !steps.are_idle() {
            let done = steps.done().await;
            steps.end(done, work, self.clock.now());
        }
    }

    /// Waits for attempts under way, until the deadline; settles those that end meanwhile.
    async fn last_attempts(&self, work: &mut Work, mut settle: Settle) {
        let deadline = Instant::now() + LAST_ATTEMPTS;
        while !work.attempts.is_empty() && Instant::now() < deadline {
            settle.begin(self, work);
            let next = settle.next(work).map_or(deadline, |at| at.min(deadline));
            tokio::select! {
                Some(landed) = work.attempts.join_next() => work.land(landed),
                done = settle.step.done() => settle.end(done, work),
                () = sleep_until(next) => {}
            }
        }
        work.land_ready();
        work.attempts.abort_all();
        if !settle.step.is_idle() {
            let done = settle.step.done().await;
            settle.end(done, work);
        }
    }

    async fn last_settlements(&self, work: &mut Work) {
        let mut failing = workers::failing();
        for _ in 0..LAST_TRIES {
            if work.ended.is_empty() {
                break;
            }
            let ended = std::mem::take(&mut work.ended);
            let outcome = self.storage.queue().settle(&ended).await;
            settled(work, ended, outcome);
            if !work.ended.is_empty() {
                tokio::time::sleep(failing.step()).await;
            }
        }
    }
}
