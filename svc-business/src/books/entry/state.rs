//! What an entry is.

use svc_core::clock::Timestamp;
use svc_core::event::EventDeclaration;
use svc_core::id::{AccountId, FiscalYearId, JournalEntryId, UserId};
use svc_core::money::{Currency, MoneyError};
use svc_core::resource::{Resource, ResourceStore, Version};
use thiserror::Error;
use time::Date;

use super::{EntryHash, EntryKind, FxRate, Line, Source, TaxTag, Totals};
use crate::books::journal::{EntryFilter, EntrySort};
use crate::catalogue::event;
use crate::party::Extension;
use crate::ports::DynBooksUnit;
use crate::record::Record;

/// An entry of a company's journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its id.
    pub id: JournalEntryId,
    /// The company in whose journal it stands.
    pub company: AccountId,
    /// Why it is there.
    pub kind: EntryKind,
    /// The day on which it counts.
    pub date: Date,
    /// What it is about, at most 500 characters.
    pub description: String,
    /// The number of a paper that it refers to.
    pub reference: Option<String>,
    /// The currency of the books, which every line and tag is in.
    pub base_currency: Currency,
    /// The currency of what it records.
    pub currency: Currency,
    /// How many units of the base currency one unit of `currency` is.
    pub fx_rate: FxRate,
    /// Its lines in their order.
    pub lines: Vec<Line>,
    /// What it means for taxes.
    pub tax_tags: Vec<TaxTag>,
    /// What made it; `None` for a manual entry.
    pub source: Option<Source>,
    /// The entry that it undoes; only a reversal has one.
    pub reverses: Option<JournalEntryId>,
    /// Whether it belongs to the closing of a year: a regularisation, a closing, or what reverses one of these.
    pub closes_year: bool,
    /// Whether it carries what a closed year left into the next one: an opening, or what reverses one.
    pub opens_year: bool,
    /// Whether it counts.
    pub status: EntryStatus,
    /// An integrator's own data.
    pub extension: Extension,
    /// Counts its changes.
    pub version: Version,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Whether an entry counts, and what has happened to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryStatus {
    /// It does not count yet.
    Draft,
    /// It counts.
    Posted {
        /// How it was posted.
        posting: Posting,
    },
    /// It counts, and so does another entry that undoes it.
    Reversed {
        /// How it was posted.
        posting: Posting,
        /// The entry that undoes it.
        by: JournalEntryId,
    },
}

svc_core::state_names!(EntryStatus {
    Draft = "draft",
    Posted { .. } = "posted",
    Reversed { .. } = "reversed",
});

/// How an entry was posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// The fiscal year that counts it.
    pub year: FiscalYearId,
    /// Its number in that year, from 1 without gaps, in the order of posting.
    pub number: u64,
    /// The hash of the entry before it in the year; `None` for the first one.
    pub previous_hash: Option<EntryHash>,
    /// The hash of its own.
    pub hash: EntryHash,
    /// When it was posted.
    pub at: Timestamp,
    /// The person who posted it; `None` for an integration or the service itself.
    pub by: Option<UserId>,
}

/// Why an entry cannot be changed or deleted; each is a conflict.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum ChangeRefused {
    /// It is posted: `entry_posted`. Its description, reference and files can still be changed.
    #[error("the entry is posted: reverse it instead")]
    Posted,
    /// Something else made it and keeps it: `entry_not_manual`.
    #[error("the entry was made by its source and changes only with it")]
    NotManual,
}

impl EntryStatus {
    /// How the entry was posted, unless it is a draft.
    #[must_use]
    pub const fn posting(&self) -> Option<&Posting> {
        match self {
            Self::Draft => None,
            Self::Posted { posting } | Self::Reversed { posting, .. } => Some(posting),
        }
    }
}

impl Entry {
    /// What its lines add up to.
    ///
    /// # Errors
    /// [`MoneyError`] when a sum is out of range.
    pub fn totals(&self) -> Result<Totals, MoneyError> {
        Totals::of(&self.lines, self.base_currency)
    }

    /// Judges whether a client may change what it moves, or delete it.
    ///
    /// # Errors
    /// [`ChangeRefused`].
    pub fn judge_change(&self) -> Result<(), ChangeRefused> {
        self.judge_source_change()?;
        if self.kind == EntryKind::Manual { Ok(()) } else { Err(ChangeRefused::NotManual) }
    }

    /// Judges whether what made it may replace or delete it.
    ///
    /// # Errors
    /// [`ChangeRefused::Posted`].
    pub fn judge_source_change(&self) -> Result<(), ChangeRefused> {
        match self.status {
            EntryStatus::Draft => Ok(()),
            EntryStatus::Posted { .. } | EntryStatus::Reversed { .. } => Err(ChangeRefused::Posted),
        }
    }
}

impl Resource for Entry {
    const NAME: &'static str = "journal_entry";
    type Id = JournalEntryId;
    type Filter = EntryFilter;
    type SortKey = EntrySort;

    fn id(&self) -> JournalEntryId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl Record for Entry {
    type Unit = DynBooksUnit;
    const CREATED: Option<&'static EventDeclaration> = Some(event("journal_entry.create"));
    const CHANGED: Option<&'static EventDeclaration> = Some(event("journal_entry.update"));

    fn store(unit: &DynBooksUnit) -> &dyn ResourceStore<Self> {
        unit.journal()
    }

    fn stamped(self, version: Version, updated_at: Timestamp) -> Self {
        Self { version, updated_at, ..self }
    }
}
