//! By what a document is paid.

use svc_core::id::{BankAccountId, BankMovementId, PaymentId, SupplierDocumentId};

use crate::contact;
use crate::invoicing::input::PayMethod;
use crate::invoicing::{self, ByMoney, Money};

/// A payment of a document.
pub type Payment = invoicing::Payment<Means>;

/// The payments of a document with what they leave.
pub type Settlement = invoicing::Settlement<Means>;

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
    /// A document of the same supplier with the opposite sign, which has an equal opposite payment.
    Offset {
        /// The other document.
        document: SupplierDocumentId,
        /// Its payment.
        payment: PaymentId,
    },
}

impl Means {
    /// The name of the method.
    #[must_use]
    pub const fn method(&self) -> PayMethod {
        match self {
            Self::Money { method, .. } => match method {
                contact::PaymentMethod::Transfer => PayMethod::Transfer,
                contact::PaymentMethod::DirectDebit => PayMethod::DirectDebit,
                contact::PaymentMethod::Card => PayMethod::Card,
                contact::PaymentMethod::Cash => PayMethod::Cash,
                contact::PaymentMethod::Bill => PayMethod::Bill,
                contact::PaymentMethod::Other => PayMethod::Other,
            },
            Self::Offset { .. } => PayMethod::Offset,
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
            Self::Offset { .. } => None,
        }
    }
}
