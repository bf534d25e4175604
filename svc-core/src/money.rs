//! Amounts of money: integer minor units with a currency.
//!
//! The wire form is a decimal string with exactly the currency's ISO 4217
//! digits. Arithmetic is checked; the one rounding is half away from zero, of
//! a decimal by [`Amount::round`] and of a ratio by [`Amount::from_ratio`], and
//! its callers say where they use it.

use std::fmt;
use std::str::FromStr;

use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};
use thiserror::Error;

use crate::error::StoreError;

/// Largest magnitude of an amount that is stated, in minor units: by a person, a document, an entry or a bank.
const LIMIT: i64 = 900_000_000_000_000;

/// Largest magnitude of what such amounts add up to.
const MOST: i64 = 9_000_000_000_000_000_000;

/// An ISO 4217 currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Currency(iso_currency::Currency);

impl Currency {
    /// The euro.
    pub const EUR: Self = Self(iso_currency::Currency::EUR);

    /// The alphabetic code: `EUR`.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.0.code()
    }

    /// The currency of a numeric code of ISO 4217: 978 is the euro.
    #[must_use]
    pub fn from_numeric(code: u16) -> Option<Self> {
        iso_currency::Currency::from_numeric(code).map(Self)
    }

    /// Its numeric code.
    #[must_use]
    pub fn numeric(self) -> u16 {
        self.0.numeric()
    }

    /// Digits after the decimal point.
    #[must_use]
    pub fn digits(self) -> u32 {
        self.0.exponent().map_or(0, u32::from)
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Currency {
    type Err = MoneyError;

    fn from_str(text: &str) -> Result<Self, MoneyError> {
        iso_currency::Currency::from_code(text).map(Self).ok_or(MoneyError::Currency)
    }
}

/// Why something is not an amount, or cannot be computed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum MoneyError {
    /// Not an ISO 4217 code.
    #[error("expected an ISO 4217 currency code such as EUR")]
    Currency,
    /// Not a decimal string with the currency's digits.
    #[error("expected a decimal string with exactly the digits of the currency, such as \"1210.00\"")]
    Format,
    /// Beyond ±9,000,000,000,000.00, or what such amounts can add up to.
    #[error("the amount is out of range")]
    Range,
    /// Two currencies met in one computation.
    #[error("amounts of different currencies cannot be combined")]
    Mixed,
}

impl From<MoneyError> for StoreError {
    /// Of amounts that the store holds: each is one, so what fails is their sum.
    fn from(error: MoneyError) -> Self {
        match error {
            MoneyError::Range => Self::OutOfRange,
            MoneyError::Currency | MoneyError::Format | MoneyError::Mixed => Self::backend(error),
        }
    }
}

/// A signed amount in one currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Amount {
    minor: i64,
    currency: Currency,
}

impl Amount {
    /// Nothing.
    #[must_use]
    pub const fn zero(currency: Currency) -> Self {
        Self { minor: 0, currency }
    }

    /// From minor units, cents for the euro: an amount, or a sum of some.
    ///
    /// # Errors
    /// [`MoneyError::Range`] beyond what ten thousand of the largest amounts add up to.
    pub fn from_minor(minor: i64, currency: Currency) -> Result<Self, MoneyError> {
        Self { minor, currency }.within(MOST)
    }

    /// The same, where a person, a document, an entry or a bank may state it: at most ±9,000,000,000,000.00, so that what
    /// all of them add up to can be counted.
    ///
    /// # Errors
    /// [`MoneyError::Range`].
    pub fn stated(self) -> Result<Self, MoneyError> {
        self.within(LIMIT)
    }

    fn within(self, most: i64) -> Result<Self, MoneyError> {
        let fits = self.minor.checked_abs().is_some_and(|magnitude| magnitude <= most);
        if fits { Ok(self) } else { Err(MoneyError::Range) }
    }

