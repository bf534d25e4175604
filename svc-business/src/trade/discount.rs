//! What is taken off a whole document.

use svc_core::money::{Amount, Currency, MoneyError};
use svc_core::wire_names;
use thiserror::Error;

use crate::trade::{InvalidRate, Rate};

/// A discount on the whole document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discount {
    /// Part of the sum of the lines.
    Percent(Rate),
    /// An amount in the currency of the document, with the sign of the sum of the lines.
    Amount(Amount),
}

/// How a discount is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiscountType {
    /// `percent`
    Percent,
    /// `amount`
    Amount,
}

wire_names!(DiscountType { Percent = "percent", Amount = "amount" });

/// Why a discount cannot be read.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum InvalidDiscount {
    /// It is no percentage.
    #[error(transparent)]
    Percent(#[from] InvalidRate),
    /// It is no amount.
    #[error(transparent)]
    Amount(#[from] MoneyError),
}

impl Discount {
    /// Reads the value of a discount of this type, of a document in `currency`.
    ///
    /// # Errors
    /// [`InvalidDiscount`], by the type.
    pub fn parse(kind: DiscountType, value: &str, currency: Currency) -> Result<Self, InvalidDiscount> {
        match kind {
            DiscountType::Percent => Ok(Self::Percent(value.parse()?)),
            DiscountType::Amount => Ok(Self::Amount(Amount::parse(value, currency)?)),
        }
    }

    /// How it is given.
    #[must_use]
    pub fn kind(self) -> DiscountType {
        match self {
            Self::Percent(_) => DiscountType::Percent,
            Self::Amount(_) => DiscountType::Amount,
        }
    }

    /// Its value as text: a percentage or an amount.
    #[must_use]
    pub fn value(self) -> String {
        match self {
            Self::Percent(rate) => rate.to_string(),
            Self::Amount(amount) => amount.to_string(),
        }
    }

    /// The discount of the document that takes this one back: an amount turns its sign, a percentage stays.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Percent(rate) => Self::Percent(rate),
            Self::Amount(amount) => Self::Amount(amount.negated()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_discount_survives_its_texts() {
        for (kind, value) in
            [(DiscountType::Percent, "5"), (DiscountType::Amount, "12.50"), (DiscountType::Amount, "-1.00")]
        {
            let discount = Discount::parse(kind, value, Currency::EUR).expect("valid");
            assert_eq!((discount.kind(), discount.value().as_str()), (kind, value));
            assert_eq!(discount.negated().negated(), discount);
        }
    }

    #[test]
    fn the_type_decides_how_the_value_is_read() {
        let parse = |kind, value| Discount::parse(kind, value, Currency::EUR);
        assert_eq!(parse(DiscountType::Percent, "100.1"), Err(InvalidRate.into()));
        assert_eq!(parse(DiscountType::Amount, "5"), Err(MoneyError::Format.into()));
    }
}
