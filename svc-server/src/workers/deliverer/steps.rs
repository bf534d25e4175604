//! What the deliverer does beside the attempts: each step is under way once at most.

mod claim;
mod fan_out;
mod give_back;
mod settle;

use std::future::{Future, pending};
use std::pin::Pin;
use std::time::Duration;

use svc_core::backoff::Backoff;
use svc_core::clock::Timestamp;
use tokio::time::Instant;

pub(super) use self::claim::{Claim, ClaimedNext};
pub(super) use self::fan_out::{FanOut, FannedOut};
pub(super) use self::give_back::{GiveBack, give_back};
pub(super) use self::settle::{Settle, Settled, settled};
use super::{Deliverer, Work};
use crate::workers;

/// All of them.
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
    pub(super) fn begin(&mut self, deliverer: &Deliverer, work: &mut Work) {
        if work.scheduler.relieved() {
            self.claim.room_gained();
        }
        self.fan_out.begin(deliverer, work);
        self.claim.begin(deliverer, work);
        self.settle.begin(deliverer, work);
        self.give_back.begin(deliverer, work);
    }

    /// When the next of them is due.
    pub(super) fn next(&self, work: &Work) -> Option<Instant> {
        [self.fan_out.next(work), self.claim.next(work), self.settle.next(work)].into_iter().flatten().min()
    }

    /// Waits for the end of a step that is under way; for ever when none is. May be dropped and called again.
    pub(super) async fn done(&mut self) -> Done {
        tokio::select! {
            done = self.fan_out.step.done() => Done::FanOut(done),
            done = self.claim.step.done() => Done::Claim(done),
            done = self.settle.step.done() => Done::Settle(done),
            () = self.give_back.step.done() => Done::GiveBack,
        }
    }

    /// Takes in what a step has done.
    pub(super) fn end(&mut self, done: Done, work: &mut Work, now: Timestamp) {
        match done {
            Done::FanOut(done) => self.fan_out.end(done, work, &mut self.claim),
            Done::Claim(done) => self.claim.end(done, work, now),
            Done::Settle(done) => self.settle.end(done, work),
            // What was given back may be due, and there may be places for it by now.
            Done::GiveBack => self.claim.wake(),
        }
    }

    pub(super) fn are_idle(&self) -> bool {
        self.fan_out.step.is_idle()
            && self.claim.step.is_idle()
            && self.settle.step.is_idle()
            && self.give_back.step.is_idle()
    }
}

/// What a step has done.
pub(super) enum Done {
    FanOut(FannedOut),
    Claim(ClaimedNext),
    Settle(Settled),
    GiveBack,
}

/// Something that takes time, under way or not.
///
/// It goes on while somebody waits for its end, and only then. What it holds meanwhile, such as the one
/// writer of SQLite, it keeps: so the steps are always waited for together.
pub(super) struct Step<T>(Option<Pin<Box<dyn Future<Output = T> + Send>>>);

impl<T> Step<T> {
    fn idle() -> Self {
        Self(None)
    }

    pub(super) fn is_idle(&self) -> bool {
        self.0.is_none()
    }

    pub(super) fn begin(&mut self, work: impl Future<Output = T> + Send + 'static) {
        self.0 = Some(Box::pin(work));
    }

    /// Waits for its end; for ever when it is not under way. May be dropped and called again.
    pub(super) async fn done(&mut self) -> T {
        let Some(under_way) = &mut self.0 else { return pending().await };
        let done = under_way.await;
        self.0 = None;
        done
    }
}

/// When a step is due: after a wait that grows while nothing happens or the step fails.
struct Turn {
    at: Instant,
    idle: Backoff,
    respite: Respite,
}

impl Turn {
    fn new() -> Self {
        Self { at: Instant::now(), idle: workers::idle(), respite: Respite::new() }
    }

    fn due_at(&self) -> Instant {
        self.respite.after(self.at)
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
        self.respite.answered();
        self.wake();
    }

    fn pause(&mut self, most: Duration) {
        self.respite.answered();
        self.at = Instant::now() + self.idle.step().min(most);
    }

    fn failed(&mut self) {
        self.respite.failed();
        self.at = self.respite.until;
    }
}

/// A store that fails is left alone, for longer each time.
struct Respite {
    failing: Backoff,
    until: Instant,
}

impl Respite {
    fn new() -> Self {
        Self { failing: workers::failing(), until: Instant::now() }
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
