//! The value of a token: `svc_live_`, 256 random bits in base 62, and a
//! checksum, so that junk is refused without asking the database.

use std::fmt;

use svc_core::random::{self, RandomSource};
use thiserror::Error;
use zeroize::Zeroizing;

use crate::token::Secret;

/// What every value starts with: people and secret scanners know a token by it.
const MARK: &str = "svc_live_";
/// Base-62 digits of 256 bits.
const RANDOM: usize = 43;
/// Base-62 digits of a CRC-32.
const CHECKSUM: usize = 6;
/// Characters kept for people to recognise a token by: the mark and three more.
const PREFIX: usize = MARK.len() + 3;
/// Length of every value.
const LENGTH: usize = MARK.len() + RANDOM + CHECKSUM;

/// A token in clear text: shown once, never stored.
///
/// It neither serialises nor prints.
///
/// ```
/// # use svc_auth::token::TokenValue;
/// fn hidden<T: std::fmt::Debug>() {}
/// hidden::<TokenValue>();
/// ```
/// ```compile_fail,E0277
/// # use svc_auth::token::TokenValue;
/// fn serialised<T: serde::Serialize>() {}
/// serialised::<TokenValue>();
/// ```
/// ```compile_fail,E0277
/// # use svc_auth::token::TokenValue;
/// fn printed<T: std::fmt::Display>() {}
/// printed::<TokenValue>();
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct TokenValue(Zeroizing<[u8; LENGTH]>);

/// The text is not a token: wrong prefix, length, alphabet or checksum.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("not a token of this service")]
pub struct JunkToken;

impl TokenValue {
    /// A new value.
    pub fn generate(random: &dyn RandomSource) -> Self {
        let bits = Zeroizing::new(random::bytes::<32>(random));
        let digits = Zeroizing::new(random::base62(bits.as_slice()));
        let mut text = Zeroizing::new(String::with_capacity(LENGTH));
        text.push_str(MARK);
        text.push_str(&digits);
        let checksum = crc32fast::hash(text.as_bytes());
        text.push_str(&random::base62(&checksum.to_be_bytes()));
        Self::of(&text).expect("its parts have one length")
    }

    /// Reads a presented value. Nothing is copied before the form and the checksum are right.
    ///
    /// # Errors
    /// [`JunkToken`] when the checksum or the form is wrong.
    pub fn parse(text: &str) -> Result<Self, JunkToken> {
        if text.len() != LENGTH || !text.starts_with(MARK) {
            return Err(JunkToken);
        }
        let (checked, checksum) = text.split_at_checked(LENGTH - CHECKSUM).ok_or(JunkToken)?;
        let random = checked.get(MARK.len()..).ok_or(JunkToken)?;
        if !random.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(JunkToken);
        }
        if number(checksum) != Some(u64::from(crc32fast::hash(checked.as_bytes()))) {
            return Err(JunkToken);
        }
        Self::of(text).ok_or(JunkToken)
    }

    fn of(text: &str) -> Option<Self> {
        let text = <&[u8; LENGTH]>::try_from(text.as_bytes()).ok()?;
        Some(Self(Zeroizing::new(*text)))
    }

    /// The first 12 characters, for people to recognise the token by.
    #[must_use]
    pub fn prefix(&self) -> &str {
        self.expose().get(..PREFIX).expect("every value has one length and is ASCII")
    }

    /// The whole value.
    #[must_use]
    pub fn expose(&self) -> &str {
        std::str::from_utf8(&*self.0).expect("every value is ASCII")
    }
}

impl Secret for TokenValue {
    fn expose(&self) -> &str {
        self.expose()
    }
}

impl fmt::Debug for TokenValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("svc_live_***")
    }
}

/// Reads base-62 digits as [`random::base62`] writes them; `CHECKSUM` of them fit 36 bits.
fn number(digits: &str) -> Option<u64> {
    digits.bytes().try_fold(0_u64, |number, byte| {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'A'..=b'Z' => byte - b'A' + 10,
            b'a'..=b'z' => byte - b'a' + 36,
            _ => return None,
        };
        Some(number * 62 + u64::from(digit))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct Bytes([u8; 32]);

    impl RandomSource for Bytes {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.copy_from_slice(&self.0);
        }
    }

    #[test]
    fn the_form_is_fixed_for_good() {
        // The checksum is zlib's CRC-32 of the first 52 characters, computed apart from this code.
        let value = TokenValue::generate(&Bytes([0; 32]));
        assert_eq!(value.expose(), "svc_live_0000000000000000000000000000000000000000000297tdY");
        assert_eq!(value.prefix(), "svc_live_000");
        assert_eq!(format!("{value:?}"), "svc_live_***");
    }

    #[test]
    fn another_alphabet_is_junk_although_the_checksum_is_right() {
        let checked = format!("svc_live_{}-", "0".repeat(42));
        let checksum = random::base62(&crc32fast::hash(checked.as_bytes()).to_be_bytes());
        assert_eq!(TokenValue::parse(&format!("{checked}{checksum}")), Err(JunkToken));
    }

    #[test]
    fn multibyte_text_of_the_right_length_is_junk() {
        let text = format!("svc_live_{}é", "0".repeat(47));
        assert_eq!(text.len(), LENGTH);
        assert_eq!(TokenValue::parse(&text), Err(JunkToken));
        let across_the_checksum = format!("svc_live_{}é{}", "0".repeat(42), "0".repeat(5));
        assert_eq!(across_the_checksum.len(), LENGTH);
        assert_eq!(TokenValue::parse(&across_the_checksum), Err(JunkToken));
    }

    proptest! {
        #[test]
        fn every_value_is_read_back_and_one_changed_character_is_junk(
            bits in any::<[u8; 32]>(), at in 0..LENGTH, letter in "[0-9A-Za-z_ .]",
        ) {
            let value = TokenValue::generate(&Bytes(bits));
            prop_assert_eq!(TokenValue::parse(value.expose()), Ok(value.clone()));
            let mut changed = value.expose().to_owned();
            changed.replace_range(at..=at, &letter);
            prop_assert_eq!(TokenValue::parse(&changed).is_ok(), changed == value.expose());
        }

        #[test]
        fn other_text_is_junk(text in "\\PC{0,80}") {
            prop_assert_eq!(TokenValue::parse(&text), Err(JunkToken));
        }
    }
}
