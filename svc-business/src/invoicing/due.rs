//! What leads from money that moved to documents and payments.

use svc_core::id::{BankAccountId, ContactId, PaymentId};
use svc_core::money::Amount;
use time::Date;

use crate::party::search_key;

/// A document of which something is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueDocument<I> {
    /// The document.
    pub document: I,
    /// Its number, as the company or the supplier gave it.
    pub number: Option<String>,
    /// Whom it is with.
    pub contact: Option<ContactId>,
    /// The name of the contact on the document.
    pub name: Option<String>,
    /// What is due.
    pub due: Amount,
    /// When.
    pub due_date: Option<Date>,
    /// When it was issued.
    pub issued: Date,
}

impl<I> DueDocument<I> {
    /// The same, named otherwise.
    pub(crate) fn of<J>(self, document: impl FnOnce(I) -> J) -> DueDocument<J> {
        let Self { document: id, number, contact, name, due, due_date, issued } = self;
        DueDocument { document: document(id), number, contact, name, due, due_date, issued }
    }
}

/// What leads to documents of which something is due, in one currency and with one sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueLeads {
    /// All that is due of a document, in its currency and with its sign.
    pub due: Amount,
    /// Around which days it is due: of too many documents these come first, and then those that were due first.
    pub near: [Date; 2],
    /// Numbers in their [compact form](compact_number).
    pub numbers: Vec<String>,
    /// Contacts, each with the documents that were due first.
    pub contacts: Vec<ContactId>,
}

/// What leads to payments of money that no movement of a bank account stands against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaymentLeads {
    /// The payment, in its currency and with the sign of what is payable.
    pub amount: Amount,
    /// Between which days it was paid.
    pub days: [Date; 2],
    /// The bank account that it names, if it names any.
    pub bank_account: BankAccountId,
}

/// A payment of money that no movement of a bank account stands against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnmatchedPayment {
    /// The payment.
    pub payment: PaymentId,
    /// When it was paid.
    pub date: Date,
}

/// The letters and digits of a number in lower case, by which banks and people write it alike: `f202500042`.
#[must_use]
pub fn compact_number(number: &str) -> String {
    search_key(number).chars().filter(|letter| letter.is_alphanumeric()).collect()
}
