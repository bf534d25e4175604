//! Leases what waits in the queue.

use std::sync::Arc;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::delay::DoublingDelay;
use svc_core::error::{StoreError, chain};
use svc_webhooks::ports::{Claimed, Remaining};
use tokio::time::Instant;

use super::super::{DelivererState, Delivering};
use super::{Job, Schedule, observed};

use crate::observer::Step;

/// Deliveries of one claim.
const CLAIM: u32 = 500;
/// The pause after a claim that took all that there was room for, also when something wakes the claim: what falls due
/// one by one, as attempts to receivers in trouble do, is claimed as a batch.
const BATCHING_PAUSE: Duration = Duration::from_millis(100);
/// The first pause after a claim that found nothing, although something was due that it could not lease; the next ones are
/// twice as long each, up to [`BATCHING_PAUSE`].
const FIRST_MISSED_PAUSE: Duration = Duration::from_millis(1);
/// Room that receivers gain is used within this time, also during a pause.
const ROOM_WITHIN: Duration = Duration::from_millis(10);

/// What was found, when the claim was made, and when something falls due next if nothing was found.
pub(in super::super) type ClaimedNext = Result<(Claimed, Timestamp, Option<Timestamp>), StoreError>;

/// What a claim found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Nothing,
    /// Nothing, although something was due: the claim could not lease it.
    Missed,
    Some,
}

/// Leases what waits in the queue.
pub(in super::super) struct Claim {
    pub(in super::super) job: Job<ClaimedNext>,
    schedule: Schedule,
    missed_pause: DoublingDelay,
    /// Whether more may be due than there was room for: the next claim uses room that a receiver gains.
    more_due: bool,
    /// Whether all receivers together had room for less than a whole claim takes.
    limited: bool,
    /// Until when a claim uses the room that receivers gained since the last claim began.
    room_by: Option<Instant>,
    /// Only room that a receiver gains lets a claim begin before.
    earliest: Instant,
}

impl Claim {
    pub(in super::super) fn new() -> Self {
        Self {
            job: Job::idle(),
            schedule: Schedule::new(),
            missed_pause: DoublingDelay::new(FIRST_MISSED_PAUSE, BATCHING_PAUSE),
            more_due: false,
            limited: false,
            room_by: None,
            earliest: Instant::now(),
        }
    }

    /// Something that is due was put into the queue, or may be leased from now on.
    pub(in super::super) fn wake(&mut self) {
        self.more_due = true;
        self.schedule.wake();
        self.keep_pause();
    }

    /// There is room where there was none.
    pub(in super::super) fn room_gained(&mut self) {
        if self.more_due || !self.job.is_idle() {
            self.room_by.get_or_insert_with(|| Instant::now() + ROOM_WITHIN);
            self.keep_pause();
        }
    }

    /// Keeps the pause, unless a delivery may wait for room that a receiver gained.
    fn keep_pause(&mut self) {
        self.schedule.at = self.schedule.at.max(self.earliest);
        if let Some(by) = self.room_by.filter(|_| self.more_due) {
            self.schedule.at = self.schedule.at.min(by);
        }
    }

    pub(in super::super) fn begin(&mut self, delivering: &Delivering, state: &DelivererState) {
        if !self.job.is_idle() || !self.schedule.is_due() || state.room() == 0 {
            return;
        }
        let Some(request) = state.scheduler.claim_request(CLAIM) else { return };
        self.more_due = request.full().next().is_some() || !request.retries;
        self.limited = request.limit < CLAIM;
        self.room_by = None;
        let storage = Arc::clone(&delivering.parts.storage);
        let (now, lease_for) = (delivering.parts.clock.now(), delivering.config.lease_for);
        self.job.begin(observed(Arc::clone(&delivering.parts.observer), Step::Claim, async move {
            let claimed = storage.queue().claim(&request, now, lease_for).await?;
            let next =
                if claimed.leased.is_empty() { storage.queue().next_due(&request).await? } else { None };
            Ok((claimed, now, next))
        }));
    }

    pub(in super::super) fn end(
        &mut self,
        finished: ClaimedNext,
        state: &mut DelivererState,
        now: Timestamp,
    ) {
        match finished {
            Ok((claimed, began, next)) => {
                self.more_due |= claimed.remaining != Remaining::Nothing;
                let remaining = claimed.remaining;
                let found = claimed.leased.len();
                for leased in claimed.leased {
                    state.scheduler.offer(leased);
                }
                // Something was due, and the claim could not lease it: another server has its lane, another lane
                // had its turn, or the row cannot be read.
                let found = match (found, next) {
                    (1.., _) => Found::Some,
                    (0, Some(due)) if due <= began => Found::Missed,
                    (0, _) => Found::Nothing,
                };
                self.pause_after(found, remaining, next.map_or(Duration::MAX, |due| due.since(now)));
            }
            Err(error) => {
                tracing::warn!("due deliveries cannot be claimed: {}", chain(&error));
                self.schedule.failed();
            }
        }
    }

    /// A claim costs nearly the same for one delivery as for many, and as for none.
    fn pause_after(&mut self, found: Found, remaining: Remaining, until: Duration) {
        if found != Found::Missed {
            self.missed_pause.reset();
        }
        let pause = match (found, remaining) {
            (Found::Missed, _) => self.missed_pause.step(),
            (Found::Nothing | Found::Some, Remaining::More) if self.limited => ROOM_WITHIN,
            (Found::Nothing | Found::Some, Remaining::More) => Duration::ZERO,
            (Found::Nothing | Found::Some, Remaining::Nothing | Remaining::NoRoom) => BATCHING_PAUSE,
        };
        self.earliest = Instant::now() + pause;
        if (found, remaining) == (Found::Nothing, Remaining::Nothing) {
            self.schedule.pause(until);
        } else {
            self.schedule.again();
        }
        self.room_by = self.room_by.filter(|_| self.more_due);
        self.keep_pause();
    }

