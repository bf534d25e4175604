//! Bytes to texts, and texts to what a list can show.

use std::borrow::Cow;

use svc_core::text::is_hidden;

use crate::{LONGEST_DESCRIPTION, LONGEST_TEXT, MOST_REFERENCES};

/// How much of a file is looked at to see what it is, in bytes.
const HEAD: usize = 16 * 1024;
/// What Windows-1252 has where ISO-8859-1 has controls, 0x80 to 0x9f.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// UTF-8, with or without a mark; UTF-16 with a mark; else Windows-1252, which has ISO-8859-1 in it.
pub(crate) fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        return Cow::Owned(utf16(rest, u16::from_le_bytes));
    }
    if let Some(rest) = bytes.strip_prefix(b"\xfe\xff") {
        return Cow::Owned(utf16(rest, u16::from_be_bytes));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(windows).collect()),
    }
}

/// The beginning of a file, enough to see what it is. A character that is cut in two is left out: its bytes alone would
/// be others.
pub(crate) fn head(bytes: &[u8]) -> Cow<'_, str> {
    let Some(head) = bytes.get(..HEAD) else { return decoded(bytes) };
    let whole = match std::str::from_utf8(head) {
        Err(error) if error.error_len().is_none() => head.get(..error.valid_up_to()),
        Ok(_) | Err(_) => None,
    };
    decoded(whole.unwrap_or(head))
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.as_chunks::<2>().0.iter().copied().map(unit);
    char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

fn windows(byte: u8) -> char {
    let place = usize::from(byte).checked_sub(0x80);
    place.and_then(|place| WINDOWS.get(place).copied()).unwrap_or(char::from(byte))
}

/// One line without hidden characters and double spaces, of at most so many characters.
pub(crate) fn clean(text: &str, most: usize) -> String {
    let mut kept = String::new();
    let mut count = 0_usize;
    let mut space = false;
    for letter in text.chars() {
        if letter.is_whitespace() {
            space = count > 0;
        } else if !is_hidden(letter) {
            if count.saturating_add(usize::from(space)) >= most {
                break;
            }
            if std::mem::take(&mut space) {
                kept.push(' ');
                count = count.saturating_add(1);
            }
            kept.push(letter);
            count = count.saturating_add(1);
        }
    }
    kept
}

/// A short text; `None` when nothing is left of it.
pub(crate) fn short(text: &str) -> Option<String> {
    Some(clean(text, LONGEST_TEXT)).filter(|text| !text.is_empty())
}

/// A description.
pub(crate) fn description(text: &str) -> String {
    clean(text, LONGEST_DESCRIPTION)
}

/// Adds a reference unless it says nothing, is there already, or there are enough.
pub(crate) fn add_reference(references: &mut Vec<String>, text: &str) {
    if references.len() >= MOST_REFERENCES {
        return;
    }
    let Some(reference) = short(text) else { return };
    let says_nothing = reference.chars().all(|letter| letter == '0') || reference == "NOTPROVIDED";
    if !says_nothing && !references.contains(&reference) {
        references.push(reference);
    }
}

/// A name to compare by: small letters without accents, one space for all that is neither letter nor digit.
pub(crate) fn folded(text: &str) -> String {
    let mut folded = String::new();
    for letter in text.chars().flat_map(char::to_lowercase).take(LONGEST_TEXT) {
        let plain = match letter {
            'á' | 'à' | 'ä' | 'â' | 'ã' => 'a',
            'é' | 'è' | 'ë' | 'ê' => 'e',
            'í' | 'ì' | 'ï' | 'î' => 'i',
            'ó' | 'ò' | 'ö' | 'ô' | 'õ' => 'o',
            'ú' | 'ù' | 'ü' | 'û' => 'u',
            'ñ' => 'n',
            'ç' => 'c',
            other => other,
        };
        if plain.is_alphanumeric() {
            folded.push(plain);
        } else if !('\u{300}'..='\u{36f}').contains(&plain) && !folded.is_empty() && !folded.ends_with(' ') {
            folded.push(' ');
        }
    }
    folded.trim_end().to_owned()
}
