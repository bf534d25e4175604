//! Codes of accounts.

use std::fmt;
use std::str::FromStr;

use svc_core::wire::{Described, Parts};
use thiserror::Error;

/// Most digits of a code.
const MOST: usize = 12;

/// The code of an account or of a heading: 1 to 12 digits, the first of them 1 to 9.
///
/// Codes sort as a printed chart does: a heading before what is below it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountCode {
    /// Zero bytes after the last digit: a shorter code sorts before those that it begins.
    digits: [u8; MOST],
}

/// Why a text is not the code of an account, or not one of these books.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum AccountCodeError {
    /// Not 1 to 12 digits without a zero in front.
    #[error("expected 1 to 12 digits, the first of them 1 to 9, such as 4300000")]
    Format,
    /// The code has more digits than those of the books.
    #[error("the code has more than the {most} digits of these books")]
    TooLong {
        /// Digits of an account of these books.
        most: u8,
    },
}

impl AccountCode {
    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let digits = self.digits.get(..self.len()).unwrap_or(&self.digits);
        std::str::from_utf8(digits).expect("a code is ASCII digits")
    }

    /// How many digits it has, 1 to 12.
    #[expect(clippy::len_without_is_empty, reason = "a code has one digit at least")]
    #[must_use]
    pub fn len(&self) -> usize {
        self.digits.iter().position(|digit| *digit == 0).unwrap_or(MOST)
    }

    /// The group that the account belongs to: its first digit, 1 to 9.
    #[must_use]
    pub fn group(&self) -> u8 {
        self.digits.first().map_or(0, |digit| digit.saturating_sub(b'0'))
    }

    /// Whether the account lies under `heading`, or is it.
    #[must_use]
    pub fn is_under(&self, heading: Self) -> bool {
        self.starts_with(heading.as_str())
    }

    /// Whether the digits begin with these.
    #[must_use]
    pub fn starts_with(&self, digits: &str) -> bool {
        self.as_str().starts_with(digits)
    }

    /// Whether an account with this code takes entries: it is as long as the codes of the books are.
    #[must_use]
    pub fn is_postable(&self, length: CodeLength) -> bool {
        self.len() == usize::from(length.digits())
    }

    /// The code with zeros after it up to the length of the books' codes: 430 of 7 digits is 4300000.
    ///
    /// # Errors
    /// [`AccountCodeError::TooLong`].
    pub fn padded(mut self, length: CodeLength) -> Result<Self, AccountCodeError> {
        let most = length.digits();
        if self.len() > usize::from(most) {
            return Err(AccountCodeError::TooLong { most });
        }
        let missing = self.digits.iter_mut().take(usize::from(most)).filter(|digit| **digit == 0);
        missing.for_each(|digit| *digit = b'0');
        Ok(self)
    }
}

impl FromStr for AccountCode {
    type Err = AccountCodeError;

    fn from_str(text: &str) -> Result<Self, AccountCodeError> {
        let bytes = text.as_bytes();
        let plain = bytes.iter().all(u8::is_ascii_digit) && bytes.first().is_some_and(|first| *first != b'0');
        let mut digits = [0; MOST];
        let place = digits.get_mut(..bytes.len()).filter(|_| plain).ok_or(AccountCodeError::Format)?;
        place.copy_from_slice(bytes);
        Ok(Self { digits })
    }
}

impl fmt::Display for AccountCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for AccountCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Described for AccountCode {
    fn schema(_: &mut Parts) -> serde_json::Value {
        serde_json::json!({ "type": "string", "pattern": "^[1-9][0-9]{0,11}$" })
    }
}

impl serde::Serialize for AccountCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for AccountCode {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// How many digits the postable accounts of some books have: 6 to 12, 7 unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CodeLength(u8);

/// Not a length that codes may have.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("must be from 6 to 12")]
pub struct CodeLengthError;

impl CodeLength {
    /// A length of 6 to 12 digits.
    ///
    /// # Errors
    /// [`CodeLengthError`] beyond these.
    pub fn new(digits: u8) -> Result<Self, CodeLengthError> {
        (6..=12).contains(&digits).then_some(Self(digits)).ok_or(CodeLengthError)
    }

    /// The number of digits.
    #[must_use]
    pub const fn digits(self) -> u8 {
        self.0
    }
}

impl Default for CodeLength {
    fn default() -> Self {
        Self(7)
    }
}
