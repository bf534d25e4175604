//! The name of a content.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::hex::{self, Hex};
use crate::wire::{Described, Parts};

/// SHA-256 of a content (FIPS 180-4); its text form is 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentDigest([u8; 32]);

/// The text is no digest.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("expected a SHA-256 as 64 lower-case hexadecimal digits")]
pub struct MalformedDigest;

impl ContentDigest {
    /// The digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Wraps a stored value.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The stored value.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for ContentDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Hex(&self.0), f)
    }
}

impl fmt::Debug for ContentDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for ContentDigest {
    type Err = MalformedDigest;

    fn from_str(text: &str) -> Result<Self, MalformedDigest> {
        hex::decode(text).map(Self).ok_or(MalformedDigest)
    }
}

impl Serialize for ContentDigest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ContentDigest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

impl Described for ContentDigest {
    fn schema(_: &mut Parts) -> serde_json::Value {
        serde_json::json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of FIPS 180-4 for `abc`.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn a_digest_is_read_as_it_is_written_and_not_otherwise() {
        let digest = ContentDigest::of(b"abc");
        assert_eq!(digest.to_string(), ABC);
        assert_eq!(ABC.parse(), Ok(digest));
        for wrong in ["", &ABC[1..], &ABC.to_uppercase(), "../../../etc/passwd"] {
            assert_eq!(wrong.parse::<ContentDigest>(), Err(MalformedDigest), "{wrong}");
        }
    }

    #[test]
    fn the_order_of_digests_is_that_of_their_texts() {
        let [lesser, greater] = [[9; 32], [10; 32]].map(ContentDigest::from_bytes);
        assert!(lesser < greater && lesser.to_string() < greater.to_string());
    }
}
