//! Values of elements, with the path of each for errors.

use std::cell::RefCell;
use std::str::FromStr;

use rust_decimal::Decimal;
use svc_core::money::{Amount, Currency};
use time::{Date, Month};

use super::Node;
use crate::error::{Missing, ReadError};

/// The longest number that is read.
const MOST_DIGITS: usize = 64;

/// What was found missing on the way.
#[derive(Default)]
pub(crate) struct Gaps(RefCell<Vec<Missing>>);

impl Gaps {
    pub(crate) fn note(&self, element: String, term: &'static str) {
        self.0.borrow_mut().push(Missing { element, term });
    }

    pub(crate) fn into_missing(self) -> Vec<Missing> {
        self.0.into_inner()
    }
}

/// An element and its path from the root.
#[derive(Clone)]
pub(crate) struct Place<'a> {
    pub(crate) node: &'a Node,
    pub(crate) path: String,
    gaps: &'a Gaps,
}

impl<'a> Place<'a> {
    pub(crate) fn root(node: &'a Node, gaps: &'a Gaps) -> Self {
        Self { node, path: node.name.clone(), gaps }
    }

    /// The first element at a path of names below this one: `Price/PriceAmount`.
    pub(crate) fn at(&self, path: &str) -> Option<Self> {
        let node = path.split('/').try_fold(self.node, |node, name| node.child(name))?;
        Some(Self { node, path: self.path_to(path), gaps: self.gaps })
    }

    /// All children of a name, counted from 1 in their paths.
    pub(crate) fn all(&self, name: &'a str) -> Vec<Self> {
        let numbered = self.node.all(name).zip(1_usize..);
        numbered
            .map(|(node, at)| Self { node, path: format!("{}/{name}[{at}]", self.path), gaps: self.gaps })
            .collect()
    }

    /// The children of a name within the first child of another: `Items/InvoiceLine`.
    pub(crate) fn all_in(&self, outer: &str, name: &'a str) -> Vec<Self> {
        self.at(outer).map(|place| place.all(name)).unwrap_or_default()
    }

    pub(crate) fn text(&self, path: &str) -> Option<String> {
        self.at(path)?.node.text().map(str::to_owned)
    }

    /// A text that must be there; where it is not, that is noted, and the text is empty.
    pub(crate) fn needed(&self, path: &str, term: &'static str) -> String {
        self.text(path).unwrap_or_else(|| {
            self.lacks(path, term);
            String::new()
        })
    }

    pub(crate) fn lacks(&self, path: &str, term: &'static str) {
        self.gaps.note(self.path_to(path), term);
    }

    pub(crate) fn date(&self, path: &str) -> Result<Option<Date>, ReadError> {
        self.at(path).map_or(Ok(None), |place| place.own_date())
    }

    /// The date that is the text of this element: `2025-01-31`, also with a zone, which is dropped.
    pub(crate) fn own_date(&self) -> Result<Option<Date>, ReadError> {
        let Some(text) = self.node.text() else { return Ok(None) };
        calendar_date(text).map(Some).ok_or_else(|| self.wrong("a date such as 2025-01-31"))
    }

    pub(crate) fn decimal(&self, path: &str) -> Result<Option<Decimal>, ReadError> {
        let Some(place) = self.at(path) else { return Ok(None) };
        let Some(text) = place.node.text() else { return Ok(None) };
        number(text).map(Some).ok_or_else(|| place.wrong("a decimal number"))
    }

    pub(crate) fn needed_decimal(&self, path: &str, term: &'static str) -> Result<Decimal, ReadError> {
        Ok(self.decimal(path)?.unwrap_or_else(|| {
            self.lacks(path, term);
            Decimal::ZERO
        }))
    }

    /// An amount, rounded half away from zero where it has more digits than its currency.
    pub(crate) fn amount(&self, path: &str, currency: Currency) -> Result<Option<Amount>, ReadError> {
        let Some(exact) = self.decimal(path)? else { return Ok(None) };
        let rounded = Amount::round(exact, currency);
        rounded
            .map(Some)
            .map_err(|_| ReadError::Value { element: self.path_to(path), expected: "a smaller amount" })
    }

    /// The amount that is the text of this element, zero where there is none.
    pub(crate) fn own_amount(&self, currency: Currency) -> Result<Amount, ReadError> {
        let Some(text) = self.node.text() else { return Ok(Amount::zero(currency)) };
        let exact = number(text).ok_or_else(|| self.wrong("a decimal number"))?;
        Amount::round(exact, currency).map_err(|_| self.wrong("a smaller amount"))
    }

    /// An amount, zero where there is none.
    pub(crate) fn amount_or_zero(&self, path: &str, currency: Currency) -> Result<Amount, ReadError> {
        Ok(self.amount(path, currency)?.unwrap_or_else(|| Amount::zero(currency)))
    }

    pub(crate) fn needed_amount(
        &self,
        path: &str,
        term: &'static str,
        currency: Currency,
    ) -> Result<Amount, ReadError> {
        Ok(self.amount(path, currency)?.unwrap_or_else(|| {
            self.lacks(path, term);
            Amount::zero(currency)
        }))
    }

    pub(crate) fn currency(&self, path: &str) -> Result<Option<Currency>, ReadError> {
        let Some(text) = self.text(path) else { return Ok(None) };
        let wrong =
            |_| ReadError::Value { element: self.path_to(path), expected: "an ISO 4217 currency code" };
        Currency::from_str(&text).map(Some).map_err(wrong)
    }

    pub(crate) fn wrong(&self, expected: &'static str) -> ReadError {
        ReadError::Value { element: self.path.clone(), expected }
    }

    fn path_to(&self, path: &str) -> String {
        format!("{}/{path}", self.path)
    }
}

/// Plain decimals, and those with an exponent, which `xs:double` allows.
fn number(text: &str) -> Option<Decimal> {
    if text.len() > MOST_DIGITS {
        return None;
    }
    let plain = text.strip_prefix('+').unwrap_or(text);
    let shown =
        if plain.contains(['e', 'E']) { Decimal::from_scientific(plain) } else { Decimal::from_str(plain) };
    shown.ok()
}

/// `2025-01-31`, with or without a zone, and `20250131`.
fn calendar_date(text: &str) -> Option<Date> {
    let digits: String = match text.split_at_checked(10) {
        Some((day, _)) if day.as_bytes().get(4) == Some(&b'-') => day.replace('-', ""),
        _ => text.to_owned(),
    };
    if digits.len() != 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (year, rest) = digits.split_at_checked(4)?;
    let (month, day) = rest.split_at_checked(2)?;
    let month = Month::try_from(month.parse::<u8>().ok()?).ok()?;
    Date::from_calendar_date(year.parse().ok()?, month, day.parse().ok()?).ok()
}
