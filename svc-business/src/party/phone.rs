//! Telephone numbers in E.164 form.

use std::str::FromStr;

use svc_core::pii::{Mask, mask};
use thiserror::Error;

/// A number of the form `+34600123456`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Phone(String);

/// Not an E.164 number.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected a phone number in E.164 form such as +34600123456")]
pub struct InvalidPhone;

impl Phone {
    /// Wraps a stored value.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The E.164 form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Phone {
    type Err = InvalidPhone;

    /// Spaces, dots, hyphens and parentheses are dropped.
    fn from_str(text: &str) -> Result<Self, InvalidPhone> {
        let compact: String =
            text.chars().filter(|letter| !matches!(letter, ' ' | '.' | '-' | '(' | ')')).collect();
        let digits = compact.strip_prefix('+').ok_or(InvalidPhone)?;
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        let sized = (8..=15).contains(&digits.len());
        if plain && sized && !digits.starts_with('0') { Ok(Self(compact)) } else { Err(InvalidPhone) }
    }
}

impl Mask for Phone {
    type View = String;

    fn masked(&self) -> Option<String> {
        Some(mask(&self.0, 0, 3))
    }

    fn full(&self) -> String {
        self.0.clone()
    }
}
