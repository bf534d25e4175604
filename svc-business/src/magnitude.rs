//! Amounts of any currency, to be compared.

use std::str::FromStr;

use svc_core::money::Amount;
use thiserror::Error;

use crate::decimal;

/// An amount whatever its currency is, in ten-thousandths: what totals and movements are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Magnitude(i64);

/// Not an amount.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected an amount with at most four decimal places such as 1210.00")]
pub struct InvalidMagnitude;

impl Magnitude {
    /// Digits of a ten-thousandth, as many as any currency has.
    const DIGITS: usize = 4;

    /// In ten-thousandths.
    #[must_use]
    pub const fn ten_thousandths(self) -> i64 {
        self.0
    }

    /// Without its sign.
    #[must_use]
    pub const fn size(self) -> Self {
        Self(self.0.saturating_abs())
    }
}

impl From<Amount> for Magnitude {
    fn from(amount: Amount) -> Self {
        let digits = usize::try_from(amount.currency().digits()).unwrap_or(Self::DIGITS);
        let shift = |value: i64, _| value.saturating_mul(10);
        Self((digits..Self::DIGITS).fold(amount.minor(), shift))
    }
}

impl FromStr for Magnitude {
    type Err = InvalidMagnitude;

    fn from_str(text: &str) -> Result<Self, InvalidMagnitude> {
        decimal::read(text, Self::DIGITS).map(Self).ok_or(InvalidMagnitude)
    }
}
