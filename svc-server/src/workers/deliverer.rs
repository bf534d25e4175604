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
//! - what waited too long for its place, or is for a receiver that rests, is
//!   *given back* to the queue.
//!
//! Attempts are tasks of their own, so a slow receiver holds up the places of
//! its window and nobody else. At the end, attempts may finish until the
//! deadline; the leases of the others are given back, so that another process,
//! or the next start, goes on at once.

mod ending;
mod steps;
#[cfg(test)]
mod tests;
mod work;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use svc_core::clock::Clock;
use svc_core::random::RandomSource;
use svc_webhooks::delivery::{AttemptConfig, attempt_claimed};
use svc_webhooks::ports::{HttpSender, WebhookStorage};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use self::steps::Steps;
use self::work::{PLACES, Work};
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
        let (mut work, mut steps) = (Work::new(&self.config.schedule), Steps::new());
        let mut gauges = metric::FlowGauges::new();
        while !asked.is_asked() {
            if work.scheduler.rouse(self.clock.now()) {
                steps.claim.wake();
            }
            gauges.tell(&work.scheduler, PLACES.attempts);
            self.start(&mut work);
            steps.begin(&self, &mut work);
            let next = [steps.next(&work), self.rests_end(&work)].into_iter().flatten().min();
            let next = next.unwrap_or_else(|| Instant::now() + Duration::from_secs(1));
            tokio::select! {
                Some(landed) = work.attempts.join_next() => {
                    work.land(landed);
                    work.land_ready();
                }
                done = steps.done() => steps.end(done, &mut work, self.clock.now()),
                () = self.committed.notified() => steps.fan_out.wake(),
                () = sleep_until(next) => {}
                () = asked.asked() => {}
            }
        }
        self.end(work, steps).await;
    }

    /// When a receiver has rested.
    fn rests_end(&self, work: &Work) -> Option<Instant> {
        work.scheduler.wakes_at().map(|at| Instant::now() + at.since(self.clock.now()))
    }

    /// Starts what has a place.
    fn start(&self, work: &mut Work) {
        let now = self.clock.now();
        while let Some(leased) = work.scheduler.start(now) {
            work.started.insert(leased.delivery.id, leased.clone());
            let (sender, clock, config) =
                (Arc::clone(&self.sender), Arc::clone(&self.clock), Arc::clone(&self.config));
            work.attempts.spawn(async move {
                attempt_claimed(leased, sender.as_ref(), clock.as_ref(), &config).await
            });
        }
    }
}
