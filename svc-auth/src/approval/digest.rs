//! Which call an approval is for.

use std::fmt;

use sha2::{Digest as _, Sha256};
use svc_core::hex::Hex;

/// The SHA-256 of all that a call says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallDigest([u8; 32]);

impl CallDigest {
    /// Of these parts, none of which runs into the next one.
    #[must_use]
    pub fn of(parts: &[&str]) -> Self {
        let mut digest = Sha256::new();
        for part in parts {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        Self(digest.finalize().into())
    }

    /// One that was stored.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// In hexadecimal digits.
impl fmt::Display for CallDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Hex(&self.0), f)
    }
}

impl fmt::Debug for CallDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CallDigest({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_into_each_other() {
        let digests = [&["ab", "c"][..], &["a", "bc"], &["abc"], &["ab", "c", ""], &[]].map(CallDigest::of);
        for (place, one) in digests.iter().enumerate() {
            assert!(digests.iter().skip(place + 1).all(|other| other != one), "{place}");
        }
        assert_eq!(CallDigest::of(&["ab", "c"]), CallDigest::from_bytes(*digests[0].as_bytes()));
    }
}
