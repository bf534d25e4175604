//! Account numbers within the texts of banks.

use std::borrow::Cow;

use crate::party::Iban;
use svc_core::pii::mask;

/// The shortest and the longest IBAN (ISO 13616), in characters without spaces.
const SHORTEST: usize = 15;
const LONGEST: usize = 34;
/// How many characters of an IBAN are shown at either end, as everywhere.
const SHOWN: usize = 4;

/// A text in which every IBAN is masked but for its ends, whether or not it is written with spaces: what a caller without
/// sight of personal data gets, and what texts are searched by.
#[must_use]
pub fn without_ibans(text: &str) -> Cow<'_, str> {
    let mut shown = String::new();
    let mut rest = text;
    let mut begins_word = true;
    while let Some(letter) = rest.chars().next() {
        let found = if begins_word { iban_at(rest) } else { None };
        let (piece, behind) = rest.split_at(found.as_ref().map_or(letter.len_utf8(), |(_, end)| *end));
        match found {
            Some((iban, _)) => shown.push_str(&mask(&iban, SHOWN, SHOWN)),
            None => shown.push_str(piece),
        }
        begins_word = !letter.is_alphanumeric();
        rest = behind;
    }
    if shown == text { Cow::Borrowed(text) } else { Cow::Owned(shown) }
}

/// The longest IBAN that a text begins with, and where it ends.
fn iban_at(text: &str) -> Option<(String, usize)> {
    let mut compact = String::new();
    let mut longest = None;
    let mut places = text.char_indices().peekable();
    while let Some((place, letter)) = places.next() {
        if letter.is_ascii_alphanumeric() && compact.len() < LONGEST {
            compact.push(letter.to_ascii_uppercase());
        } else if !matches!(letter, ' ' | '-') {
            break;
        }
        let looks = compact
            .bytes()
            .take(4)
            .enumerate()
            .all(|(at, byte)| if at < 2 { byte.is_ascii_alphabetic() } else { byte.is_ascii_digit() });
        if !looks {
            break;
        }
        let ends_word = places.peek().is_none_or(|(_, next)| !next.is_alphanumeric());
        if letter.is_ascii_alphanumeric()
            && ends_word
            && compact.len() >= SHORTEST
            && compact.parse::<Iban>().is_ok()
        {
            longest = Some((compact.clone(), place.saturating_add(1)));
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    const IBAN: &str = "ES9121000418450200051332";

    #[test]
    fn numbers_are_masked_wherever_they_stand() {
        let masked = mask(IBAN, SHOWN, SHOWN);
        for (text, expected) in [
            (IBAN.to_owned(), masked.clone()),
            (format!("Transf. a {IBAN} de Abeto"), format!("Transf. a {masked} de Abeto")),
            ("a ES91 2100 0418 4502 0005 1332, ref 7".to_owned(), format!("a {masked}, ref 7")),
            ("es91-2100-0418-4502-0005-1332".to_owned(), masked.clone()),
            (format!("({IBAN})/{IBAN}"), format!("({masked})/{masked}")),
        ] {
            assert_eq!(without_ibans(&text), expected);
        }
    }

    #[test]
    fn other_texts_stay() {
        for text in [
            "",
            "Recibo luz 2026-01",
            "ES9121000418450200051333",
            "REFES9121000418450200051332",
            "ES9121000418450200051332X",
            "Ñandú ES91 y más",
        ] {
            assert_eq!(without_ibans(text), text);
        }
    }
}
