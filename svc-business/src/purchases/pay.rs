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
use crate::purchases::document::{
    Action, Approval, Ids, Means, Payment, SettlementError, SupplierDocument, WrongState,
};

/// Why a payment cannot be recorded.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PayRefused {
    /// The document is not approved: `not_approved`, `document_rejected` or `document_voided`, a conflict.
    #[error(transparent)]
    State(#[from] WrongState),
    /// It breaks rules: `payment_exceeds_due`, `too_many` and `invalid_currency` on `amount`, `out_of_range` on `amount`
    /// and `date`, `offset_not_possible` on `offsetDocumentId`.
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

impl SupplierDocument {
    /// Records a payment.
    ///
    /// # Errors
    /// [`PayRefused`].
    pub fn pay(self, new: NewPayment, ids: &Ids<'_>) -> Result<(Self, Payment), PayRefused> {
        let approval = self.judge_payment(new.amount, new.date)?.clone();
        let (amount, fx_rate) = (new.amount, approval.fx_rate);
        let payment = Payment {
            id: ids.make(),
            amount,
            date: new.date,
            means: Means::Money {
                method: new.method,
                bank_account: new.bank_account,
                movement: new.movement,
            },
            fx_rate: new.fx_rate.unwrap_or(fx_rate),
            settled: approval.settlement.settled_by(amount, fx_rate, self.base_currency)?,
            reference: new.reference,
            recorded_at: ids.now,
        };
        Ok((self.paid_by(approval, payment.clone())?, payment))
    }

    fn judge_payment(&self, amount: Amount, date: Date) -> Result<&Approval, PayRefused> {
        let approval = self.approved(Action::Pay)?;
        let mut validator = Validator::new();
        approval.settlement.judge(&mut validator, amount, date, self.issue_date);
        validator.finish()?;
        Ok(approval)
    }

    fn paid_by(self, approval: Approval, payment: Payment) -> Result<Self, SettlementError> {
        let settlement = approval.settlement.with(payment)?;
        Ok(self.with_approval(Approval { settlement, ..approval }))
    }
}
