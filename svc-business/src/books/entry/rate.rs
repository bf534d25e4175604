//! Rates of exchange.

use std::fmt;
use std::str::FromStr;

use rust_decimal::Decimal;
use thiserror::Error;

/// How many units of the base currency one unit of the entry's currency is: more than zero, at most 8 decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FxRate(Decimal);

/// Not a rate of exchange.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected a decimal string more than zero with at most 8 decimals, such as \"1.0823\"")]
pub struct FxRateError;

impl FxRate {
    /// The rate of a currency to itself.
    pub const ONE: Self = Self(Decimal::ONE);

    /// The number.
    #[must_use]
    pub const fn decimal(self) -> Decimal {
        self.0
    }
}

impl FromStr for FxRate {
    type Err = FxRateError;

    fn from_str(text: &str) -> Result<Self, FxRateError> {
        let (whole, fraction) = match text.split_once('.') {
            Some((_, "")) => return Err(FxRateError),
            Some(parts) => parts,
            None => (text, ""),
        };
        let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let padded = whole.len() > 1 && whole.starts_with('0');
        let form = !whole.is_empty() && whole.len() <= 12 && !padded && plain(whole) && plain(fraction);
        if !form || fraction.len() > 8 {
            return Err(FxRateError);
        }
        let rate: Decimal = text.parse().map_err(|_| FxRateError)?;
        if rate.is_zero() { Err(FxRateError) } else { Ok(Self(rate.normalize())) }
    }
}

/// Without zeros at the end.
impl fmt::Display for FxRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
