//! A line with what a list shows of its entry.

use svc_core::id::{AccountId, JournalEntryId, JournalLineId};
use svc_core::money::Currency;
use svc_core::resource::{Resource, Version};
use time::Date;

use super::{EntryStatusFilter, LineFilter, LineSort};
use crate::books::entry::{EntryKind, Line};

/// A line of an entry, with what a list shows of the entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalLine {
    /// The company in whose journal it stands.
    pub company: AccountId,
    /// Its entry.
    pub entry: JournalEntryId,
    /// Its place in the entry, from 0.
    pub position: u32,
    /// The number of the entry, unless it is a draft.
    pub number: Option<u64>,
    /// Where the entry is in its life.
    pub status: EntryStatusFilter,
    /// Why the entry is there.
    pub kind: EntryKind,
    /// The day on which it counts.
    pub date: Date,
    /// The currency of the books.
    pub base_currency: Currency,
    /// The currency of the entry.
    pub currency: Currency,
    /// Whether the entry belongs to the closing of a year.
    pub closes_year: bool,
    /// The line itself.
    pub line: Line,
}

impl Resource for JournalLine {
    const NAME: &'static str = "journal_line";
    type Id = JournalLineId;
    type Filter = LineFilter;
    type SortKey = LineSort;

    fn id(&self) -> JournalLineId {
        self.line.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        Version::FIRST
    }
}
