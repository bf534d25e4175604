//! The next number of a series.

use svc_core::error::Validator;
use thiserror::Error;
use time::Date;

use super::{DocumentNumber, LastIssued, Series};
use crate::sales::document::DocType;

/// The series has no sequence left.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the series has no number left")]
pub struct Exhausted;

/// A number, and the series that has given it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered {
    /// The number.
    pub number: DocumentNumber,
    /// Its place in the series, and in the year where the series begins anew with each.
    pub sequence: u32,
    /// The series as it is to be kept.
    pub series: Series,
}

impl Series {
    /// `nextSequence`: what a document of this year gets, which no document of an earlier year than the last one can
    /// be; `None` when the series is exhausted.
    #[must_use]
    pub fn next_sequence(&self, year: i32) -> Option<u32> {
        match self.last {
            None => Some(self.first_sequence),
            Some(last) if !self.reset_yearly || last.date.year() == year => last.sequence.checked_add(1),
            Some(_) => Some(1),
        }
    }

    /// Judges whether it may number a document of this type and date of issue.
    ///
    /// Findings are `series_inactive` and `series_doc_type` on `seriesId`, and `issue_date_not_monotonic` on
    /// `issueDate`.
    pub fn judge_issue(&self, validator: &mut Validator, doc_type: DocType, date: Date) {
        validator.require(self.active, "seriesId", "series_inactive", "the series is not active");
        let message = format!("the series {} does not number documents of the type {doc_type}", self.code);
        validator.require(self.doc_types.contains(&doc_type), "seriesId", "series_doc_type", message);
        if let Some(last) = self.last {
            let message = format!("the last document of the series {} is of {}", self.code, last.date);
            validator.require(date >= last.date, "issueDate", "issue_date_not_monotonic", message);
        }
    }

    /// Gives the next number to a document of this date, which [`Series::judge_issue`] has passed.
    ///
    /// # Errors
    /// [`Exhausted`].
    pub fn number(self, date: Date) -> Result<Numbered, Exhausted> {
        let sequence = self.next_sequence(date.year()).ok_or(Exhausted)?;
        let number = self.pattern.render(&self.code, date.year(), sequence);
        let series = Self { last: Some(LastIssued { date, sequence }), ..self };
        Ok(Numbered { number, sequence, series })
    }
}
