//! Closing a year and opening it again.

use svc_core::clock::Timestamp;
use svc_core::id::UserId;
use thiserror::Error;

use super::{ClosingEntries, FiscalYear, YearStatus};
use crate::books::lock::{Locks, PeriodLocked};

/// Why a year cannot be closed; each is a conflict.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CloseRefused {
    /// It is closed: `fiscal_year_closed`.
    #[error("the year is closed")]
    Closed,
    /// Drafts are dated in it: `draft_entries`.
    #[error("{count} draft entries are dated in the year: post or delete them first")]
    Drafts {
        /// How many.
        count: u64,
    },
    /// The year before it is open: `previous_year_open`.
    #[error("{name} comes before it and is open")]
    PreviousOpen {
        /// The name of that year.
        name: String,
    },
}

/// Why a year cannot be reopened; each is a conflict.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ReopenRefused {
    /// It is open: `fiscal_year_open`.
    #[error("the year is open")]
    Open,
    /// The year after it is closed: `next_year_closed`.
    #[error("{name} comes after it and is closed")]
    NextClosed {
        /// The name of that year.
        name: String,
    },
    /// Its corporate tax return (*modelo 200*) was submitted: `tax_period_submitted`.
    #[error("the corporate tax return of the year is submitted")]
    ReturnSubmitted,
    /// Its last day is locked: `period_locked`.
    #[error(transparent)]
    Locked(#[from] PeriodLocked),
}

impl FiscalYear {
    /// Judges whether the year can be closed, with as many drafts dated in it and this year before it.
    ///
    /// # Errors
    /// [`CloseRefused`].
    pub fn judge_close(&self, drafts: u64, previous: Option<&Self>) -> Result<(), CloseRefused> {
        if !self.is_open() {
            return Err(CloseRefused::Closed);
        }
        if drafts > 0 {
            return Err(CloseRefused::Drafts { count: drafts });
        }
        match previous.filter(|year| year.is_open()) {
            Some(year) => Err(CloseRefused::PreviousOpen { name: year.name.clone() }),
            None => Ok(()),
        }
    }

    /// The year after it was closed with these entries; judged by [`Self::judge_close`] first.
    ///
    /// # Errors
    /// [`CloseRefused::Closed`].
    pub fn close(
        self,
        entries: ClosingEntries,
        at: Timestamp,
        by: Option<UserId>,
    ) -> Result<Self, CloseRefused> {
        match self.status {
            YearStatus::Open => Ok(Self { status: YearStatus::Closed { at, by, entries }, ..self }),
            YearStatus::Closed { .. } => Err(CloseRefused::Closed),
        }
    }

    /// The year open again, and the entries that closed it, which are to be reversed.
    ///
    /// # Errors
    /// [`ReopenRefused`].
    pub fn reopen(self, next: Option<&Self>, locks: &Locks) -> Result<(Self, ClosingEntries), ReopenRefused> {
        let YearStatus::Closed { entries, .. } = self.status else {
            return Err(ReopenRefused::Open);
        };
        if let Some(year) = next.filter(|year| !year.is_open()) {
            return Err(ReopenRefused::NextClosed { name: year.name.clone() });
        }
        locks.judge(self.span.end())?;
        Ok((Self { status: YearStatus::Open, ..self }, entries))
    }
}
