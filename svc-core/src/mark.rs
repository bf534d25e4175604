//! Marks: what the secrets of a service begin with.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::short_text::ShortText;

/// What every secret of one kind begins with, by which people and secret scanners know it: `shop_live_`.
///
/// Lower-case letters, digits and `_`; a letter or digit first and `_` last, at most [`Mark::MOST`] characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Mark(ShortText<MOST>);

/// Characters of the longest mark.
const MOST: usize = 24;

/// The text cannot be the mark of secrets.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "not a mark: expected lower-case letters, digits and `_`, a letter or digit first and `_` last, \
     at most {} characters",
    Mark::MOST
)]
pub struct MalformedMark;

impl Mark {
    /// Characters of the longest mark.
    pub const MOST: usize = MOST;

    /// This mark; a constant of it is checked at compile time.
    ///
    /// ```compile_fail,E0080
    /// # use svc_core::mark::Mark;
    /// const LIVE: Mark = Mark::of("shop-live");
    /// ```
    ///
    /// # Panics
    /// When the text is no mark.
    #[must_use]
    pub const fn of(text: &'static str) -> Self {
        match Self::parse(text) {
            Some(mark) => mark,
            None => {
                panic!("a mark is lower-case letters, digits and _, with _ at its end, 24 characters at most")
            }
        }
    }

    /// The text of the mark.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        self.0.as_str()
    }

    #[expect(clippy::indexing_slicing, reason = "const code has no iterators; the bound is checked")]
    const fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let (mut last, mut at) = (0, 0);
        while at < bytes.len() {
            last = bytes[at];
            if !matches!(last, b'a'..=b'z' | b'0'..=b'9') && (last != b'_' || at == 0) {
                return None;
            }
            at += 1;
        }
        if last != b'_' {
            return None;
        }
        match ShortText::new(text) {
            Some(text) => Some(Self(text)),
            None => None,
        }
    }
}

impl FromStr for Mark {
    type Err = MalformedMark;

    fn from_str(text: &str) -> Result<Self, MalformedMark> {
        Self::parse(text).ok_or(MalformedMark)
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_lower_case_words_with_an_underscore_at_the_end() {
        for good in ["a_", "svc_live_", "whsec_", "2shop__", &format!("{}_", "a".repeat(23))] {
            assert_eq!(good.parse::<Mark>().map(|mark| mark.to_string()), Ok(good.to_owned()));
        }
        for bad in
            ["", "_", "_a_", "a", "svc_live", "Svc_", "svc-", "svc _", "é_", &format!("{}_", "a".repeat(24))]
        {
            assert_eq!(bad.parse::<Mark>(), Err(MalformedMark), "{bad}");
        }
    }
}
