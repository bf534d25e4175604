//! What movements of bank accounts paid of a return.

use svc_core::error::{ValidationErrors, Validator};
use svc_core::id::BankMovementId;
use svc_core::money::{Amount, Currency};
use time::Date;

use super::{Model, ResultKind, TaxResult, TaxReturn};
use crate::books::default_accounts::Purpose;

/// Payments of a return at most.
const MOST_PAYMENTS: usize = 100;

/// What a movement of a bank account paid of a return, or refunded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReturnPayment {
    /// The movement.
    pub movement: BankMovementId,
    /// What the account gained by it: less than zero where the company paid.
    pub amount: Amount,
    /// The day of the movement.
    pub date: Date,
}

impl TaxReturn {
    /// What its payment is booked on when its submission named no account: `None` when it comes to nothing that is paid or
    /// refunded.
    #[must_use]
    pub fn paid_against(&self) -> Option<Purpose> {
        paid_against(self.model, self.figures.as_ref()?.result.kind)
    }

    /// What bank accounts gain by it, all in all: less than zero where the company pays. `None` until it is filed, and when it
    /// comes to nothing that is paid or refunded.
    #[must_use]
    pub fn owed(&self) -> Option<Amount> {
        self.paid_against().filter(|_| self.status.is_filed())?;
        let TaxResult { kind, amount } = self.figures.as_ref()?.result;
        match kind {
            ResultKind::Payable => Some(amount.negated()),
            ResultKind::Refundable => Some(amount),
            ResultKind::ToOffset | ResultKind::Zero | ResultKind::Informative => None,
        }
    }

    /// What they gained by it so far.
    #[must_use]
    pub fn paid(&self) -> Amount {
        let sum = Amount::sum(self.payments.iter().map(|payment| payment.amount), Currency::EUR);
        // Together they are never more than what is owed, which is an amount.
        sum.unwrap_or(Amount::zero(Currency::EUR))
    }

    /// What is left of what is [owed](Self::owed).
    #[must_use]
    pub fn due(&self) -> Option<Amount> {
        self.owed()?.minus(self.paid()).ok()
    }

    /// The same with a payment more.
    ///
    /// # Errors
    /// Findings: `not_filed` and `nothing_to_pay` on `id`; `invalid_currency`, `payment_exceeds_due` and `too_many` on
    /// `amount`.
    pub(crate) fn pay(mut self, payment: ReturnPayment) -> Result<Self, ValidationErrors> {
        let mut validator = Validator::new();
        let message = format!("the return is {}, and only a filed one is paid", self.status);
        if !validator.require(self.status.is_filed(), "id", "not_filed", message) {
            return validator.finish().map(|()| self);
        }
        let Some(due) = self.due() else {
            let message = "the result of the return is neither paid nor refunded";
            return Err(ValidationErrors::one("id", "nothing_to_pay", message));
        };
        if validator.require(
            payment.amount.currency() == due.currency(),
            "amount",
            "invalid_currency",
            "must be in EUR",
        ) {
            let range = due.minor().min(0)..=due.minor().max(0);
            let message = format!("{due} is due: a payment has its sign and is not more");
            let fits = range.contains(&payment.amount.minor());
            validator.require(fits, "amount", "payment_exceeds_due", message);
        }
        let message = format!("a return has at most {MOST_PAYMENTS} payments");
        validator.require(self.payments.len() < MOST_PAYMENTS, "amount", "too_many", message);
        validator.finish()?;
        self.payments.push(payment);
        Ok(self)
    }

    /// The same without the last payment of this amount by this movement; `None` when it has none.
    pub(crate) fn unpay(mut self, movement: BankMovementId, amount: Amount) -> Option<Self> {
        let is_it = |payment: &ReturnPayment| (payment.movement, payment.amount) == (movement, amount);
        let at = self.payments.iter().rposition(is_it)?;
        self.payments.remove(at);
        Some(self)
    }
}

/// What the payment, or refund, of a model is booked against.
pub(super) const fn paid_against(model: Model, kind: ResultKind) -> Option<Purpose> {
    match (kind, model) {
        (ResultKind::Payable, Model::M303) => Some(Purpose::VatPayable),
        (ResultKind::Payable, Model::M111 | Model::M115) => Some(Purpose::WithholdingPayable),
        // What is paid on account of a tax stands beside what others withheld for it.
        (ResultKind::Payable, Model::M130) => Some(Purpose::WithholdingReceivable),
        (ResultKind::Payable, Model::M200) => Some(Purpose::CorporateTaxPayable),
        (ResultKind::Refundable, Model::M303) => Some(Purpose::VatReceivable),
        (ResultKind::Refundable, Model::M200) => Some(Purpose::CorporateTaxReceivable),
        (ResultKind::Payable, Model::M180 | Model::M190 | Model::M347 | Model::M349 | Model::M390)
        | (
            ResultKind::Refundable,
            Model::M111
            | Model::M115
            | Model::M130
            | Model::M180
            | Model::M190
            | Model::M347
            | Model::M349
            | Model::M390,
        )
        | (ResultKind::ToOffset | ResultKind::Zero | ResultKind::Informative, _) => None,
    }
}
