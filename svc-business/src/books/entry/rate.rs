//! Rates of exchange.

use std::fmt;
use std::str::FromStr;

use rust_decimal::Decimal;
use thiserror::Error;

use crate::decimal;

/// How many units of the base currency one unit of the entry's currency is: more than zero, at most 8
/// decimals, below ninety thousand million.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FxRate(i64);

/// Digits after the decimal point: a rate is held in units of the last one.
const DIGITS: usize = 8;

/// Not a rate of exchange.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected a decimal string more than zero with at most 8 decimals, such as \"1.0823\"")]
pub struct FxRateError;

impl FxRate {
    /// The rate of a currency to itself.
    pub const ONE: Self = Self(100_000_000);

    /// The number.
    #[must_use]
    pub fn decimal(self) -> Decimal {
        Decimal::new(self.0, 8)
    }
}

impl FromStr for FxRate {
    type Err = FxRateError;

    fn from_str(text: &str) -> Result<Self, FxRateError> {
        decimal::read(text, DIGITS).filter(|units| *units > 0).map(Self).ok_or(FxRateError)
    }
}

/// Without zeros at the end.
impl fmt::Display for FxRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&decimal::write(self.0, DIGITS))
    }
}
