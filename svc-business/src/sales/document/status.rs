//! Where a document is in its life, with what is known there.

use svc_core::clock::Timestamp;
use svc_core::id::{JournalEntryId, SeriesId};
use time::Date;

use super::{Customer, Issuer, RectifiedBy, Replaced, Settlement, State};
use crate::books::entry::FxRate;
use crate::sales::series::DocumentNumber;
use crate::sales::verifactu::{Annulment, Compliance, Registration};

/// Where a document is in its life. Being paid is another axis: see [`Settlement`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It may change in everything, and go away.
    Draft {
        /// What was said for its issue.
        plan: Plan,
    },
    /// It counts.
    Issued {
        /// What was fixed when it was issued, and what has happened since.
        issue: Box<Issue>,
    },
    /// It was undone; its number stays used.
    Voided {
        /// What was fixed when it was issued, and what happened before it was voided.
        issue: Box<Issue>,
        /// How it was voided.
        void: Void,
    },
}

/// What was said of a draft for its issue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The series; the default one of its type when there is none.
    pub series: Option<SeriesId>,
    /// The day of issue; the very day when there is none.
    pub issue_date: Option<Date>,
    /// When it is to be paid, or until when a quote holds; by the customer's term when there is none.
    pub due_date: Option<Date>,
    /// How many units of the base currency one of its own is.
    pub fx_rate: Option<FxRate>,
}

/// What was fixed when a document was issued, and what has happened since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The series that numbered it.
    pub series: SeriesId,
    /// Its number.
    pub number: DocumentNumber,
    /// Its place in the series, and in the year where the series begins anew with each.
    pub sequence: u32,
    /// The day of issue.
    pub issue_date: Date,
    /// When it is to be paid, or until when a quote holds: not before it was issued.
    pub due_date: Date,
    /// How many units of the base currency one of its own is.
    pub fx_rate: FxRate,
    /// Its tax fell due in a period whose return had gone out: it is declared with the day of issue.
    pub late_tax: bool,
    /// The customer as it was then; a simplified invoice may have none.
    pub customer: Option<Customer>,
    /// The company as it was then.
    pub issuer: Issuer,
    /// What a substitution took the place of.
    pub replaced: Option<Replaced>,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// What is payable, paid and due.
    pub settlement: Settlement,
    /// The documents that put it right, in the order of their issue.
    pub rectifications: Vec<RectifiedBy>,
    /// When a mail server first took it.
    pub sent_at: Option<Timestamp>,
    /// How its last sending ended.
    pub last_send: Option<LastSend>,
    /// Its record for the tax office; a document that does not count for taxes has none.
    pub compliance: Option<Compliance<Registration>>,
    /// The entry in the journal.
    pub journal_entry: Option<JournalEntryId>,
}

/// How a document was voided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Void {
    /// Why: 1 to 500 characters.
    pub reason: String,
    /// When.
    pub at: Timestamp,
    /// Its record for the tax office.
    pub compliance: Option<Compliance<Annulment>>,
}

/// How the last sending of a document ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastSend {
    /// How.
    pub status: SendStatus,
    /// When.
    pub at: Timestamp,
}

/// How a sending ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendStatus {
    /// A mail server took it: `accepted`
    Accepted,
    /// None did: `failed`
    Failed,
}

svc_core::wire_names!(SendStatus { Accepted = "accepted", Failed = "failed" });

impl Status {
    /// Where it is, without what is known there.
    #[must_use]
    pub const fn state(&self) -> State {
        match self {
            Self::Draft { .. } => State::Draft,
            Self::Issued { .. } => State::Issued,
            Self::Voided { .. } => State::Voided,
        }
    }

    /// What was fixed when it was issued; `None` of a draft.
    #[must_use]
    pub fn issue(&self) -> Option<&Issue> {
        match self {
            Self::Draft { .. } => None,
            Self::Issued { issue } | Self::Voided { issue, .. } => Some(issue),
        }
    }
}
