//! What is known that a movement may stand for.

use svc_core::id::ContactId;

use crate::bank::movement::PaidDocument;
use crate::books::account::AccountCode;
use crate::invoicing::{DueDocument, UnmatchedPayment};

/// What is known that a movement may stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Documents to which the amount, the texts or the other side of the movement lead. What is due is in the currency of
    /// the movement and has its sign.
    pub due: Vec<DueDocument<PaidDocument>>,
    /// Payments of the amount of the movement, within five days of it, through its account or none.
    pub unmatched: Vec<UnmatchedPayment>,
    /// Contacts with the account of the other side.
    pub with_iban: Vec<ContactId>,
    /// Contacts whose tax ids are in the texts.
    pub with_tax_id: Vec<ContactId>,
    /// The account on which movements with this text were booked, three times or more.
    pub booked_on: Option<AccountCode>,
}
