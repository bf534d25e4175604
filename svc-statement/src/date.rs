//! Dates as banks write them.

use time::{Date, Month};

/// A date of the calendar.
pub(crate) fn date(year: i32, month: u32, day: u32) -> Option<Date> {
    let month = Month::try_from(u8::try_from(month).ok()?).ok()?;
    Date::from_calendar_date(year, month, u8::try_from(day).ok()?).ok()
}

/// The year of two digits: no statement to be read is of before 1980.
pub(crate) fn full_year(two: u32) -> i32 {
    let century = if two < 80 { 2000 } else { 1900 };
    i32::try_from(two).unwrap_or(0).saturating_add(century)
}

/// `YYMMDD`.
pub(crate) fn six_digits(text: &str) -> Option<Date> {
    let (year, month, day) = (number(text.get(0..2)?)?, number(text.get(2..4)?)?, number(text.get(4..6)?)?);
    if text.len() == 6 { date(full_year(year), month, day) } else { None }
}

/// `YYYY-MM-DD`, alone, or with a time or a zone behind it, whose day it is.
pub(crate) fn iso(text: &str) -> Option<Date> {
    let (year, month, day) = (text.get(0..4)?, text.get(5..7)?, text.get(8..10)?);
    let joined = text.get(4..5)? == "-" && text.get(7..8)? == "-";
    let ends = text.get(10..)?.chars().next().is_none_or(|next| matches!(next, 'T' | 'Z' | '+' | '-'));
    if joined && ends { date(i32::try_from(number(year)?).ok()?, number(month)?, number(day)?) } else { None }
}

/// Digits alone, at most nine.
pub(crate) fn number(text: &str) -> Option<u32> {
    let plain = !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}
