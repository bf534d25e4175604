//! What is attached to a file already, which sealing keeps.

use crate::error::PdfRefused;
use crate::pdf::{Dictionary, File, Object};

/// How deep the tree of attachments may be, and how many there may be.
const DEEPEST: usize = 16;
const MOST: usize = 10_000;

const UNREADABLE: PdfRefused = PdfRefused::Damaged { what: "the list of attachments" };

/// What is attached to a file.
pub(crate) struct Attachments {
    /// The trees of names, of which attachments are one (ISO 32000-2, 7.7.4).
    pub(crate) names: Dictionary,
    /// The attachments: a key and a file specification each.
    pub(crate) attached: Vec<(Vec<u8>, Object)>,
    /// The files that belong to the document as a whole (14.13).
    pub(crate) associated: Vec<Object>,
}

impl Attachments {
    pub(super) fn of(file: &File<'_>, catalog: &Dictionary) -> Result<Self, PdfRefused> {
        let names = match catalog.find("Names") {
            Some(names) => file.dictionary(names)?,
            None => Dictionary::default(),
        };
        let mut attached = Vec::new();
        if let Some(tree) = names.find("EmbeddedFiles") {
            gather(file, tree, 0, &mut attached)?;
        }
        let associated = match catalog.find("AF") {
            Some(associated) => file.resolve(associated)?.as_array().ok_or(UNREADABLE)?.to_vec(),
            None => Vec::new(),
        };
        Ok(Self { names, attached, associated })
    }
}

/// What a tree of names has (7.9.6).
fn gather(
    file: &File<'_>,
    node: &Object,
    depth: usize,
    found: &mut Vec<(Vec<u8>, Object)>,
) -> Result<(), PdfRefused> {
    if depth > DEEPEST {
        return Err(PdfRefused::TooDeep);
    }
    let node = file.dictionary(node)?;
    if let Some(kids) = node.find("Kids") {
        for kid in file.resolve(kids)?.as_array().ok_or(UNREADABLE)? {
            gather(file, kid, depth + 1, found)?;
        }
    }
    if let Some(names) = node.find("Names") {
        for pair in file.resolve(names)?.as_array().ok_or(UNREADABLE)?.chunks_exact(2) {
            if let [Object::Text(key), value] = pair {
                found.push((key.clone(), value.clone()));
            }
        }
    }
    if found.len() > MOST { Err(PdfRefused::TooManyObjects) } else { Ok(()) }
}
