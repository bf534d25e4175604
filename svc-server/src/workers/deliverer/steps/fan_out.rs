//! Takes events out of the outbox.

use std::sync::Arc;
use std::time::Duration;

use svc_core::error::StoreError;
use svc_webhooks::delivery::{DispatchReport, Round, fan_out};
use svc_webhooks::ports::Leased;
use svc_webhooks::subscription::Subscription;
use tokio::time::Instant;

use super::super::{Deliverer, Work};
use super::{Claim, Step, Turn};
use crate::failure::chain;
use crate::metric;

/// Events of one fan-out: one commit each.
const EVENTS: u32 = 500;
/// A scheduler with less room than this is full: events wait in the outbox meanwhile.
const ROOM: u32 = 256;

pub(in super::super) type FannedOut = Result<(DispatchReport, Vec<Leased>), StoreError>;

/// A round of [`CROWD`] events or more is followed by a rest of so many times its length, unless it left some.
const RESTS: u32 = 3;
/// A round of fewer events is followed by a shorter rest, and one of a single event by none.
const CROWD: u32 = 16;
/// No such rest is longer.
const LONGEST_REST: Duration = Duration::from_millis(20);
/// Nor is one while another process takes what this one wanted.
const LONGEST_BESIDE_OTHERS: Duration = Duration::from_millis(100);

/// Takes events out of the outbox.
pub(in super::super) struct FanOut {
    pub(in super::super) step: Step<FannedOut>,
    turn: Turn,
    /// Whether something was committed here since the last round began.
    woken: bool,
    /// Whether the round under way began because of that.
    told: bool,
    began: Instant,
    /// No fan-out begins before, however much is committed meanwhile.
    earliest: Instant,
}

impl FanOut {
    pub(in super::super) fn new() -> Self {
        let now = Instant::now();
        Self { step: Step::idle(), turn: Turn::new(), woken: false, told: false, began: now, earliest: now }
    }

    pub(in super::super) fn wake(&mut self) {
        self.woken = true;
        let soon = Instant::now().max(self.earliest);
        self.turn.at = self.turn.at.min(soon);
    }

    pub(in super::super) fn begin(&mut self, deliverer: &Deliverer, work: &Work) {
        if !self.step.is_idle() || !self.turn.is_due() || work.scheduler.room() < ROOM {
            return;
        }
        self.told = std::mem::take(&mut self.woken);
        self.began = Instant::now();
        let mut free_slots = work.scheduler.free_slots();
        let round = Round { events: EVENTS, lease_for: deliverer.config.lease_for };
        let (storage, random) = (Arc::clone(&deliverer.storage), Arc::clone(&deliverer.random));
        let now = deliverer.clock.now();
        self.step.begin(metric::watched(metric::Round::FanOut, async move {
            let wanted = |subscription: &Subscription| free_slots.take(subscription.id);
            fan_out(storage.as_ref(), round, now, random.as_ref(), wanted).await
        }));
    }

    pub(in super::super) fn end(&mut self, done: FannedOut, work: &mut Work, claim: &mut Claim) {
        match done {
            Ok((report, leased)) => {
                metric::dispatched(report);
                if report.deliveries > leased.len() {
                    claim.wake();
                }
                for leased in leased {
                    work.scheduler.offer(leased);
                }
                self.rest(report);
            }
            Err(error) => {
                tracing::warn!("events cannot be dispatched: {}", chain(&error));
                self.turn.failed();
            }
        }
    }

    /// A round costs nearly the same for one event as for many: while many come in, they are taken
    /// together. Where events come one by one, none waits, even after a round that was slow.
    ///
    /// When a round has left nothing, what comes next is told of, or, if another process commits it, looked
    /// for: soon after a round that nobody had told of and that found something.
    fn rest(&mut self, report: DispatchReport) {
        let took = self.began.elapsed();
        let events = u32::try_from(report.events).unwrap_or(EVENTS);
        self.turn.respite.answered();
        if events > 0 && !self.told {
            self.turn.idle.reset();
        }
        let rest = match events {
            0 if report.more => self.turn.idle.step().min(LONGEST_BESIDE_OTHERS),
            0 => Duration::ZERO,
            _ if report.more => Duration::ZERO,
            _ => (took * RESTS * (events.min(CROWD) - 1) / (CROWD - 1)).min(LONGEST_REST),
        };
        self.earliest = Instant::now() + rest;
        if report.more || self.woken {
            self.turn.at = self.earliest;
        } else {
            self.turn.pause(Duration::MAX);
            self.turn.at = self.turn.at.max(self.earliest);
        }
    }

    pub(in super::super) fn next(&self, work: &Work) -> Option<Instant> {
        (self.step.is_idle() && work.scheduler.room() >= ROOM).then(|| self.turn.due_at())
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    /// After a round of 4 ms: when the next one begins, in milliseconds from its end.
    async fn next(told: bool, woken: bool, events: usize, more: bool) -> u128 {
        let mut fan_out = FanOut::new();
        for _ in 0..3 {
            fan_out.turn.pause(Duration::MAX);
        }
        (fan_out.told, fan_out.woken) = (told, woken);
        advance(Duration::from_millis(4)).await;
        fan_out.rest(DispatchReport { events, deliveries: 0, more });
        (fan_out.turn.at - Instant::now()).as_millis()
    }

    #[tokio::test(start_paused = true)]
    async fn what_comes_alone_waits_for_nothing_and_a_crowd_gathers() {
        assert_eq!(next(true, true, 1, false).await, 0);
        assert_eq!(next(true, true, 6, false).await, 4, "a third of the longest rest");
        assert_eq!(next(true, true, 16, false).await, 12);
        assert_eq!(next(true, true, 400, false).await, 12);
        assert_eq!(next(true, true, 500, true).await, 0, "what is left has gathered already");
        assert_eq!(next(false, false, 300, true).await, 0, "full or not");
        assert_eq!(next(false, false, 0, true).await, 40, "another process is at it: as long as for a look");
    }

    #[tokio::test(start_paused = true)]
    async fn looks_get_seldom_unless_one_finds_something_by_itself() {
        let [first, fourth] = [5, 40];
        assert_eq!(next(false, false, 1, false).await, first);
        assert_eq!(next(false, false, 16, false).await, 12, "no sooner than the rest");
        assert_eq!(next(true, false, 1, false).await, fourth);
        assert_eq!(next(false, false, 0, false).await, fourth);
    }
}
