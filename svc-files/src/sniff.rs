//! What kind of file some bytes are.

mod text;

/// How many of the first bytes are looked at.
const HEAD: usize = 8 * 1024;
/// What is said of bytes that are not known.
const UNKNOWN: &str = "application/octet-stream";

/// The media type of a file by its first bytes; 8 KiB of them tell as much as all.
///
/// What a client calls its file, and what it says of its type, has no part in it. Text is looked at with care: what a
/// browser might run is `text/html`, `image/svg+xml`, `application/xhtml+xml` or not known, also where it only looks like it,
/// and never `text/plain`, `text/csv`, `application/json` or `application/xml`. Text is UTF-8, or UTF-16 with a byte order mark. What
/// is not known is `application/octet-stream`.
///
/// The answer is a hint for people. Contents are served with `Content-Disposition: attachment` and
/// `X-Content-Type-Options: nosniff` all the same.
///
/// ```
/// use svc_files::sniff;
///
/// assert_eq!(sniff(b"%PDF-1.7\n"), "application/pdf");
/// assert_eq!(sniff(b"id;name\n1;Ada\n2;Bea\n"), "text/csv");
/// assert_eq!(sniff(b"Hello <script>alert(1)</script>"), "text/html");
/// ```
#[must_use]
pub fn sniff(bytes: &[u8]) -> &'static str {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let is_cut = head.len() >= HEAD;
    let marked = infer::get(head).filter(|kind| kind.matcher_type() != infer::MatcherType::Text);
    match text::decode(head, is_cut) {
        // Two letters at the beginning of a text may be the mark of a picture; these are longer.
        Some(text) => match marked.map(|kind| kind.mime_type()) {
            Some(kind @ ("application/pdf" | "application/rtf" | "application/postscript")) => kind,
            Some(_) | None => text::kind(&text, is_cut),
        },
        None => marked.map_or(UNKNOWN, |kind| kind.mime_type()),
    }
}
