//! What a movement stands for.

use svc_core::clock::Timestamp;
use svc_core::id::{
    BankAccountId, JournalEntryId, JournalLineId, PaymentId, SalesDocumentId, SupplierDocumentId,
    TaxReturnId, UserId,
};
use svc_core::money::Amount;

use super::BankMovementStatus;
use crate::books::account::AccountCode;

/// What became of a movement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum MovementState {
    /// It waits to be reconciled.
    #[default]
    Pending,
    /// It stands for nothing that is to be booked.
    Ignored,
    /// What it stands for is known.
    Reconciled(Box<Reconciliation>),
}

impl MovementState {
    /// Its name.
    #[must_use]
    pub const fn status(&self) -> BankMovementStatus {
        match self {
            Self::Pending => BankMovementStatus::Pending,
            Self::Ignored => BankMovementStatus::Ignored,
            Self::Reconciled(_) => BankMovementStatus::Reconciled,
        }
    }

    /// What the movement stands for, where that is known.
    #[must_use]
    pub fn reconciliation(&self) -> Option<&Reconciliation> {
        match self {
            Self::Reconciled(reconciliation) => Some(reconciliation),
            Self::Pending | Self::Ignored => None,
        }
    }
}

/// What a movement stands for: all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reconciliation {
    /// When that was said.
    pub at: Timestamp,
    /// The person who said it; none for a token, or the service itself.
    pub by: Option<UserId>,
    /// Whether the service said it, being sure.
    pub is_automatic: bool,
    /// They add up to the movement.
    pub allocations: Vec<Allocation>,
    /// The entry of those that have none of their own; none where each has one.
    pub entry: Option<JournalEntryId>,
}

/// What a part of a movement stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// The part, with the sign of what the account gained.
    pub amount: Amount,
    /// What it stands for.
    pub target: Target,
}

/// What a part of a movement stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A sales document that it paid: `invoice`
    Invoice {
        /// The document.
        document: SalesDocumentId,
        /// The payment that was recorded for it.
        payment: PaymentId,
    },
    /// A supplier document that it paid: `supplier_document`
    SupplierDocument {
        /// The document.
        document: SupplierDocumentId,
        /// The payment that was recorded for it.
        payment: PaymentId,
    },
    /// A payment that was recorded before: `payment`
    Payment {
        /// The payment.
        payment: PaymentId,
        /// What it paid.
        document: PaidDocument,
        /// Whether it named the bank account then.
        named_account: bool,
    },
    /// A line of the journal that counts it already: `journal_line`
    JournalLine {
        /// The line.
        line: JournalLineId,
    },
    /// An account of the ledger, whose line of the entry says whom it is about: `account`
    Account {
        /// The account.
        account: AccountCode,
        /// What it is, at most 500 characters.
        description: Option<String>,
    },
    /// Another bank account of the company: `transfer`
    Transfer {
        /// Where it went to, or came from.
        account: BankAccountId,
    },
    /// A tax return that it paid, or refunded: `tax_return`
    TaxReturn {
        /// The return.
        declared: TaxReturnId,
    },
}

/// A document that a payment is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaidDocument {
    /// What the company sold.
    Sales(SalesDocumentId),
    /// What it bought.
    Purchase(SupplierDocumentId),
}

/// What a part of a movement stands for, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    /// `invoice`
    Invoice,
    /// `supplier_document`
    SupplierDocument,
    /// `payment`
    Payment,
    /// `journal_line`
    JournalLine,
    /// `account`
    Account,
    /// `transfer`
    Transfer,
    /// `tax_return`
    TaxReturn,
}

svc_core::wire_names!(TargetKind {
    Invoice = "invoice",
    SupplierDocument = "supplier_document",
    Payment = "payment",
    JournalLine = "journal_line",
    Account = "account",
    Transfer = "transfer",
    TaxReturn = "tax_return",
});

impl Target {
    /// Its name.
    #[must_use]
    pub const fn kind(&self) -> TargetKind {
        match self {
            Self::Invoice { .. } => TargetKind::Invoice,
            Self::SupplierDocument { .. } => TargetKind::SupplierDocument,
            Self::Payment { .. } => TargetKind::Payment,
            Self::JournalLine { .. } => TargetKind::JournalLine,
            Self::Account { .. } => TargetKind::Account,
            Self::Transfer { .. } => TargetKind::Transfer,
            Self::TaxReturn { .. } => TargetKind::TaxReturn,
        }
    }
}
