//! Counts the requests of one company.

mod draw;
mod recent;

use svc_core::clock::Timestamp;

use self::recent::Recent;
use crate::limit::calendar::Span;
use crate::limit::{Budget, LimitDecision, LimitStatus, Limits};

/// So many minutes are kept: enough for clocks that are a quarter of an hour apart.
///
/// While all clocks stay within a span of so many minutes, twice as many
/// different ones can be counted in between two counts of the same.
const MINUTES: usize = 32;
/// So many months are kept.
const MONTHS: usize = 3;

/// What one company used of its budgets: in the latest minutes of the clock and
/// calendar months, all UTC.
///
/// Each request counts in the minute and the month of its own instant. A clock
/// that steps back, or one of another process that is behind, finds what was
/// used there: no company gets a budget twice, and none waits for a clock that
/// ran ahead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Windows {
    minutes: Recent,
    months: Recent,
}

impl Windows {
    /// Nothing used yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes one request, or refuses it; what is refused is not counted.
    pub fn take(&mut self, limits: Limits, now: Timestamp) -> LimitDecision {
        self.refusal(limits, now).unwrap_or_else(|| self.count(limits, now))
    }

    /// Whether nothing counted here matters at `now` any more.
    #[must_use]
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.months.are_over(now)
    }

    /// What is left at `now`, without taking anything.
    #[must_use]
    pub fn status(&self, limits: Limits, now: Timestamp) -> LimitStatus {
        let (month, month_used) = self.month(now);
        LimitStatus {
            limits,
            minute_left: limits.per_minute.saturating_sub(self.minute_used(now)),
            minute_resets_in: Span::minute(now).until.since(now),
            month_left: limits.per_month.saturating_sub(month_used),
            month_resets_in: month.until.since(now),
        }
    }

    /// The refusal that a request would meet.
    pub(super) fn refusal(&self, limits: Limits, now: Timestamp) -> Option<LimitDecision> {
        // The month first: its wait is the longer one, so that a client is told to come back once.
        if self.months.used(now) >= limits.per_month {
            Some(self.refuse(Budget::Month, limits, now))
        } else if self.minute_used(now) >= limits.per_minute {
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
        self.add(1, now);
        LimitDecision::Within(self.status(limits, now))
    }

    /// Takes over what others know was used of the minute of `now`.
    pub(super) fn set_minute_used(&mut self, used: u32, now: Timestamp) {
        self.minutes.set(Span::minute(now), used.into(), MINUTES);
    }

    /// Takes over what others know was used of the month of `now`, if it is more than is known here.
    pub(super) fn raise_month_used(&mut self, used: u64, now: Timestamp) {
        let (month, known) = self.month(now);
        self.months.set(month, known.max(used), MONTHS);
    }

    fn add(&mut self, requests: u32, now: Timestamp) {
        let minute_used = self.minutes.used(now).saturating_add(requests.into());
        self.minutes.set(Span::minute(now), minute_used, MINUTES);
        let (month, month_used) = self.month(now);
        self.months.set(month, month_used.saturating_add(requests.into()), MONTHS);
    }

    fn minute_used(&self, now: Timestamp) -> u32 {
        u32::try_from(self.minutes.used(now)).unwrap_or(u32::MAX)
    }

    /// The month that `now` is in, worked out only where it is not known: that is dear.
    fn month(&self, now: Timestamp) -> (Span, u64) {
        self.months.find(now).unwrap_or_else(|| (Span::month(now), 0))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;
    use crate::limit::calendar::MINUTE;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("an instant")
    }

    fn limits(per_minute: u32, per_month: u64) -> Limits {
        Limits { per_minute, per_month }
    }

    #[test]
    fn the_request_after_the_last_one_of_a_minute_waits_for_the_next_minute() {
        let now = at("2026-02-28T23:58:45.000Z");
        let mut windows = Windows::new();
        assert!(matches!(windows.take(limits(2, 10), now), LimitDecision::Within(s) if s.minute_left == 1));
        assert!(matches!(windows.take(limits(2, 10), now), LimitDecision::Within(s) if s.minute_left == 0));
        let LimitDecision::Exceeded { budget, status, retry_after } = windows.take(limits(2, 10), now) else {
            panic!("the budget is used up");
        };
        assert_eq!((budget, retry_after), (Budget::Minute, Duration::from_secs(15)));
        assert_eq!((status.minute_left, status.month_left), (0, 8));
        let next = now.plus(retry_after);
        assert!(matches!(windows.take(limits(2, 10), next), LimitDecision::Within(s) if s.minute_left == 1));
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
            let mut windows = Windows::new();
            windows.take(limits(9, 1), now);
            let decision = windows.take(limits(9, 1), now);
            let LimitDecision::Exceeded { budget: Budget::Month, retry_after, .. } = decision else {
                panic!("the quota is used up: {decision:?}");
            };
            assert_eq!(retry_after, wait, "{now}");
            let early = now.plus(wait).minus(Duration::from_micros(1));
            assert!(matches!(windows.take(limits(9, 1), early), LimitDecision::Exceeded { .. }));
            assert!(matches!(windows.take(limits(9, 1), now.plus(wait)), LimitDecision::Within(_)));
        }
    }

    #[test]
    fn a_clock_that_steps_back_finds_what_was_used_there_and_gives_no_second_budget() {
        let mut windows = Windows::new();
        let (january, february) = (at("2026-01-31T23:59:30.000Z"), at("2026-02-01T00:00:00.000Z"));
        for now in [january, february, february.plus(Duration::from_hours(9))] {
            assert!(matches!(windows.take(limits(1, 2), now), LimitDecision::Within(_)), "{now}");
        }
        for (now, budget) in [
            (february, Budget::Month),
            (january, Budget::Minute),
            (january.plus(Duration::from_secs(29)), Budget::Minute),
        ] {
            let decision = windows.take(limits(1, 2), now);
            let LimitDecision::Exceeded { budget: met, retry_after, .. } = decision else {
                panic!("{now}: {decision:?}")
            };
            assert_eq!(met, budget, "{now}");
            assert!(met == Budget::Month || retry_after <= Duration::from_secs(30), "{now}");
        }
        let unused = january.minus(Duration::from_mins(1));
        assert!(matches!(windows.take(limits(1, 2), unused), LimitDecision::Within(_)));
        assert!(!windows.is_over(january));
    }

    #[test]
    fn a_clock_that_ran_hours_ahead_and_back_stops_no_request_in_between() {
        let now = at("2026-03-10T10:00:00.000Z");
        let mut windows = Windows::new();
        windows.take(limits(1, 99), now.plus(Duration::from_hours(5)));
        for minute in 0..200 {
            let now = now.plus(Duration::from_mins(minute));
            let decision = windows.take(limits(1, 999), now);
            assert!(matches!(decision, LimitDecision::Within(_)), "minute {minute}");
            let again = windows.take(limits(1, 999), now);
            assert!(matches!(again, LimitDecision::Exceeded { retry_after, .. } if retry_after <= MINUTE));
        }
    }

    #[test]
    fn windows_are_over_when_their_months_are() {
        let mut windows = Windows::new();
        for day in ["2026-03-15T00:00:00.000Z", "2026-02-15T00:00:00.000Z"] {
            windows.take(limits(9, 9), at(day));
        }
        assert!(!windows.is_over(at("2026-03-31T23:59:59.999Z")));
        assert!(windows.is_over(at("2026-04-01T00:00:00.000Z")));
    }

    proptest! {
        #[test]
        fn no_minute_and_no_month_ever_passes_its_budget_whichever_way_the_clock_jumps(
            steps in prop::collection::vec((0_u64..90, 0_u64..900), 1..300),
            per_minute in 1_u32..6, per_month in 1_u64..200,
        ) {
            let mut time = at("2026-01-31T23:00:00.000Z");
            let mut windows = Windows::new();
            let (mut minutes, mut months) = (BTreeMap::new(), BTreeMap::new());
            for (wait, behind) in steps {
                time = time.plus(Duration::from_secs(wait));
                let now = time.minus(Duration::from_secs(behind));
                let minute = minutes.entry(Span::minute(now).from).or_insert(0);
                let month = months.entry(Span::month(now).from).or_insert(0);
                let within = matches!(windows.take(limits(per_minute, per_month), now), LimitDecision::Within(_));
                prop_assert_eq!(within, *minute < per_minute && *month < per_month, "{}", now);
                *minute += u32::from(within);
                *month += u64::from(within);
            }
        }
    }
}
