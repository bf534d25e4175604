//! What reports are signed with.

use std::fmt;

use zeroize::Zeroizing;

/// Fewer characters could be guessed.
const SHORTEST: usize = 32;

/// The key that the operator shares with secret scanners. It does not print.
#[derive(Clone, PartialEq, Eq)]
pub struct ScanningKey(Zeroizing<String>);

impl ScanningKey {
    /// A key of at least 32 characters; `None` when there are fewer.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        (text.chars().count() >= SHORTEST).then(|| Self(Zeroizing::new(text.to_owned())))
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ScanningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_at_least_32_characters_and_does_not_print() {
        assert_eq!(ScanningKey::new(&"k".repeat(31)), None);
        let key = ScanningKey::new(&"k".repeat(32)).expect("long enough");
        assert_eq!((key.expose().len(), format!("{key:?}")), (32, "***".to_owned()));
    }
}
