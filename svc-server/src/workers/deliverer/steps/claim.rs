//! Leases what waits in the queue.

use std::sync::Arc;
use std::time::Duration;

use svc_core::backoff::Backoff;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_webhooks::ports::{Claimed, Remaining};
use tokio::time::Instant;

use super::super::{Deliverer, Work};
use super::{Step, Turn};
use crate::failure::chain;
use crate::metric::{self, Round};

/// Deliveries of one claim.
const CLAIM: u32 = 500;
/// A claim that has left nothing that there was room for is followed by this rest, whoever wakes it: what falls due one by
/// one, as attempts to receivers in trouble do, is claimed together.
const GATHER: Duration = Duration::from_millis(100);
/// The first rest after a claim that found nothing, although something was due and not to be had; the next ones are twice as
/// long each, up to [`GATHER`].
const HELD: Duration = Duration::from_millis(1);
/// Room that receivers gain is used within this time, also while a rest lasts.
const ROOM_WITHIN: Duration = Duration::from_millis(10);

/// What was found, when the claim was made, and when something falls due next if nothing was found.
pub(in super::super) type ClaimedNext = Result<(Claimed, Timestamp, Option<Timestamp>), StoreError>;

/// What a claim found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Nothing,
    /// Nothing, although something was due: it was not to be had.
    Missed,
    Some,
}

/// Leases what waits in the queue.
pub(in super::super) struct Claim {
    pub(in super::super) step: Step<ClaimedNext>,
    turn: Turn,
    held: Backoff,
    /// Whether more may be due than there was room for: room that is gained is used.
    hungry: bool,
    /// Whether all receivers together had room for less than a whole claim takes.
    narrow: bool,
    /// Until when room is to be used that was gained since the last claim began.
    room_by: Option<Instant>,
    /// Nobody but who gains room begins a claim before.
    earliest: Instant,
}

impl Claim {
    pub(in super::super) fn new() -> Self {
        Self {
            step: Step::idle(),
            turn: Turn::new(),
            held: Backoff::new(HELD, GATHER),
            hungry: false,
            narrow: false,
            room_by: None,
            earliest: Instant::now(),
        }
    }

    /// Something that is due was put into the queue, or may be leased from now on.
    pub(in super::super) fn wake(&mut self) {
        self.hungry = true;
        self.turn.wake();
        self.keep_rest();
    }

    /// There is room where there was none.
    pub(in super::super) fn room_gained(&mut self) {
        if self.hungry || !self.step.is_idle() {
            self.room_by.get_or_insert_with(|| Instant::now() + ROOM_WITHIN);
            self.keep_rest();
        }
    }

    /// Rests are kept, but not when something may wait for room that was gained.
    fn keep_rest(&mut self) {
        self.turn.at = self.turn.at.max(self.earliest);
        if let Some(by) = self.room_by.filter(|_| self.hungry) {
            self.turn.at = self.turn.at.min(by);
        }
    }

    pub(in super::super) fn begin(&mut self, deliverer: &Deliverer, work: &Work) {
        if !self.step.is_idle() || !self.turn.is_due() {
            return;
        }
        let Some(wish) = work.scheduler.wish(CLAIM) else { return };
        self.hungry = wish.full().next().is_some() || !wish.retries;
        self.narrow = wish.limit < CLAIM;
        self.room_by = None;
        let storage = Arc::clone(&deliverer.storage);
        let (now, lease_for) = (deliverer.clock.now(), deliverer.config.lease_for);
        self.step.begin(metric::watched(Round::Claim, async move {
            let claimed = storage.queue().claim(&wish, now, lease_for).await?;
            let next = if claimed.leased.is_empty() { storage.queue().next_due(&wish).await? } else { None };
            Ok((claimed, now, next))
        }));
    }

    pub(in super::super) fn end(&mut self, done: ClaimedNext, work: &mut Work, now: Timestamp) {
        match done {
            Ok((claimed, began, next)) => {
                self.hungry |= claimed.left != Remaining::Nothing;
                let left = claimed.left;
                let found = claimed.leased.len();
                for leased in claimed.leased {
                    work.scheduler.offer(leased);
                }
                // Something was due, and not to be had: somebody else has its lane, it is another one's turn, or
                // nobody can read it.
                let found = match (found, next) {
                    (1.., _) => Found::Some,
                    (0, Some(due)) if due <= began => Found::Missed,
                    (0, _) => Found::Nothing,
                };
                self.rest(found, left, next.map_or(Duration::MAX, |due| due.since(now)));
            }
            Err(error) => {
                tracing::warn!("due deliveries cannot be claimed: {}", chain(&error));
                self.turn.failed();
            }
        }
    }

