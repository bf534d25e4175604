//! Counting and hashing what passes.

use std::fmt;

use sha2::{Digest as _, Sha256};

use super::{Content, ContentError, Digest};

/// The digest and size of bytes as they pass, and the number that there may be.
#[derive(Clone)]
pub struct Tally {
    hasher: Sha256,
    size: u64,
    limit: u64,
}

impl Tally {
    /// Starts with no bytes, of at most `limit`.
    #[must_use]
    pub fn new(limit: u64) -> Self {
        Self { hasher: Sha256::new(), size: 0, limit }
    }

    /// Takes the bytes that come next.
    ///
    /// # Errors
    /// [`ContentError::TooLarge`] when there are more than the limit by now; then for good.
    pub fn add(&mut self, chunk: &[u8]) -> Result<(), ContentError> {
        self.size = self.size.saturating_add(chunk.len() as u64);
        self.within_limit()?;
        self.hasher.update(chunk);
        Ok(())
    }

    /// What the bytes are.
    ///
    /// # Errors
    /// [`ContentError::TooLarge`] when there were more than the limit.
    pub fn finish(self) -> Result<Content, ContentError> {
        self.within_limit()?;
        let digest = Digest::from_bytes(self.hasher.finalize().into());
        Ok(Content { digest, size: self.size })
    }

    fn within_limit(&self) -> Result<(), ContentError> {
        if self.size > self.limit { Err(ContentError::TooLarge { limit: self.limit }) } else { Ok(()) }
    }
}

impl fmt::Debug for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tally").field("size", &self.size).field("limit", &self.limit).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn however_bytes_are_split_their_content_is_the_same(
            chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..70), 0..9),
        ) {
            let whole = chunks.concat();
            let mut tally = Tally::new(whole.len() as u64);
            for chunk in &chunks {
                prop_assert!(tally.add(chunk).is_ok());
            }
            let expected = Content { digest: Digest::of(&whole), size: whole.len() as u64 };
            prop_assert_eq!(tally.finish().ok(), Some(expected));
        }
    }

    #[test]
    fn what_is_too_large_stays_so() {
        let mut tally = Tally::new(3);
        assert!(tally.add(b"abc").is_ok());
        for refused in [tally.add(b"d"), tally.add(b""), tally.finish().map(drop)] {
            assert!(matches!(refused, Err(ContentError::TooLarge { limit: 3 })), "{refused:?}");
        }
    }
}
