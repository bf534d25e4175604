//! The chain of the posted entries of a year.

use svc_core::id::{FiscalYearId, JournalEntryId};
use thiserror::Error;

use super::{Entry, EntryHash};

/// The last posted entry of a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The year that counts it.
    pub year: FiscalYearId,
    /// Its number.
    pub number: u64,
    /// Its hash.
    pub hash: EntryHash,
}

/// The first entry at which a chain stops being the one that was written.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Broken {
    /// The entry is a draft, or counted by another year.
    #[error("entry {entry} is not one of the year")]
    Foreign {
        /// The entry.
        entry: JournalEntryId,
    },
    /// A number is missing, double or out of order.
    #[error("entry {entry} has number {found} in place of {expected}")]
    Number {
        /// The entry.
        entry: JournalEntryId,
        /// The number that should follow.
        expected: u64,
        /// The number that follows.
        found: u64,
    },
    /// The entry was written after another one than the one before it.
    #[error("entry {entry} does not follow the one before it")]
    Previous {
        /// The entry.
        entry: JournalEntryId,
    },
    /// The entry is not what was posted.
    #[error("entry {entry} is not what was posted")]
    Hash {
        /// The entry.
        entry: JournalEntryId,
    },
}

impl Broken {
    /// The entry.
    #[must_use]
    pub const fn entry(&self) -> JournalEntryId {
        match self {
            Self::Foreign { entry }
            | Self::Number { entry, .. }
            | Self::Previous { entry }
            | Self::Hash { entry } => *entry,
        }
    }
}

/// Verifies entries of a year in the order of their numbers, from the first one or from where an earlier call ended;
/// answers the last of them.
///
/// Entries that were cut off at the end leave no trace in the others: hold the answer against the head that the store
/// keeps of the year.
///
/// # Errors
/// [`Broken`] at the first entry that does not fit.
pub fn verify_chain<'a>(
    year: FiscalYearId,
    after: Option<Head>,
    entries: impl IntoIterator<Item = &'a Entry>,
) -> Result<Option<Head>, Broken> {
    let mut last = after;
    for entry in entries {
        last = Some(verify(year, last, entry)?);
    }
    Ok(last)
}

fn verify(year: FiscalYearId, last: Option<Head>, entry: &Entry) -> Result<Head, Broken> {
    let entry_id = entry.id;
    let posting = entry.status.posting().filter(|posting| posting.year == year);
    let posting = posting.ok_or(Broken::Foreign { entry: entry_id })?;
    let expected = last.map_or(1, |head| head.number.saturating_add(1));
    let found = posting.number;
    if found != expected {
        return Err(Broken::Number { entry: entry_id, expected, found });
    }
    if posting.previous_hash != last.map(|head| head.hash) {
        return Err(Broken::Previous { entry: entry_id });
    }
    if EntryHash::of(entry, posting) != posting.hash {
        return Err(Broken::Hash { entry: entry_id });
    }
    Ok(Head { year, number: found, hash: posting.hash })
}
