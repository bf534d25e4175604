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
/// A flow with less room than this is full: events wait in the outbox meanwhile.
const ROOM: u32 = 256;

type FannedOut = Result<(DispatchReport, Vec<Leased>), StoreError>;

/// A round of [`CROWD`] events or more is followed by a rest of so many times its length, unless it was full.
const RESTS: u32 = 3;
/// A round of fewer events is followed by a shorter rest, and one of a single event by none.
const CROWD: u32 = 16;
/// No rest is longer.
const LONGEST_REST: Duration = Duration::from_millis(20);

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
        if !self.step.is_idle() || !self.turn.is_due() || work.flow.room() < ROOM {
            return;
        }
        self.told = std::mem::take(&mut self.woken);
        self.began = Instant::now();
        let mut openings = work.flow.openings();
        let round = Round { events: EVENTS, lease_for: deliverer.config.lease_for };
        let (storage, random) = (Arc::clone(&deliverer.storage), Arc::clone(&deliverer.random));
        let now = deliverer.clock.now();
        self.step.begin(metric::watched(metric::Round::FanOut, async move {
            let wanted = |subscription: &Subscription| openings.take(subscription.id);
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
                    work.flow.offer(leased);
                }
                self.rest(report.events);
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
    /// A round that was not full has taken all there was. What comes after it is told of, or, if another
    /// process commits it, looked for: soon if the last look found something.
    fn rest(&mut self, events: usize) {
        let events = u32::try_from(events).unwrap_or(EVENTS);
        let full = events >= EVENTS;
        if events > 0 {
            if !self.told {
                self.turn.again();
            }
            let company = if full { 0 } else { events.min(CROWD) - 1 };
            let rest = self.began.elapsed() * RESTS * company / (CROWD - 1);
            self.earliest = Instant::now() + rest.min(LONGEST_REST);
        }
        if full || self.woken {
            self.turn.at = self.earliest;
        } else {
            self.turn.pause(Duration::MAX);
        }
    }

    pub(in super::super) fn next(&self, work: &Work) -> Option<Instant> {
        (self.step.is_idle() && work.flow.room() >= ROOM).then_some(self.turn.at)
    }
}
