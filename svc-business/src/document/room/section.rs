//! Sections of a data room: paths of titles, which may begin with numbers.

use std::fmt::Write as _;
use std::str::FromStr;

use svc_core::text::is_hidden;
use thiserror::Error;

use crate::party::order_key;

/// So many parts a section has at most.
pub const MOST_DEPTH: usize = 6;
/// So many characters a section has at most.
pub const MOST_LENGTH: usize = 250;
/// So many digits a number in front of a part has at most.
const MOST_DIGITS: usize = 9;

/// A section of a data room: `1 Corporate/1.2 Statutes`.
///
/// Its parts are titles with single spaces. One may begin with a number, which is the first word where that is of digits
/// with points between them, such as `1`, `1.2` or `2.`; the others begin with none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Section(String);

/// Why a text is no section.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum SectionError {
    /// A part of it is blank.
    #[error("no part may be blank: write it as `1 Corporate/1.2 Statutes`, without `/` at its ends")]
    Blank,
    /// It has too many parts.
    #[error("must have at most 6 parts")]
    TooDeep,
    /// It has too many characters.
    #[error("must have at most 250 characters")]
    TooLong,
    /// A character of it cannot be seen.
    #[error("must not contain control characters, marks of direction or characters without width")]
    Hidden,
}

impl FromStr for Section {
    type Err = SectionError;

    fn from_str(text: &str) -> Result<Self, SectionError> {
        if text.chars().count() > MOST_LENGTH {
            return Err(SectionError::TooLong);
        }
        if text.chars().any(is_hidden) {
            return Err(SectionError::Hidden);
        }
        let mut parts = Vec::new();
        for part in text.split('/') {
            let words: Vec<_> = part.split_whitespace().collect();
            if words.is_empty() {
                return Err(SectionError::Blank);
            }
            parts.push(words.join(" "));
        }
        if parts.len() > MOST_DEPTH {
            return Err(SectionError::TooDeep);
        }
        Ok(Self(parts.join("/")))
    }
}

impl Section {
    /// A section that was judged before it was stored.
    #[must_use]
    pub const fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// Its text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The index of the entry with this place: the numbers of the parts, and the place behind them.
    ///
    /// The number of a part goes on from those of the parts above it where it repeats them, as `1.2` does below `1`, and
    /// stands behind them otherwise, as `2` does. Parts without a number add nothing.
    #[must_use]
    pub fn index(&self, place: u32) -> String {
        let mut numbers: Vec<u32> = Vec::new();
        for part in self.0.split('/') {
            let (own, _) = number(part);
            if own.len() > numbers.len() && own.starts_with(&numbers) {
                numbers = own;
            } else {
                numbers.extend(own);
            }
        }
        numbers.push(place);
        numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(".")
    }

    /// The form by which sections are compared and ordered: whatever their case, and by their numbers. Each part has a tab at
    /// its end, which no part has in it and which is in front of all that one may have. So the key of a section begins those
    /// of what is below it, and no other section comes between these.
    #[must_use]
    pub fn key(&self) -> String {
        let mut key = String::new();
        for part in self.0.split('/') {
            let (numbers, title) = number(part);
            let mut separator = "";
            for number in &numbers {
                let _ = write!(key, "{separator}{number:09}");
                separator = ".";
            }
            if !numbers.is_empty() && !title.is_empty() {
                key.push(' ');
            }
            key.push_str(&order_key(title));
            key.push('\t');
        }
        key
    }

    /// Whether a section is this one, or below it.
    #[must_use]
    pub fn has(&self, section: &Self) -> bool {
        section.key().starts_with(&self.key())
    }

    /// The form by which the entry with this place is ordered: in front of what is below its section.
    #[must_use]
    pub fn key_of(&self, place: u32) -> String {
        // No part begins with a space.
        format!("{} {place:010}", self.key())
    }
}

/// The number that a part begins with, and the title behind it.
fn number(part: &str) -> (Vec<u32>, &str) {
    let (word, title) = part.split_once(' ').unwrap_or((part, ""));
    let digits = word.strip_suffix('.').unwrap_or(word);
    let read = |text: &str| {
        let plain =
            !text.is_empty() && text.len() <= MOST_DIGITS && text.bytes().all(|one| one.is_ascii_digit());
        plain.then(|| text.parse::<u32>().ok()).flatten()
    };
    match digits.split('.').map(read).collect::<Option<Vec<_>>>() {
        Some(numbers) => (numbers, title),
        None => (Vec::new(), part),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(text: &str) -> Section {
        text.parse().expect("a section")
    }

    #[test]
    fn a_section_is_judged_and_its_spaces_are_single() {
        assert_eq!(section(" 1  Corporate /1.2 Statutes").as_str(), "1 Corporate/1.2 Statutes");
        let long = "x".repeat(MOST_LENGTH + 1);
        for (text, refused) in [
            ("", SectionError::Blank),
            ("/1 Corporate", SectionError::Blank),
            ("1 Corporate/", SectionError::Blank),
            ("a// b", SectionError::Blank),
            ("a/b/c/d/e/f/g", SectionError::TooDeep),
            ("a\nb", SectionError::Hidden),
            ("a\u{202e}b", SectionError::Hidden),
            (long.as_str(), SectionError::TooLong),
        ] {
            assert_eq!(text.parse::<Section>(), Err(refused), "{text}");
        }
        assert!("a/b/c/d/e/f".parse::<Section>().is_ok());
        assert!("x".repeat(MOST_LENGTH).parse::<Section>().is_ok());
    }

    #[test]
    fn the_index_is_made_of_the_numbers_and_the_place() {
        for (text, index) in [
            ("1 Corporate/1.2 Statutes", "1.2.3"),
            ("1 Corporate/2 Statutes", "1.2.3"),
            ("1. Corporate/1 Statutes", "1.1.3"),
            ("1 Corporate/2.1 Statutes", "1.2.1.3"),
            ("1 Corporate/Statutes", "1.3"),
            ("Corporate/2 Statutes", "2.3"),
            ("Corporate", "3"),
            ("01", "1.3"),
            ("3rd party", "3"),
            ("1..2 Statutes", "3"),
            ("1234567890 Statutes", "3"),
        ] {
            assert_eq!(section(text).index(3), index, "{text}");
        }
    }

    #[test]
    fn entries_are_ordered_by_numbers_in_front_of_what_is_below() {
        let ordered = [
            section("1 Corporate").key_of(2),
            section("1 corporate").key_of(10),
            section("1 CORPORATE/1.2 Statutes").key_of(1),
            section("1 Corporate/1.10 Minutes").key_of(1),
            section("1 Corporate B").key_of(1),
            section("1 Corporate!").key_of(1),
            section("2 Tax").key_of(1),
            section("10 Other").key_of(1),
            section("Annexes").key_of(1),
        ];
        assert!(ordered.is_sorted(), "{ordered:?}");
        let (above, below) = (section("1 Corporate"), section("1 Corporate/1.2 Statutes"));
        assert!(below.key().starts_with(&above.key()));
        assert!(!section("1 Corporate B").key().starts_with(&above.key()));
    }

    #[test]
    fn a_key_fits_into_an_index_of_a_database() {
        let widest = ["1.".repeat(MOST_LENGTH / 2), "İ".repeat(MOST_LENGTH), "🦀".repeat(MOST_LENGTH)];
        for text in widest {
            assert!(section(&text).key_of(u32::MAX).len() < 2_000, "{text}");
        }
    }
}
