//! Which characters a name may have.

/// Whether a character cannot be seen, or changes how others are seen: controls (escape sequences of terminals
/// among them), marks of writing direction, characters without width, and separators of lines.
///
/// A name with one would look like another name, in a list, a log or a terminal.
#[must_use]
pub fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
                | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
                | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_hidden_and_letters_are_not() {
        for letter in
            ['\u{1b}', '\n', '\u{7f}', '\u{9b}', '\u{202e}', '\u{2066}', '\u{200b}', '\u{200d}', '\u{feff}']
        {
            assert!(is_hidden(letter), "{letter:?}");
        }
        assert!(!"Ferretería Ñandú & Søn, S.L. · 東京 Ελλάς עברית 🦀".chars().any(is_hidden));
    }
}
