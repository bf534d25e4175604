//! Codes of series, and the numbers of documents.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The name of a series: 1 to 10 capital letters, digits and hyphens; unique in a company.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SeriesCode(String);

/// Not the code of a series.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected 1 to 10 capital letters, digits and hyphens, such as F")]
pub struct SeriesCodeError;

impl FromStr for SeriesCode {
    type Err = SeriesCodeError;

    fn from_str(text: &str) -> Result<Self, SeriesCodeError> {
        let plain = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-';
        let holds = (1..=10).contains(&text.len()) && text.bytes().all(plain);
        holds.then(|| Self(text.to_owned())).ok_or(SeriesCodeError)
    }
}

impl fmt::Display for SeriesCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The number of an issued document as people write it: `F2025-00042`.
///
/// A [`Pattern`](super::Pattern) makes it: at most 60 letters, digits and `/ - _ .`, as records of the tax office want.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocumentNumber(String);

impl DocumentNumber {
    /// Wraps a stored value.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DocumentNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
