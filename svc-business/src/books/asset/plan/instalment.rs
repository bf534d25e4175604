//! What an asset loses in one period.

use svc_core::id::JournalEntryId;
use svc_core::money::Amount;
use time::Date;

/// What an asset loses in one period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instalment {
    /// The number of the period, from 1. A period in which nothing is lost has no instalment.
    pub period: u32,
    /// The first day of the period.
    pub from: Date,
    /// The last day of the period, on which the entry is dated.
    pub to: Date,
    /// What is lost in it, more than zero.
    pub amount: Amount,
    /// What is lost when it ends, opening included.
    pub accumulated: Amount,
    /// What the asset is still worth then.
    pub carrying: Amount,
    /// Whether the journal has it.
    pub status: InstalmentStatus,
}

/// Whether the journal has an instalment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstalmentStatus {
    /// Not yet; a change of the terms changes it.
    Planned,
    /// It does, and no change of the terms changes it.
    Posted {
        /// The entry.
        entry: JournalEntryId,
    },
}

svc_core::state_names!(InstalmentStatus { Planned = "planned", Posted { .. } = "posted" });

/// An instalment that the journal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostedInstalment {
    /// The number of its period.
    pub period: u32,
    /// The first day of the period.
    pub from: Date,
    /// The last day of the period.
    pub to: Date,
    /// What was lost in it.
    pub amount: Amount,
    /// The entry.
    pub entry: JournalEntryId,
}
