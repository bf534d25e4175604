//! What one process holds of the shared budgets of one company, and what it
//! knows of them: arithmetic alone, no store and no lock.
//!
//! A [`Lease`] admits a request in one of three ways:
//!
//! 1. from what it **holds**: requests drawn from the store in this minute.
//!    What is left of another minute cannot be used and goes back with the
//!    next draw;
//! 2. by a **draw**, when it holds nothing. [`Lease::take`] then answers `None`;
//!    the request that draws tells the outcome to [`Lease::drawn`] or [`Lease::failed`];
//! 3. **alone**, for a moment after the store failed: what it knows was used,
//!    counted on, must stay within the whole budget. What it admitted so is
//!    owed, and paid with the next draw of the same minute.
//!
//! What it knows to be used up is refused without a draw until it resets. Each
//! request that it admits is therefore drawn, or owed while the store fails,
//! and all processes together never admit more than was drawn.

use std::time::Duration;

use svc_core::clock::Timestamp;

use crate::limit::calendar::{MINUTE, minute_of};
use crate::limit::{Budget, LimitDecision, LimitStatus, Limits, Windows};
use crate::ports::{Draw, Drawn};

/// A process holds at most this part of a budget, so that what silent processes hold hardly matters.
const SHARE: u32 = 40;
/// How long the store is left alone after it failed.
const PAUSE: Duration = Duration::from_secs(1);
/// A company that drew nothing for so long is silent.
const SILENCE: Duration = Duration::from_mins(2);

#[derive(Debug)]
pub(super) struct Lease {
    /// What is used by all processes as far as this one knows; what it holds is not.
    windows: Windows,
    held: u32,
    /// When the last draw was; what is held belongs to that minute.
    drawn_at: Timestamp,
    /// Admitted without a draw in the minute that starts then.
    owed: (Timestamp, u32),
    /// When the store failed, until it works again.
    failed_at: Option<Timestamp>,
}

impl Lease {
    pub(super) fn new(now: Timestamp) -> Self {
        let owed = (minute_of(now), 0);
        Self { windows: Windows::new(), held: 0, drawn_at: now, owed, failed_at: None }
    }

    /// Admits or refuses a request, as far as that needs no draw.
    pub(super) fn take(&mut self, limits: Limits, now: Timestamp) -> Option<LimitDecision> {
        if let Some(refusal) = self.windows.refusal(limits, now) {
            return Some(refusal);
        }
        if self.held > 0 && minute_of(self.drawn_at) == minute_of(now) {
            self.held -= 1;
            return Some(self.windows.count(limits, now));
        }
        self.is_alone(now).then(|| self.take_alone(limits, now))
    }

    /// Begins a draw at `now`; what was held is handed over with it.
    ///
    /// When the draw comes to nothing, what was handed over is lost, since the
    /// store may have taken it back all the same.
    pub(super) fn draw(&mut self, limits: Limits, now: Timestamp) -> Draw {
        let draw = Draw {
            wanted: chunk(limits).saturating_add(self.owed(now)),
            unused: std::mem::take(&mut self.held),
            drawn_at: self.drawn_at,
        };
        self.drawn_at = now;
        draw
    }

    /// Admits or refuses the request that drew at `now`.
    pub(super) fn drawn(&mut self, drawn: Drawn, limits: Limits, now: Timestamp) -> LimitDecision {
        self.failed_at = None;
        let owed = self.owed(now);
        let paid = drawn.granted.min(owed);
        self.owed = (minute_of(now), owed - paid);
        self.held = drawn.granted - paid;
        self.windows.raise_month_used(drawn.month_used.saturating_sub(self.held.into()), now);
        let used = drawn.minute_used.saturating_sub(self.held);
        self.windows.set_minute_used(used.saturating_add(owed - paid), now);
        if self.held > 0 {
            self.held -= 1;
            return self.windows.count(limits, now);
        }
        if let Some(refusal) = self.windows.refusal(limits, now) {
            return refusal;
        }
        // Nothing granted means that nothing is left, even if the figures say otherwise.
        self.windows.set_minute_used(limits.per_minute, now);
        self.windows.refuse(Budget::Minute, limits, now)
    }

    /// Admits or refuses the request whose draw failed.
    pub(super) fn failed(&mut self, limits: Limits, now: Timestamp) -> LimitDecision {
        self.failed_at = Some(now);
        self.take_alone(limits, now)
    }

    /// What is left as far as is known.
    pub(super) fn status(&self, limits: Limits, now: Timestamp) -> LimitStatus {
        self.windows.status(limits, now)
    }

    /// Takes everything that is held out of it, to be given back.
    pub(super) fn hand_over(&mut self) -> Option<Draw> {
        let unused = std::mem::take(&mut self.held);
        (unused > 0).then_some(Draw { wanted: 0, unused, drawn_at: self.drawn_at })
    }

    /// Whether it has something to hand over.
    pub(super) fn is_holding(&self) -> bool {
        self.held > 0
    }

    /// Whether the company fell silent. After a step back of the clock, what is
    /// held belongs to a minute that may be hours off: that counts as silence too.
    pub(super) fn is_silent(&self, now: Timestamp) -> bool {
        now.since(self.drawn_at) >= SILENCE || now.plus(MINUTE) < self.drawn_at
    }

    /// Whether it can be forgotten without loss: nothing is held, and the store knows the rest.
    pub(super) fn is_spare(&self, limits: Limits, now: Timestamp) -> bool {
        self.held == 0 && self.failed_at.is_none() && self.windows.refusal(limits, now).is_none()
    }

    /// Whether its months are over and no request draws for it.
    pub(super) fn is_over(&self, now: Timestamp) -> bool {
        self.windows.is_over(now) && self.is_silent(now)
    }

    /// What is owed to the minute of `now`; what is owed to another one is never paid.
    fn owed(&self, now: Timestamp) -> u32 {
        if self.owed.0 == minute_of(now) { self.owed.1 } else { 0 }
    }

    /// A clock that was set back asks the store again.
    fn is_alone(&self, now: Timestamp) -> bool {
        self.failed_at.is_some_and(|failed| failed <= now && now.since(failed) < PAUSE)
    }

    fn take_alone(&mut self, limits: Limits, now: Timestamp) -> LimitDecision {
        if let Some(refusal) = self.windows.refusal(limits, now) {
            return refusal;
        }
        self.owed = (minute_of(now), self.owed(now).saturating_add(1));
        self.windows.count(limits, now)
    }
}

/// How much is drawn at a time.
fn chunk(limits: Limits) -> u32 {
    let month = u32::try_from(limits.per_month).unwrap_or(u32::MAX);
    (limits.per_minute.min(month) / SHARE).max(1)
}
