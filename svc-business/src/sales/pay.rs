//! Payments: recording one, and taking it back.

mod offset;
mod reconciled;
mod remove;

use svc_core::error::{ValidationErrors, Validator};
use svc_core::money::{Amount, MoneyError};
use thiserror::Error;
use time::Date;

pub use self::offset::{Offset, OffsetTerms, offset, remove_offset};
pub use self::remove::RemoveRefused;
pub use crate::invoicing::NewPayment;
use crate::sales::document::{
    Action, Ids, Issue, Means, Payment, SalesDocument, SettlementError, WrongState,
};

/// Why a payment cannot be recorded.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PayRefused {
    /// The document is a draft or was voided: `not_issued` or `invoice_voided`, a conflict.
    #[error(transparent)]
    State(#[from] WrongState),
    /// A proforma or a quote is not owed: `not_payable`, a conflict.
    #[error("a document of this type is not paid")]
    NotFiscal,
    /// It breaks rules: `payment_exceeds_due` and `invalid_currency` on `amount`, `out_of_range` on `amount` and
    /// `date`, `offset_not_possible` on `offsetDocumentId`.
    #[error(transparent)]
    Invalid(#[from] ValidationErrors),
    /// Amounts that cannot be counted.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl From<SettlementError> for PayRefused {
    fn from(error: SettlementError) -> Self {
        match error {
            SettlementError::Exceeds => {
                ValidationErrors::one("amount", "payment_exceeds_due", error.to_string()).into()
            }
            SettlementError::Money(error) => error.into(),
        }
    }
}

impl SalesDocument {
    /// Records a payment.
    ///
    /// # Errors
    /// [`PayRefused`].
    pub fn pay(self, new: NewPayment, ids: &Ids<'_>) -> Result<(Self, Payment), PayRefused> {
        let issue = self.judge_payment(new.amount, new.date)?.clone();
        let payment = Payment {
            id: ids.make(),
            amount: new.amount,
            date: new.date,
            means: Means::Money {
                method: new.method,
                bank_account: new.bank_account,
                movement: new.movement,
            },
            fx_rate: new.fx_rate.unwrap_or(issue.fx_rate),
            settled: self.settled_by(&issue, new.amount)?,
            reference: new.reference,
            recorded_at: ids.now,
        };
        Ok((self.paid_by(issue, payment.clone())?, payment))
    }

    fn judge_payment(&self, amount: Amount, date: Date) -> Result<&Issue, PayRefused> {
        let issue = self.issued(Action::Pay)?;
        if !self.is_fiscal() {
            return Err(PayRefused::NotFiscal);
        }
        let mut validator = Validator::new();
        issue.settlement.judge(&mut validator, amount, date, issue.issue_date);
        validator.finish()?;
        Ok(issue)
    }

    /// What a payment takes off the debt in the books.
    fn settled_by(&self, issue: &Issue, amount: Amount) -> Result<Amount, MoneyError> {
        issue.settlement.settled_by(amount, issue.fx_rate, self.base_currency)
    }

    fn paid_by(self, issue: Issue, payment: Payment) -> Result<Self, SettlementError> {
        let settlement = issue.settlement.with(payment)?;
        Ok(self.with_issue(Issue { settlement, ..issue }))
    }
}
