//! The invoice in a PDF file: Factur-X, `ZUGFeRD`, and any PDF/A-3 with an XML file in it.

use lopdf::{Dictionary, Document, LoadOptions, Object};

use crate::error::ReadError;

/// The largest file, and the most that a part of it may unpack to, in bytes.
const MOST_BYTES: usize = 32 * 1024 * 1024;
/// Names that the formats prescribe, the most telling first; XML of another name comes after them.
const NAMES: [&str; 4] = ["factur-x.xml", "zugferd-invoice.xml", "xrechnung.xml", "invoice.ubl.xml"];

/// The XML of the invoice in a PDF file, of whatever format it is; [`read`](crate::read()) goes on from there.
///
/// A file may have several attachments: one with a name that Factur-X, `ZUGFeRD` or `XRechnung` prescribe comes first,
/// then any that ends in `.xml`.
///
/// # Errors
/// [`ReadError::Limit`] for a file beyond 32 MiB, [`ReadError::Pdf`] for one that cannot be read (also with a
/// password), [`ReadError::NothingEmbedded`] when there is no XML in it.
pub fn extract(pdf: &[u8]) -> Result<Vec<u8>, ReadError> {
    if pdf.len() > MOST_BYTES {
        return Err(ReadError::Limit("32 MiB"));
    }
    let failed = |error: lopdf::Error| ReadError::Pdf(error.to_string());
    let options = LoadOptions::with_max_decompressed_size(MOST_BYTES);
    let document = Document::load_mem_with_options(pdf, options).map_err(failed)?;
    let specifications = document.objects.values().filter_map(|object| object.as_dict().ok());
    let mut found: Vec<(usize, &Dictionary)> =
        specifications.filter_map(|one| Some((standing(&document, one)?, one))).collect();
    found.sort_by_key(|(standing, _)| *standing);
    let (_, first) = found.first().ok_or(ReadError::NothingEmbedded)?;
    content(&document, first)
}

/// Whether these bytes begin as a PDF file does; some have a few others in front (ISO 32000-1 annex H).
pub(crate) fn is_pdf(bytes: &[u8]) -> bool {
    bytes.get(..bytes.len().min(1024)).is_some_and(|start| start.windows(5).any(|window| window == b"%PDF-"))
}

/// The place of a file specification among others, `None` when it has no XML.
fn standing(document: &Document, specification: &Dictionary) -> Option<usize> {
    specification.get(b"EF").ok()?;
    let name = [&b"UF"[..], b"F"].into_iter().find_map(|key| text(document, specification.get(key).ok()?))?;
    let name = name.to_lowercase();
    let known = NAMES.iter().position(|one| *one == name);
    known.or_else(|| name.rsplit_once('.').is_some_and(|(_, ending)| ending == "xml").then_some(NAMES.len()))
}

/// A name in one of the two encodings of text strings.
fn text(document: &Document, object: &Object) -> Option<String> {
    let (_, object) = document.dereference(object).ok()?;
    let bytes = object.as_str().ok()?;
    match bytes.strip_prefix(b"\xfe\xff") {
        Some(wide) => {
            let units =
                wide.chunks_exact(2).filter_map(|pair| Some(u16::from_be_bytes(pair.try_into().ok()?)));
            Some(char::decode_utf16(units).filter_map(Result::ok).collect())
        }
        None => Some(String::from_utf8_lossy(bytes).into_owned()),
    }
}

fn content(document: &Document, specification: &Dictionary) -> Result<Vec<u8>, ReadError> {
    let failed = |error: lopdf::Error| ReadError::Pdf(error.to_string());
    let files = specification.get(b"EF").map_err(failed)?;
    let (_, files) = document.dereference(files).map_err(failed)?;
    let files = files.as_dict().map_err(failed)?;
    let file = files.get(b"F").or_else(|_| files.get(b"UF")).map_err(failed)?;
    let (_, file) = document.dereference(file).map_err(failed)?;
    file.as_stream().map_err(failed)?.get_plain_content_with_limit(MOST_BYTES).map_err(failed)
}
