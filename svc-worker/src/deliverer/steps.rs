//! What the deliverer asks the store for beside the attempts: each step runs once at a time at most.

mod claim;
mod fan_out;
mod give_back;
mod settle;

use std::future::pending;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::delay::DoublingDelay;
use tokio::time::Instant;
use tracing::Instrument as _;

pub(super) use self::claim::{Claim, ClaimedNext};
pub(super) use self::fan_out::{FanOut, FannedOut};
pub(super) use self::give_back::{GiveBack, give_back};
pub(super) use self::settle::{Settle, Settled, settled};
use super::{DelivererState, Delivering};
use crate::observer::{Observer, Step};
use crate::task;

/// All steps.
pub(super) struct Steps {
    pub(super) fan_out: FanOut,
    pub(super) claim: Claim,
    pub(super) settle: Settle,
    pub(super) give_back: GiveBack,
}

impl Steps {
    pub(super) fn new() -> Self {
        Self {
            fan_out: FanOut::new(),
            claim: Claim::new(),
            settle: Settle::new(),
            give_back: GiveBack::new(),
        }
    }

    /// Begins those that are due.
    pub(super) fn begin(&mut self, delivering: &Delivering, state: &mut DelivererState) {
        if state.scheduler.room_gained() {
            self.claim.room_gained();
        }
        self.fan_out.begin(delivering, state);
        self.claim.begin(delivering, state);
        self.settle.begin(delivering, state);
        self.give_back.begin(delivering, state);
    }

    /// When the next of them is due.
    pub(super) fn next(&self, state: &DelivererState) -> Option<Instant> {
        [self.fan_out.next(state), self.claim.next(state), self.settle.next(state)]
            .into_iter()
            .flatten()
            .min()
    }

    /// Waits for the end of a step that is under way; for ever when none is. May be dropped and called again.
    pub(super) async fn finished(&mut self) -> Finished {
        tokio::select! {
            finished = self.fan_out.job.finished() => Finished::FanOut(finished),
            finished = self.claim.job.finished() => Finished::Claim(finished),
            finished = self.settle.job.finished() => Finished::Settle(finished),
            () = self.give_back.job.finished() => Finished::GiveBack,
        }
    }

    /// Takes in the result of a step.
    pub(super) fn end(&mut self, finished: Finished, state: &mut DelivererState, now: Timestamp) {
        match finished {
            Finished::FanOut(finished) => self.fan_out.end(finished, state, &mut self.claim),
            Finished::Claim(finished) => self.claim.end(finished, state, now),
            Finished::Settle(finished) => self.settle.end(finished, state),
            // A delivery that was given back may be due, and there may be a slot for it by now.
            Finished::GiveBack => self.claim.wake(),
        }
    }

    pub(super) fn are_idle(&self) -> bool {
        self.fan_out.job.is_idle()
            && self.claim.job.is_idle()
            && self.settle.job.is_idle()
            && self.give_back.job.is_idle()
    }
}

/// The result of a step.
pub(super) enum Finished {
    FanOut(FannedOut),
    Claim(ClaimedNext),
    Settle(Settled),
    GiveBack,
}

/// Runs a step in a span of its own, and tells how it went.
async fn observed<T, E>(
    observer: Arc<dyn Observer>,
    step: Step,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let began = Instant::now();
    let span = tracing::debug_span!(target: "svc_webhooks", "round", step = step.name());
    let done = work.instrument(span).await;
    observer.step(step, began.elapsed(), done.is_ok());
    done
}

/// Something that takes time, under way or not.
///
/// It goes on while the deliverer waits for its end, and only then. What it holds meanwhile, such as the one
/// writer of SQLite, it keeps: so the deliverer always waits for all steps together.
pub(super) struct Job<T>(Option<Pin<Box<dyn Future<Output = T> + Send>>>);

impl<T> Job<T> {
    fn idle() -> Self {
        Self(None)
    }

    pub(super) fn is_idle(&self) -> bool {
        self.0.is_none()
    }

    pub(super) fn begin(&mut self, call: impl Future<Output = T> + Send + 'static) {
        self.0 = Some(Box::pin(call));
    }

    /// Waits for its end; for ever when it is not under way. May be dropped and called again.
    pub(super) async fn finished(&mut self) -> T {
        let Some(under_way) = &mut self.0 else { return pending().await };
        let finished = under_way.await;
        self.0 = None;
        finished
    }
}

/// When a step is due: after a wait that grows while nothing happens or the step fails.
struct Schedule {
    at: Instant,
    idle: DoublingDelay,
    retry_delay: RetryDelay,
}

impl Schedule {
    fn new() -> Self {
        Self { at: Instant::now(), idle: task::idle(), retry_delay: RetryDelay::new() }
    }

    fn due_at(&self) -> Instant {
        self.retry_delay.after(self.at)
    }

    fn is_due(&self) -> bool {
        self.due_at() <= Instant::now()
    }

    /// At once: there is something to do.
    fn wake(&mut self) {
        self.idle.reset();
        self.at = Instant::now();
    }

    /// At once: there was something to do, and may be more.
    fn again(&mut self) {
        self.retry_delay.answered();
        self.wake();
    }

    fn pause(&mut self, most: Duration) {
        self.retry_delay.answered();
        self.at = Instant::now() + self.idle.step().min(most);
    }

    fn failed(&mut self) {
        self.retry_delay.failed();
        self.at = self.retry_delay.until;
    }
}

/// How long the deliverer leaves a store alone that fails: longer each time.
struct RetryDelay {
    failing: DoublingDelay,
    until: Instant,
}

impl RetryDelay {
    fn new() -> Self {
        Self { failing: task::failing(), until: Instant::now() }
    }

    /// This instant, or when the store may be asked again.
    fn after(&self, at: Instant) -> Instant {
        at.max(self.until)
    }

    fn answered(&mut self) {
        self.failing.reset();
    }

    fn failed(&mut self) {
        self.until = Instant::now() + self.failing.step();
    }
}
