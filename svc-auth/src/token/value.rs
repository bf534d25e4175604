//! The value of a token: a mark (`svc_live_` by default), 256 random bits in
//! base 62, and a checksum, so that junk is refused without asking the database.

use std::fmt;

use svc_core::mark::Mark;
use svc_core::random::{self, RandomSource};
use thiserror::Error;
use zeroize::Zeroizing;

use crate::token::Secret;

/// Base-62 digits of 256 bits.
const RANDOM: usize = 43;
/// Base-62 digits of a CRC-32.
const CHECKSUM: usize = 6;
/// Characters after the mark that are kept for people to recognise a token by.
const SHOWN: usize = 3;
/// Length of the longest value.
const MOST: usize = Mark::MOST + RANDOM + CHECKSUM;

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
pub struct TokenValue {
    mark: Mark,
    /// Zeros behind the text, whose length follows from the mark.
    text: Zeroizing<[u8; MOST]>,
}

/// The text is not a token: wrong mark, length, alphabet or checksum.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("not a token of this service")]
pub struct JunkToken;

impl TokenValue {
    /// What values start with unless a service chooses another mark.
    pub const MARK: Mark = Mark::of("svc_live_");

    /// A new value with the mark [`TokenValue::MARK`].
    pub fn generate(random: &dyn RandomSource) -> Self {
        Self::generate_marked(Self::MARK, random)
    }

    /// A new value with this mark: people and secret scanners know it by that.
    pub fn generate_marked(mark: Mark, random: &dyn RandomSource) -> Self {
        Self::of_bits(mark, &Zeroizing::new(random::bytes::<32>(random)))
    }

    /// The value with this mark that these bits make.
    pub(crate) fn of_bits(mark: Mark, bits: &[u8; 32]) -> Self {
        let digits = Zeroizing::new(random::base62(bits));
        let mut text = Zeroizing::new(String::with_capacity(MOST));
        text.push_str(mark.as_str());
        text.push_str(&digits);
        let checksum = crc32fast::hash(text.as_bytes());
        text.push_str(&random::base62(&checksum.to_be_bytes()));
        Self::of(mark, &text).expect("its parts have one length")
    }

    /// Reads a presented value with the mark [`TokenValue::MARK`]; see [`TokenValue::parse_marked`].
    ///
    /// # Errors
    /// [`JunkToken`].
    pub fn parse(text: &str) -> Result<Self, JunkToken> {
        Self::parse_marked(Self::MARK, text)
    }

    /// Reads a presented value with this mark. Nothing is copied before the form and the checksum are right.
    ///
    /// # Errors
    /// [`JunkToken`] when the mark, the checksum or the form is wrong.
    pub fn parse_marked(mark: Mark, text: &str) -> Result<Self, JunkToken> {
        let rest = text.strip_prefix(mark.as_str()).ok_or(JunkToken)?;
        if rest.len() != RANDOM + CHECKSUM {
            return Err(JunkToken);
        }
        let (random, checksum) = rest.split_at_checked(RANDOM).ok_or(JunkToken)?;
        if !random.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(JunkToken);
        }
        let checked = text.strip_suffix(checksum).ok_or(JunkToken)?;
        if number(checksum) != Some(u64::from(crc32fast::hash(checked.as_bytes()))) {
            return Err(JunkToken);
        }
        Self::of(mark, text).ok_or(JunkToken)
    }

    fn of(mark: Mark, text: &str) -> Option<Self> {
        let mut bytes = Zeroizing::new([0; MOST]);
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(Self { mark, text: bytes })
    }

    /// The mark and three characters more, for people to recognise the token by.
    #[must_use]
    pub fn prefix(&self) -> &str {
        self.expose().get(..self.mark.as_str().len() + SHOWN).expect("every value is longer and ASCII")
    }

    /// The whole value.
    #[must_use]
    pub fn expose(&self) -> &str {
        let length = self.mark.as_str().len() + RANDOM + CHECKSUM;
        let text = self.text.get(..length).expect("there is room for the longest mark");
        std::str::from_utf8(text).expect("every value is ASCII")
    }
}

impl Secret for TokenValue {
    fn expose(&self) -> &str {
        self.expose()
    }
}

impl fmt::Debug for TokenValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}***", self.mark)
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

    /// Length of the values with the standard mark.
    const LENGTH: usize = 58;

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
    fn a_value_has_the_mark_of_its_service_and_no_other_is_read() {
        let longest = format!("{}_", "a".repeat(Mark::MOST - 1)).parse().expect("a mark");
        for mark in [Mark::of("a_"), Mark::of("shop_live_"), longest] {
            let value = TokenValue::generate_marked(mark, &Bytes([7; 32]));
            assert_eq!(value.prefix().len(), mark.as_str().len() + 3);
            assert!(value.expose().starts_with(value.prefix()) && value.prefix().starts_with(mark.as_str()));
            assert_eq!(format!("{value:?}"), format!("{mark}***"));
            assert_eq!(TokenValue::parse_marked(mark, value.expose()), Ok(value.clone()));
            assert_eq!(TokenValue::parse(value.expose()), Err(JunkToken));
            // The checksum is over the mark too: what was made elsewhere cannot be marked anew.
            let renamed = value.expose().replacen(mark.as_str(), "svc_live_", 1);
            assert_eq!(TokenValue::parse(&renamed), Err(JunkToken));
        }
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
