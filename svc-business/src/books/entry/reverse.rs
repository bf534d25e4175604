//! Reversing: a second entry undoes a posted one.

use svc_core::clock::Timestamp;
use svc_core::id::{JournalEntryId, JournalLineId, UserId};
use svc_core::resource::Version;
use thiserror::Error;
use time::Date;

use super::{Books, Entry, EntryKind, EntryStatus, PostRefused};
use crate::party::Extension;

/// How an entry is undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reversal {
    /// The id of the new entry.
    pub id: JournalEntryId,
    /// The day on which it counts.
    pub date: Date,
    /// What it is about; the text of the original when missing.
    pub description: Option<String>,
    /// The date of its tax tags; those of the original when missing. Once the return of the original's period is
    /// submitted, what is undone belongs to a later one.
    pub tax_date: Option<Date>,
}

/// An entry that was undone, and the one that does it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reversed {
    /// The entry, marked.
    pub original: Entry,
    /// The entry that undoes it, posted.
    pub reversal: Entry,
}

/// Why an entry cannot be reversed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ReverseRefused {
    /// It does not count yet: `entry_not_posted`, a conflict.
    #[error("the entry is a draft: change or delete it")]
    Draft,
    /// Another entry undoes it: `entry_reversed`, a conflict.
    #[error("the entry is reversed by {by}")]
    Reversed {
        /// The entry that undoes it.
        by: JournalEntryId,
    },
    /// It closes or opens a fiscal year: `entry_not_manual`, a conflict.
    #[error("the entry closes or opens a fiscal year: open that year again instead")]
    OfYear,
    /// A fixed asset counts it: `entry_not_manual`, a conflict.
    #[error("the entry is what a fixed asset lost, or its end: change the asset, whose next entries follow")]
    OfAsset,
    /// A bank movement stands against one of its lines: `movement_reconciled`, a conflict.
    #[error("a bank movement stands against a line of the entry: undo its reconciliation first")]
    Matched,
    /// The new entry cannot be posted.
    #[error(transparent)]
    Post(#[from] PostRefused),
}

impl Entry {
    /// The entry undone: the same lines and tags with every sign turned, posted in `books`, which are those of the
    /// reversal's date. `line_id` makes the ids of the new lines.
    ///
    /// Accounts are not judged again: what was posted to an account can be undone though it is archived since.
    ///
    /// # Errors
    /// [`ReverseRefused`].
    pub fn reverse(
        self,
        reversal: Reversal,
        books: &Books<'_>,
        at: Timestamp,
        by: Option<UserId>,
        mut line_id: impl FnMut() -> JournalLineId,
    ) -> Result<Reversed, ReverseRefused> {
        let posting = match self.status {
            EntryStatus::Draft => return Err(ReverseRefused::Draft),
            EntryStatus::Reversed { by, .. } => return Err(ReverseRefused::Reversed { by }),
            EntryStatus::Posted { posting } => posting,
        };
        let Reversal { id, date, description, tax_date } = reversal;
        let entry = Self {
            id,
            kind: EntryKind::Reversal,
            date,
            description: description.unwrap_or_else(|| self.description.clone()),
            lines: self.lines.iter().map(|line| line.mirrored(line_id())).collect(),
            tax_tags: self.tax_tags.iter().map(|tag| tag.negated(tax_date)).collect(),
            source: None,
            reverses: Some(self.id),
            status: EntryStatus::Draft,
            extension: Extension::default(),
            version: Version::FIRST,
            created_at: at,
            updated_at: at,
            ..self.clone()
        };
        books.judge(&entry)?;
        let reversal = entry.sealed(books, at, by)?;
        let status = EntryStatus::Reversed { posting, by: id };
        Ok(Reversed { original: Self { status, ..self }, reversal })
    }
}
