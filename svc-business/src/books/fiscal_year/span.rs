//! The first and last day of a year.

use thiserror::Error;
use time::Date;

use crate::books::calendar::{anniversary, month_end};

/// A span of days that is no longer than twelve months.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    start: Date,
    end: Date,
}

/// Why two dates are not a fiscal year.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum SpanError {
    /// It would end before it starts.
    #[error("must not be before startDate")]
    Backwards,
    /// It would be longer than twelve months.
    #[error("a fiscal year has twelve months at most")]
    TooLong,
}

impl Span {
    /// The days from `start` to `end`, both among them.
    ///
    /// # Errors
    /// [`SpanError`]; each is about the end.
    pub fn new(start: Date, end: Date) -> Result<Self, SpanError> {
        if end < start {
            return Err(SpanError::Backwards);
        }
        match anniversary(start, 12) {
            Some(next) if end >= next => Err(SpanError::TooLong),
            Some(_) | None => Ok(Self { start, end }),
        }
    }

    /// Its first day.
    #[must_use]
    pub const fn start(self) -> Date {
        self.start
    }

    /// Its last day.
    #[must_use]
    pub const fn end(self) -> Date {
        self.end
    }

    /// Whether the day is one of it.
    #[must_use]
    pub fn contains(self, date: Date) -> bool {
        (self.start..=self.end).contains(&date)
    }

    /// Whether the two share a day.
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        self.start <= other.end && other.start <= self.end
    }

    /// Whether `later` starts on the day after this one ends.
    #[must_use]
    pub fn precedes(self, later: Self) -> bool {
        self.end.next_day() == Some(later.start)
    }

    /// The twelve months that follow; after a year that ends with a month, they end with one too.
    #[must_use]
    pub fn following(self) -> Option<Self> {
        let start = self.end.next_day()?;
        let end =
            if start.day() == 1 { month_end(start, 11)? } else { anniversary(start, 12)?.previous_day()? };
        Self::new(start, end).ok()
    }
}
