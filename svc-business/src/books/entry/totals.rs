//! What the lines of an entry add up to.

use svc_core::money::{Amount, Currency, MoneyError};

use super::Line;

/// Both sides of an entry, in the base currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals {
    /// `totalDebit`
    pub debit: Amount,
    /// `totalCredit`
    pub credit: Amount,
}

impl Totals {
    /// The sums of these lines.
    ///
    /// # Errors
    /// [`MoneyError`] when a sum is out of range, or a line in another currency.
    pub fn of(lines: &[Line], currency: Currency) -> Result<Self, MoneyError> {
        let debit = Amount::sum(lines.iter().map(|line| line.movement.debited()), currency)?;
        let credit = Amount::sum(lines.iter().map(|line| line.movement.credited()), currency)?;
        Ok(Self { debit, credit })
    }

    /// `difference`: debit minus credit.
    ///
    /// # Errors
    /// [`MoneyError`], which two sums of one entry do not meet.
    pub fn difference(self) -> Result<Amount, MoneyError> {
        self.debit.minus(self.credit)
    }

    /// `isBalanced`: both sides are the same, and more than zero.
    #[must_use]
    pub fn is_balanced(self) -> bool {
        self.debit == self.credit && self.debit.minor() > 0
    }
}
