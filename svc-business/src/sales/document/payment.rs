//! Payments of a document.

use svc_core::id::{BankAccountId, BankMovementId, PaymentId, SalesDocumentId};

use crate::contact;
use crate::invoicing::{self, ByMoney, Money};

/// A payment of a document.
pub type Payment = invoicing::Payment<Means>;

/// By what a document is paid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Means {
    /// Money.
    Money {
        /// How it moved.
        method: contact::PaymentMethod,
        /// The bank account that it moved on, as far as known.
        bank_account: Option<BankAccountId>,
        /// The movement that was reconciled with it.
        movement: Option<BankMovementId>,
    },
    /// A document of the same customer with the opposite sign, which has an equal opposite payment.
    Offset {
        /// The other document.
        document: SalesDocumentId,
        /// Its payment.
        payment: PaymentId,
    },
    /// A rectifying document that takes the place of this one, or the one whose place this one takes.
    Replacement {
        /// The other document.
        document: SalesDocumentId,
    },
}

/// How a payment is made, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaymentMethod {
    /// `transfer`
    Transfer,
    /// `direct_debit`
    DirectDebit,
    /// `card`
    Card,
    /// `cash`
    Cash,
    /// `bill`
    Bill,
    /// `other`
    Other,
    /// Against another document: `offset`
    Offset,
    /// By a rectifying document, never by a client: `replacement`
    Replacement,
}

svc_core::wire_names!(PaymentMethod {
    Transfer = "transfer",
    DirectDebit = "direct_debit",
    Card = "card",
    Cash = "cash",
    Bill = "bill",
    Other = "other",
    Offset = "offset",
    Replacement = "replacement",
});

impl From<contact::PaymentMethod> for PaymentMethod {
    fn from(method: contact::PaymentMethod) -> Self {
        match method {
            contact::PaymentMethod::Transfer => Self::Transfer,
            contact::PaymentMethod::DirectDebit => Self::DirectDebit,
            contact::PaymentMethod::Card => Self::Card,
            contact::PaymentMethod::Cash => Self::Cash,
            contact::PaymentMethod::Bill => Self::Bill,
            contact::PaymentMethod::Other => Self::Other,
        }
    }
}

impl Means {
    /// The name of the method.
    #[must_use]
    pub fn method(&self) -> PaymentMethod {
        match self {
            Self::Money { method, .. } => (*method).into(),
            Self::Offset { .. } => PaymentMethod::Offset,
            Self::Replacement { .. } => PaymentMethod::Replacement,
        }
    }
}

impl From<Money> for Means {
    fn from(Money { method, bank_account, movement }: Money) -> Self {
        Self::Money { method, bank_account, movement }
    }
}

impl ByMoney for Means {
    fn money(&self) -> Option<Money> {
        match *self {
            Self::Money { method, bank_account, movement } => Some(Money { method, bank_account, movement }),
            Self::Offset { .. } | Self::Replacement { .. } => None,
        }
    }
}
