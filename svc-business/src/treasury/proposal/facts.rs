//! What is known that a movement may stand for.

use svc_core::id::{ContactId, TaxReturnId};
use time::Date;

use crate::bank::movement::PaidDocument;
use crate::books::account::AccountCode;
use crate::invoicing::{DueDocument, UnmatchedPayment};
use crate::tax::returns::Model;

/// What is known that a movement may stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Documents to which the amount, the texts or the other side of the movement lead. What is due is in the currency of
    /// the movement and has its sign.
    pub due: Vec<DueDocument<PaidDocument>>,
    /// Payments of the amount of the movement, within five days of it, through its account or none.
    pub unmatched: Vec<UnmatchedPayment>,
    /// Filed tax returns of which the amount of the movement is left.
    pub returns: Vec<DueReturn>,
    /// Contacts with the account of the other side.
    pub with_iban: Vec<ContactId>,
    /// Contacts whose tax ids are in the texts.
    pub with_tax_id: Vec<ContactId>,
    /// The account on which movements with this text were booked, three times or more.
    pub booked_on: Option<AccountCode>,
}

/// A filed tax return of which something is left to be paid, or refunded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueReturn {
    /// The return.
    pub declared: TaxReturnId,
    /// Its model.
    pub model: Model,
    /// What it is called.
    pub name: String,
    /// The number of the receipt with which it was filed.
    pub receipt: Option<String>,
    /// The last day of its period.
    pub ends: Date,
    /// The last day on which it is in time.
    pub due_date: Date,
}
