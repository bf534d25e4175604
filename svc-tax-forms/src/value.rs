//! What a box holds.

use std::fmt;

use rust_decimal::Decimal;
use svc_core::money::{Amount, Currency, MoneyError};
use thiserror::Error;

use crate::form::Unit;

/// What a box holds, in the unit of the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxValue {
    /// Euros.
    Amount(Amount),
    /// Percent, with two digits at most.
    Percent(Decimal),
    /// How many.
    Count(u32),
}

/// A text is no value of a box of this unit.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum BoxValueError {
    /// Of a box of euros.
    #[error("expected euros with two decimals at most, such as -12.50")]
    Amount,
    /// Of a box of percent.
    #[error("expected percent with two decimals at most, such as 33.5")]
    Percent,
    /// Of a box of numbers.
    #[error("expected how many, such as 3")]
    Count,
}

impl BoxValue {
    /// Reads what [`BoxValue`] writes, in the unit of a box.
    ///
    /// # Errors
    /// [`BoxValueError`].
    pub fn parse(unit: Unit, text: &str) -> Result<Self, BoxValueError> {
        match unit {
            Unit::Amount => {
                Amount::parse(text, Currency::EUR).map(Self::Amount).map_err(|_| BoxValueError::Amount)
            }
            Unit::Percent => {
                let percent = text.parse().ok().filter(|percent| hundredths(*percent).is_some());
                percent.map(Self::Percent).ok_or(BoxValueError::Percent)
            }
            Unit::Count => text.parse().map(Self::Count).map_err(|_| BoxValueError::Count),
        }
    }

    /// The amount; `None` when it is a percentage or a count.
    #[must_use]
    pub fn amount(self) -> Option<Amount> {
        match self {
            Self::Amount(amount) => Some(amount),
            Self::Percent(_) | Self::Count(_) => None,
        }
    }

    /// The unit that it is of.
    #[must_use]
    pub fn unit(self) -> Unit {
        match self {
            Self::Amount(_) => Unit::Amount,
            Self::Percent(_) => Unit::Percent,
            Self::Count(_) => Unit::Count,
        }
    }

    /// Cents, hundredths of a percent, or how many; `None` for what a box cannot hold.
    pub(crate) fn steps(self) -> Option<i128> {
        match self {
            Self::Amount(amount) => (amount.currency() == Currency::EUR).then(|| i128::from(amount.minor())),
            Self::Percent(percent) => hundredths(percent),
            Self::Count(count) => Some(i128::from(count)),
        }
    }

    pub(crate) fn of_steps(steps: i128, unit: Unit) -> Result<Self, MoneyError> {
        let small = i64::try_from(steps).map_err(|_| MoneyError::Range)?;
        match unit {
            Unit::Amount => Amount::from_minor(small, Currency::EUR)?.stated().map(Self::Amount),
            Unit::Percent => Ok(Self::Percent(Decimal::new(small, 2))),
            Unit::Count => u32::try_from(small).map(Self::Count).map_err(|_| MoneyError::Range),
        }
    }
}

/// A decimal as hundredths; `None` when it has more digits.
pub(crate) fn hundredths(decimal: Decimal) -> Option<i128> {
    let scaled = decimal.checked_mul(Decimal::ONE_HUNDRED)?.normalize();
    (scaled.scale() == 0).then(|| scaled.mantissa())
}

impl fmt::Display for BoxValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Amount(amount) => amount.fmt(f),
            Self::Percent(percent) => write!(f, "{percent:.2}"),
            Self::Count(count) => count.fmt(f),
        }
    }
}
