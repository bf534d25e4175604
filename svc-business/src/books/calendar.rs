//! Months of the civil calendar, in which years and plans are counted.

use time::{Date, Month};

/// The first day of the month that is `months` after that of `date`; `None` past the year 9999.
pub(super) fn month_start(date: Date, months: u32) -> Option<Date> {
    let passed = i64::from(u8::from(date.month())).checked_sub(1)?.checked_add(i64::from(months))?;
    let year = i64::from(date.year()).checked_add(passed.div_euclid(12))?;
    let month = u8::try_from(passed.rem_euclid(12)).ok()?.checked_add(1)?;
    Date::from_calendar_date(i32::try_from(year).ok()?, Month::try_from(month).ok()?, 1).ok()
}

/// The last day of the month that is `months` after that of `date`.
pub(super) fn month_end(date: Date, months: u32) -> Option<Date> {
    let start = month_start(date, months)?;
    start.replace_day(start.month().length(start.year())).ok()
}

/// The same day `months` later, and the first one after it where that month is too short.
pub(super) fn anniversary(date: Date, months: u32) -> Option<Date> {
    let start = month_start(date, months)?;
    start.replace_day(date.day()).ok().or_else(|| month_start(start, 1))
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[test]
    fn months_are_counted_over_the_end_of_a_year() {
        assert_eq!(month_start(date!(2024 - 11 - 30), 3), Some(date!(2025 - 02 - 01)));
        assert_eq!(month_end(date!(2024 - 11 - 30), 3), Some(date!(2025 - 02 - 28)));
        assert_eq!(month_end(date!(2024 - 01 - 31), 1), Some(date!(2024 - 02 - 29)));
        assert_eq!(month_start(date!(9999 - 12 - 01), 1), None);
    }

    #[test]
    fn an_anniversary_that_does_not_exist_is_the_day_after() {
        assert_eq!(anniversary(date!(2024 - 02 - 29), 12), Some(date!(2025 - 03 - 01)));
        assert_eq!(anniversary(date!(2024 - 02 - 29), 48), Some(date!(2028 - 02 - 29)));
        assert_eq!(anniversary(date!(2025 - 01 - 31), 1), Some(date!(2025 - 03 - 01)));
    }
}
