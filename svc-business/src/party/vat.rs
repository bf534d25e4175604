//! The forms of VAT numbers in the European Union, as VIES publishes them.

use crate::party::check_spanish;

/// Whether a text in normal form is a member state's prefix and a number of its form.
///
/// Spanish numbers must have the right check character as well.
pub(super) fn matches(normal: &str) -> bool {
    let Some((prefix, number)) = normal.split_at_checked(2) else {
        return false;
    };
    if prefix == "ES" {
        return check_spanish(number);
    }
    FORMS
        .iter()
        .filter(|(known, _)| *known == prefix)
        .flat_map(|(_, forms)| *forms)
        .any(|form| form.len() == number.len() && form.bytes().zip(number.bytes()).all(fits))
}

fn fits((place, letter): (u8, u8)) -> bool {
    match place {
        b'9' => letter.is_ascii_digit(),
        b'L' => letter.is_ascii_uppercase(),
        b'?' => letter.is_ascii_uppercase() || letter.is_ascii_digit(),
        fixed => letter == fixed,
    }
}

/// `9` stands for a digit, `L` for a letter, `?` for either, the rest for itself.
const FORMS: &[(&str, &[&str])] = &[
    ("AT", &["U99999999"]),
    ("BE", &["0999999999", "1999999999"]),
    ("BG", &["999999999", "9999999999"]),
    ("CY", &["99999999L"]),
    ("CZ", &["99999999", "999999999", "9999999999"]),
    ("DE", &["999999999"]),
    ("DK", &["99999999"]),
    ("EE", &["999999999"]),
    ("EL", &["999999999"]),
    ("FI", &["99999999"]),
    ("FR", &["??999999999"]),
    ("HR", &["99999999999"]),
    ("HU", &["99999999"]),
    ("IE", &["9999999L", "9999999LL", "9L99999L"]),
    ("IT", &["99999999999"]),
    ("LT", &["999999999", "999999999999"]),
    ("LU", &["99999999"]),
    ("LV", &["99999999999"]),
    ("MT", &["99999999"]),
    ("NL", &["999999999B99"]),
    ("PL", &["9999999999"]),
    ("PT", &["999999999"]),
    ("RO", &["99", "999", "9999", "99999", "999999", "9999999", "99999999", "999999999", "9999999999"]),
    ("SE", &["999999999901"]),
    ("SI", &["99999999"]),
    ("SK", &["9999999999"]),
    ("XI", &["999999999", "999999999999", "GD999", "HA999"]),
];
