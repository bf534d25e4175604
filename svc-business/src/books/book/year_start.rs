//! The day on which fiscal years begin.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use time::{Date, Month};

use crate::books::fiscal_year::Span;

/// The day of the year on which fiscal years begin: `MM-DD` on the wire, `01-01` unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct YearStart {
    month: Month,
    day: u8,
}

/// Not a day of every year.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected a day of every year as MM-DD, such as 01-01; 02-29 is none")]
pub struct YearStartError;

impl YearStart {
    /// The month.
    #[must_use]
    pub const fn month(self) -> Month {
        self.month
    }

    /// The fiscal year that a day belongs to; `None` at the end of the calendar.
    #[must_use]
    pub fn year_of(self, day: Date) -> Option<Span> {
        let in_year = |year| Date::from_calendar_date(year, self.month, self.day).ok();
        let this = in_year(day.year())?;
        let start = if this <= day { this } else { in_year(day.year().checked_sub(1)?)? };
        let end = in_year(start.year().checked_add(1)?)?.previous_day()?;
        Span::new(start, end).ok()
    }

    /// What people call the year that begins on this day: `2025`, or `2025-2026` where it does not end with the
    /// calendar's.
    #[must_use]
    pub fn name(span: Span) -> String {
        let (first, last) = (span.start().year(), span.end().year());
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    }
}

impl Default for YearStart {
    fn default() -> Self {
        Self { month: Month::January, day: 1 }
    }
}

impl FromStr for YearStart {
    type Err = YearStartError;

    fn from_str(text: &str) -> Result<Self, YearStartError> {
        let (month, day) = text.split_once('-').ok_or(YearStartError)?;
        let two = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        if !two(month) || !two(day) {
            return Err(YearStartError);
        }
        let month = month.parse::<u8>().ok().and_then(|month| Month::try_from(month).ok());
        let (month, day) = (month.ok_or(YearStartError)?, day.parse().map_err(|_| YearStartError)?);
        // A year without a 29th of February.
        Date::from_calendar_date(2025, month, day).map_err(|_| YearStartError)?;
        Ok(Self { month, day })
    }
}

impl fmt::Display for YearStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}-{:02}", u8::from(self.month), self.day)
    }
}