    /// Reads the wire form.
    ///
    /// # Errors
    /// [`MoneyError::Format`] unless the text has exactly the currency's digits.
    pub fn parse(text: &str, currency: Currency) -> Result<Self, MoneyError> {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let digits = usize::try_from(currency.digits()).unwrap_or(0);
        let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let padded = whole.len() > 1 && whole.starts_with('0');
        if whole.is_empty() || padded || !plain(whole) || !plain(fraction) || fraction.len() != digits {
            return Err(MoneyError::Format);
        }
        if digits == 0 && unsigned.contains('.') {
            return Err(MoneyError::Format);
        }
        let minor: i64 = format!("{whole}{fraction}").parse().map_err(|_| MoneyError::Range)?;
        Self::from_minor(if unsigned.len() == text.len() { minor } else { -minor }, currency)?.stated()
    }

    /// Rounds an exact value half away from zero to the currency's digits.
    ///
    /// # Errors
    /// [`MoneyError::Range`].
    pub fn round(exact: Decimal, currency: Currency) -> Result<Self, MoneyError> {
        let rounded = exact.round_dp_with_strategy(currency.digits(), RoundingStrategy::MidpointAwayFromZero);
        let scale = Decimal::from(10_u64.pow(currency.digits()));
        let minor = rounded.checked_mul(scale).and_then(|value| value.to_i64()).ok_or(MoneyError::Range)?;
        Self::from_minor(minor, currency)?.stated()
    }

    /// Rounds an exact ratio of minor units half away from zero.
    ///
    /// Integers hold a quotient such as `base × 100 / 121` exactly; no decimal does.
    ///
    /// # Errors
    /// [`MoneyError::Range`], also for a denominator of zero.
    pub fn from_ratio(numerator: i128, denominator: i128, currency: Currency) -> Result<Self, MoneyError> {
        let quotient = numerator.checked_div(denominator).ok_or(MoneyError::Range)?;
        let rest = numerator.checked_rem(denominator).ok_or(MoneyError::Range)?;
        let away = if rest.unsigned_abs() >= denominator.unsigned_abs().div_ceil(2) {
            if numerator.is_negative() == denominator.is_negative() { 1 } else { -1 }
        } else {
            0
        };
        let minor = quotient.checked_add(away).and_then(|minor| i64::try_from(minor).ok());
        Self::from_minor(minor.ok_or(MoneyError::Range)?, currency)?.stated()
    }

    /// Minor units: the stored form.
    #[must_use]
    pub fn minor(self) -> i64 {
        self.minor
    }

    /// The currency.
    #[must_use]
    pub fn currency(self) -> Currency {
        self.currency
    }

    /// The exact value, for computing prices and rates.
    #[must_use]
    pub fn decimal(self) -> Decimal {
        Decimal::new(self.minor, self.currency.digits())
    }

    /// The sum.
    ///
    /// # Errors
    /// [`MoneyError::Mixed`], [`MoneyError::Range`].
    pub fn plus(self, other: Self) -> Result<Self, MoneyError> {
        if self.currency != other.currency {
            return Err(MoneyError::Mixed);
        }
        let minor = self.minor.checked_add(other.minor).ok_or(MoneyError::Range)?;
        Self::from_minor(minor, self.currency)
    }

    /// The difference.
    ///
    /// # Errors
    /// [`MoneyError::Mixed`], [`MoneyError::Range`].
    pub fn minus(self, other: Self) -> Result<Self, MoneyError> {
        self.plus(other.negated())
    }

    /// The sum of all, whatever their order: only the result must be in range, no sum on the way to it.
    ///
    /// # Errors
    /// [`MoneyError::Mixed`], [`MoneyError::Range`].
    pub fn sum(amounts: impl IntoIterator<Item = Self>, currency: Currency) -> Result<Self, MoneyError> {
        let mut total = 0_i128;
        for amount in amounts {
            if amount.currency != currency {
                return Err(MoneyError::Mixed);
            }
            total = total.checked_add(i128::from(amount.minor)).ok_or(MoneyError::Range)?;
        }
        Self::from_minor(i64::try_from(total).map_err(|_| MoneyError::Range)?, currency)
    }

