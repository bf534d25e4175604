//! Days of the demo.

use time::Date;
use time::macros::format_description;

use crate::failure::Failure;

/// A day of an answer.
pub(super) fn date(text: &str) -> Result<Date, Failure> {
    Date::parse(text, format_description!("[year]-[month]-[day]"))
        .map_err(|error| Failure::caused("demo_call_failed", "a date is expected", &error))
}

/// The first and the last day of the month.
pub(super) fn month_of(day: Date) -> (Date, Date) {
    let last = day.month().length(day.year());
    (day.replace_day(1).unwrap_or(day), day.replace_day(last).unwrap_or(day))
}
