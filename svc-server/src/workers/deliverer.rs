//! From a committed event to the receiver: fans out, claims what is due,
//! keeps attempts in flight, settles how they went.
//!
//! One task owns all of it; what takes time runs beside it, one of each:
//!
//! - the *fan-out* takes events out of the outbox. A delivery that has room in
//!   the [`Flow`] is leased in the same commit and starts at once, without a
//!   claim; the others wait in the queue. While the flow is full, events stay
//!   in the outbox.
//! - the *claim* leases what waits in the queue: later attempts, what found no
//!   room, and what a process left behind that died.
//! - the *settlement* writes ended attempts back in groups.
//!
//! Attempts are tasks of their own, so a slow receiver holds up the places of
//! its window and nobody else. At the end, attempts may finish until the
//! deadline; the leases of the others are given back, so that another process,
//! or the next start, goes on at once.

mod steps;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use svc_core::clock::Clock;
use svc_core::id::DeliveryId;
use svc_core::random::RandomSource;
use svc_webhooks::delivery::{Attempt, AttemptConfig, attempt_claimed};
use svc_webhooks::flow::{Ended, Flow, Places};
use svc_webhooks::ports::{HttpSender, Leased, Settlement, WebhookStorage};
use svc_webhooks::retry::RetrySchedule;
use tokio::sync::Notify;
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, sleep_until, timeout_at};

use self::steps::{Claim, FanOut, Settle};
use crate::failure::chain;
use crate::metric;
use crate::shutdown::Shutdown;
use crate::wiring::Wiring;

/// Attempts under way, and deliveries that wait for a place, at most.
const PLACES: Places = Places { attempts: 512, waiting: 2_048 };
/// Settlements of one commit.
const BATCH: usize = 500;
/// So many settlements do not wait for more.
const ENOUGH: usize = 100;
/// How long the settlement of an attempt that arrived waits for company.
const SETTLE_WITHIN: Duration = Duration::from_millis(10);
/// The same of one that failed: when a crash has it made again, nothing arrives twice.
const SETTLE_FAILED_WITHIN: Duration = Duration::from_millis(50);
/// How long attempts may go on after the wish to end.
const LAST_ATTEMPTS: Duration = Duration::from_secs(11);
/// How often the last settlements are tried.
const LAST_TRIES: u32 = 3;

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

/// What is under way.
struct Work {
    flow: Flow,
    attempts: JoinSet<Settlement>,
    /// Attempts that were started and not settled.
    started: HashMap<DeliveryId, Leased>,
    /// Attempted and not settled.
    ended: Vec<Settlement>,
    settle_at: Option<Instant>,
}

impl Work {
    fn new(schedule: &RetrySchedule) -> Self {
        Self {
            flow: Flow::paced(PLACES, schedule),
            attempts: JoinSet::new(),
            started: HashMap::new(),
            ended: Vec::new(),
            settle_at: None,
        }
    }

    fn land(&mut self, landed: Result<Settlement, JoinError>) {
        let settlement = match landed {
            Ok(settlement) => settlement,
            // A panic is a fault of the program: the service ends with it, see `service`.
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => return,
            },
        };
        metric::attempted(&settlement);
        let Settlement { delivery, attempt, asked_until, .. } = &settlement;
        let arrived = attempt.as_ref().is_some_and(|attempt| attempt.outcome.error.is_none());
        let retry = attempt.as_ref().map_or(delivery.attempts > 0, |attempt| attempt.number > 1);
        self.flow.ended(Ended {
            subscription: delivery.subscription,
            account: delivery.account,
            retry,
            arrived,
            took: attempt.as_ref().map(|attempt| attempt.outcome.duration).unwrap_or_default(),
            at: attempt.as_ref().map(Attempt::ended_at),
            asked_until: *asked_until,
        });
        self.ended.push(settlement);
        let within = if arrived { SETTLE_WITHIN } else { SETTLE_FAILED_WITHIN };
        let within = if self.ended.len() >= ENOUGH { Duration::ZERO } else { within };
        let due = Instant::now() + within;
        self.settle_at = Some(self.settle_at.map_or(due, |at| at.min(due)));
    }
}