    /// The amount with its sign turned.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { minor: self.minor.saturating_neg(), ..self }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.decimal().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn currency(code: &str) -> Currency {
        code.parse().expect("a known code")
    }

    #[test]
    fn each_currency_has_its_own_digits() {
        for (code, text) in [("EUR", "1210.00"), ("JPY", "1210"), ("KWD", "1.210"), ("EUR", "-0.01")] {
            let amount = Amount::parse(text, currency(code)).expect("valid");
            assert_eq!(amount.to_string(), text);
        }
    }

    #[test]
    fn a_currency_has_a_numeric_code() {
        assert_eq!(Currency::from_numeric(978), Some(Currency::EUR));
        assert_eq!(currency("USD").numeric(), 840);
        assert_eq!(Currency::from_numeric(1), None);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["1210", "1210.0", "1210.000", "+1.00", "1,00", ".50", "", "-", "01.00", "1e3", " 1.00"] {
            assert_eq!(Amount::parse(text, Currency::EUR), Err(MoneyError::Format), "{text}");
        }
        assert_eq!(Amount::parse("1210.", currency("JPY")), Err(MoneyError::Format));
        assert_eq!(Amount::parse("9000000000000.01", Currency::EUR), Err(MoneyError::Range));
    }

    #[test]
    fn rounding_is_half_away_from_zero_and_symmetric() {
        let rounded =
            |text: &str| Amount::round(text.parse().expect("decimal"), Currency::EUR).map(Amount::minor);
        assert_eq!(rounded("0.005"), Ok(1));
        assert_eq!(rounded("-0.005"), Ok(-1));
        assert_eq!(rounded("0.0049"), Ok(0));
    }

    #[test]
    fn a_ratio_is_rounded_like_a_decimal() {
        let rounded = |over, under| Amount::from_ratio(over, under, Currency::EUR).map(Amount::minor);
        for (over, under, minor) in
            [(5, 10, 1), (-5, 10, -1), (5, -10, -1), (49, 100, 0), (2, 3, 1), (1, 3, 0), (0, 7, 0), (9, 1, 9)]
        {
            assert_eq!(rounded(over, under), Ok(minor), "{over}/{under}");
        }
        assert_eq!(rounded(1, 0), Err(MoneyError::Range));
        assert_eq!(rounded(i128::MIN, -1), Err(MoneyError::Range));
        assert_eq!(rounded(i128::from(LIMIT) * 2 + 1, 2), Err(MoneyError::Range));
    }

    #[test]
    fn only_the_result_of_a_sum_must_be_in_range() {
        let most = Amount::from_minor(MOST, Currency::EUR).expect("in range");
        let yen = Amount::from_minor(1, currency("JPY")).expect("in range");
        assert_eq!(Amount::sum([most, most, most.negated()], Currency::EUR), Ok(most));
        assert_eq!(Amount::sum([most, most], Currency::EUR), Err(MoneyError::Range));
        assert_eq!(Amount::sum([most, yen], Currency::EUR), Err(MoneyError::Mixed));
        assert_eq!(most.minus(most).map(Amount::minor), Ok(0));
    }

    #[test]
    fn a_sum_may_be_more_than_what_is_stated() {
        let most = Amount::from_minor(LIMIT, Currency::EUR).expect("in range");
        assert_eq!(most.stated(), Ok(most));
        let sum = Amount::sum(std::iter::repeat_n(most, 10_000), Currency::EUR).expect("countable");
        assert_eq!((sum.stated(), sum.plus(most)), (Err(MoneyError::Range), Err(MoneyError::Range)));
        assert_eq!(Amount::parse(&sum.to_string(), Currency::EUR), Err(MoneyError::Range));
    }

    proptest! {
        #[test]
        fn every_amount_survives_its_text_form(minor in -LIMIT..=LIMIT, code in prop::sample::select(vec!["EUR", "JPY", "KWD"])) {
            let amount = Amount::from_minor(minor, currency(code)).expect("in range");
            prop_assert_eq!(Amount::parse(&amount.to_string(), amount.currency()), Ok(amount));
        }

        #[test]
        fn sums_are_exact_or_refused(left in any::<i64>(), right in any::<i64>()) {
            if let (Ok(left), Ok(right)) = (Amount::from_minor(left, Currency::EUR), Amount::from_minor(right, Currency::EUR)) {
                match left.plus(right) {
                    Ok(sum) => prop_assert_eq!(sum.minor(), left.minor() + right.minor()),
                    Err(error) => prop_assert_eq!(error, MoneyError::Range),
                }
            }
        }
    }
}
