//! What an account moved in a span of days: what reports are made of.

use std::collections::BTreeMap;

use svc_core::money::{Amount, Currency, MoneyError};

use crate::books::account::{AccountCode, AccountType, NormalBalance};

/// Names of headings and accounts by their codes.
pub type AccountNames = BTreeMap<AccountCode, String>;

/// An account as reports show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportAccount {
    /// Its code, of full length.
    pub code: AccountCode,
    /// Its name.
    pub name: String,
    /// What it counts.
    pub account_type: AccountType,
    /// The side on which it grows.
    pub normal_balance: NormalBalance,
}

/// What an account moved in the days of a report, by its posted lines alone, in the base currency.
///
/// What came before is summed from the start of the latest year that has an opening entry, that entry included, or
/// else from the beginning: so nothing is counted twice over the end of a year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    /// The account.
    pub account: ReportAccount,
    /// Its balance before the first day: debit minus credit.
    pub opening: Amount,
    /// What was moved in the days, but for what `closing` has.
    pub moved: Sides,
    /// What the regularisation and the closing of the year moved in which the days end; zero while it is open.
    /// Those of earlier years are in `opening` or `moved`. Of income and expenses it is what any closing within the
    /// days moved.
    pub closing: Sides,
}

/// Sums of both sides of an account, neither of them below zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// *Debe*
    pub debit: Amount,
    /// *Haber*
    pub credit: Amount,
}

/// Whether a report counts the regularisation and the closing of the year in which it ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Closing {
    /// It does not, so that a closed year still shows its result: `excludeClosing`, which is the default.
    #[default]
    Excluded,
    /// It does: a closed year ends with nothing.
    Included,
}

impl Closing {
    /// The choice that `excludeClosing` makes.
    #[must_use]
    pub const fn excluded(exclude: bool) -> Self {
        if exclude { Self::Excluded } else { Self::Included }
    }
}

impl Movement {
    /// What was moved in the days.
    ///
    /// # Errors
    /// [`MoneyError`] when a sum is out of range, or in another currency.
    pub fn sides(&self, closing: Closing) -> Result<Sides, MoneyError> {
        match closing {
            Closing::Excluded => Ok(self.moved),
            Closing::Included => self.moved.plus(self.closing),
        }
    }

    /// The balance when the last day ends: debit minus credit.
    ///
    /// # Errors
    /// [`MoneyError`] when a sum is out of range, or in another currency.
    pub fn balance(&self, closing: Closing) -> Result<Amount, MoneyError> {
        self.opening.plus(self.sides(closing)?.balance()?)
    }
}

impl Sides {
    /// Nothing on either side.
    #[must_use]
    pub const fn zero(currency: Currency) -> Self {
        Self { debit: Amount::zero(currency), credit: Amount::zero(currency) }
    }

    /// What they add to a balance: debit minus credit.
    ///
    /// # Errors
    /// [`MoneyError`].
    pub fn balance(self) -> Result<Amount, MoneyError> {
        self.debit.minus(self.credit)
    }

    /// What is left without `other`, which is a part of it.
    ///
    /// # Errors
    /// [`MoneyError`].
    pub(super) fn minus(self, other: Self) -> Result<Self, MoneyError> {
        Ok(Self { debit: self.debit.minus(other.debit)?, credit: self.credit.minus(other.credit)? })
    }

    /// The sums of both.
    ///
    /// # Errors
    /// [`MoneyError`].
    pub fn plus(self, other: Self) -> Result<Self, MoneyError> {
        Ok(Self { debit: self.debit.plus(other.debit)?, credit: self.credit.plus(other.credit)? })
    }
}
