//! Whether a file is a PDF that can be sealed.

mod attachments;

use std::collections::HashSet;

pub(crate) use self::attachments::Attachments;

use crate::error::PdfRefused;
use crate::pdf::{Dictionary, File, Id, Object};
use crate::seal::rehearse;
use crate::{MOST_BYTES, MOST_PAGES};

/// How deep the tree of pages may be.
const DEEPEST: usize = 48;

/// What is known of a file that can be sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Its pages.
    pub pages: u32,
    /// Its length in bytes.
    pub size: usize,
}

/// Judges whether a file can be sealed, and counts its pages (ISO 32000-2).
///
/// The file may come from a stranger: it is sealed for nothing, so that all that sealing reads is read, and what that may
/// cost is bounded whatever is in it. What its pages show is not looked at.
///
/// # Errors
/// [`PdfRefused`], each with what a person can do about it.
pub fn judge(document: &[u8]) -> Result<Judged, PdfRefused> {
    let opened = open(document)?;
    let pages = u32::try_from(opened.pages.len()).map_err(|_| PdfRefused::TooManyPages)?;
    rehearse(document, pages)?;
    Ok(Judged { pages, size: document.len() })
}

/// A file that can be sealed, and what sealing changes in it.
pub(crate) struct Opened<'a> {
    pub(crate) file: File<'a>,
    /// Its pages, in order.
    pub(crate) pages: Vec<Id>,
    pub(crate) catalog: (Id, Dictionary),
    /// The root of the tree of pages.
    pub(crate) tree: (Id, Dictionary),
    pub(crate) attachments: Attachments,
}

pub(crate) fn open(document: &[u8]) -> Result<Opened<'_>, PdfRefused> {
    let opened = open_signed(document)?;
    // A signature covers ranges of the file, so its dictionary is never in a stream (12.8.1).
    if opened.catalog.1.find("Perms").is_some() || memchr::memmem::find(document, b"/ByteRange").is_some() {
        return Err(PdfRefused::Signed);
    }
    Ok(opened)
}

/// Opens a file that may have a digital signature.
pub(crate) fn open_signed(document: &[u8]) -> Result<Opened<'_>, PdfRefused> {
    if document.len() > MOST_BYTES {
        return Err(PdfRefused::TooLarge);
    }
    // Offsets count from the header, so one that comes late would move all that an update adds.
    if !document.starts_with(b"%PDF-1.") && !document.starts_with(b"%PDF-2.") {
        return Err(PdfRefused::NotPdf);
    }
    let file = File::open(document)?;
    if file.trailer().find("Encrypt").is_some() {
        return Err(PdfRefused::Encrypted);
    }
    let catalog = referred(&file, file.trailer(), "Root", "the catalog")?;
    if let Some(form) = catalog.1.find("AcroForm")
        && file.dictionary(form)?.find("XFA").is_some()
    {
        return Err(PdfRefused::Xfa);
    }
    let tree = referred(&file, &catalog.1, "Pages", "the tree of pages")?;
    let pages = Walk { file: &file, seen: HashSet::new(), pages: Vec::new() }.from(tree.0)?;
    if pages.is_empty() {
        return Err(PdfRefused::NoPages);
    }
    let attachments = Attachments::of(&file, &catalog.1)?;
    Ok(Opened { file, pages, catalog, tree, attachments })
}

/// The dictionary that an entry refers to, and its place.
fn referred(
    file: &File<'_>,
    entries: &Dictionary,
    name: &str,
    what: &'static str,
) -> Result<(Id, Dictionary), PdfRefused> {
    let id = entries.find(name).and_then(Object::as_reference).ok_or(PdfRefused::Damaged { what })?;
    let entries = file.load(id)?.into_dictionary().ok_or(PdfRefused::Damaged { what })?;
    Ok((id, entries))
}

/// A walk over the tree of pages (7.7.3).
struct Walk<'a> {
    file: &'a File<'a>,
    seen: HashSet<Id>,
    pages: Vec<Id>,
}

impl Walk<'_> {
    fn from(mut self, root: Id) -> Result<Vec<Id>, PdfRefused> {
        self.node(root, 0)?;
        Ok(self.pages)
    }

    fn node(&mut self, id: Id, depth: usize) -> Result<(), PdfRefused> {
        const TREE: PdfRefused = PdfRefused::Damaged { what: "the tree of pages" };
        if depth > DEEPEST {
            return Err(PdfRefused::TooDeep);
        }
        if !self.seen.insert(id) {
            return Err(TREE);
        }
        // Each page has one node above it in the longest tree that makes sense.
        if self.seen.len() > 2 * MOST_PAGES {
            return Err(PdfRefused::TooManyPages);
        }
        let Object::Dictionary(node) = self.file.load(id)? else { return Err(TREE) };
        let Some(kids) = node.find("Kids") else {
            // The root is a node, or there is no place for another page.
            if depth == 0 {
                return Err(TREE);
            }
            self.pages.push(id);
            return if self.pages.len() > MOST_PAGES { Err(PdfRefused::TooManyPages) } else { Ok(()) };
        };
        for kid in self.file.resolve(kids)?.as_array().ok_or(TREE)? {
            self.node(kid.as_reference().ok_or(TREE)?, depth + 1)?;
        }
        Ok(())
    }
}
