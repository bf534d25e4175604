//! Counts the requests of one company.

mod draw;

use svc_core::clock::Timestamp;

use crate::limit::calendar::{MINUTE, after_month, minute_of, month_of};
use crate::limit::{Budget, LimitDecision, LimitStatus, Limits};

/// What one company used of its budgets: in one minute of the clock and in one
/// calendar month, both UTC.
///
/// A clock that steps back stays in the window that it has reached, so that
/// nobody gets a budget twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    minute: Timestamp,
    minute_used: u32,
    month: Timestamp,
    /// The first instant of the next month: asked for on each request, and dear to work out.
    month_ends: Timestamp,
    month_used: u64,
}

impl Window {
    /// Nothing used yet.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        Self::of((minute_of(now), 0), (month_of(now), 0))
    }

    fn of((minute, minute_used): (Timestamp, u32), (month, month_used): (Timestamp, u64)) -> Self {
        Self { minute, minute_used, month, month_ends: after_month(month), month_used }
    }

    /// Takes one request, or refuses it; what is refused is not counted.
    pub fn take(&mut self, limits: Limits, now: Timestamp) -> LimitDecision {
        self.advance(now);
        self.refusal(limits, now).unwrap_or_else(|| self.count(limits, now))
    }

    /// Whether nothing counted here matters at `now` any more.
    #[must_use]
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.month_ends <= now
    }

    /// What is left at `now`, without taking anything.
    #[must_use]
    pub fn status(mut self, limits: Limits, now: Timestamp) -> LimitStatus {
        self.advance(now);
        LimitStatus {
            limits,
            minute_left: limits.per_minute.saturating_sub(self.minute_used),
            minute_resets_in: self.minute.plus(MINUTE).since(now),
            month_left: limits.per_month.saturating_sub(self.month_used),
            month_resets_in: self.month_ends.since(now),
        }
    }

    /// Moves on to the windows that `now` is in; answers whether a new minute began.
    pub(super) fn advance(&mut self, now: Timestamp) -> bool {
        let turned = self.minute.plus(MINUTE) <= now;
        if turned {
            (self.minute, self.minute_used) = (minute_of(now), 0);
        }
        if self.is_over(now) {
            *self = Self::of((self.minute, self.minute_used), (month_of(now), 0));
        }
        turned
    }

    /// The refusal that a request would meet.
    pub(super) fn refusal(&self, limits: Limits, now: Timestamp) -> Option<LimitDecision> {
        // The month first: its wait is the longer one, so that a client is told to come back once.
        if self.month_used >= limits.per_month {
            Some(self.refuse(Budget::Month, limits, now))
        } else if self.minute_used >= limits.per_minute {
            Some(self.refuse(Budget::Minute, limits, now))
        } else {
            None
        }
    }

    /// Refuses a request because of this budget.
    pub(super) fn refuse(&self, budget: Budget, limits: Limits, now: Timestamp) -> LimitDecision {
        let status = self.status(limits, now);
        let retry_after = match budget {
            Budget::Minute => status.minute_resets_in,
            Budget::Month => status.month_resets_in,
        };
        LimitDecision::Exceeded { budget, status, retry_after }
    }

    /// Counts a request that was let in.
    pub(super) fn count(&mut self, limits: Limits, now: Timestamp) -> LimitDecision {
        self.minute_used = self.minute_used.saturating_add(1);
        self.month_used = self.month_used.saturating_add(1);
        LimitDecision::Within(self.status(limits, now))
    }

    /// Takes over what others know was used of this minute.
    pub(super) fn set_minute_used(&mut self, used: u32) {
        self.minute_used = used;
    }

    /// Takes over what others know was used of this month, if it is more than is known here.
    pub(super) fn raise_month_used(&mut self, used: u64) {
        self.month_used = self.month_used.max(used);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("an instant")
    }

    fn limits(per_minute: u32, per_month: u64) -> Limits {
        Limits { per_minute, per_month }
    }

    #[test]
    fn the_request_after_the_last_one_of_a_minute_waits_for_the_next_minute() {
        let now = at("2026-02-28T23:58:45.000Z");
        let mut window = Window::new(now);
        assert!(matches!(window.take(limits(2, 10), now), LimitDecision::Within(s) if s.minute_left == 1));
        assert!(matches!(window.take(limits(2, 10), now), LimitDecision::Within(s) if s.minute_left == 0));
        let LimitDecision::Exceeded { budget, status, retry_after } = window.take(limits(2, 10), now) else {
            panic!("the budget is used up");
        };
        assert_eq!((budget, retry_after), (Budget::Minute, Duration::from_secs(15)));
        assert_eq!((status.minute_left, status.month_left), (0, 8));
        let next = now.plus(retry_after);
        assert!(matches!(window.take(limits(2, 10), next), LimitDecision::Within(s) if s.minute_left == 1));
    }

    #[test]
    fn the_quota_is_full_again_on_the_first_of_the_next_month_utc() {
        for (now, wait) in [
            ("2026-02-28T23:59:30.000Z", Duration::from_secs(30)),
            ("2028-02-28T23:59:30.000Z", Duration::from_hours(24) + Duration::from_secs(30)),
            ("2026-12-31T00:00:00.000Z", Duration::from_hours(24)),
            ("2026-01-01T00:00:00.000Z", Duration::from_hours(24 * 31)),
        ] {
            let now = at(now);
            let mut window = Window::new(now);
            window.take(limits(9, 1), now);
            let decision = window.take(limits(9, 1), now);
            let LimitDecision::Exceeded { budget: Budget::Month, retry_after, .. } = decision else {
                panic!("the quota is used up: {decision:?}");
            };
            assert_eq!(retry_after, wait, "{now}");
            let early = now.plus(wait).minus(Duration::from_micros(1));
            assert!(matches!(window.take(limits(9, 1), early), LimitDecision::Exceeded { .. }));
            assert!(matches!(window.take(limits(9, 1), now.plus(wait)), LimitDecision::Within(_)));
        }
    }

    #[test]
    fn a_clock_that_steps_back_gives_no_second_budget() {
        let now = at("2026-03-01T00:00:00.000Z");
        let mut window = Window::new(now);
        window.take(limits(1, 1), now);
        let earlier = now.minus(Duration::from_secs(90));
        let decision = window.take(limits(1, 9), earlier);
        assert!(matches!(decision, LimitDecision::Exceeded { budget: Budget::Minute, .. }));
        assert!(!window.is_over(earlier));
    }

    #[test]
    fn a_window_is_over_when_its_month_is() {
        let window = Window::new(at("2026-03-15T00:00:00.000Z"));
        assert!(!window.is_over(at("2026-03-31T23:59:59.999Z")));
        assert!(window.is_over(at("2026-04-01T00:00:00.000Z")));
    }

    proptest! {
        #[test]
        fn no_minute_and_no_month_ever_passes_its_budget(
            steps in prop::collection::vec(0_u64..90, 1..300), per_minute in 1_u32..6, per_month in 1_u64..200,
        ) {
            let mut now = at("2026-01-31T23:00:00.000Z");
            let mut window = Window::new(now);
            let (mut minutes, mut months) = (BTreeMap::new(), BTreeMap::new());
            for step in steps {
                now = now.plus(Duration::from_secs(step));
                if let LimitDecision::Within(_) = window.take(limits(per_minute, per_month), now) {
                    *minutes.entry(minute_of(now)).or_insert(0) += 1;
                    *months.entry(month_of(now)).or_insert(0) += 1;
                }
            }
            prop_assert!(minutes.values().all(|passed| *passed <= per_minute));
            prop_assert!(months.values().all(|passed| *passed <= per_month));
        }
    }
}
