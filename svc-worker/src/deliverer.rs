//! From a committed event to the receiver: fans out, claims what is due,
//! keeps attempts in flight, settles how they went.
//!
//! One task owns all of it; what takes time runs beside it, one of each:
//!
//! - the *fan-out* takes events out of the outbox. A delivery that has room in
//!   the `Scheduler` is leased in the same commit and starts at once, without a
//!   claim; the others wait in the queue. While the scheduler is full, events stay
//!   in the outbox.
//! - the *claim* leases what waits in the queue: later attempts, what found no
//!   room, and what a process left behind that died.
//! - the *settlement* writes ended attempts back in groups. While it is far behind, as
//!   when the database hangs, nothing new is taken on or attempted.
//! - what waited too long for its slot, or is for a receiver in backoff, is
//!   *given back* to the queue.
//!
//! Attempts are tasks of their own, so a slow receiver holds up the slots of
//! its window and no other receiver. At the end, attempts may finish until the
//! deadline; the leases of the others are given back, so that another process,
//! or the next start, goes on at once.

mod ending;
mod state;
mod steps;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use svc_webhooks::delivery::{AttemptConfig, attempt_allowed};
use tokio::time::{Instant, sleep_until};

use self::state::DelivererState;
use self::steps::Steps;
use crate::task::Parts;
use tokio_util::sync::CancellationToken;

/// Attempts that may be under way at a time.
pub const SLOTS: u32 = 512;
/// From one look at the scheduler to the next, for who observes: looking at every receiver takes a while.
const TELL_EVERY: Duration = Duration::from_millis(250);

/// Runs until shutdown, and then until the last attempt is settled or given back.
pub(crate) async fn run(parts: &Arc<Parts>, asked: CancellationToken) {
    Delivering::new(parts).run(asked).await;
}

struct Delivering {
    parts: Arc<Parts>,
    config: Arc<AttemptConfig>,
}

impl Delivering {
    fn new(parts: &Arc<Parts>) -> Self {
        Self { parts: Arc::clone(parts), config: Arc::new(parts.attempts.clone()) }
    }

    async fn run(self, asked: CancellationToken) {
        let (mut state, mut steps) = (DelivererState::new(&self.parts), Steps::new());
        let mut tell_at = Instant::now();
        while !asked.is_cancelled() {
            if state.scheduler.check_backoffs(self.parts.clock.now()) {
                steps.claim.wake();
            }
            if tell_at <= Instant::now() {
                tell_at = Instant::now() + TELL_EVERY;
                self.parts.observer.scheduled(&state.scheduler, SLOTS);
            }
            self.start(&mut state);
            steps.begin(&self, &mut state);
            let next = [steps.next(&state), self.backoff_check(&state)].into_iter().flatten().min();
            let next = next.unwrap_or_else(|| Instant::now() + Duration::from_secs(1));
            tokio::select! {
                Some(joined) = state.attempts.join_next() => {
                    state.record(joined);
                    state.record_finished();
                }
                finished = steps.finished() => steps.end(finished, &mut state, self.parts.clock.now()),
                () = self.parts.committed.notified() => steps.fan_out.wake(),
                () = sleep_until(next) => {}
                () = asked.cancelled() => {}
            }
        }
        self.end(state, steps).await;
    }

    /// When the scheduler has to look at the backoffs again.
    fn backoff_check(&self, state: &DelivererState) -> Option<Instant> {
        state.scheduler.next_backoff_check().map(|at| Instant::now() + at.since(self.parts.clock.now()))
    }

    /// Starts what has a slot.
    fn start(&self, state: &mut DelivererState) {
        let now = self.parts.clock.now();
        while let Some(leased) = state.next(now) {
            state.started.insert(leased.delivery.id, leased.clone());
            let (parts, config) = (Arc::clone(&self.parts), Arc::clone(&self.config));
            state.attempts.spawn(async move {
                let Parts { readers, sender, clock, .. } = &*parts;
                attempt_allowed(leased, &**readers, &**sender, &**clock, &config).await
            });
        }
    }
}
