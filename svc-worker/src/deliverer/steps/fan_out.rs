//! Takes events out of the outbox.

use std::sync::Arc;
use std::time::Duration;

use svc_core::error::{StoreError, chain};
use svc_webhooks::delivery::{DispatchReport, Round, fan_out};
use svc_webhooks::ports::Leased;
use svc_webhooks::subscription::Subscription;
use tokio::time::Instant;

use super::super::{DelivererState, Delivering};
use super::{Claim, Job, Schedule, observed};

use crate::observer::Step;

/// Events of one fan-out: one commit each.
const EVENTS: u32 = 500;
/// A scheduler with less room than this is full: events wait in the outbox meanwhile.
const ROOM: u32 = 256;

pub(in super::super) type FannedOut = Result<(DispatchReport, Vec<Leased>), StoreError>;

/// A round of [`FULL_PAUSE_FROM`] events or more is followed by a pause of so many times its length, unless it left some.
const PAUSE_FACTOR: u32 = 3;
/// A round of fewer events is followed by a shorter pause, and one of a single event by none.
const FULL_PAUSE_FROM: u32 = 16;
/// No such pause is longer.
const LONGEST_PAUSE: Duration = Duration::from_millis(20);
/// Nor is one while another process takes what this one wanted.
const LONGEST_BESIDE_OTHERS: Duration = Duration::from_millis(100);

/// Takes events out of the outbox.
pub(in super::super) struct FanOut {
    pub(in super::super) job: Job<FannedOut>,
    schedule: Schedule,
    /// Whether something was committed here since the last round began.
    woken: bool,
    /// Whether the round under way began because of that.
    was_woken: bool,
    began: Instant,
    /// No fan-out begins before, however much is committed meanwhile.
    earliest: Instant,
}

impl FanOut {
    pub(in super::super) fn new() -> Self {
        let now = Instant::now();
        Self {
            job: Job::idle(),
            schedule: Schedule::new(),
            woken: false,
            was_woken: false,
            began: now,
            earliest: now,
        }
    }

    pub(in super::super) fn wake(&mut self) {
        self.woken = true;
        let soon = Instant::now().max(self.earliest);
        self.schedule.at = self.schedule.at.min(soon);
    }

    pub(in super::super) fn begin(&mut self, delivering: &Delivering, state: &DelivererState) {
        if !self.job.is_idle() || !self.schedule.is_due() || state.room() < ROOM {
            return;
        }
        self.was_woken = std::mem::take(&mut self.woken);
        self.began = Instant::now();
        let mut free_slots = state.scheduler.free_slots();
        let config = &delivering.config;
        let attempts = config.schedule.attempts();
        let round = Round { events: EVENTS, attempts, lease_for: config.lease_for };
        let (storage, random) = (Arc::clone(&delivering.parts.storage), Arc::clone(&delivering.parts.random));
        let now = delivering.parts.clock.now();
        self.job.begin(observed(Arc::clone(&delivering.parts.observer), Step::FanOut, async move {
            let wanted = |subscription: &Subscription| free_slots.take(subscription.id);
            fan_out(storage.as_ref(), round, now, random.as_ref(), wanted).await
        }));
    }

    pub(in super::super) fn end(
        &mut self,
        finished: FannedOut,
        state: &mut DelivererState,
        claim: &mut Claim,
    ) {
        match finished {
            Ok((report, leased)) => {
                state.observer.fanned_out(report);
                if report.deliveries > leased.len() {
                    claim.wake();
                }
                for leased in leased {
                    state.scheduler.offer(leased);
                }
                self.pause_after(report);
            }
            Err(error) => {
                tracing::warn!("events cannot be dispatched: {}", chain(&error));
                self.schedule.failed();
            }
        }
    }

    /// A round costs nearly the same for one event as for many: while many come in, they are taken
    /// together. Where events come one by one, none waits, even after a round that was slow.
    ///
    /// When a round has left nothing, a commit of this process wakes the next one. A poll finds what another
    /// process commits: soon after a round that no commit here had woken and that found something.
    fn pause_after(&mut self, report: DispatchReport) {
        let took = self.began.elapsed();
        let events = u32::try_from(report.events).unwrap_or(EVENTS);
        self.schedule.retry_delay.answered();
        if events > 0 && !self.was_woken {
            self.schedule.idle.reset();
        }
        let pause = match events {
            0 if report.more => self.schedule.idle.step().min(LONGEST_BESIDE_OTHERS),
            0 => Duration::ZERO,
            _ if report.more => Duration::ZERO,
            _ => (took * PAUSE_FACTOR * (events.min(FULL_PAUSE_FROM) - 1) / (FULL_PAUSE_FROM - 1))
                .min(LONGEST_PAUSE),
        };
        self.earliest = Instant::now() + pause;
        if report.more || self.woken {
            self.schedule.at = self.earliest;
        } else {
            self.schedule.pause(Duration::MAX);
            self.schedule.at = self.schedule.at.max(self.earliest);
        }
    }

    pub(in super::super) fn next(&self, state: &DelivererState) -> Option<Instant> {
        (self.job.is_idle() && state.room() >= ROOM).then(|| self.schedule.due_at())
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    /// After a round of 4 ms: when the next one begins, in milliseconds from its end.
    async fn next(was_woken: bool, woken: bool, events: usize, more: bool) -> u128 {
        let mut fan_out = FanOut::new();
        for _ in 0..3 {
            fan_out.schedule.pause(Duration::MAX);
        }
        (fan_out.was_woken, fan_out.woken) = (was_woken, woken);
        advance(Duration::from_millis(4)).await;
        fan_out.pause_after(DispatchReport { events, deliveries: 0, more });
        (fan_out.schedule.at - Instant::now()).as_millis()
    }

    #[tokio::test(start_paused = true)]
    async fn what_comes_alone_waits_for_nothing_and_many_are_batched() {
        assert_eq!(next(true, true, 1, false).await, 0);
        assert_eq!(next(true, true, 6, false).await, 4, "a third of the longest pause");
        assert_eq!(next(true, true, 16, false).await, 12);
        assert_eq!(next(true, true, 400, false).await, 12);
        assert_eq!(next(true, true, 500, true).await, 0, "what is left is a batch already");
        assert_eq!(next(false, false, 300, true).await, 0, "full or not");
        assert_eq!(next(false, false, 0, true).await, 40, "another process is at it: as long as for a look");
    }

    #[tokio::test(start_paused = true)]
    async fn looks_get_seldom_unless_one_finds_something_by_itself() {
        let [first, fourth] = [5, 40];
        assert_eq!(next(false, false, 1, false).await, first);
        assert_eq!(next(false, false, 16, false).await, 12, "no sooner than the pause");
        assert_eq!(next(true, false, 1, false).await, fourth);
        assert_eq!(next(false, false, 0, false).await, fourth);
    }
}
