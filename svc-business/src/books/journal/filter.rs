//! What lists of entries and of their lines can be narrowed and sorted by.

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, ContactId, JournalEntryId};
use svc_core::money::Amount;
use time::Date;

use crate::books::account::AccountCode;
use crate::books::entry::EntryKind;

/// The statuses that lists can be narrowed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryStatusFilter {
    /// `draft`
    Draft,
    /// `posted`
    Posted,
    /// `reversed`
    Reversed,
}

svc_core::wire_names!(EntryStatusFilter { Draft = "draft", Posted = "posted", Reversed = "reversed" });

/// What a list of entries can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryFilter {
    /// The company, or all within the scope.
    pub companies: Vec<AccountId>,
    /// `status`
    pub status: Option<EntryStatusFilter>,
    /// `kind`
    pub kind: Option<EntryKind>,
    /// `sourceType`: the kind of record that made it.
    pub source_type: Option<String>,
    /// `sourceId`: the record that made it.
    pub source_id: Option<String>,
    /// `q`: a part of a description, of the reference or of the number.
    pub text: Option<String>,
    /// `externalId`
    pub external_id: Option<String>,
    /// `updatedSince`
    pub updated_since: Option<Timestamp>,
    /// `from`: dated on this day or later.
    pub from: Option<Date>,
    /// `to`: dated on this day or earlier.
    pub to: Option<Date>,
}

/// What a list of entries can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntrySort {
    /// `date`, then the number; drafts first among those of a day.
    Date,
    /// `updatedAt`
    UpdatedAt,
}

/// What a list of lines can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineFilter {
    /// The company, or all within the scope.
    pub companies: Vec<AccountId>,
    /// `entryStatus`: posted and reversed ones, which count, when none is named.
    pub statuses: Vec<EntryStatusFilter>,
    /// `accountCode`
    pub account: Option<AccountCode>,
    /// `accountPrefix`: what the code begins with.
    pub prefix: Option<AccountCode>,
    /// `contactId`
    pub contact: Option<ContactId>,
    /// `entryId`
    pub entry: Option<JournalEntryId>,
    /// `kind`
    pub kind: Option<EntryKind>,
    /// `q`: a part of a text of their entry.
    pub text: Option<String>,
    /// Only of these entries: those that have the text.
    pub entries: Option<Vec<JournalEntryId>>,
    /// `updatedSince`: of the entry.
    pub updated_since: Option<Timestamp>,
    /// `from`: dated on this day or later.
    pub from: Option<Date>,
    /// `to`: dated on this day or earlier.
    pub to: Option<Date>,
    /// Only those that move this much in its currency: more than zero is a debit.
    pub moved: Option<Amount>,
}

/// What a list of lines can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineSort {
    /// `date`, then the number and the position.
    Date,
}
