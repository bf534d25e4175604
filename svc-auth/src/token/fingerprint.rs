//! Fingerprints: what is kept of a token's value.
//!
//! A value holds 256 random bits, so one keyed hash is enough: nothing can be
//! guessed from it, with or without the pepper. The pepper keeps a stolen
//! database from telling whether a known value is in it.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::token::TokenValue;

/// HMAC-SHA-256 of a token's value under a pepper.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    /// Which pepper made it.
    pub pepper: u32,
    /// The digest.
    pub digest: [u8; 32],
}

impl Fingerprint {
    /// Whether both are of one value under one pepper, in a time that tells nothing of the digests.
    #[must_use]
    pub fn matches(&self, other: &Self) -> bool {
        bool::from(self.pepper.ct_eq(&other.pepper) & self.digest.ct_eq(&other.digest))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint(pepper {})", self.pepper)
    }
}

/// A secret of the server that fingerprints are made with.
#[derive(Clone)]
pub struct Pepper {
    /// Its key id.
    pub id: u32,
    key: Zeroizing<[u8; 32]>,
}

impl Pepper {
    /// Wraps a key.
    #[must_use]
    pub fn new(id: u32, key: [u8; 32]) -> Self {
        Self { id, key: Zeroizing::new(key) }
    }

    fn fingerprint(&self, value: &TokenValue) -> Fingerprint {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(self.key.as_slice()).expect("HMAC takes keys of any length");
        mac.update(value.expose().as_bytes());
        Fingerprint { pepper: self.id, digest: mac.finalize().into_bytes().into() }
    }
}

impl fmt::Debug for Pepper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pepper({})", self.id)
    }
}

/// The pepper in use, and older ones that stored fingerprints may still need.
///
/// To rotate: give a new pepper a new id, put it first, keep the old one until
/// the last token that was made with it is gone.
#[derive(Clone, Debug)]
pub struct Peppers {
    current: Pepper,
    older: Vec<Pepper>,
}

impl Peppers {
    /// One pepper in use, and the ones before it.
    #[must_use]
    pub fn new(current: Pepper, older: Vec<Pepper>) -> Self {
        Self { current, older }
    }

    /// The fingerprint that is stored for a new value.
    #[must_use]
    pub fn fingerprint(&self, value: &TokenValue) -> Fingerprint {
        self.current.fingerprint(value)
    }

    /// Every fingerprint that may be stored for a presented value, the current pepper's first.
    #[must_use]
    pub fn candidates(&self, value: &TokenValue) -> Vec<Fingerprint> {
        [&self.current].into_iter().chain(&self.older).map(|pepper| pepper.fingerprint(value)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value() -> TokenValue {
        TokenValue::parse("svc_live_0000000000000000000000000000000000000000000297tdY").expect("valid")
    }

    #[test]
    fn a_fingerprint_is_hmac_sha_256_of_the_whole_value() {
        // Computed with Python's hmac module.
        let expected: u128 = 0xba54_542e_e6bd_73bd_8e25_27d9_65d8_0e0d;
        let digest = Pepper::new(4, [9; 32]).fingerprint(&value()).digest;
        assert_eq!(&digest[..16], expected.to_be_bytes());
    }

    #[test]
    fn an_older_pepper_still_finds_what_it_made() {
        let old = Pepper::new(1, [1; 32]);
        let stored = Peppers::new(old.clone(), Vec::new()).fingerprint(&value());
        let rotated = Peppers::new(Pepper::new(2, [2; 32]), vec![old]);
        assert_eq!(rotated.fingerprint(&value()).pepper, 2);
        assert_eq!(rotated.candidates(&value()).iter().filter(|known| known.matches(&stored)).count(), 1);
    }

    #[test]
    fn neither_another_pepper_nor_another_digest_matches() {
        let print = Pepper::new(1, [1; 32]).fingerprint(&value());
        assert!(print.matches(&print.clone()));
        assert!(!print.matches(&Fingerprint { pepper: 2, ..print }));
        assert!(!print.matches(&Fingerprint { digest: [0; 32], ..print }));
    }

    #[test]
    fn debug_output_hides_keys_and_digests() {
        let peppers = Peppers::new(Pepper::new(3, [77; 32]), Vec::new());
        let text = format!("{peppers:?} {:?}", peppers.fingerprint(&value()));
        assert_eq!(text, "Peppers { current: Pepper(3), older: [] } Fingerprint(pepper 3)");
    }
}
