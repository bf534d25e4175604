//! The days that a report is about.

use thiserror::Error;
use time::Date;

/// The days from one to another, both among them; of any length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Period {
    from: Date,
    to: Date,
}

/// The days would end before they begin.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("must not be before from")]
pub struct PeriodError;

impl Period {
    /// The days from `from` to `to`.
    ///
    /// # Errors
    /// [`PeriodError`], which is about `to`.
    pub fn new(from: Date, to: Date) -> Result<Self, PeriodError> {
        (from <= to).then_some(Self { from, to }).ok_or(PeriodError)
    }

    /// The first day.
    #[must_use]
    pub const fn from(self) -> Date {
        self.from
    }

    /// The last day.
    #[must_use]
    pub const fn to(self) -> Date {
        self.to
    }

    /// Whether the day is one of them.
    #[must_use]
    pub fn contains(self, date: Date) -> bool {
        (self.from..=self.to).contains(&date)
    }
}
