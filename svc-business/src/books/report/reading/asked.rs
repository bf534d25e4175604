//! What a report asks a store for, and what it is told.

use svc_core::id::{AccountId, ContactId, JournalEntryId};
use svc_core::money::Amount;
use time::Date;

use crate::books::account::AccountCode;
use crate::books::entry::TaxTag;
use crate::books::report::{AgedSide, Period};

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

/// What the posted lines of one contact add up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenBalance {
    /// With whom.
    pub contact: Option<ContactId>,
    /// Debits minus credits; not zero.
    pub balance: Amount,
}

/// Which lines of contacts are summed by the days on which they are due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueQuery {
    /// On which accounts.
    pub side: AgedSide,
    /// Those that count when this day ends.
    pub as_of: Date,
    /// Their debits, or else their credits.
    pub debits: bool,
    /// So many days of each contact at most.
    pub days: u32,
}

/// What one contact was charged, or paid, that is due on the same day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueSum {
    /// With whom.
    pub contact: Option<ContactId>,
    /// When it is due: on its date where nothing is said.
    pub due: Date,
    /// What it adds up to; more than zero.
    pub amount: Amount,
}

/// What is counted of the postings of a company: posted entries never change, so their number says whether there are others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CountedIn {
    /// The company.
    pub company: AccountId,
    /// What.
    pub what: Counted,
    /// In these days.
    pub period: Period,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Counted {
    /// Tax tags, by the days on which their taxes fell due.
    Tags,
    /// Entries, by their dates.
    Entries,
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
    /// The received document that it stands for, or that the entry stands for which it undoes.
    pub received: Option<ReceivedDocument>,
    /// The tag.
    pub tag: TaxTag,
}

/// A received document, as far as a register shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReceivedDocument {
    /// When its supplier issued it.
    pub issue_date: Date,
    /// Its number in the book of received documents of its year.
    pub register_number: Option<u64>,
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
