//! Posting: a draft begins to count.

use svc_core::clock::Timestamp;
use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::UserId;
use thiserror::Error;

use super::rules::judge_balance;
use super::{Entry, EntryHash, EntryStatus, Head, KnownAccounts, Posting, judge_draft, judge_tags};
use crate::books::fiscal_year::{FiscalYear, YearRefused};
use crate::books::lock::{Locks, PeriodLocked, TaxPeriodSubmitted};

/// What posting is judged by.
#[derive(Clone, Copy, Debug)]
pub struct Books<'a> {
    /// The dates that lock the books.
    pub locks: &'a Locks,
    /// The fiscal year of the entry's date.
    pub year: &'a FiscalYear,
    /// The last posted entry of that year; `None` when there is none. The unit of work that saves the entry makes
    /// sure that it still is the last one then, so that numbers have no gaps and none is given twice.
    pub head: Option<Head>,
}

/// Why an entry cannot be posted.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PostRefused {
    /// It is posted: `entry_posted`, a conflict.
    #[error("the entry is posted")]
    Posted,
    /// Its date is in no open year: `no_fiscal_year` or `fiscal_year_closed`, a conflict.
    #[error(transparent)]
    Year(#[from] YearRefused),
    /// Its date is locked: `period_locked`, a conflict.
    #[error(transparent)]
    Locked(#[from] PeriodLocked),
    /// A tag belongs to a submitted return: `tax_period_submitted`, a conflict.
    #[error(transparent)]
    Submitted(#[from] TaxPeriodSubmitted),
    /// It breaks rules: `entry_unbalanced`, `tax_tags_mismatch` and those of a draft.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    /// The year has no number left.
    #[error("the year has no number left")]
    Full,
}

impl Entry {
    /// The entry posted, with the number after the head's and a hash that follows the head's.
    ///
    /// # Errors
    /// [`PostRefused`].
    pub fn post(
        self,
        accounts: &KnownAccounts,
        books: &Books<'_>,
        at: Timestamp,
        by: Option<UserId>,
    ) -> Result<Self, PostRefused> {
        match self.status {
            EntryStatus::Draft => {}
            EntryStatus::Posted { .. } | EntryStatus::Reversed { .. } => return Err(PostRefused::Posted),
        }
        let mut validator = Validator::new();
        judge_draft(&mut validator, &self, accounts);
        judge_balance(&mut validator, &self);
        judge_tags(&mut validator, &self, accounts);
        validator.finish()?;
        books.judge(&self)?;
        self.sealed(books, at, by)
    }

    /// The entry posted without a judgement of what it is.
    pub(super) fn sealed(
        self,
        books: &Books<'_>,
        at: Timestamp,
        by: Option<UserId>,
    ) -> Result<Self, PostRefused> {
        let mut entry = self;
        for line in &mut entry.lines {
            (line.posted_contact, line.posted_due_date) = (line.contact, None);
        }
        entry.tax_tags.iter_mut().for_each(|tag| tag.posted_contact = tag.contact);
        // The head of another year says nothing about this one.
        let head = books.head.filter(|head| head.year == books.year.id);
        let number = head.map_or(Some(1), |head| head.number.checked_add(1)).ok_or(PostRefused::Full)?;
        let previous_hash = head.map(|head| head.hash);
        let unsealed = EntryHash::from_bytes([0; 32]);
        let posting = Posting { year: books.year.id, number, previous_hash, hash: unsealed, at, by };
        let posting = Posting { hash: EntryHash::of(&entry, &posting), ..posting };
        Ok(Self { status: EntryStatus::Posted { posting }, ..entry })
    }
}

impl Books<'_> {
    /// Judges whether the dates of an entry let it count.
    pub(super) fn judge(&self, entry: &Entry) -> Result<(), PostRefused> {
        self.year.judge(entry.date)?;
        self.locks.judge(entry.date)?;
        entry.tax_tags.iter().try_for_each(|tag| self.locks.judge_tax(tag.tax_date))?;
        Ok(())
    }
}
