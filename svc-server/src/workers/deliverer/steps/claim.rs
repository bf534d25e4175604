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

type ClaimedNext = Result<(Claimed, Option<Timestamp>), StoreError>;

/// Leases what waits in the queue.
pub(in super::super) struct Claim {
    pub(in super::super) step: Step<ClaimedNext>,
    turn: Turn,
    /// Whether more may be due than there was room for: room that is gained is used at once.
    hungry: bool,
}

impl Claim {
    pub(in super::super) fn new() -> Self {
        Self { step: Step::idle(), turn: Turn::new(), hungry: false }
    }

    /// Something due was put into the queue.
    pub(in super::super) fn wake(&mut self) {
        self.hungry = true;
        self.turn.again();
    }

    /// There may be room again.
    pub(in super::super) fn room_gained(&mut self) {
        if self.hungry {
            self.turn.at = self.turn.at.min(Instant::now());
        }
    }

    pub(in super::super) fn begin(&mut self, deliverer: &Deliverer, work: &Work) {
        if !self.step.is_idle() || !self.turn.is_due() {
            return;
        }
        let Some(wish) = work.flow.wish(CLAIM) else { return };
        self.hungry = wish.full().next().is_some() || !wish.retries;
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
                let found = !claimed.leased.is_empty();
                self.hungry |= claimed.more;
                for leased in claimed.leased {
                    work.flow.offer(leased);
                }
                if found {
                    self.turn.again();
                } else {
                    let until = next.map_or(Duration::MAX, |due| due.since(now));
                    self.turn.pause(until.max(Duration::from_millis(1)));
                }
            }
            Err(error) => {
                tracing::warn!("due deliveries cannot be claimed: {}", chain(&error));
                self.turn.failed();
            }
        }
    }

    pub(in super::super) fn next(&self, work: &Work) -> Option<Instant> {
        (self.step.is_idle() && work.flow.room() > 0).then_some(self.turn.at)
    }
}
