//! The pages of a document with what they take from the nodes above them (ISO 32000-2, 7.7.3.4).

use std::rc::Rc;

use super::copy::Taking;
use super::sheet::Area;
use crate::error::PdfRefused;
use crate::judge::Opened;
use crate::pdf::{self, Dictionary, File, Id, Object};

const TREE: PdfRefused = PdfRefused::Damaged { what: "the tree of pages" };
const CONTENT: PdfRefused = PdfRefused::Damaged { what: "the content of a page" };
const SIZE: PdfRefused = PdfRefused::Damaged { what: "the size of a page" };

/// What the pieces of one page unpack to at most, in bytes.
const MOST_UNPACKED: usize = 32 * 1024 * 1024;
/// Entries of a page that a stamped one has: what is in its preview, and in what programs keep with it, has no stamp.
const KEPT: [&str; 6] = ["Annots", "Group", "UserUnit", "Tabs", "Dur", "Trans"];

/// The tree of a document.
#[derive(Default)]
pub(super) struct Pages {
    pub(super) pages: Vec<Page>,
    /// Where its nodes are.
    pub(super) nodes: Vec<Id>,
}

/// A page; its own entries are read when it is written, so that no more than one page is held at a time.
pub(super) struct Page {
    pub(super) id: Id,
    above: Above,
    /// The area that it has.
    pub(super) sheet: Area,
    /// That of it which is seen.
    pub(super) seen: Area,
    /// By how much it is turned when it is shown, clockwise: 0, 90, 180 or 270.
    pub(super) turned: i16,
}

/// What pages take from the nodes above them.
#[derive(Clone, Default)]
struct Above {
    resources: Option<Rc<Object>>,
    sheet: Option<Area>,
    seen: Option<Area>,
    turned: i16,
}

/// Reads the pages of a document, whose tree was walked already: it is no deeper and no wider than it may be.
pub(super) fn pages(opened: &Opened<'_>) -> Result<Pages, PdfRefused> {
    let mut found = Pages::default();
    gather(&opened.file, opened.tree.0, &Above::default(), &mut found)?;
    Ok(found)
}

fn gather(file: &File<'_>, id: Id, above: &Above, found: &mut Pages) -> Result<(), PdfRefused> {
    let entries = file.load(id)?.into_dictionary().ok_or(TREE)?;
    let own = above.with(file, &entries)?;
    let Some(kids) = entries.find("Kids") else {
        let sheet = own.sheet.unwrap_or(Area::LETTER);
        let seen = own.seen.and_then(|seen| seen.within(sheet)).unwrap_or(sheet);
        let (above, turned) = (above.clone(), own.turned);
        found.pages.push(Page { id, above, sheet, seen, turned });
        return Ok(());
    };
    let own = match entries.find("Resources") {
        Some(resources) => Above { resources: Some(Rc::new(resources.clone())), ..own },
        None => own,
    };
    found.nodes.push(id);
    for kid in file.resolve(kids)?.as_array().ok_or(TREE)? {
        gather(file, kid.as_reference().ok_or(TREE)?, &own, found)?;
    }
    Ok(())
}

impl Above {
    /// With what a node or a page says itself, its resources aside.
    fn with(&self, file: &File<'_>, entries: &Dictionary) -> Result<Self, PdfRefused> {
        let mut own = self.clone();
        if let Some(sheet) = entries.find("MediaBox") {
            own.sheet = Some(Area::read(file, sheet)?.ok_or(SIZE)?);
        }
        if let Some(seen) = entries.find("CropBox") {
            own.seen = Area::read(file, seen)?;
        }
        if let Some(turned) = entries.find("Rotate") {
            let turned = file.resolve(turned)?.as_integer().unwrap_or_default().rem_euclid(360);
            own.turned = i16::try_from(turned / 90 * 90).unwrap_or_default();
        }
        Ok(own)
    }
}

impl Page {
    /// Its own entries.
    pub(super) fn entries(&self, file: &File<'_>) -> Result<Dictionary, PdfRefused> {
        file.load(self.id)?.into_dictionary().ok_or(TREE)
    }

    /// What a stamped page has of them.
    pub(super) fn rest(entries: &Dictionary) -> Dictionary {
        entries.only(&KEPT)
    }

    /// Writes what it shows as a figure.
    pub(super) fn figure(
        &self,
        taking: &mut Taking<'_, '_>,
        entries: &Dictionary,
        place: Id,
    ) -> Result<(), PdfRefused> {
        let above = self.above.resources.as_deref();
        let resources = entries.find("Resources").or(above).cloned();
        let mut resources = resources.unwrap_or_else(|| Object::Dictionary(Dictionary::default()));
        taking.relink_value(&mut resources);
        let mut figure = Dictionary::of([
            ("Type", Object::name("XObject")),
            ("Subtype", Object::name("Form")),
            ("BBox", self.sheet.array()),
            ("Resources", resources),
        ]);
        let streams = streams(taking.file(), entries)?;
        if let [(packed, raw)] = streams.as_slice() {
            // As it is packed, whatever with.
            let mut packed = packed.only(&["Filter", "DecodeParms"]);
            taking.relink(&mut packed);
            figure.extend(packed);
            return taking.write_stream(place, figure, raw);
        }
        // A piece may end within an operation, so they are one content together (7.8.2).
        let mut whole = Vec::new();
        for (packed, raw) in &streams {
            let packed = unpackable(taking.file(), packed)?;
            let left = MOST_UNPACKED.saturating_sub(whole.len());
            let plain = pdf::content(&packed, raw, left).map_err(unreadable)?;
            taking.unpacked(plain.len())?;
            whole.extend(plain);
            whole.push(b'\n');
        }
        taking.write_packed(place, figure, &whole)
    }
}

/// The pieces of what a page shows, as they are packed. One that is not in the file is nothing (7.3.10).
fn streams<'f>(file: &File<'f>, entries: &Dictionary) -> Result<Vec<(Dictionary, &'f [u8])>, PdfRefused> {
    let contents = entries.find("Contents").cloned().unwrap_or(Object::Null);
    let pieces = match file.resolve(&contents)? {
        Object::Array(pieces) => pieces,
        Object::Null => Vec::new(),
        Object::Boolean(_)
        | Object::Integer(_)
        | Object::Real(_)
        | Object::Name(_)
        | Object::Text(_)
        | Object::Dictionary(_)
        | Object::Reference(_) => vec![contents],
    };
    let mut streams = Vec::new();
    for piece in pieces {
        let id = piece.as_reference().ok_or(CONTENT)?;
        match file.load_raw(id)? {
            (Object::Null, None) => {}
            (Object::Dictionary(entries), Some(raw)) if entries.find("F").is_none() => {
                streams.push((entries, raw));
            }
            _ => return Err(CONTENT),
        }
    }
    Ok(streams)
}

/// How a stream is packed, without references.
fn unpackable(file: &File<'_>, packed: &Dictionary) -> Result<Dictionary, PdfRefused> {
    let mut plain = Dictionary::default();
    for name in ["Filter", "DecodeParms"] {
        if let Some(value) = packed.find(name) {
            plain.set(name, file.resolve(value)?);
        }
    }
    Ok(plain)
}

/// A piece that cannot be unpacked; one that is too much is told as that.
fn unreadable(refused: PdfRefused) -> PdfRefused {
    if refused == PdfRefused::TooMuchContent { refused } else { CONTENT }
}
