//! Kinds of text.

use std::borrow::Cow;

use serde::de::IgnoredAny;

/// Tags that browsers may run, wherever they stand in a text: it is taken for HTML.
const ACTIVE: [&str; 14] = [
    "<!doctype html",
    "<html",
    "<script",
    "<head",
    "<body",
    "<iframe",
    "<frame",
    "<object",
    "<embed",
    "<style",
    "<link",
    "<meta",
    "<img",
    "<base",
];
/// How many of them are taken for HTML in XML too, where the others are elements like any other.
const ACTIVE_IN_XML: usize = 3;
/// Tags that a text begins with that browsers take for HTML (WHATWG MIME Sniffing, section 7.1), beside those above.
const OPENINGS: [&str; 9] = ["<title", "<table", "<div", "<font", "<h1", "<br", "<p", "<a", "<b"];
/// XML that browsers run: the namespaces of XHTML and SVG.
const XHTML: &str = "http://www.w3.org/1999/xhtml";
const SVG: &str = "http://www.w3.org/2000/svg";
/// What separates the columns of a table.
const SEPARATORS: [char; 3] = [',', ';', '\t'];

/// The bytes as text, of which there may be more; `None` when they are none, or have controls that text does not have.
pub(super) fn decode(head: &[u8], is_cut: bool) -> Option<Cow<'_, str>> {
    let text = match head {
        [] => return None,
        [0xff, 0xfe, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes, is_cut)?),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes, is_cut)?),
        text => Cow::Borrowed(utf8(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text), is_cut)?),
    };
    let is_text = |letter: char| !letter.is_control() || matches!(letter, '\t' | '\n' | '\r' | '\u{c}');
    text.chars().all(is_text).then_some(text)
}

/// The media type of a text, of which there may be more.
pub(super) fn kind(text: &str, is_cut: bool) -> &'static str {
    let text = text.trim_start();
    let lower = text.to_ascii_lowercase();
    let is_declared = lower.starts_with("<?xml");
    let is_marked_up = lower.starts_with('<');
    if has_tag(&lower, "<svg") || is_marked_up && lower.contains(SVG) {
        return "image/svg+xml";
    }
    if is_marked_up && lower.contains(XHTML) {
        return "application/xhtml+xml";
    }
    let active = ACTIVE.iter().take(if is_declared { ACTIVE_IN_XML } else { ACTIVE.len() });
    if active.into_iter().any(|tag| has_tag(&lower, tag)) {
        return "text/html";
    }
    if is_marked_up && is_written_by_reference(&lower) {
        return super::UNKNOWN;
    }
    if is_declared {
        return "application/xml";
    }
    if lower.starts_with("<!--") || OPENINGS.iter().any(|tag| begins_with_tag(&lower, tag)) {
        return "text/html";
    }
    if is_marked_up && text.chars().nth(1).is_some_and(char::is_alphabetic) {
        return "application/xml";
    }
    if is_json(text, is_cut) {
        return "application/json";
    }
    if is_table(text, is_cut) { "text/csv" } else { "text/plain" }
}

fn has_tag(lower: &str, tag: &str) -> bool {
    lower.match_indices(tag).any(|(at, _)| lower.get(at..).is_some_and(|rest| begins_with_tag(rest, tag)))
}

/// Whether a text begins with a tag of this name, and not with one whose name is longer.
fn begins_with_tag(lower: &str, tag: &str) -> bool {
    let ends =
        |rest: &str| rest.is_empty() || rest.starts_with(['>', '/']) || rest.starts_with(char::is_whitespace);
    lower.strip_prefix(tag).is_some_and(ends)
}

/// Whether XML has parts of its own, a style sheet that may run, or a namespace with references, which hides that it is one
/// of those above.
fn is_written_by_reference(lower: &str) -> bool {
    let value = |rest: &str| rest.split(['"', '\'']).nth(1).is_some_and(|value| value.contains('&'));
    lower.contains("<!entity")
        || lower.contains("<?xml-stylesheet")
        || lower.split("xmlns").skip(1).any(value)
}

fn is_json(text: &str, is_cut: bool) -> bool {
    text.starts_with(['{', '['])
        && match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) => true,
            Err(error) => is_cut && error.is_eof(),
        }
}

/// Whether there are two lines or more, each with as many columns as the first one, which has two or more.
fn is_table(text: &str, is_cut: bool) -> bool {
    let mut lines: Vec<_> = text.lines().collect();
    if is_cut {
        lines.pop();
    }
    let columns = |line: &str, separator| {
        // Every second piece is between quotation marks.
        line.split('"').step_by(2).map(|piece| piece.matches(separator).count()).sum::<usize>()
    };
    SEPARATORS.into_iter().any(|separator| {
        let mut counts = lines.iter().filter(|line| !line.is_empty()).map(|line| columns(line, separator));
        let first = counts.next().unwrap_or(0);
        let mut rest = counts.peekable();
        first > 0 && rest.peek().is_some() && rest.all(|count| count == first)
    })
}

/// UTF-8; its last character may be cut with it.
fn utf8(bytes: &[u8], is_cut: bool) -> Option<&str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) if is_cut && error.error_len().is_none() => {
            bytes.get(..error.valid_up_to()).and_then(|whole| std::str::from_utf8(whole).ok())
        }
        Err(_) => None,
    }
}

/// UTF-16; its last character may be cut with it.
fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16, is_cut: bool) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut letters: Vec<_> = char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect();
    if is_cut {
        letters.pop_if(|last| last.is_err());
    } else if !rest.is_empty() {
        return None;
    }
    letters.into_iter().collect::<Result<_, _>>().ok()
}
