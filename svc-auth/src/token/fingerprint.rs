//! Fingerprints: what is kept of a token's value.
//!
//! A value holds 256 random bits, so one keyed hash is enough: nothing can be
//! guessed from it, with or without the pepper. The pepper keeps a stolen
//! database from telling whether a known value is in it.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use svc_core::mark::Mark;
use zeroize::Zeroizing;

use super::TokenValue;

/// A value of 256 random bits of which only a fingerprint is kept.
pub trait Secret {
    /// The whole value.
    fn expose(&self) -> &str;
}

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

    /// Whether it matches one of the candidates: the index of a store found it,
    /// and whether it is the one is decided here, in constant time.
    #[must_use]
    pub fn is_among(&self, candidates: &[Self]) -> bool {
        candidates.iter().fold(false, |found, candidate| found | candidate.matches(self))
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
    /// HMAC that has taken the key in, for each request to go on from; it erases itself.
    keyed: Hmac<Sha256>,
}

impl Pepper {
    /// Wraps a key.
    #[must_use]
    pub fn new(id: u32, key: [u8; 32]) -> Self {
        let key = Zeroizing::new(key);
        let keyed = Hmac::new_from_slice(key.as_slice()).expect("HMAC takes keys of any length");
        Self { id, keyed }
    }

    fn fingerprint(&self, secret: &impl Secret) -> Fingerprint {
        Fingerprint { pepper: self.id, digest: self.hash(&[secret.expose().as_bytes()]) }
    }

    fn hash(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = self.keyed.clone();
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

impl fmt::Debug for Pepper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pepper({})", self.id)
    }
}

/// The pepper in use, and older ones that stored fingerprints may still need; and the mark of tokens.
///
/// What makes, reads and finds values is given this one value, so all agree on both.
///
/// To rotate: give a new pepper a new id, put it first, and keep the old one.
/// What was made with the old one is found as before and stays as it is: a
/// request writes nothing, and a fingerprint cannot be made anew without the
/// value. A token moves to the pepper in use when it is given a new value, a
/// session when the person signs in again. The old pepper may go when nothing
/// that was made with it is left, or is to stop working.
///
/// It neither serialises nor prints.
///
/// ```
/// # use svc_auth::token::Peppers;
/// fn hidden<T: std::fmt::Debug>() {}
/// hidden::<Peppers>();
/// ```
/// ```compile_fail,E0277
/// # use svc_auth::token::Peppers;
/// fn serialised<T: serde::Serialize>() {}
/// serialised::<Peppers>();
/// ```
/// ```compile_fail,E0277
/// # use svc_auth::token::Peppers;
/// fn printed<T: std::fmt::Display>() {}
/// printed::<Peppers>();
/// ```
#[derive(Clone, Debug)]
pub struct Peppers {
    current: Pepper,
    older: Vec<Pepper>,
    mark: Mark,
}

impl Peppers {
    /// One pepper in use, and the ones before it.
    #[must_use]
    pub fn new(current: Pepper, older: Vec<Pepper>) -> Self {
        Self { current, older, mark: TokenValue::MARK }
    }

    /// The same peppers for tokens with another mark than `svc_live_`, to be chosen before the first one is
    /// made: a token with another mark is no token here.
    #[must_use]
    pub fn marked(self, mark: Mark) -> Self {
        Self { mark, ..self }
    }

    /// What the values of tokens start with.
    #[must_use]
    pub const fn mark(&self) -> Mark {
        self.mark
    }

    /// The fingerprint that is stored for a new value.
    #[must_use]
    pub fn fingerprint(&self, value: &impl Secret) -> Fingerprint {
        self.current.fingerprint(value)
    }

    /// The keyed hash of another text, under the current pepper. A zero byte
    /// follows the purpose: no purpose has one, and neither has a value.
    pub(crate) fn keyed(&self, purpose: &'static str, text: &str) -> [u8; 32] {
        self.current.hash(&[purpose.as_bytes(), &[0], text.as_bytes()])
    }

    /// The keyed hash of a secret for a purpose, under the pepper with this id; `None` when it is not known any more.
    pub(crate) fn derived(
        &self,
        pepper: u32,
        purpose: &'static str,
        secret: &impl Secret,
    ) -> Option<[u8; 32]> {
        let pepper = [&self.current].into_iter().chain(&self.older).find(|known| known.id == pepper)?;
        Some(pepper.hash(&[purpose.as_bytes(), &[0], secret.expose().as_bytes()]))
    }

    /// Every fingerprint that may be stored for a presented value, the current pepper's first.
    #[must_use]
    pub fn candidates(&self, value: &impl Secret) -> Vec<Fingerprint> {
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
        assert!(print.is_among(&[Fingerprint { pepper: 2, ..print }, print]));
        assert!(!print.is_among(&[Fingerprint { pepper: 2, ..print }]) && !print.is_among(&[]));
    }

    #[test]
    fn debug_output_hides_keys_and_digests() {
        let peppers = Peppers::new(Pepper::new(3, [77; 32]), Vec::new());
        let text = format!("{peppers:?} {:?}", peppers.fingerprint(&value()));
        assert_eq!(text, "Peppers { current: Pepper(3), older: [], mark: svc_live_ } Fingerprint(pepper 3)");
    }
}
