//! Windows that several processes share: what a store keeps, and what a draw does to it.

use svc_core::clock::Timestamp;

use super::{Recent, Windows};
use crate::limit::Limits;
use crate::limit::calendar::Span;
use crate::ports::{Draw, Drawn};

impl Windows {
    /// Windows as they were stored: the first instants of minutes and of
    /// months, each with what was used, in the order in which they were given.
    #[must_use]
    pub fn from_stored(
        minutes: impl IntoIterator<Item = (Timestamp, u64)>,
        months: impl IntoIterator<Item = (Timestamp, u64)>,
    ) -> Self {
        Self {
            minutes: Recent::of(minutes.into_iter().map(|(from, used)| (Span::minute(from), used))),
            months: Recent::of(months.into_iter().map(|(from, used)| (Span::month(from), used))),
        }
    }

    /// The minutes, each with what was used in it: for storage, whose order matters.
    pub fn minutes(&self) -> impl Iterator<Item = (Timestamp, u64)> {
        self.minutes.iter().map(|(minute, used)| (minute.from, used))
    }

    /// The months, each with what was used in it: for storage, whose order matters.
    pub fn months(&self) -> impl Iterator<Item = (Timestamp, u64)> {
        self.months.iter().map(|(month, used)| (month.from, used))
    }

    /// Gives back what an earlier draw left over, then draws as much as the
    /// minute and the month of `now` have left.
    ///
    /// The windows are the ones to be stored; `None` when the draw changes nothing.
    #[must_use]
    pub fn draw(mut self, draw: Draw, limits: Limits, now: Timestamp) -> (Drawn, Option<Self>) {
        let unused = u64::from(draw.unused);
        // No process draws any more of a minute or month that is forgotten.
        let minute_changed = self.minutes.give_back(draw.drawn_at, unused);
        let month_changed = self.months.give_back(draw.drawn_at, unused);
        let month_left = limits.per_month.saturating_sub(self.months.used(now));
        let granted = draw
            .wanted
            .min(limits.per_minute.saturating_sub(self.minute_used(now)))
            .min(u32::try_from(month_left).unwrap_or(u32::MAX));
        if granted > 0 {
            self.add(granted, now);
        }
        let drawn = Drawn { granted, minute_used: self.minute_used(now), month_used: self.months.used(now) };
        (drawn, (minute_changed || month_changed || granted > 0).then_some(self))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    const LIMITS: Limits = Limits { per_minute: 10, per_month: 25 };

    fn at(text: &str) -> Timestamp {
        text.parse().expect("an instant")
    }

    fn draw(wanted: u32, unused: u32, drawn_at: Timestamp) -> Draw {
        Draw { wanted, unused, drawn_at }
    }

    #[test]
    fn a_draw_is_cut_down_to_what_both_budgets_have_left() {
        let now = at("2026-01-31T23:57:00.000Z");
        let mut windows = Windows::new();
        for (minute, granted, left_over) in [(0, 8, false), (0, 2, false), (1, 8, false), (2, 7, false)] {
            let now = now.plus(Duration::from_secs(60 * minute));
            let (drawn, after) = windows.clone().draw(draw(8, 0, now), LIMITS, now);
            assert_eq!((drawn.granted, after.is_none()), (granted, left_over), "minute {minute}");
            windows = after.expect("something was granted");
        }
        let (drawn, after) = windows.draw(draw(8, 0, now), LIMITS, now);
        assert_eq!((drawn, after), (Drawn { granted: 0, minute_used: 10, month_used: 25 }, None));
    }

    #[test]
    fn what_was_not_used_goes_back_to_its_own_minute_and_month() {
        let first = at("2026-01-31T23:58:10.000Z");
        let (_, windows) = Windows::new().draw(draw(10, 0, first), LIMITS, first);
        let windows = windows.expect("granted");
        let given_back = |now| windows.clone().draw(draw(0, 4, first), LIMITS, now);
        let used = |(drawn, _): &(Drawn, _)| (drawn.minute_used, drawn.month_used);
        assert_eq!(used(&given_back(at("2026-01-31T23:58:59.000Z"))), (6, 6), "the same minute");
        assert_eq!(used(&given_back(at("2026-01-31T23:59:00.000Z"))), (0, 6), "the next minute");
        let next_month = given_back(at("2026-02-01T00:00:00.000Z"));
        assert_eq!(used(&next_month), (0, 0), "the next month");
        let after = next_month.1.expect("January has it back");
        assert_eq!(used(&after.draw(draw(0, 0, first), LIMITS, first)), (6, 6));
    }

    #[test]
    fn a_clock_that_is_days_ahead_neither_uses_nor_pushes_out_the_minute_of_the_others() {
        let now = at("2026-03-10T10:00:30.000Z");
        let limits = Limits { per_month: 1_000, ..LIMITS };
        let (_, mut windows) = Windows::new().draw(draw(4, 0, now), limits, now);
        for minute in 0..31 {
            let ahead = now.plus(Duration::from_mins(9_000 + minute));
            let (drawn, after) = windows.expect("granted").draw(draw(10, 0, ahead), limits, ahead);
            assert_eq!(drawn.granted, 10);
            windows = after;
        }
        let (drawn, _) = windows.expect("granted").draw(draw(99, 0, now), limits, now);
        assert_eq!((drawn.granted, drawn.month_used), (6, 320));
    }

    proptest! {
        #[test]
        fn processes_that_draw_and_give_back_never_pass_the_budgets_in_sum(
            behind in prop::array::uniform3(0_u64..600),
            steps in prop::collection::vec((0_usize..3, 0_u64..40, 0_u32..6, 0_u32..6), 1..200),
        ) {
            let mut time = at("2026-01-31T23:50:00.000Z");
            let mut windows = Windows::new();
            // What each process holds, and since when; what it uses passes at the time of its use, by its clock.
            let mut held = [(0_u32, time); 3];
            let mut passed: Vec<Timestamp> = Vec::new();
            for (process, wait, wanted, used) in steps {
                time = time.plus(Duration::from_secs(wait));
                let now = time.minus(Duration::from_secs(behind[process]));
                let (has, drawn_at) = held[process];
                let used = if Span::minute(now).contains(drawn_at) { used.min(has) } else { 0 };
                passed.extend((0..used).map(|_| now));
                let (drawn, after) = windows.clone().draw(draw(wanted, has - used, drawn_at), LIMITS, now);
                windows = after.unwrap_or(windows);
                held[process] = (drawn.granted, now);
            }
            for instant in &passed {
                let within = |span: Span| passed.iter().filter(|other| span.contains(**other)).count();
                let (minute, month) = (within(Span::minute(*instant)), within(Span::month(*instant)));
                prop_assert!(minute <= 10 && month <= 25, "{minute} {month}");
            }
        }
    }
}
