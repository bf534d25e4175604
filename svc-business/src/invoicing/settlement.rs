//! What is payable, paid and due.

use svc_core::clock::Timestamp;
use svc_core::error::Validator;
use svc_core::id::PaymentId;
use svc_core::money::{Amount, Currency, MoneyError};
use thiserror::Error;
use time::{Date, Duration};

use super::Payment;
use crate::books::entry::FxRate;

/// Days before the issue of a document on which it can have been paid: an advance.
const MOST_DAYS_BEFORE: i64 = 365;
/// Payments of a document at most.
const MOST_PAYMENTS: usize = 1_000;

/// The payments of a document with what they leave. What is paid has the sign of what is payable and is never more
/// (I-11).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement<M> {
    payable: Amount,
    payments: Vec<Payment<M>>,
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
    /// It is not owed: `not_applicable`
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

impl<M> Settlement<M> {
    /// These payments of what is payable.
    ///
    /// # Errors
    /// [`SettlementError`].
    pub fn new(payable: Amount, payments: Vec<Payment<M>>) -> Result<Self, SettlementError> {
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
    pub fn payments(&self) -> &[Payment<M>] {
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
    pub fn settled(&self, base: Currency) -> Result<Amount, MoneyError> {
        Amount::sum(self.payments.iter().map(|payment| payment.settled), base)
    }

    /// The payment of this id.
    #[must_use]
    pub fn find(&self, id: PaymentId) -> Option<&Payment<M>> {
        self.payments.iter().find(|payment| payment.id == id)
    }

    /// Judges an amount and a day as those of the next payment of a document that was issued on this day.
    ///
    /// Findings are `invalid_currency`, `out_of_range`, `payment_exceeds_due` and `too_many` on `amount`, and
    /// `out_of_range` on `date`.
    pub(crate) fn judge(&self, validator: &mut Validator, amount: Amount, date: Date, issued: Date) {
        let currency = self.payable.currency();
        let message = format!("must be in {currency}");
        if validator.require(amount.currency() == currency, "amount", "invalid_currency", message)
            && validator.require(amount.minor() != 0, "amount", "out_of_range", "must not be zero")
        {
            let due = self.due;
            let range = due.minor().min(0)..=due.minor().max(0);
            let message = format!("{due} is due: a payment has its sign and is not more");
            let fits = range.contains(&amount.minor());
            validator.require(fits, "amount", "payment_exceeds_due", message);
        }
        let message = format!("a document has at most {MOST_PAYMENTS} payments");
        let some_left = self.payments.len() < MOST_PAYMENTS;
        validator.require(some_left, "amount", "too_many", message);
        let first = issued.checked_sub(Duration::days(MOST_DAYS_BEFORE));
        let message = "must not be more than 365 days before the issue";
        validator.require(first.is_none_or(|first| date >= first), "date", "out_of_range", message);
    }

    /// What a payment takes off the debt in the books, at the rate of the document. The last one takes what is left, so
    /// that nothing remains of rounding.
    pub(crate) fn settled_by(
        &self,
        amount: Amount,
        rate: FxRate,
        base: Currency,
    ) -> Result<Amount, MoneyError> {
        if amount != self.due {
            return rate.convert(amount, base);
        }
        rate.convert(self.payable, base)?.minus(self.settled(base)?)
    }

    pub(crate) fn with(mut self, payment: Payment<M>) -> Result<Self, SettlementError> {
        self.payments.push(payment);
        Self::new(self.payable, self.payments)
    }

    /// The same with other means of a payment, whose amounts stay.
    pub(super) fn described(mut self, id: PaymentId, means: M) -> Self {
        if let Some(payment) = self.payments.iter_mut().find(|payment| payment.id == id) {
            payment.means = means;
        }
        self
    }

    pub(crate) fn without(mut self, gone: impl Fn(&Payment<M>) -> bool) -> Result<Self, SettlementError> {
        self.payments.retain(|payment| !gone(payment));
        Self::new(self.payable, self.payments)
    }
}
