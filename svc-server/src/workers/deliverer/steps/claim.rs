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
/// A claim that finds fewer is followed by a rest: what falls due one by one, as attempts to receivers in trouble do, is
/// claimed together.
const FEW: usize = 64;
/// How long that rest is: no wait of the schedule notices it.
const GATHER: Duration = Duration::from_millis(50);

type ClaimedNext = Result<(Claimed, Option<Timestamp>), StoreError>;

/// Leases what waits in the queue.
pub(in super::super) struct Claim {
    pub(in super::super) step: Step<ClaimedNext>,
    turn: Turn,
    /// Whether more may be due than there was room for: room that is gained is used at once.
    hungry: bool,
    /// Whether receivers that are well had no room when the last claim began: what they gain is worth a claim of its own.
    crowded: bool,
    /// Whether something was put into the queue since then: that claim may not have seen it.
    woken: bool,
    /// No claim begins before.
    earliest: Instant,
}

impl Claim {
    pub(in super::super) fn new() -> Self {
        let (step, turn, earliest) = (Step::idle(), Turn::new(), Instant::now());
        Self { step, turn, hungry: false, crowded: false, woken: false, earliest }
    }

    /// Something due was put into the queue.
    pub(in super::super) fn wake(&mut self) {
        (self.hungry, self.woken) = (true, true);
        self.turn.again();
        self.turn.at = self.turn.at.max(self.earliest);
    }

    /// There may be room again.
    pub(in super::super) fn room_gained(&mut self) {
        if self.hungry {
            self.turn.at = self.turn.at.min(Instant::now().max(self.earliest));
        }
    }

    pub(in super::super) fn begin(&mut self, deliverer: &Deliverer, work: &Work) {
        if !self.step.is_idle() || !self.turn.is_due() {
            return;
        }
        let Some(wish) = work.flow.wish(CLAIM) else { return };
        self.hungry = wish.full().next().is_some() || !wish.retries;
        (self.crowded, self.woken) = (work.flow.is_crowded(), false);
        let storage = Arc::clone(&deliverer.storage);
        let (now, lease_for) = (deliverer.clock.now(), deliverer.config.lease_for);
        self.step.begin(metric::watched(Round::Claim, async move {
            let claimed = storage.queue().claim(&wish, now, lease_for).await?;
            let next = if claimed.leased.is_empty() { storage.queue().next_due(&wish).await? } else { None };
            Ok((claimed, next))
        }));
    }

    pub(in super::super) fn end(&mut self, done: ClaimedNext, work: &mut Work, now: Timestamp) {
        match done {
            Ok((claimed, next)) => {
                self.hungry |= claimed.more;
                let (found, more) = (claimed.leased.len(), claimed.more);
                for leased in claimed.leased {
                    work.flow.offer(leased);
                }
                self.rest(found, more, next.map_or(Duration::MAX, |due| due.since(now)));
            }
            Err(error) => {
                tracing::warn!("due deliveries cannot be claimed: {}", chain(&error));
                self.turn.failed();
            }
        }
    }

    /// A claim costs nearly the same for one delivery as for many.
    fn rest(&mut self, found: usize, more: bool, until: Duration) {
        if found > 0 || self.woken {
            self.turn.again();
        } else {
            self.turn.pause(until.max(Duration::from_millis(1)));
        }
        let gathers = found < FEW && !more && !self.crowded;
        self.earliest = Instant::now() + if gathers { GATHER } else { Duration::ZERO };
        self.turn.at = self.turn.at.max(self.earliest);
    }

    pub(in super::super) fn next(&self, work: &Work) -> Option<Instant> {
        (self.step.is_idle() && work.flow.room() > 0).then_some(self.turn.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim() -> Claim {
        let mut claim = Claim::new();
        for _ in 0..4 {
            claim.turn.pause(Duration::MAX);
        }
        claim
    }

    /// When the next claim begins after one that found so many, in milliseconds.
    fn next(claim: &mut Claim, found: usize, more: bool, until: u64) -> u128 {
        claim.rest(found, more, Duration::from_millis(until));
        (claim.turn.at - Instant::now()).as_millis()
    }

    #[tokio::test(start_paused = true)]
    async fn what_falls_due_one_by_one_gathers() {
        assert_eq!(next(&mut claim(), 1, false, 0), 50);
        assert_eq!(next(&mut claim(), 1, true, 0), 0, "some were left");
        assert_eq!(next(&mut claim(), 64, false, 0), 0, "there may be more lanes");
        let mut crowded = claim();
        crowded.crowded = true;
        assert_eq!(next(&mut crowded, 1, false, 0), 0, "receivers that are well want more");
    }

    #[tokio::test(start_paused = true)]
    async fn a_claim_that_finds_nothing_waits_for_what_falls_due_next() {
        assert_eq!(next(&mut claim(), 0, false, 60), 60);
        assert_eq!(next(&mut claim(), 0, false, 0), 50, "its lane is locked by somebody");
        assert_eq!(next(&mut claim(), 0, false, 60_000), 80, "others may add something");
        let mut woken = claim();
        woken.wake();
        assert_eq!(next(&mut woken, 0, false, 60_000), 50, "something came meanwhile");
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_wakes_it_ends_a_wait_but_not_a_rest() {
        for wake in [Claim::wake, |claim: &mut Claim| {
            claim.hungry = true;
            claim.room_gained();
        }] {
            let mut claim = claim();
            next(&mut claim, 0, false, 60_000);
            wake(&mut claim);
            assert_eq!((claim.turn.at - Instant::now()).as_millis(), 50);
            tokio::time::advance(GATHER).await;
            wake(&mut claim);
            assert!(claim.turn.is_due());
        }
    }
}
