//! How a browser is told to save a file.

use std::fmt::Write as _;

use svc_core::content::safe_name;

/// The value of `Content-Disposition` that has a browser save a content, and not show it (RFC 6266).
///
/// The name is made [safe](safe_name) first. It comes twice: `filename*` has it in UTF-8 (RFC 8187), `filename` in ASCII,
/// other letters being `_`, for clients that know no other one. The value is visible ASCII with spaces, whatever the name
/// is: nothing of it ends the header.
///
/// ```
/// assert_eq!(
///     svc_files::attachment("Factura nº 1.pdf"),
///     "attachment; filename=\"Factura n_ 1.pdf\"; filename*=UTF-8''Factura%20n%C2%BA%201.pdf",
/// );
/// ```
#[must_use]
pub fn attachment(name: &str) -> String {
    disposition("attachment", name)
}

/// The same for a file that a browser shows by itself, where it can, and saves by this name.
///
/// ```
/// assert_eq!(svc_files::inline("a.pdf"), "inline; filename=\"a.pdf\"; filename*=UTF-8''a.pdf");
/// ```
#[must_use]
pub fn inline(name: &str) -> String {
    disposition("inline", name)
}

fn disposition(kind: &str, name: &str) -> String {
    let name = safe_name(name);
    let plain: String = name.chars().map(plain).collect();
    let mut value = format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''");
    for byte in name.bytes() {
        if is_attr_char(byte) {
            value.push(char::from(byte));
        } else {
            write!(value, "%{byte:02X}").expect("a text takes everything");
        }
    }
    value
}

/// A character of the plain form: without escapes, which some clients do not undo, and without `%`, which others do
/// (RFC 6266, appendix D).
fn plain(letter: char) -> char {
    if letter == ' ' || letter.is_ascii_graphic() && !matches!(letter, '"' | '\\' | '%') {
        letter
    } else {
        '_'
    }
}

/// What needs no escape (`attr-char`, RFC 8187, section 3.2.1).
fn is_attr_char(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte)
}
