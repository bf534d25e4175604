//! Counts the requests of one company.

use std::time::Duration;

use svc_core::clock::Timestamp;

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
    month_used: u64,
}

impl Window {
    /// Nothing used yet.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        Self { minute: minute_of(now), minute_used: 0, month: month_of(now), month_used: 0 }
    }

    /// Takes one request, or refuses it; what is refused is not counted.
    pub fn take(&mut self, limits: Limits, now: Timestamp) -> LimitDecision {
        self.advance(now);
        // The month first: its wait is the longer one, so that a client is told to come back once.
        let exceeded = if self.month_used >= limits.per_month {
            Some(Budget::Month)
        } else if self.minute_used >= limits.per_minute {
            Some(Budget::Minute)
        } else {
            self.minute_used = self.minute_used.saturating_add(1);
            self.month_used = self.month_used.saturating_add(1);
            None
        };
        let status = self.status(limits, now);
        match exceeded {
            None => LimitDecision::Within(status),
            Some(budget @ Budget::Minute) => {
                LimitDecision::Exceeded { budget, status, retry_after: status.minute_resets_in }
            }
            Some(budget @ Budget::Month) => {
                LimitDecision::Exceeded { budget, status, retry_after: status.month_resets_in }
            }
        }
    }

    /// Whether nothing counted here matters at `now` any more.
    #[must_use]
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.month < month_of(now)
    }

    fn advance(&mut self, now: Timestamp) {
        let (minute, month) = (minute_of(now), month_of(now));
        if minute > self.minute {
            (self.minute, self.minute_used) = (minute, 0);
        }
        if month > self.month {
            (self.month, self.month_used) = (month, 0);
        }
    }

    fn status(&self, limits: Limits, now: Timestamp) -> LimitStatus {
        LimitStatus {
            limits,
            minute_left: limits.per_minute.saturating_sub(self.minute_used),
            minute_resets_in: self.minute.plus(MINUTE).since(now),
            month_left: limits.per_month.saturating_sub(self.month_used),
            month_resets_in: after_month(self.month).since(now),
        }
    }
}

const MINUTE: Duration = Duration::from_mins(1);

fn minute_of(now: Timestamp) -> Timestamp {
    Timestamp::from_unix_seconds(now.unix_seconds().div_euclid(60).saturating_mul(60))
}

/// The first instant of the month, UTC.
fn month_of(now: Timestamp) -> Timestamp {
    let first = now.date().replace_day(1).expect("every month has a first day");
    Timestamp::start_of(first)
}

/// The first instant of the month after the one that starts at `month`.
fn after_month(month: Timestamp) -> Timestamp {
    let first = month.date();
    let last = first.replace_day(first.month().length(first.year())).expect("the length is the last day");
    last.next_day().map_or(month, Timestamp::start_of)
}

#[cfg(test)]
mod tests {
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
            let mut passed = Vec::new();
            for step in steps {
                now = now.plus(Duration::from_secs(step));
                if let LimitDecision::Within(_) = window.take(limits(per_minute, per_month), now) {
                    passed.push(now);
                }
            }
            for instant in &passed {
                let minute = passed.iter().filter(|other| minute_of(**other) == minute_of(*instant)).count();
                let month = passed.iter().filter(|other| month_of(**other) == month_of(*instant)).count();
                prop_assert!(minute <= per_minute as usize && month as u64 <= per_month);
            }
        }
    }
}
