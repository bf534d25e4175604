//! The proof that who exchanges a code is who asked for it (RFC 7636).

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;
use thiserror::Error;
use zeroize::Zeroizing;

/// What a client sends first: the SHA-256 of its verifier. The method `plain` is none here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeChallenge([u8; 32]);

/// What the client shows later: 43 to 128 letters, digits and `-._~`.
#[derive(Clone)]
pub struct CodeVerifier(Zeroizing<String>);

/// The text cannot be a challenge, or a verifier.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("not in the form of RFC 7636")]
pub struct MalformedProof;

impl CodeChallenge {
    /// The only method, as its parameter names it.
    pub const METHOD: &'static str = "S256";

    /// Reads 43 characters of base64url without padding (RFC 7636, section 4.2).
    ///
    /// # Errors
    /// [`MalformedProof`].
    pub fn parse(text: &str) -> Result<Self, MalformedProof> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| MalformedProof)?;
        bytes.try_into().map(Self).map_err(|_| MalformedProof)
    }

    /// The challenge with this digest, as a store has kept it.
    #[must_use]
    pub const fn of(digest: [u8; 32]) -> Self {
        Self(digest)
    }

    /// The digest.
    #[must_use]
    pub const fn digest(&self) -> [u8; 32] {
        self.0
    }

    /// Whether it was made of this verifier, in a time that tells nothing of it.
    #[must_use]
    pub fn is_met_by(&self, verifier: &CodeVerifier) -> bool {
        self.0.ct_eq(&verifier.challenge().0).into()
    }
}

impl CodeVerifier {
    /// Reads a presented verifier (RFC 7636, section 4.1).
    ///
    /// # Errors
    /// [`MalformedProof`].
    pub fn parse(text: &str) -> Result<Self, MalformedProof> {
        let sound = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if (43..=128).contains(&text.len()) && text.bytes().all(sound) {
            return Ok(Self(Zeroizing::new(text.to_owned())));
        }
        Err(MalformedProof)
    }

    /// The challenge that is made of it.
    #[must_use]
    pub fn challenge(&self) -> CodeChallenge {
        CodeChallenge(Sha256::digest(self.0.as_bytes()).into())
    }
}

impl fmt::Debug for CodeVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CodeVerifier(***)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_example_of_the_standard_is_met() {
        // RFC 7636, appendix B.
        let verifier =
            CodeVerifier::parse("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk").expect("a verifier");
        let challenge =
            CodeChallenge::parse("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM").expect("a challenge");
        assert!(challenge.is_met_by(&verifier));
        assert_eq!(verifier.challenge(), challenge);
        assert_eq!(format!("{verifier:?}"), "CodeVerifier(***)");
    }

    #[test]
    fn what_is_too_short_too_long_or_of_other_letters_is_refused() {
        for length in [0, 42, 129, 1_000] {
            assert!(CodeVerifier::parse(&"a".repeat(length)).is_err(), "{length}");
        }
        for length in [43, 128] {
            assert!(CodeVerifier::parse(&"~".repeat(length)).is_ok(), "{length}");
        }
        assert!(CodeVerifier::parse(&"é".repeat(30)).is_err());
        assert!(CodeVerifier::parse(&format!("{}+", "a".repeat(60))).is_err());
        let padded = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM=";
        let standard = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM";
        // The last digit holds two bits that belong to no byte.
        let loose = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cN";
        for text in ["", "abc", padded, standard, loose] {
            assert_eq!(CodeChallenge::parse(text), Err(MalformedProof), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_challenge_is_met_by_its_verifier_alone(one in "[A-Za-z0-9._~-]{43,128}", other in "[A-Za-z0-9._~-]{43,128}") {
            let [first, second] = [&one, &other].map(|text| CodeVerifier::parse(text).expect("a verifier"));
            prop_assert!(first.challenge().is_met_by(&first));
            prop_assert_eq!(first.challenge().is_met_by(&second), one == other);
            prop_assert_eq!(CodeChallenge::of(first.challenge().digest()), first.challenge());
        }
    }
}
