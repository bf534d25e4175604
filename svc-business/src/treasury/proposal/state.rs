//! What a proposal is.

use sha2::{Digest as _, Sha256};
use svc_core::id::{
    BankProposalId, ContactId, PaymentId, SalesDocumentId, SupplierDocumentId, TaxReturnId, TypedId as _,
};
use svc_core::money::Amount;
use time::Date;

use crate::books::account::AccountCode;
use crate::half_digest::half_of;

/// What a movement may stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Tells it from others of the movement, and stays as long as it proposes the same.
    pub id: BankProposalId,
    /// How likely it is, from 1 to 100.
    pub score: u8,
    /// Why, the weightiest first.
    pub reasons: Vec<Reason>,
    /// The parts, which add up to the movement.
    pub parts: Vec<ProposedPart>,
    /// The day of the oldest document, return or payment: of two proposals with one score that with the older one comes first.
    pub(super) since: Option<Date>,
}

/// A part of a movement, and what it may stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedPart {
    /// With the sign of what the account gained.
    pub amount: Amount,
    /// What it may stand for.
    pub target: ProposedTarget,
    /// The number of the document, or what the tax return is called.
    pub number: Option<String>,
    /// Whom the document is with.
    pub contact: Option<ContactId>,
}

impl ProposedPart {
    pub(super) const fn new(amount: Amount, target: ProposedTarget) -> Self {
        Self { amount, target, number: None, contact: None }
    }
}

/// What a part of a movement may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProposedTarget {
    /// A sales document: `invoice`
    Invoice(SalesDocumentId),
    /// A supplier document: `supplier_document`
    SupplierDocument(SupplierDocumentId),
    /// A payment that was recorded before: `payment`
    Payment(PaymentId),
    /// An account of the ledger: `account`
    Account(AccountCode),
    /// A tax return: `tax_return`
    TaxReturn(TaxReturnId),
}

/// Why something is proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A payment of the same amount was recorded within five days, through this account or none: `payment_recorded`
    PaymentRecorded,
    /// Movements with this text were booked on this account three times or more: `text_known`
    TextKnown,
    /// The amount is what is due of the document or the tax return: `amount_due`
    AmountDue,
    /// The amount is what is due of two or three documents of one contact: `amounts_due`
    AmountsDue,
    /// The number of the document, or of the receipt of the tax return, is in the text: `number_in_text`
    NumberInText,
    /// The text tells of the tax agency, of taxes, or of the model of the tax return: `taxes_in_text`
    TaxesInText,
    /// The account of the other side is that of the contact: `iban`
    Iban,
    /// The tax id of the contact is in the text: `tax_id_in_text`
    TaxIdInText,
    /// The name of the other side is like that of the contact: `name_alike`
    NameAlike,
    /// The document or the tax return is due within ten days of the movement: `due_date_near`
    DueDateNear,
}

svc_core::wire_names!(Reason {
    PaymentRecorded = "payment_recorded",
    TextKnown = "text_known",
    AmountDue = "amount_due",
    AmountsDue = "amounts_due",
    NumberInText = "number_in_text",
    TaxesInText = "taxes_in_text",
    Iban = "iban",
    TaxIdInText = "tax_id_in_text",
    NameAlike = "name_alike",
    DueDateNear = "due_date_near",
});

impl Reason {
    /// What it adds to the score.
    #[must_use]
    pub const fn weight(self) -> u8 {
        match self {
            Self::PaymentRecorded => 80,
            Self::TextKnown => 60,
            Self::AmountDue => 50,
            Self::AmountsDue => 40,
            Self::NumberInText | Self::TaxesInText => 30,
            Self::Iban | Self::TaxIdInText => 20,
            Self::NameAlike => 10,
            Self::DueDateNear => 5,
        }
    }
}

/// The id of what has these parts: [half a digest](half_of) of them.
pub(super) fn id_of(parts: &[ProposedPart]) -> BankProposalId {
    let mut hash = Sha256::new();
    for part in parts {
        let target = match part.target {
            ProposedTarget::Invoice(id) => id.to_string(),
            ProposedTarget::SupplierDocument(id) => id.to_string(),
            ProposedTarget::Payment(id) => id.to_string(),
            ProposedTarget::Account(code) => code.to_string(),
            ProposedTarget::TaxReturn(id) => id.to_string(),
        };
        hash.update(format!("{target} {};", part.amount.minor()));
    }
    BankProposalId::from_uuid(half_of(hash))
}
