//! Names of files that people may download.

use crate::text::is_hidden;

/// Bytes of the longest name that common file systems take.
const MOST: usize = 255;
/// Bytes of the longest extension, its dot included, that is kept when a name is cut.
const MOST_OF_EXTENSION: usize = 32;
/// What is left of a name that has nothing to keep.
const UNNAMED: &str = "file";

/// A name of a file that is safe to show and to save, made from what a client sent.
///
/// It has no folders, no hidden characters (controls, marks of writing direction), nothing that Windows refuses
/// (`<>:"|?*`, names of devices, a dot or a space at the end), no dot at its beginning, one space between words, and 1 to
/// 255 bytes of UTF-8. The
/// extension stays when the name is cut. A name that was made here is not changed again.
///
/// ```
/// use svc_core::content::safe_name;
///
/// assert_eq!(safe_name("C:\\Users\\Ada\\Factura nº 1.pdf"), "Factura nº 1.pdf");
/// assert_eq!(safe_name("../../etc/passwd"), "passwd");
/// assert_eq!(safe_name(".."), "file");
/// ```
#[must_use]
pub fn safe_name(sent: &str) -> String {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or_default();
    let shown: String = last.chars().filter_map(safe).collect();
    let words: Vec<_> = shown.split(' ').filter(|word| !word.is_empty()).collect();
    let mut name = words.join(" ").trim_matches([' ', '.']).to_owned();
    if is_device(&name) {
        name.insert(0, '_');
    }
    let name = cut(&name);
    if name.is_empty() { UNNAMED.to_owned() } else { name }
}

/// The letter as it may stand in a name.
fn safe(letter: char) -> Option<char> {
    match letter {
        // A line or a tab between words is a space; the rest of what cannot be seen is nothing.
        '\t' | '\n' | '\r' => Some(' '),
        '<' | '>' | ':' | '"' | '|' | '?' | '*' => Some('_'),
        letter if is_hidden(letter) => None,
        letter if letter.is_whitespace() => Some(' '),
        letter => Some(letter),
    }
}

/// Whether Windows takes the name for a device, whatever its extension:
/// <https://learn.microsoft.com/windows/win32/fileio/naming-a-file>.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end_matches(' ').to_ascii_uppercase();
    let numbered = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    let mut number = numbered.unwrap_or_default().chars();
    let is_numbered = matches!((number.next(), number.next()), (Some('0'..='9' | '¹' | '²' | '³'), None));
    is_numbered || matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$")
}

/// The name in as many bytes as it may have.
fn cut(name: &str) -> String {
    if name.len() <= MOST {
        return name.to_owned();
    }
    let (stem, extension) = name
        .rfind('.')
        .and_then(|dot| name.split_at_checked(dot))
        .filter(|(_, extension)| extension.len() <= MOST_OF_EXTENSION)
        .unwrap_or((name, ""));
    let most = stem.floor_char_boundary(MOST.saturating_sub(extension.len()));
    let stem = stem.get(..most).unwrap_or_default().trim_end_matches([' ', '.']);
    format!("{stem}{extension}")
}
