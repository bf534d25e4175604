//! What one line moves.

use svc_core::error::Validator;
use svc_core::money::{Amount, Currency};

/// An amount on one side of an account: more than zero, either debit or credit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Movement {
    /// Debit minus credit, never zero.
    signed: Amount,
}

impl Movement {
    /// What adds this much to a balance, which is debit minus credit; `None` for nothing.
    #[must_use]
    pub fn of_balance(signed: Amount) -> Option<Self> {
        (signed.minor() != 0).then_some(Self { signed })
    }

    /// On the debit side; `None` unless the amount is more than zero.
    #[must_use]
    pub fn debit(amount: Amount) -> Option<Self> {
        (amount.minor() > 0).then_some(Self { signed: amount })
    }

    /// On the credit side; `None` unless the amount is more than zero.
    #[must_use]
    pub fn credit(amount: Amount) -> Option<Self> {
        (amount.minor() > 0).then_some(Self { signed: amount.negated() })
    }

    /// Reads the members `debit` and `credit` below `field`, such as `lines[3]`: exactly one of them is more than
    /// zero, and the other is missing or zero.
    ///
    /// Findings are `invalid_amount`, `out_of_range` and `required`, on `lines[3].debit` or `lines[3].credit`.
    pub fn read(
        validator: &mut Validator,
        field: &str,
        debit: Option<&str>,
        credit: Option<&str>,
        currency: Currency,
    ) -> Option<Self> {
        let debit = side(validator, &format!("{field}.debit"), debit, currency);
        let credit = side(validator, &format!("{field}.credit"), credit, currency);
        let (debit, credit) = (debit?, credit?);
        match (Self::debit(debit), Self::credit(credit)) {
            (Some(movement), None) | (None, Some(movement)) => Some(movement),
            (Some(_), Some(_)) => {
                let message = "a line has a debit or a credit and not both";
                validator.fail(format!("{field}.credit"), "not_allowed", message);
                None
            }
            (None, None) => {
                let message = "either debit or credit must be more than zero";
                validator.fail(format!("{field}.debit"), "required", message);
                None
            }
        }
    }

    /// What is on the debit side, zero for a credit.
    #[must_use]
    pub fn debited(self) -> Amount {
        if self.signed.minor() > 0 { self.signed } else { Amount::zero(self.currency()) }
    }

    /// What is on the credit side, zero for a debit.
    #[must_use]
    pub fn credited(self) -> Amount {
        if self.signed.minor() < 0 { self.signed.negated() } else { Amount::zero(self.currency()) }
    }

    /// What it adds to a balance: debit minus credit.
    #[must_use]
    pub const fn signed(self) -> Amount {
        self.signed
    }

    /// The currency of the amount.
    #[must_use]
    pub fn currency(self) -> Currency {
        self.signed.currency()
    }

    /// The same amount on the other side.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self { signed: self.signed.negated() }
    }
}

/// One side of a line; missing is zero.
fn side(validator: &mut Validator, field: &str, text: Option<&str>, currency: Currency) -> Option<Amount> {
    let amount = match text {
        None => Amount::zero(currency),
        Some(text) => validator.take(field, "invalid_amount", Amount::parse(text, currency))?,
    };
    let message = "must not be negative: it belongs on the other side";
    validator.require(amount.minor() >= 0, field, "out_of_range", message).then_some(amount)
}
