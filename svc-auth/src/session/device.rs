//! What a browser calls itself.

use std::fmt;

/// The longest name that is kept, in characters.
const LONGEST: usize = 200;

/// A browser by its own word (`User-Agent`, RFC 9110, section 10.1.5): 1 to 200 characters of one line.
///
/// It helps a person to tell their sessions apart, and proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device(String);

impl Device {
    /// The one that a header names: what controls a terminal becomes a space, and what is too long is cut. `None` when
    /// nothing is left.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        let line: String =
            text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).take(LONGEST).collect();
        let line = line.trim();
        (!line.is_empty()).then(|| Self(line.to_owned()))
    }

    /// Its name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_line_of_at_most_two_hundred_characters() {
        let name = |text: &str| Device::named(text).map(|device| device.to_string());
        assert_eq!(name(" Firefox/140\r\n\u{1b}[2J "), Some("Firefox/140   [2J".to_owned()));
        assert_eq!(name(&"é".repeat(300)), Some("é".repeat(200)));
        assert_eq!((name(""), name(" \t\n")), (None, None));
    }
}
