//! Short texts that are held in place: copied, compared and put together in constants, with no memory of their own.

use std::fmt;

/// A text of at most `MOST` bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShortText<const MOST: usize> {
    /// Zeros from `length` on, so that equal texts are equal arrays.
    bytes: [u8; MOST],
    length: usize,
}

impl<const MOST: usize> ShortText<MOST> {
    /// This text; `None` when it is too long.
    #[must_use]
    pub const fn new(text: &str) -> Option<Self> {
        Self { bytes: [0; MOST], length: 0 }.and(text)
    }

    /// This text with `more` behind it; `None` when it would be too long.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "const code has no iterators; both bounds are checked")]
    pub const fn and(mut self, more: &str) -> Option<Self> {
        let more = more.as_bytes();
        if more.len() > MOST - self.length {
            return None;
        }
        let mut at = 0;
        while at < more.len() {
            self.bytes[self.length] = more[at];
            self.length += 1;
            at += 1;
        }
        Some(self)
    }

    /// The text.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.length);
        match std::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => panic!("it was put together of whole texts"),
        }
    }
}

impl<const MOST: usize> fmt::Display for ShortText<MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<const MOST: usize> fmt::Debug for ShortText<MOST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_put_together_until_it_is_full() {
        const WORD: ShortText<6> = ShortText::new("ab").expect("short").and("cdé").expect("short");
        assert_eq!((WORD.as_str(), WORD.to_string()), ("abcdé", "abcdé".to_owned()));
        assert_eq!(Some(WORD), ShortText::new("abcdé"));
        assert_eq!(WORD.and(""), Some(WORD));
        assert_eq!((WORD.and("f"), ShortText::<2>::new("abc")), (None, None));
    }
}
