//! Where a document is in its life, with what is known there.

use svc_core::clock::Timestamp;
use svc_core::id::{ContactId, FixedAssetId, JournalEntryId};
use time::Date;

use super::{Counterparty, Settlement, State};
use crate::books::entry::FxRate;
use crate::purchases::register::RegisterNumber;
use crate::purchases::supplier::{SupplierType, WithholdingKey};
use crate::trade::Rate;

/// Where a document is in its life. Being paid is another axis: see [`Settlement`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It may change in everything.
    Received {
        /// What was said for its approval.
        plan: Plan,
    },
    /// It counts.
    Approved {
        /// What was fixed when it was approved, and what has happened since.
        approval: Box<Approval>,
    },
    /// It does not count, and can be taken up again.
    Rejected {
        /// What was said for its approval.
        plan: Plan,
        /// Why it does not count.
        rejection: Rejection,
    },
    /// It was undone; its number stays used.
    Voided {
        /// What was fixed when it was approved, and what happened before it was voided.
        approval: Box<Approval>,
        /// How it was voided.
        void: Void,
    },
}

/// What was said of a document for its approval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The day on which it is booked and its tax deducted; that on which it was received when there is none.
    pub accounting_date: Option<Date>,
    /// When it is to be paid; by the supplier's term when there is none.
    pub due_date: Option<Date>,
    /// How many units of the base currency one of its own is.
    pub fx_rate: Option<FxRate>,
}

/// What was fixed when a document was approved, and what has happened since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// Its place in the book of received documents; an expense has none.
    pub register: Option<RegisterNumber>,
    /// The contact of the supplier.
    pub contact: ContactId,
    /// The supplier as it was then.
    pub supplier: Counterparty,
    /// Decides the account of what is owed.
    pub supplier_type: SupplierType,
    /// For what tax is withheld.
    pub withholding_key: WithholdingKey,
    /// The day on which it is booked and its tax deducted.
    pub accounting_date: Date,
    /// When it is to be paid: not before it was issued.
    pub due_date: Date,
    /// How many units of the base currency one of its own is.
    pub fx_rate: FxRate,
    /// How much of the tax can be deducted of lines that do not say.
    pub pro_rata: Rate,
    /// Tax that the company owes itself fell due in a period whose return had gone out: it is declared with the day of
    /// accounting.
    pub late_tax: bool,
    /// When it was approved.
    pub approved_at: Timestamp,
    /// What is payable, paid and due.
    pub settlement: Settlement,
    /// The entry in the journal.
    pub journal_entry: Option<JournalEntryId>,
    /// The fixed assets that its lines became, drafts at first.
    pub assets: Vec<FixedAssetId>,
}

/// Why a document does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// For people: 1 to 500 characters.
    pub reason: String,
    /// When it was rejected.
    pub at: Timestamp,
}

/// How a document was voided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Void {
    /// Why: 1 to 500 characters.
    pub reason: String,
    /// When.
    pub at: Timestamp,
}

impl Status {
    /// Where it is, without what is known there.
    #[must_use]
    pub const fn state(&self) -> State {
        match self {
            Self::Received { .. } => State::Received,
            Self::Approved { .. } => State::Approved,
            Self::Rejected { .. } => State::Rejected,
            Self::Voided { .. } => State::Voided,
        }
    }

    /// What was fixed when it was approved; `None` of one that never was.
    #[must_use]
    pub fn approval(&self) -> Option<&Approval> {
        match self {
            Self::Received { .. } | Self::Rejected { .. } => None,
            Self::Approved { approval } | Self::Voided { approval, .. } => Some(approval),
        }
    }
}
