//! Hexadecimal text, in lower case.

use std::fmt;

/// Shows bytes as lower-case hexadecimal digits, two for each.
#[derive(Clone, Copy, Debug)]
pub struct Hex<'a>(pub &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The `N` bytes whose digits these are; `None` for another length, or for a character that is no lower-case digit.
#[must_use]
pub fn decode<const N: usize>(text: &str) -> Option<[u8; N]> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != N || !rest.is_empty() {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
}

fn digit(letter: u8) -> Option<u8> {
    match letter {
        b'0'..=b'9' => Some(letter - b'0'),
        b'a'..=b'f' => Some(letter - b'a' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bytes_survive_their_text(bytes in any::<[u8; 5]>()) {
            let text = Hex(&bytes).to_string();
            prop_assert_eq!(decode(&text), Some(bytes));
        }

        #[test]
        fn a_text_is_read_only_as_it_would_be_written(text in ".{0,6}|[0-9a-fA-F]{4}") {
            if let Some(bytes) = decode::<2>(&text) {
                prop_assert_eq!(Hex(&bytes).to_string(), text);
            }
        }
    }

    #[test]
    fn another_length_or_case_is_refused() {
        assert_eq!(decode::<2>("0aff"), Some([10, 255]));
        for wrong in ["", "0a", "0aff0", "0aff00", "0AFF", "0a f", "+aff", "é0a"] {
            assert_eq!(decode::<2>(wrong), None, "{wrong}");
        }
    }
}