impl Deliverer {
    async fn run(self, asked: Shutdown) {
        let mut work = Work::new(&self.config.schedule);
        let (mut fan_out, mut claim, mut settle) = (FanOut::new(), Claim::new(), Settle::new());
        let mut gauges = metric::FlowGauges::new();
        while !asked.is_asked() {
            if work.flow.rouse(self.clock.now()) {
                claim.wake();
            }
            gauges.tell(&work.flow, PLACES.attempts);
            self.start(&mut work);
            if work.flow.relieved() {
                claim.room_gained();
            }
            fan_out.begin(&self, &work);
            claim.begin(&self, &work);
            settle.begin(&self, &mut work);
            let next = [fan_out.next(&work), claim.next(&work), settle.next(&work), self.rests_end(&work)];
            let next =
                next.into_iter().flatten().min().unwrap_or_else(|| Instant::now() + Duration::from_secs(1));
            tokio::select! {
                Some(landed) = work.attempts.join_next() => {
                    work.land(landed);
                    while let Some(landed) = work.attempts.try_join_next() {
                        work.land(landed);
                    }
                }
                done = fan_out.step.done() => fan_out.end(done, &mut work, &mut claim),
                done = claim.step.done() => claim.end(done, &mut work, self.clock.now()),
                done = settle.step.done() => settle.end(done, &mut work),
                () = self.committed.notified() => fan_out.wake(),
                () = sleep_until(next) => {}
                () = asked.asked() => {}
            }
        }
        self.end_steps(&mut work, fan_out, claim, settle).await;
        self.finish(work).await;
    }

    /// Lets the steps under way end, beside each other: one may hold what another waits for.
    async fn end_steps(&self, work: &mut Work, mut fan_out: FanOut, mut claim: Claim, mut settle: Settle) {
        while !(fan_out.step.is_idle() && claim.step.is_idle() && settle.step.is_idle()) {
            tokio::select! {
                done = fan_out.step.done() => fan_out.end(done, work, &mut claim),
                done = claim.step.done() => claim.end(done, work, self.clock.now()),
                done = settle.step.done() => settle.end(done, work),
            }
        }
    }

    /// When a receiver has rested.
    fn rests_end(&self, work: &Work) -> Option<Instant> {
        work.flow.wakes_at().map(|at| Instant::now() + at.since(self.clock.now()))
    }

    /// Starts what has a place, and gives back what has waited too long for one.
    fn start(&self, work: &mut Work) {
        let now = self.clock.now();
        while let Some(leased) = work.flow.start(now) {
            work.started.insert(leased.delivery.id, leased.clone());
            let (sender, clock, config) =
                (Arc::clone(&self.sender), Arc::clone(&self.clock), Arc::clone(&self.config));
            work.attempts.spawn(async move {
                attempt_claimed(leased, sender.as_ref(), clock.as_ref(), &config).await
            });
        }
        let late = work.flow.late();
        if !late.is_empty() {
            let storage = Arc::clone(&self.storage);
            tokio::spawn(async move { give_back(storage.as_ref(), &late).await });
        }
    }

    async fn finish(&self, mut work: Work) {
        give_back(self.storage.as_ref(), &work.flow.clear()).await;
        let deadline = Instant::now() + LAST_ATTEMPTS;
        while let Ok(Some(landed)) = timeout_at(deadline, work.attempts.join_next()).await {
            work.land(landed);
        }
        work.attempts.abort_all();
        let mut failing = super::failing();
        for _ in 0..LAST_TRIES {
            if work.ended.is_empty() {
                break;
            }
            let ended = std::mem::take(&mut work.ended);
            let outcome = self.storage.queue().settle(&ended).await;
            steps::settled(&mut work, ended, outcome);
            if !work.ended.is_empty() {
                tokio::time::sleep(failing.step()).await;
            }
        }
        let unused: Vec<_> = work.started.into_values().collect();
        if !unused.is_empty() {
            tracing::info!(
                leases = unused.len(),
                "attempts did not end in time; their leases are given back"
            );
        }
        give_back(self.storage.as_ref(), &unused).await;
    }
}

async fn give_back(storage: &dyn WebhookStorage, leased: &[Leased]) {
    if leased.is_empty() {
        return;
    }
    if let Err(error) = storage.queue().release(leased).await {
        tracing::warn!("leases end by themselves, they could not be given back: {}", chain(&error));
    } else {
        metric::returned(leased.len());
    }
}
