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
//! - the *settlement* writes ended attempts back in groups.
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

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use svc_core::clock::Clock;
use svc_core::random::RandomSource;
use svc_webhooks::delivery::{AttemptConfig, attempt_claimed};
use svc_webhooks::ports::{HttpSender, WebhookStorage};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use self::state::{CAPACITY, DelivererState};
use self::steps::Steps;
use crate::metric;
use crate::shutdown::Shutdown;
use crate::wiring::Wiring;

/// Runs until shutdown, and then until the last attempt is settled or given back.
pub(crate) fn run(wiring: &Wiring, asked: Shutdown) -> impl Future<Output = ()> + use<> {
    let deliverer = Deliverer {
        storage: wiring.store.database.webhooks(),
        sender: Arc::clone(&wiring.sender),
        clock: Arc::clone(&wiring.clock),
        random: Arc::clone(&wiring.random),
        config: Arc::new(wiring.attempts.clone()),
        committed: wiring.store.database.events_committed(),
    };
    deliverer.run(asked)
}

struct Deliverer {
    storage: Arc<dyn WebhookStorage>,
    sender: Arc<dyn HttpSender>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn RandomSource>,
    config: Arc<AttemptConfig>,
    /// Notified when events were committed by this process.
    committed: Arc<Notify>,
}

impl Deliverer {
    async fn run(self, asked: Shutdown) {
        let (mut state, mut steps) = (DelivererState::new(&self.config.schedule), Steps::new());
        let mut gauges = metric::SchedulerGauges::new();
        while !asked.is_asked() {
            if state.scheduler.check_backoffs(self.clock.now()) {
                steps.claim.wake();
            }
            gauges.update(&state.scheduler, CAPACITY.attempts);
            self.start(&mut state);
            steps.begin(&self, &mut state);
            let next = [steps.next(&state), self.backoff_check(&state)].into_iter().flatten().min();
            let next = next.unwrap_or_else(|| Instant::now() + Duration::from_secs(1));
            tokio::select! {
                Some(joined) = state.attempts.join_next() => {
                    state.record(joined);
                    state.record_finished();
                }
                finished = steps.finished() => steps.end(finished, &mut state, self.clock.now()),
                () = self.committed.notified() => steps.fan_out.wake(),
                () = sleep_until(next) => {}
                () = asked.asked() => {}
            }
        }
        self.end(state, steps).await;
    }

    /// When the scheduler has to look at the backoffs again.
    fn backoff_check(&self, state: &DelivererState) -> Option<Instant> {
        state.scheduler.next_backoff_check().map(|at| Instant::now() + at.since(self.clock.now()))
    }

    /// Starts what has a slot.
    fn start(&self, state: &mut DelivererState) {
        let now = self.clock.now();
        while let Some(leased) = state.scheduler.start(now) {
            state.started.insert(leased.delivery.id, leased.clone());
            let (sender, clock, config) =
                (Arc::clone(&self.sender), Arc::clone(&self.clock), Arc::clone(&self.config));
            state.attempts.spawn(async move {
                attempt_claimed(leased, sender.as_ref(), clock.as_ref(), &config).await
            });
        }
    }
}
