//! What a code is made of.

use std::fmt;

use svc_core::random::{self, RandomSource};
use thiserror::Error;

use crate::oauth::CODE_MARK;
use crate::token::{Peppers, TokenValue};

/// What a code is the keyed hash of: without a pepper of the service it leads to no code, so that it may be kept. A
/// form that is sent twice leads to one connection and one code by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeSeed(String);

/// A text that is no seed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("a seed of a code is {length} letters and digits", length = CodeSeed::LENGTH)]
pub struct MalformedSeed;

impl CodeSeed {
    /// Characters of one: 32 bytes in base 62.
    const LENGTH: usize = 43;

    /// A new one.
    pub fn generate(random: &dyn RandomSource) -> Self {
        Self(random::base62(&random::bytes::<32>(random)))
    }

    /// Reads one that was kept.
    ///
    /// # Errors
    /// [`MalformedSeed`].
    pub fn parse(text: &str) -> Result<Self, MalformedSeed> {
        let whole = text.len() == Self::LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if whole { Ok(Self(text.to_owned())) } else { Err(MalformedSeed) }
    }

    /// Its code, which is always the same under one pepper.
    #[must_use]
    pub fn code(&self, peppers: &Peppers) -> TokenValue {
        TokenValue::of_bits(CODE_MARK, &peppers.keyed("svc/oauth/code/v1", &self.0))
    }
}

impl fmt::Display for CodeSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::Pepper;

    #[derive(Debug)]
    struct Counting(std::sync::atomic::AtomicU8);

    impl RandomSource for Counting {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
        }
    }

    #[test]
    fn a_seed_leads_to_one_code_and_only_with_the_pepper() {
        let random = Counting(1.into());
        let (seed, other) = (CodeSeed::generate(&random), CodeSeed::generate(&random));
        let (ours, theirs) =
            (Peppers::new(Pepper::new(1, [1; 32]), vec![]), Peppers::new(Pepper::new(1, [2; 32]), vec![]));
        let kept = CodeSeed::parse(&seed.to_string()).expect("a seed");
        assert_eq!(kept.code(&ours), seed.code(&ours));
        assert!(seed.code(&ours).expose().starts_with("mcp_ac_"));
        assert_ne!(seed.code(&ours), seed.code(&theirs));
        assert_ne!(seed.code(&ours), other.code(&ours));
        let short = "a".repeat(42);
        for malformed in ["", "/", &short, &format!("{short}-"), &format!("{short}aa")] {
            assert_eq!(CodeSeed::parse(malformed), Err(MalformedSeed));
        }
    }
}
