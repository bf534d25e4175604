//! The reference model of a company's budgets: the history of its draws.
//!
//! Nothing is counted as it happens. What is used of a minute or a month is
//! summed up anew from all that was drawn and given back, so the model shares
//! no idea with a store that keeps running counts.

use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use svc_auth::limit::Limits;
use svc_auth::ports::{Draw, Drawn};
use svc_core::clock::Timestamp;

/// A minute of Unix time, and a month of a year.
type Window = (i64, (i32, u8));

/// What happened: where a draw was counted, what it got, what it gave back.
struct Event {
    counted_in: Window,
    granted: u32,
    gave_back: u32,
    /// Where that had been drawn by the clock of the one that gave it back.
    drawn_in: Window,
}

#[derive(Default)]
pub(super) struct ModelBudget(Vec<Event>);

impl ModelBudget {
    /// What a store must answer to this draw.
    pub(super) fn draw(&mut self, draw: Draw, limits: Limits, now: Timestamp) -> Drawn {
        let counted_in = window(now);
        self.0.push(Event {
            counted_in,
            granted: 0,
            gave_back: draw.unused,
            drawn_in: window(draw.drawn_at),
        });
        let minute_left = u64::from(limits.per_minute).saturating_sub(self.used_in_minute(counted_in.0));
        let month_left = limits.per_month.saturating_sub(self.used_in_month(counted_in.1));
        let granted = u64::from(draw.wanted).min(minute_left).min(month_left);
        let granted = u32::try_from(granted).expect("no more than was wanted");
        self.0.last_mut().expect("pushed above").granted = granted;
        Drawn {
            granted,
            minute_used: u32::try_from(self.used_in_minute(counted_in.0)).expect("small"),
            month_used: self.used_in_month(counted_in.1),
        }
    }

    fn used_in_minute(&self, minute: i64) -> u64 {
        self.used(|window| window.0 == minute)
    }

    fn used_in_month(&self, month: (i32, u8)) -> u64 {
        self.used(|window| window.1 == month)
    }

    fn used(&self, counts: impl Fn(Window) -> bool) -> u64 {
        let drawn = self.0.iter().filter(|event| counts(event.counted_in));
        let back = self.0.iter().filter(|event| counts(event.drawn_in));
        sum(drawn.map(|event| event.granted)).saturating_sub(sum(back.map(|event| event.gave_back)))
    }
}

fn sum(counts: impl Iterator<Item = u32>) -> u64 {
    counts.map(u64::from).sum()
}

fn window(at: Timestamp) -> Window {
    let date = at.date();
    (at.unix_seconds().div_euclid(60), (date.year(), u8::from(date.month())))
}

/// What one of several processes does next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// Which process.
    pub(super) process: usize,
    /// How far the true time moves before it.
    pub(super) wait: Duration,
    /// How many requests it wants to be able to admit.
    pub(super) wanted: u32,
    /// How much of what it holds it has used meanwhile, in percent.
    pub(super) used: u32,
}

/// How many processes a history has.
pub(super) const PROCESSES: usize = 3;

/// Budgets, how far the clock of each process is behind, and what they do.
pub(super) fn histories() -> impl Strategy<Value = (Limits, [Duration; PROCESSES], Vec<Move>)> {
    let limits = (1_u32..40, 1_u64..120).prop_map(|(per_minute, per_month)| Limits { per_minute, per_month });
    let behind = prop::array::uniform3((0_u64..=600).prop_map(Duration::from_secs));
    let one = (0..PROCESSES, 0_u64..45, 0_u32..12, 0_u32..=100).prop_map(|(process, wait, wanted, used)| {
        Move { process, wait: Duration::from_secs(wait), wanted, used }
    });
    (limits, behind, vec(one, 1..60))
}
