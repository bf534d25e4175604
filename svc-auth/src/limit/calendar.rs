//! Minutes and months of the clock, UTC: the spans that budgets are counted in.

use std::time::Duration;

use svc_core::clock::Timestamp;

/// Length of a minute.
pub(super) const MINUTE: Duration = Duration::from_mins(1);

/// A minute or a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// Its first instant.
    pub(super) from: Timestamp,
    /// The first instant after it.
    pub(super) until: Timestamp,
}

impl Span {
    /// The minute that `at` is in.
    pub(super) fn minute(at: Timestamp) -> Self {
        let from = minute_of(at);
        Self { from, until: from.plus(MINUTE) }
    }

    /// The month that `at` is in.
    pub(super) fn month(at: Timestamp) -> Self {
        let from = month_of(at);
        Self { from, until: after_month(from) }
    }

    /// Whether `at` is in it.
    pub(super) fn contains(self, at: Timestamp) -> bool {
        self.from <= at && at < self.until
    }
}

/// The first instant of the minute that `now` is in.
pub(super) fn minute_of(now: Timestamp) -> Timestamp {
    Timestamp::from_unix_seconds(now.unix_seconds().div_euclid(60).saturating_mul(60))
}

/// The first instant of the month that `now` is in.
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
