//! What one process holds of the shared budgets of one company, and what it
//! knows of them: arithmetic alone, no store and no lock.
//!
//! A [`Lease`] admits a request in one of three ways:
//!
//! 1. from what it **holds**: requests drawn from the store in this minute.
//!    What is left of an earlier minute cannot be used and goes back with the
//!    next draw;
//! 2. by a **draw**, when it holds nothing. [`Lease::take`] then answers `None`;
//!    whoever draws tells the outcome to [`Lease::drawn`] or [`Lease::failed`];
//! 3. **alone**, for a moment after the store failed: what it knows was used,
//!    counted on, must stay within the whole budget. What it admitted so is
//!    owed, and paid with the next draw of the same minute.
//!
//! What it knows to be used up is refused without a draw until it resets. Each
//! request that it admits is therefore drawn, or owed while the store fails,
//! and all processes together never admit more than was drawn.

use std::time::Duration;

use svc_core::clock::Timestamp;

use crate::limit::calendar::minute_of;
use crate::limit::{Budget, LimitDecision, LimitStatus, Limits, Window};
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
    window: Window,
    held: u32,
    /// When the last draw was; what is held belongs to that minute.
    drawn_at: Timestamp,
    /// Admitted in this minute without a draw.
    owed: u32,
    /// When the store failed, until it works again.
    failed_at: Option<Timestamp>,
}

impl Lease {
    pub(super) fn new(now: Timestamp) -> Self {
        Self { window: Window::new(now), held: 0, drawn_at: now, owed: 0, failed_at: None }
    }

    /// Admits or refuses a request, as far as that needs no draw.
    pub(super) fn take(&mut self, limits: Limits, now: Timestamp) -> Option<LimitDecision> {
        self.advance(now);
        if let Some(refusal) = self.window.refusal(limits, now) {
            return Some(refusal);
        }
        if self.held > 0 && minute_of(self.drawn_at) == self.window.minute().0 {
            self.held -= 1;
            return Some(self.window.count(limits, now));
        }
        self.is_alone(now).then(|| self.take_alone(limits, now))
    }

    /// Begins a draw; what was held is handed over with it.
    ///
    /// When the draw comes to nothing, what was handed over is lost, since the
    /// store may have taken it back all the same.
    pub(super) fn draw(&mut self, limits: Limits, now: Timestamp) -> Draw {
        self.advance(now);
        let draw = Draw {
            wanted: chunk(limits).saturating_add(self.owed),
            unused: std::mem::take(&mut self.held),
            drawn_at: self.drawn_at,
        };
        // A clock that stepped back draws from the window that was reached.
        self.drawn_at = now.max(self.window.minute().0);
        draw
    }

    /// When the draw that was begun takes place.
    pub(super) fn drawn_at(&self) -> Timestamp {
        self.drawn_at
    }

    /// Admits or refuses the request that drew.
    pub(super) fn drawn(&mut self, drawn: Drawn, limits: Limits, now: Timestamp) -> LimitDecision {
        self.failed_at = None;
        let paid = drawn.granted.min(self.owed);
        self.owed -= paid;
        self.held = drawn.granted - paid;
        self.window.raise_month_used(drawn.month_used.saturating_sub(u64::from(self.held)));
        let lasts = minute_of(self.drawn_at) == self.window.minute().0;
        if lasts {
            let used = drawn.minute_used.saturating_sub(self.held);
            self.window.set_minute_used(used.saturating_add(self.owed));
        }
        if self.held > 0 {
            self.held -= 1;
            return self.window.count(limits, now);
        }
        if let Some(refusal) = self.window.refusal(limits, now) {
            return refusal;
        }
        // Nothing granted means that nothing is left, whatever the figures say.
        if lasts {
            self.window.set_minute_used(limits.per_minute);
        }
        self.window.refuse(Budget::Minute, limits, now)
    }

    /// Admits or refuses the request whose draw failed.
    pub(super) fn failed(&mut self, limits: Limits, now: Timestamp) -> LimitDecision {
        self.advance(now);
        self.failed_at = Some(now);
        self.take_alone(limits, now)
    }

    /// What is left as far as is known.
    pub(super) fn status(&self, limits: Limits, now: Timestamp) -> LimitStatus {
        self.window.status(limits, now)
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

    /// Whether the company fell silent.
    pub(super) fn is_silent(&self, now: Timestamp) -> bool {
        now.since(self.drawn_at) >= SILENCE
    }

    /// Whether it can be forgotten without loss: nothing is held, and the store knows the rest.
    pub(super) fn is_spare(&self, limits: Limits, now: Timestamp) -> bool {
        self.held == 0 && self.failed_at.is_none() && self.window.refusal(limits, now).is_none()
    }

    /// Whether its month is over.
    pub(super) fn is_over(&self, now: Timestamp) -> bool {
        self.window.is_over(now)
    }

    fn advance(&mut self, now: Timestamp) {
        if self.window.advance(now) {
            self.owed = 0;
        }
    }

    /// A clock that was set back asks the store again.
    fn is_alone(&self, now: Timestamp) -> bool {
        self.failed_at.is_some_and(|failed| failed <= now && now.since(failed) < PAUSE)
    }

    fn take_alone(&mut self, limits: Limits, now: Timestamp) -> LimitDecision {
        if let Some(refusal) = self.window.refusal(limits, now) {
            return refusal;
        }
        self.owed = self.owed.saturating_add(1);
        self.window.count(limits, now)
    }
}

/// How much is drawn at a time.
fn chunk(limits: Limits) -> u32 {
    let month = u32::try_from(limits.per_month).unwrap_or(u32::MAX);
    (limits.per_minute.min(month) / SHARE).max(1)
}
