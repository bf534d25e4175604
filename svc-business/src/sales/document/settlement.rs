//! What is payable, paid and due.

use svc_core::clock::Timestamp;
use svc_core::id::PaymentId;
use svc_core::money::{Amount, MoneyError};
use thiserror::Error;

use super::Payment;

/// The payments of a document with what they leave. What is paid has the sign of what is payable and is never more
/// (I-11).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    payable: Amount,
    payments: Vec<Payment>,
    paid: Amount,
    due: Amount,
}

/// Payments that do not fit what is payable.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum SettlementError {
    /// They have the other sign, or are more.
    #[error("payments have the sign of what is payable and are not more")]
    Exceeds,
    /// They cannot be counted.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

/// How far a document is paid: a function of what is payable and what is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaymentStatus {
    /// It is no issued invoice: `not_applicable`
    NotApplicable,
    /// `unpaid`
    Unpaid,
    /// `partially_paid`
    PartiallyPaid,
    /// Nothing is due: `paid`
    Paid,
}

svc_core::wire_names!(PaymentStatus {
    NotApplicable = "not_applicable",
    Unpaid = "unpaid",
    PartiallyPaid = "partially_paid",
    Paid = "paid",
});

impl PaymentStatus {
    /// By these amounts alone.
    #[must_use]
    pub fn of(payable: Amount, paid: Amount) -> Self {
        if payable == paid {
            Self::Paid
        } else if paid.minor() == 0 {
            Self::Unpaid
        } else {
            Self::PartiallyPaid
        }
    }
}

impl Settlement {
    /// These payments of what is payable.
    ///
    /// # Errors
    /// [`SettlementError`].
    pub fn new(payable: Amount, payments: Vec<Payment>) -> Result<Self, SettlementError> {
        let paid = Amount::sum(payments.iter().map(|payment| payment.amount), payable.currency())?;
        let (least, most) = (payable.minor().min(0), payable.minor().max(0));
        if !(least..=most).contains(&paid.minor()) {
            return Err(SettlementError::Exceeds);
        }
        let due = payable.minus(paid)?;
        Ok(Self { payable, payments, paid, due })
    }

    /// In the order in which they were recorded.
    #[must_use]
    pub fn payments(&self) -> &[Payment] {
        &self.payments
    }

    /// Their sum.
    #[must_use]
    pub const fn paid(&self) -> Amount {
        self.paid
    }

    /// What they leave.
    #[must_use]
    pub const fn due(&self) -> Amount {
        self.due
    }

    /// How far it is paid.
    #[must_use]
    pub fn status(&self) -> PaymentStatus {
        PaymentStatus::of(self.payable, self.paid)
    }

    /// When the payment that settled it was recorded; `None` while something is due.
    #[must_use]
    pub fn settled_at(&self) -> Option<Timestamp> {
        let last = self.payments.iter().map(|payment| payment.recorded_at).max();
        last.filter(|_| self.due.minor() == 0)
    }

    /// What the payments took off the debt in the books, in the base currency.
    ///
    /// # Errors
    /// [`MoneyError`], of amounts that are not in the base currency.
    pub fn settled(&self, base: svc_core::money::Currency) -> Result<Amount, MoneyError> {
        Amount::sum(self.payments.iter().map(|payment| payment.settled), base)
    }

    /// The payment of this id.
    #[must_use]
    pub fn find(&self, id: PaymentId) -> Option<&Payment> {
        self.payments.iter().find(|payment| payment.id == id)
    }

    pub(crate) fn with(mut self, payment: Payment) -> Result<Self, SettlementError> {
        self.payments.push(payment);
        Self::new(self.payable, self.payments)
    }

    pub(crate) fn without(mut self, gone: impl Fn(&Payment) -> bool) -> Result<Self, SettlementError> {
        self.payments.retain(|payment| !gone(payment));
        Self::new(self.payable, self.payments)
    }
}
