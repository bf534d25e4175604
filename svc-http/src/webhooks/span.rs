//! Ranges of time: each end is a date, or an instant to the millisecond, and part of the range.

use std::time::Duration;

use svc_core::clock::Timestamp;
use time::Date;
use time::macros::format_description;

use crate::problem::Problem;
use crate::query::Query;

/// What `from` and `to` may look like.
const EXPECTED: &str = "expected a date such as 2025-01-31 or an instant such as 2025-01-31T09:15:00.000Z";

/// From this instant on, before that one.
pub(super) type Span = (Option<Timestamp>, Option<Timestamp>);

/// The range of the query.
pub(super) fn of(query: &Query) -> Result<Span, Problem> {
    let (from, before) = (query.with("from", first)?, query.with("to", after)?);
    match (from, before) {
        (Some(from), Some(before)) if from >= before => {
            Err(Problem::parameter("from", "must not be later than `to`"))
        }
        range => Ok(range),
    }
}

/// The first instant of what `from` names.
pub(super) fn first(text: &str) -> Result<Timestamp, String> {
    read(text).map(|(first, _)| first)
}

/// The first instant after what `to` names.
pub(super) fn after(text: &str) -> Result<Timestamp, String> {
    read(text).map(|(first, length)| first.plus(length))
}

fn read(text: &str) -> Result<(Timestamp, Duration), String> {
    if let Ok(date) = Date::parse(text, format_description!("[year]-[month]-[day]")) {
        return Ok((Timestamp::start_of(date), Duration::from_hours(24)));
    }
    let instant: Timestamp = text.parse().map_err(|_| EXPECTED.to_owned())?;
    let whole = instant.unix_micros().div_euclid(1_000).saturating_mul(1_000);
    Ok((Timestamp::from_unix_micros(whole), Duration::from_millis(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("valid")
    }

    #[test]
    fn both_ends_are_part_of_the_range() {
        assert_eq!(first("2025-01-31"), Ok(at("2025-01-31T00:00:00Z")));
        assert_eq!(after("2025-01-31"), Ok(at("2025-02-01T00:00:00Z")));
        assert_eq!(first("2025-01-31T10:15:00.123456+01:00"), Ok(at("2025-01-31T09:15:00.123Z")));
        assert_eq!(after("2025-01-31T09:15:00.123Z"), Ok(at("2025-01-31T09:15:00.124Z")));
    }

    #[test]
    fn anything_else_is_refused_and_the_last_day_of_all_has_an_end() {
        for text in ["", "yesterday", "2025-13-01", "2025-01-31T09:15"] {
            assert_eq!(first(text), Err(EXPECTED.to_owned()), "{text}");
        }
        assert!(after("9999-12-31").is_ok_and(|end| end > at("9999-12-31T23:59:59Z")));
    }
}