    pub(in super::super) fn next(&self, state: &DelivererState) -> Option<Instant> {
        (self.job.is_idle() && state.room() > 0).then(|| self.schedule.due_at())
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    /// One that has found nothing for a while.
    fn idle() -> Claim {
        let mut claim = Claim::new();
        for _ in 0..4 {
            claim.schedule.pause(Duration::MAX);
        }
        claim
    }

    /// In how many milliseconds the next claim begins.
    fn due(claim: &Claim) -> u128 {
        claim.schedule.due_at().saturating_duration_since(Instant::now()).as_millis()
    }

    /// The same after a claim.
    fn after(mut claim: Claim, found: Found, remaining: Remaining, until: u64) -> u128 {
        claim.pause_after(found, remaining, Duration::from_millis(until));
        due(&claim)
    }

    #[tokio::test(start_paused = true)]
    async fn what_there_was_room_for_is_claimed_at_once_and_everything_else_is_batched() {
        assert_eq!(after(idle(), Found::Some, Remaining::More, 60_000), 0);
        assert_eq!(
            after(idle(), Found::Missed, Remaining::More, 0),
            1,
            "lanes that it did not look at may have some"
        );
        let limited = Claim { limited: true, ..idle() };
        assert_eq!(
            after(limited, Found::Some, Remaining::More, 60_000),
            10,
            "the scheduler was all but full"
        );
        assert_eq!(after(idle(), Found::Some, Remaining::NoRoom, 60_000), 100);
        assert_eq!(
            after(idle(), Found::Some, Remaining::Nothing, 60_000),
            100,
            "more may fall due meanwhile"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_claim_that_finds_nothing_waits_for_what_falls_due_next_and_batches_what_comes_meanwhile() {
        let after_nothing = |claim, until| after(claim, Found::Nothing, Remaining::Nothing, until);
        let mut longer = idle();
        longer.schedule.pause(Duration::MAX);
        assert_eq!(after_nothing(longer, 140), 140);
        assert_eq!(after_nothing(idle(), 3), 100);
        let mut longer = idle();
        longer.schedule.pause(Duration::MAX);
        assert_eq!(after_nothing(longer, 60_000), 160, "other processes may add something");
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_due_and_not_to_be_had_is_looked_for_again_soon_and_then_less_often() {
        let mut claim = idle();
        let mut waits = || {
            claim.pause_after(Found::Missed, Remaining::Nothing, Duration::ZERO);
            claim.wake();
            due(&claim)
        };
        assert_eq!(
            [(); 9].map(|()| waits()),
            [1, 2, 4, 8, 16, 32, 64, 100, 100],
            "a wake-up changes nothing"
        );
        claim.pause_after(Found::Some, Remaining::Nothing, Duration::ZERO);
        assert_eq!(after(claim, Found::Missed, Remaining::Nothing, 0), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_wake_up_ends_a_wait_but_not_a_pause() {
        for found in [Found::Nothing, Found::Some] {
            let mut claim = idle();
            claim.pause_after(found, Remaining::Nothing, Duration::MAX);
            claim.wake();
            assert_eq!(due(&claim), 100);
            claim.room_gained();
            assert_eq!(due(&claim), 10, "room is gained, and something waits");
        }
        let mut claim = idle();
        claim.pause_after(Found::Nothing, Remaining::Nothing, Duration::MAX);
        advance(BATCHING_PAUSE).await;
        claim.wake();
        assert_eq!(due(&claim), 0);
        let mut meanwhile = idle();
        meanwhile.wake();
        assert_eq!(
            after(meanwhile, Found::Nothing, Remaining::Nothing, 60_000),
            100,
            "it may not have seen what was put into the queue"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_makes_it_ask_a_store_that_fails_sooner() {
        let mut claim = idle();
        let mut failing = || {
            claim.schedule.failed();
            claim.wake();
            claim.room_gained();
            due(&claim)
        };
        assert_eq!([(); 4].map(|()| failing()), [50, 100, 200, 400]);
    }

    #[tokio::test(start_paused = true)]
    async fn room_that_is_gained_is_used_during_a_pause_too() {
        let mut claim = idle();
        claim.pause_after(Found::Nothing, Remaining::Nothing, Duration::MAX);
        claim.room_gained();
        assert_eq!(due(&claim), 100, "nothing waits for it");
        claim.more_due = true;
        claim.room_gained();
        assert_eq!(due(&claim), 10);
        advance(Duration::from_millis(4)).await;
        claim.room_gained();
        claim.wake();
        assert_eq!(due(&claim), 6, "a wake-up then changes nothing");
        let mut meanwhile = idle();
        meanwhile.more_due = true;
        meanwhile.room_gained();
        let nothing = |claim| after(claim, Found::Nothing, Remaining::Nothing, 60_000);
        assert_eq!(nothing(meanwhile), 10, "it was gained after that claim had begun");
        let mut unwanted = idle();
        unwanted.room_by = Some(Instant::now());
        unwanted.pause_after(Found::Nothing, Remaining::Nothing, Duration::MAX);
        unwanted.wake();
        assert_eq!(due(&unwanted), 100, "nothing waited for that");
    }
}