    /// A claim costs nearly the same for one delivery as for many, and as for none.
    fn rest(&mut self, found: Found, left: Remaining, until: Duration) {
        if found != Found::Missed {
            self.held.reset();
        }
        let rest = match (found, left) {
            (Found::Missed, _) => self.held.step(),
            (Found::Nothing | Found::Some, Remaining::More) if self.narrow => ROOM_WITHIN,
            (Found::Nothing | Found::Some, Remaining::More) => Duration::ZERO,
            (Found::Nothing | Found::Some, Remaining::Nothing | Remaining::NoRoom) => GATHER,
        };
        self.earliest = Instant::now() + rest;
        if (found, left) == (Found::Nothing, Remaining::Nothing) {
            self.turn.pause(until);
        } else {
            self.turn.again();
        }
        self.room_by = self.room_by.filter(|_| self.hungry);
        self.keep_rest();
    }

    pub(in super::super) fn next(&self, work: &Work) -> Option<Instant> {
        (self.step.is_idle() && work.scheduler.room() > 0).then(|| self.turn.due_at())
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
            claim.turn.pause(Duration::MAX);
        }
        claim
    }

    /// In how many milliseconds the next claim begins.
    fn due(claim: &Claim) -> u128 {
        claim.turn.due_at().saturating_duration_since(Instant::now()).as_millis()
    }

    /// The same after a claim.
    fn after(mut claim: Claim, found: Found, left: Remaining, until: u64) -> u128 {
        claim.rest(found, left, Duration::from_millis(until));
        due(&claim)
    }

    #[tokio::test(start_paused = true)]
    async fn what_there_was_room_for_is_claimed_at_once_and_everything_else_may_gather() {
        assert_eq!(after(idle(), Found::Some, Remaining::More, 60_000), 0);
        assert_eq!(
            after(idle(), Found::Missed, Remaining::More, 0),
            1,
            "lanes that it did not look at may have some"
        );
        let narrow = Claim { narrow: true, ..idle() };
        assert_eq!(after(narrow, Found::Some, Remaining::More, 60_000), 10, "the scheduler was all but full");
        assert_eq!(after(idle(), Found::Some, Remaining::NoRoom, 60_000), 100);
        assert_eq!(
            after(idle(), Found::Some, Remaining::Nothing, 60_000),
            100,
            "more may fall due meanwhile"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_claim_that_finds_nothing_waits_for_what_falls_due_next_and_lets_some_gather() {
        let after_nothing = |claim, until| after(claim, Found::Nothing, Remaining::Nothing, until);
        let mut longer = idle();
        longer.turn.pause(Duration::MAX);
        assert_eq!(after_nothing(longer, 140), 140);
        assert_eq!(after_nothing(idle(), 3), 100);
        let mut longer = idle();
        longer.turn.pause(Duration::MAX);
        assert_eq!(after_nothing(longer, 60_000), 160, "other processes may add something");
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_due_and_not_to_be_had_is_looked_for_again_soon_and_then_less_often() {
        let mut claim = idle();
        let mut waits = || {
            claim.rest(Found::Missed, Remaining::Nothing, Duration::ZERO);
            claim.wake();
            due(&claim)
        };
        assert_eq!([(); 9].map(|()| waits()), [1, 2, 4, 8, 16, 32, 64, 100, 100], "whoever wakes it");
        claim.rest(Found::Some, Remaining::Nothing, Duration::ZERO);
        assert_eq!(after(claim, Found::Missed, Remaining::Nothing, 0), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn who_wakes_it_ends_a_wait_but_not_a_rest() {
        for found in [Found::Nothing, Found::Some] {
            let mut claim = idle();
            claim.rest(found, Remaining::Nothing, Duration::MAX);
            claim.wake();
            assert_eq!(due(&claim), 100);
            claim.room_gained();
            assert_eq!(due(&claim), 10, "room is gained, and something waits");
        }
        let mut claim = idle();
        claim.rest(Found::Nothing, Remaining::Nothing, Duration::MAX);
        advance(GATHER).await;
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
            claim.turn.failed();
            claim.wake();
            claim.room_gained();
            due(&claim)
        };
        assert_eq!([(); 4].map(|()| failing()), [50, 100, 200, 400]);
    }

    #[tokio::test(start_paused = true)]
    async fn room_that_is_gained_is_used_during_a_rest_too() {
        let mut claim = idle();
        claim.rest(Found::Nothing, Remaining::Nothing, Duration::MAX);
        claim.room_gained();
        assert_eq!(due(&claim), 100, "nothing waits for it");
        claim.hungry = true;
        claim.room_gained();
        assert_eq!(due(&claim), 10);
        advance(Duration::from_millis(4)).await;
        claim.room_gained();
        claim.wake();
        assert_eq!(due(&claim), 6, "whatever comes then");
        let mut meanwhile = idle();
        meanwhile.hungry = true;
        meanwhile.room_gained();
        let nothing = |claim| after(claim, Found::Nothing, Remaining::Nothing, 60_000);
        assert_eq!(nothing(meanwhile), 10, "it was gained after that claim had begun");
        let mut for_nobody = idle();
        for_nobody.room_by = Some(Instant::now());
        for_nobody.rest(Found::Nothing, Remaining::Nothing, Duration::MAX);
        for_nobody.wake();
        assert_eq!(due(&for_nobody), 100, "nothing waited for that");
    }
}
