//! Rates of exchange.

use std::fmt;
use std::str::FromStr;

use rust_decimal::Decimal;
use svc_core::money::{Amount, Currency, MoneyError};
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

    /// What an amount is in the base currency, rounded half away from zero to the digits of that.
    ///
    /// # Errors
    /// [`MoneyError::Range`].
    pub fn convert(self, amount: Amount, base: Currency) -> Result<Amount, MoneyError> {
        let power = |digits: u32| 10_i128.checked_pow(digits).ok_or(MoneyError::Range);
        let units = i128::from(amount.minor()).checked_mul(self.0.into()).ok_or(MoneyError::Range)?;
        let numerator = units.checked_mul(power(base.digits())?).ok_or(MoneyError::Range)?;
        let digits = amount.currency().digits().checked_add(8).ok_or(MoneyError::Range)?;
        Amount::from_ratio(numerator, power(digits)?, base)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_rounded_once_to_the_digits_of_the_base_currency() {
        let convert = |rate: &str, text: &str, from: &str, to: &str| {
            let currency = from.parse().expect("a currency");
            let amount = Amount::parse(text, currency).expect("an amount");
            let rate: FxRate = rate.parse().expect("a rate");
            rate.convert(amount, to.parse().expect("a currency")).map(|amount| amount.to_string())
        };
        for (rate, text, from, to, expected) in [
            ("1", "856.07", "EUR", "EUR", "856.07"),
            ("0.925", "0.20", "USD", "EUR", "0.19"),
            ("0.925", "-0.20", "USD", "EUR", "-0.19"),
            ("0.00615", "1000", "JPY", "EUR", "6.15"),
            ("162.5", "1.01", "EUR", "JPY", "164"),
            ("3.01234567", "1.000", "KWD", "EUR", "3.01"),
        ] {
            assert_eq!(convert(rate, text, from, to).as_deref(), Ok(expected), "{text} {from} at {rate}");
        }
        assert_eq!(convert("2", "9000000000000.00", "USD", "EUR"), Err(MoneyError::Range));
    }
}
