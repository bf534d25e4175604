//! Leases what waits in the queue.

use std::sync::Arc;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_webhooks::ports::Claimed;
use tokio::time::Instant;

use super::super::{Deliverer, Work};
use super::{Step, Turn};
use crate::failure::chain;
use crate::metric::{self, Round};

/// Deliveries of one claim.
const CLAIM: u32 = 500;
/// A claim that finds nothing is followed by a rest, whoever wakes it: what falls due one by one, as attempts to receivers
/// in trouble do, is claimed together.
const GATHER: Duration = Duration::from_millis(50);
/// Room that receivers gain is used within this time, also while that rest lasts.
const ROOM_WITHIN: Duration = Duration::from_millis(10);

/// What was found, when the claim was made, and when something falls due next if nothing was found.
type ClaimedNext = Result<(Claimed, Timestamp, Option<Timestamp>), StoreError>;

/// Leases what waits in the queue.
pub(in super::super) struct Claim {
    pub(in super::super) step: Step<ClaimedNext>,
    turn: Turn,
    /// Whether more may be due than there was room for: room that is gained is used.
    hungry: bool,
    /// Something was put into the queue since the last claim began, which may not have seen it.
    woken: bool,
    /// Room was gained since then.
    roomier: bool,
    /// Nobody but who gains room begins a claim before.
    earliest: Instant,
}

impl Claim {
    pub(in super::super) fn new() -> Self {
        let (step, turn, earliest) = (Step::idle(), Turn::new(), Instant::now());
        Self { step, turn, hungry: false, woken: false, roomier: false, earliest }
    }

    /// Something due was put into the queue.
    pub(in super::super) fn wake(&mut self) {
        (self.hungry, self.woken) = (true, true);
        self.turn.again();
        self.turn.at = self.turn.at.max(self.earliest);
    }

    /// There is room where there was none.
    pub(in super::super) fn room_gained(&mut self) {
        self.roomier = true;
        if self.hungry {
            self.turn.at = self.turn.at.min(Instant::now() + ROOM_WITHIN);
        }
    }

    pub(in super::super) fn begin(&mut self, deliverer: &Deliverer, work: &Work) {
        if !self.step.is_idle() || !self.turn.is_due() {
            return;
        }
        let Some(wish) = work.flow.wish(CLAIM) else { return };
        self.hungry = wish.full().next().is_some() || !wish.retries;
        (self.woken, self.roomier) = (false, false);
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
                self.hungry |= claimed.more;
                let found = !claimed.leased.is_empty();
                for leased in claimed.leased {
                    work.flow.offer(leased);
                }
                // Something was due, and not to be had: somebody else has its lane, or it is another one's turn.
                let missed = next.is_some_and(|due| due <= began);
                self.rest(found, missed, next.map_or(Duration::MAX, |due| due.since(now)));
            }
            Err(error) => {
                tracing::warn!("due deliveries cannot be claimed: {}", chain(&error));
                self.turn.failed();
            }
        }
    }

    /// A claim costs nearly the same for one delivery as for many, and as for none.
    fn rest(&mut self, found: bool, missed: bool, until: Duration) {
        let gathers = !found && !missed;
        self.earliest = Instant::now() + if gathers { GATHER } else { Duration::ZERO };
        if found || self.woken {
            self.turn.again();
        } else {
            self.turn.pause(until.max(Duration::from_millis(1)));
        }
        self.turn.at = self.turn.at.max(self.earliest);
        if self.roomier {
            self.room_gained();
        }
    }

    pub(in super::super) fn next(&self, work: &Work) -> Option<Instant> {
        (self.step.is_idle() && work.flow.room() > 0).then_some(self.turn.at)
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
        claim.turn.at.saturating_duration_since(Instant::now()).as_millis()
    }

    /// The same after a claim.
    fn after(mut claim: Claim, found: bool, missed: bool, until: u64) -> u128 {
        claim.rest(found, missed, Duration::from_millis(until));
        due(&claim)
    }

    #[tokio::test(start_paused = true)]
    async fn a_claim_that_finds_nothing_waits_for_what_falls_due_next_and_lets_some_gather() {
        assert_eq!(after(idle(), true, false, 60_000), 0, "there may be more");
        assert_eq!(after(idle(), false, false, 60), 60);
        assert_eq!(after(idle(), false, false, 3), 50);
        assert_eq!(after(idle(), false, true, 0), 1, "its lane was locked by somebody");
        assert_eq!(after(idle(), false, false, 60_000), 80, "other processes may add something");
    }

    #[tokio::test(start_paused = true)]
    async fn who_wakes_it_ends_a_wait_but_not_a_rest() {
        let mut claim = idle();
        claim.rest(false, false, Duration::MAX);
        claim.wake();
        assert_eq!(due(&claim), 50);
        advance(GATHER).await;
        claim.wake();
        assert_eq!(due(&claim), 0);
        let mut meanwhile = idle();
        meanwhile.wake();
        assert_eq!(after(meanwhile, false, false, 60_000), 50, "it may not have seen it");
    }

    #[tokio::test(start_paused = true)]
    async fn room_that_is_gained_is_used_during_a_rest_too() {
        let mut claim = idle();
        claim.rest(false, false, Duration::MAX);
        claim.room_gained();
        assert_eq!(due(&claim), 80, "nothing waits for it");
        claim.hungry = true;
        claim.room_gained();
        assert_eq!(due(&claim), 10);
        let mut meanwhile = idle();
        meanwhile.hungry = true;
        meanwhile.room_gained();
        assert_eq!(after(meanwhile, false, false, 60_000), 10, "it was gained after that claim had begun");
    }
}
