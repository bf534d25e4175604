//! Quantities, unit prices and rates: exact decimals within bounds.
//!
//! They are integers inside, counted in units of their last digit, and the bounds let every step of the
//! [calculation](crate::trade::calculation) be exact in 128 bits: quantity × price stays below 9 × 10³⁶, an amount
//! × an amount below 10³⁰, where an `i128` reaches 1.7 × 10³⁸. A binary float would not be exact, and a decimal of
//! 28 digits would round a large product without a word.

use std::fmt;
use std::str::FromStr;

use svc_core::money::{Amount, MoneyError};
use thiserror::Error;

use crate::decimal;

macro_rules! exact_decimal {
    ($(#[$doc:meta])* $name:ident in $units:ident: $digits:literal digits, $least:expr => $most:expr; $error:ident, $message:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(i64);

        /// The text is refused; the message tells what is expected.
        #[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
        #[error($message)]
        pub struct $error;

        impl $name {
            /// Zero.
            pub const ZERO: Self = Self(0);
            /// The smallest.
            pub const MIN: Self = Self($least);
            /// The largest.
            pub const MAX: Self = Self($most);

            /// The exact value, counted in units of its last digit.
            #[must_use]
            pub const fn $units(self) -> i64 {
                self.0
            }
        }

        impl FromStr for $name {
            type Err = $error;

            /// Reads a plain decimal: an optional `-`, no `+`, no exponent, no zeros in front.
            fn from_str(text: &str) -> Result<Self, $error> {
                let read = decimal::read(text, $digits).map(Self);
                read.filter(|value| (Self::MIN..=Self::MAX).contains(value)).ok_or($error)
            }
        }

        /// Writes the canonical text, without zeros at its end.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&decimal::write(self.0, $digits))
            }
        }
    };
}

exact_decimal!(
    /// How much of something: at most 6 fraction digits, less than 10¹² in magnitude.
    ///
    /// A line of a credit has a negative one.
    Quantity in millionths: 6 digits, -999_999_999_999_999_999 => 999_999_999_999_999_999;
    InvalidQuantity, "expected a decimal string such as \"2.5\", with at most 6 decimals, below 1000000000000"
);

exact_decimal!(
    /// The price of one unit, in the currency of its document: at most 6 fraction digits, ±9 × 10¹².
    UnitPrice in millionths: 6 digits, -9_000_000_000_000_000_000 => 9_000_000_000_000_000_000;
    InvalidUnitPrice, "expected a decimal string such as \"19.999\", with at most 6 decimals, up to 9000000000000"
);

exact_decimal!(
    /// A percentage from 0 to 100 with at most 4 fraction digits: `"21"`, `"5.2"`.
    Rate in ten_thousandths: 4 digits, 0 => 1_000_000;
    InvalidRate, "expected a percentage from \"0\" to \"100\" with at most 4 decimals"
);

impl Quantity {
    /// One: of a line that does not say how much.
    pub const ONE: Self = Self(1_000_000);

    /// The quantity with its sign turned: of a line that takes this one back.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl Rate {
    /// A rate of so many tenths of a percent, for tables: 52 for 5.2 %.
    pub(crate) const fn tenths(tenths: u16) -> Self {
        assert!(tenths <= 1_000, "a rate is at most 100 %");
        // Widening: `From` is not for constants yet.
        Self((tenths as i64).saturating_mul(1_000))
    }

    /// What is missing to 100 %.
    #[must_use]
    pub const fn complement(self) -> Self {
        Self(Self::MAX.0.saturating_sub(self.0))
    }

    /// This part of an amount, rounded half away from zero to the digits of its currency.
    ///
    /// # Errors
    /// None for an amount in range: no part is larger than the whole.
    pub fn of(self, amount: Amount) -> Result<Amount, MoneyError> {
        let numerator = i128::from(amount.minor()).checked_mul(self.0.into()).ok_or(MoneyError::Range)?;
        Amount::from_ratio(numerator, Self::MAX.0.into(), amount.currency())
    }
}

#[cfg(test)]
mod tests {
    use svc_core::money::Currency;

    use super::*;

    #[test]
    fn the_bounds_are_values_and_what_is_beyond_them_is_none() {
        for text in ["999999999999.999999", "-999999999999.999999", "0.000001", "0"] {
            assert_eq!(text.parse::<Quantity>().map(|one| one.to_string()).as_deref(), Ok(text));
        }
        for text in ["1000000000000", "-1000000000000", "0.0000001", "1e3", "+1", "1,5"] {
            assert_eq!(text.parse::<Quantity>(), Err(InvalidQuantity), "{text}");
        }
        for text in ["9000000000000", "-9000000000000", "19.999"] {
            assert_eq!(text.parse::<UnitPrice>().map(|one| one.to_string()).as_deref(), Ok(text));
        }
        for text in ["9000000000000.000001", "1.0000001"] {
            assert_eq!(text.parse::<UnitPrice>(), Err(InvalidUnitPrice), "{text}");
        }
        for text in ["0", "5.2", "0.0001", "100"] {
            assert_eq!(text.parse::<Rate>().map(|one| one.to_string()).as_deref(), Ok(text));
        }
        for text in ["100.0001", "-1", "21.00001", "21%"] {
            assert_eq!(text.parse::<Rate>(), Err(InvalidRate), "{text}");
        }
    }

    #[test]
    fn part_of_an_amount_is_rounded_half_away_from_zero() {
        let rate: Rate = "2.5".parse().expect("a rate");
        for (minor, part) in
            [(20, 1), (-20, -1), (19, 0), (-19, 0), (900_000_000_000_000, 22_500_000_000_000)]
        {
            let amount = Amount::from_minor(minor, Currency::EUR).expect("in range");
            assert_eq!(rate.of(amount).map(Amount::minor), Ok(part), "{minor}");
        }
    }
}
