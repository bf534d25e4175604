//! What a report asks a store for, and what it is told.

use svc_core::id::{ContactId, JournalEntryId};
use svc_core::money::Amount;
use time::Date;

use crate::books::account::AccountCode;
use crate::books::entry::TaxTag;
use crate::books::report::Period;

/// Which posted lines a general ledger shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerQuery {
    /// The days.
    pub period: Period,
    /// `accountCode`
    pub account: Option<AccountCode>,
    /// `accountPrefix`: what the codes begin with.
    pub prefix: Option<AccountCode>,
    /// `contactId`
    pub contact: Option<ContactId>,
}

/// What the posted lines of one contact add up to that are due on the same day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueSum {
    /// With whom.
    pub contact: Option<ContactId>,
    /// When they are due: on their date where nothing is said.
    pub due: Date,
    /// All debits.
    pub debit: Amount,
    /// All credits.
    pub credit: Amount,
}

/// A tax tag of a posted entry, with what a register shows of the entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaggedEntry {
    /// The entry.
    pub entry: JournalEntryId,
    /// Its number in its year.
    pub number: u64,
    /// The day on which it counts.
    pub date: Date,
    /// The number of a paper that it refers to.
    pub reference: Option<String>,
    /// The tag.
    pub tag: TaxTag,
}

impl LedgerQuery {
    /// What the codes of the accounts begin with.
    pub(super) fn digits(&self) -> Option<AccountCode> {
        self.account.or(self.prefix)
    }

    /// Whether an account is one of those that are shown.
    pub(super) fn shows(&self, code: AccountCode) -> bool {
        let named = self.account.is_none_or(|account| account == code);
        named && self.prefix.is_none_or(|prefix| code.starts_with(prefix.as_str()))
    }
}
