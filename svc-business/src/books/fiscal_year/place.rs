//! Where a year stands among the others, and which one a date belongs to.

use svc_core::error::ValidationErrors;
use thiserror::Error;
use time::Date;

use super::{FiscalYear, Span};

/// Judges whether a new year fits beside those that there are: it shares no day with any and leaves no gap.
///
/// # Errors
/// `fiscal_year_overlap` or `fiscal_year_gap`, on `startDate`.
pub fn judge_place(years: &[FiscalYear], new: Span) -> Result<(), ValidationErrors> {
    if let Some(other) = years.iter().find(|year| year.span.overlaps(new)) {
        let (start, end) = (other.span.start(), other.span.end());
        let message = format!("shares days with {}, which is from {start} to {end}", other.name);
        return Err(ValidationErrors::one("startDate", "fiscal_year_overlap", message));
    }
    let beside = years.iter().any(|year| year.span.precedes(new) || new.precedes(year.span));
    if years.is_empty() || beside {
        return Ok(());
    }
    let message = "must start on the day after another year ends, or end on the day before one starts";
    Err(ValidationErrors::one("startDate", "fiscal_year_gap", message))
}

/// Why nothing can be posted on a date.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum YearRefused {
    /// No year has the date: `no_fiscal_year`, a conflict.
    #[error("{date} is in no fiscal year")]
    None {
        /// The date.
        date: Date,
    },
    /// Its year is closed: `fiscal_year_closed`, a conflict.
    #[error("{date} is in {name}, which is closed")]
    Closed {
        /// The date.
        date: Date,
        /// The name of the year.
        name: String,
    },
}

/// The open year that entries of this date belong to.
///
/// # Errors
/// [`YearRefused`].
pub fn open_year(years: &[FiscalYear], date: Date) -> Result<&FiscalYear, YearRefused> {
    let year = years.iter().find(|year| year.contains(date)).ok_or(YearRefused::None { date })?;
    year.judge(date)?;
    Ok(year)
}

impl FiscalYear {
    /// Judges whether an entry of this date can be posted in the year.
    ///
    /// # Errors
    /// [`YearRefused`].
    pub fn judge(&self, date: Date) -> Result<(), YearRefused> {
        if !self.contains(date) {
            return Err(YearRefused::None { date });
        }
        if self.is_open() { Ok(()) } else { Err(YearRefused::Closed { date, name: self.name.clone() }) }
    }
}
