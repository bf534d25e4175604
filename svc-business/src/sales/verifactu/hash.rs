//! The hash of a record.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};
use thiserror::Error;

/// A SHA-256: 64 upper-case hexadecimal digits on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecordHash([u8; 32]);

/// Not the hash of a record.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected 64 upper-case hexadecimal digits")]
pub struct RecordHashError;

impl RecordHash {
    /// Wraps a stored hash.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The stored form.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The hash of a text.
    pub(super) fn of(text: &str) -> Self {
        Self(Sha256::digest(text).into())
    }
}

impl fmt::Display for RecordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02X}"))
    }
}

impl fmt::Debug for RecordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for RecordHash {
    type Err = RecordHashError;

    fn from_str(text: &str) -> Result<Self, RecordHashError> {
        let plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F'));
        if text.len() != 64 || !plain {
            return Err(RecordHashError);
        }
        let mut bytes = [0; 32];
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            let digits = std::str::from_utf8(digits).map_err(|_| RecordHashError)?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| RecordHashError)?;
        }
        Ok(Self(bytes))
    }
}
