//! Windows that several processes share: what a store keeps, and what a draw does to it.

use svc_core::clock::Timestamp;

use super::{Window, minute_of, month_of};
use crate::limit::Limits;
use crate::ports::{Draw, Drawn};

impl Window {
    /// A window as it was stored: the first instants of its minute and month, each with what was used.
    #[must_use]
    pub fn from_stored(minute: (Timestamp, u32), month: (Timestamp, u64)) -> Self {
        Self::of(minute, month)
    }

    /// The minute, and what was used in it: for storage.
    #[must_use]
    pub const fn minute(&self) -> (Timestamp, u32) {
        (self.minute, self.minute_used)
    }

    /// The month, and what was used in it: for storage.
    #[must_use]
    pub const fn month(&self) -> (Timestamp, u64) {
        (self.month, self.month_used)
    }

    /// Gives back what an earlier draw left over, then draws as much as both budgets have left.
    ///
    /// The window is the one to be stored; `None` when the draw changes nothing.
    #[must_use]
    pub fn draw(mut self, draw: Draw, limits: Limits, now: Timestamp) -> (Drawn, Option<Self>) {
        self.advance(now);
        let before = self;
        // What was drawn in an earlier minute or month was counted there, and is forgotten with it.
        if minute_of(draw.drawn_at) == self.minute {
            self.minute_used = self.minute_used.saturating_sub(draw.unused);
        }
        if month_of(draw.drawn_at) == self.month {
            self.month_used = self.month_used.saturating_sub(u64::from(draw.unused));
        }
        let month_left = limits.per_month.saturating_sub(self.month_used);
        let granted = draw
            .wanted
            .min(limits.per_minute.saturating_sub(self.minute_used))
            .min(u32::try_from(month_left).unwrap_or(u32::MAX));
        self.minute_used = self.minute_used.saturating_add(granted);
        self.month_used = self.month_used.saturating_add(u64::from(granted));
        let drawn = Drawn { granted, minute_used: self.minute_used, month_used: self.month_used };
        (drawn, (self != before).then_some(self))
    }
}

#[cfg(test)]
mod tests {
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
        let mut window = Window::new(now);
        for (minute, granted, left_over) in [(0, 8, false), (0, 2, false), (1, 8, false), (2, 7, false)] {
            let now = now.plus(std::time::Duration::from_secs(60 * minute));
            let (drawn, after) = window.draw(draw(8, 0, now), LIMITS, now);
            assert_eq!((drawn.granted, after.is_none()), (granted, left_over), "minute {minute}");
            window = after.expect("something was granted");
        }
        let (drawn, after) = window.draw(draw(8, 0, now), LIMITS, now);
        assert_eq!((drawn, after), (Drawn { granted: 0, minute_used: 7, month_used: 25 }, None));
    }

    #[test]
    fn what_was_not_used_goes_back_to_its_own_minute_and_month_alone() {
        let first = at("2026-01-31T23:58:10.000Z");
        let (_, window) = Window::new(first).draw(draw(10, 0, first), LIMITS, first);
        let window = window.expect("granted");
        let given_back = |now| window.draw(draw(0, 4, first), LIMITS, now);
        let used = |(drawn, _): (Drawn, _)| (drawn.minute_used, drawn.month_used);
        assert_eq!(used(given_back(at("2026-01-31T23:58:59.000Z"))), (6, 6), "the same minute");
        assert_eq!(used(given_back(at("2026-01-31T23:59:00.000Z"))), (0, 6), "the next minute");
        let next_month = given_back(at("2026-02-01T00:00:00.000Z"));
        assert_eq!(used(next_month), (0, 0));
        assert_eq!(next_month.1, None, "nothing was given back");
    }

    proptest! {
        #[test]
        fn processes_that_draw_and_give_back_never_pass_the_budgets_in_sum(
            steps in prop::collection::vec((0_usize..3, 0_u64..40, 0_u32..6, 0_u32..6), 1..200),
        ) {
            let mut now = at("2026-01-31T23:50:00.000Z");
            let mut window = Window::new(now);
            // What each process holds, and since when; what it uses passes at the time of its use.
            let mut held = [(0_u32, now); 3];
            let mut passed: Vec<Timestamp> = Vec::new();
            for (process, wait, wanted, used) in steps {
                now = now.plus(std::time::Duration::from_secs(wait));
                let (has, drawn_at) = held[process];
                let used = if minute_of(drawn_at) == minute_of(now) { used.min(has) } else { 0 };
                passed.extend((0..used).map(|_| now));
                let (drawn, after) = window.draw(draw(wanted, has - used, drawn_at), LIMITS, now);
                window = after.unwrap_or(window);
                held[process] = (drawn.granted, now);
            }
            for instant in &passed {
                let minute = passed.iter().filter(|other| minute_of(**other) == minute_of(*instant)).count();
                let month = passed.iter().filter(|other| month_of(**other) == month_of(*instant)).count();
                prop_assert!(minute <= 10 && month <= 25, "{minute} {month}");
            }
        }
    }
}
