//! Minutes and months of the clock, UTC: the spans that budgets are counted in.

use std::time::Duration;

use svc_core::clock::Timestamp;

/// Length of a minute.
pub(super) const MINUTE: Duration = Duration::from_mins(1);

/// The first instant of the minute that `now` is in.
pub(super) fn minute_of(now: Timestamp) -> Timestamp {
    Timestamp::from_unix_seconds(now.unix_seconds().div_euclid(60).saturating_mul(60))
}

/// The first instant of the month that `now` is in.
pub(super) fn month_of(now: Timestamp) -> Timestamp {
    let first = now.date().replace_day(1).expect("every month has a first day");
    Timestamp::start_of(first)
}

/// The first instant of the month after the one that starts at `month`.
pub(super) fn after_month(month: Timestamp) -> Timestamp {
    let first = month.date();
    let last = first.replace_day(first.month().length(first.year())).expect("the length is the last day");
    last.next_day().map_or(month, Timestamp::start_of)
}
