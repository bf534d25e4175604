//! Bank account numbers.

use std::str::FromStr;

use iban::IbanLike;
use svc_core::pii::{Mask, mask};
use thiserror::Error;

use crate::party::Country;

/// An IBAN without spaces, its check digits verified.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Iban(String);

/// Not an IBAN.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected an IBAN with valid check digits and the length of its country")]
pub struct InvalidIban;

impl Iban {
    /// Wraps a stored value.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The electronic form, without spaces.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Iban {
    type Err = InvalidIban;

    fn from_str(text: &str) -> Result<Self, InvalidIban> {
        let compact: String = text.chars().filter(|letter| !matches!(letter, ' ' | '-')).collect();
        let iban: iban::Iban = compact.to_ascii_uppercase().parse().map_err(|_| InvalidIban)?;
        Ok(Self(iban.electronic_str().to_owned()))
    }
}

impl Mask for Iban {
    type View = String;

    fn masked(&self) -> Option<String> {
        Some(mask(&self.0, 4, 4))
    }

    fn full(&self) -> String {
        self.0.clone()
    }
}

/// A bank identifier code (ISO 9362), 8 or 11 characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bic(String);

/// Not a BIC.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected a BIC of 8 or 11 letters and digits, such as CAIXESBBXXX")]
pub struct InvalidBic;

impl Bic {
    /// Wraps a stored value.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The code.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Bic {
    type Err = InvalidBic;

    /// Bank, country, place and, with 11 characters, branch.
    fn from_str(text: &str) -> Result<Self, InvalidBic> {
        let code = text.trim().to_ascii_uppercase();
        let (bank, rest) = code.split_at_checked(4).ok_or(InvalidBic)?;
        let (country, place) = rest.split_at_checked(2).ok_or(InvalidBic)?;
        // Kosovo has a code for banks that ISO 3166 does not assign.
        let known = country == "XK" || country.parse::<Country>().is_ok();
        let plain = bank.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && place.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if known && plain && matches!(place.len(), 2 | 5) { Ok(Self(code)) } else { Err(InvalidBic) }
    }
}
