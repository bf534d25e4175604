//! Pages stamped: a file written anew, in which each page says who reads it, and when.
//!
//! A stamp that was appended, as a seal is, would come off by cutting the file where the document ended. So the file is
//! written anew: the catalog, the pages, and what these show and refer to, object by object. What no page shows stays behind:
//! earlier versions of objects, attachments, previews and the private data of programs, which would be the document without
//! its stamp, and actions of the document as a whole. A digital signature goes as well, since it would be shown as broken; how
//! it looks on its page stays.
//!
//! What a page showed becomes one figure (a form `XObject`, ISO 32000-2, 8.10), and the stamp a second one above it. A figure
//! leaves the state of graphics as it was, so that nothing in the page moves, clips or hides the stamp.

mod copy;
mod pages;
mod sheet;

use svc_core::clock::Timestamp;

use self::copy::Copy;
use self::pages::{Page, pages};
use self::sheet::Sheets;
use crate::draw::{Tile, tile};
use crate::error::{PdfRefused, SealError};
use crate::judge::{self, Judged};
use crate::pdf::{Dictionary, Id, Object};
use crate::{Language, texts};

/// What pages are stamped with.
#[derive(Clone, Copy, Debug)]
pub struct Watermark<'a> {
    /// Who reads them.
    pub reader: &'a str,
    /// When.
    pub at: Timestamp,
    /// The language of the instant.
    pub language: Language,
}

/// Entries of the catalog that a stamped file has, beside its pages.
const OF_CATALOG: [&str; 9] = [
    "Outlines",
    "OCProperties",
    "PageLabels",
    "PageMode",
    "PageLayout",
    "Lang",
    "ViewerPreferences",
    "Dests",
    "OutputIntents",
];

/// Stamps each page of a document. The document itself stays as it is, and is not within the answer.
///
/// The document may come from a stranger: what reading and writing it may cost is bounded, whatever is in it. The same
/// arguments give the same bytes.
///
/// # Errors
/// [`SealError::Pdf`] for a document that cannot be stamped: that is for ever, and [`can_be_watermarked`] tells before.
/// [`SealError::Layout`]
pub fn watermark(document: &[u8], with: &Watermark<'_>) -> Result<Vec<u8>, SealError> {
    let when = texts::instant(with.at, with.language);
    stamped(document, &tile(&[with.reader, &when])?)
}

/// Judges whether the pages of a document can be stamped, and counts them.
///
/// # Errors
/// [`PdfRefused`], each with what a person can do about it.
pub fn can_be_watermarked(document: &[u8]) -> Result<Judged, PdfRefused> {
    let judged = judge::open_signed(document)?;
    let pages = u32::try_from(judged.pages.len()).map_err(|_| PdfRefused::TooManyPages)?;
    let tile = tile(&["-"]).map_err(|_| PdfRefused::TooMuchContent)?;
    match stamped(document, &tile) {
        Ok(_) => Ok(Judged { pages, size: document.len() }),
        Err(SealError::Pdf(refused)) => Err(refused),
        // The stamp itself is drawn whatever the document is.
        Err(_) => Err(PdfRefused::TooMuchContent),
    }
}

fn stamped(document: &[u8], tile: &Tile) -> Result<Vec<u8>, SealError> {
    let opened = judge::open_signed(document)?;
    let known = pages(&opened)?;
    let mut copy = Copy::new(document);
    let (catalog, tree) = (copy.reserve(), copy.reserve());
    let stamp = taken(&mut copy, tile)?;
    let places: Vec<Id> = known.pages.iter().map(|_| copy.reserve()).collect();
    let mut taking = copy.of(&opened.file);
    // A page that is in no tree is shown by nothing, and would be a page without a stamp.
    known.nodes.iter().for_each(|node| taking.map(*node, tree));
    known.pages.iter().zip(&places).for_each(|(page, place)| taking.map(page.id, *place));
    let mut sheets = Sheets::new(stamp, tile);
    for (page, &place) in known.pages.iter().zip(&places) {
        stamp_page(&mut taking, &mut sheets, page, (place, tree))?;
    }
    let entries = of_catalog(&opened)?;
    taking.put(
        catalog,
        Object::Dictionary(entries),
        [("Type", Object::name("Catalog")), ("Pages", Object::Reference(tree))],
    )?;
    taking.drain()?;
    let kids = places.iter().copied().map(Object::Reference).collect();
    let node = Dictionary::of([
        ("Type", Object::name("Pages")),
        ("Kids", Object::Array(kids)),
        ("Count", Object::integer(places.len())),
    ]);
    copy.write(tree, &Object::Dictionary(node))?;
    Ok(copy.finish(catalog)?)
}

/// Takes the page of the stamp over as a figure.
fn taken(copy: &mut Copy, tile: &Tile) -> Result<Id, SealError> {
    // A file of our own that cannot be read is no fault of the document.
    let own = |error: PdfRefused| SealError::Layout(error.to_string());
    let opened = judge::open(&tile.file).map_err(own)?;
    let known = pages(&opened).map_err(own)?;
    let page = known.pages.first().ok_or_else(|| SealError::Layout("the page of the stamp".to_owned()))?;
    let figure = copy.reserve();
    let mut taking = copy.of(&opened.file);
    let entries = page.entries(&opened.file).map_err(own)?;
    page.figure(&mut taking, &entries, figure).map_err(own)?;
    taking.drain().map_err(own)?;
    Ok(figure)
}

/// Writes a page whose content is two figures: what it showed, and the stamp above it.
fn stamp_page(
    taking: &mut copy::Taking<'_, '_>,
    sheets: &mut Sheets,
    page: &Page,
    (place, tree): (Id, Id),
) -> Result<(), PdfRefused> {
    const SHOWN: &str = "SvcShown";
    const STAMP: &str = "SvcStamp";
    let (shown, content) = (taking.reserve(), taking.reserve());
    let entries = page.entries(taking.file())?;
    page.figure(taking, &entries, shown)?;
    let sheet = sheets.of(taking, page)?;
    taking.write_stream(content, Dictionary::default(), format!("/{SHOWN} Do\n/{STAMP} Do\n").as_bytes())?;
    let figures = Dictionary::of([(SHOWN, Object::Reference(shown)), (STAMP, Object::Reference(sheet))]);
    let resources = Dictionary::of([("XObject", Object::Dictionary(figures))]);
    let further = [
        ("Type", Object::name("Page")),
        ("Parent", Object::Reference(tree)),
        ("MediaBox", page.sheet.array()),
        ("CropBox", page.seen.array()),
        ("Rotate", Object::Integer(page.turned.into())),
        ("Resources", Object::Dictionary(resources)),
        ("Contents", Object::Reference(content)),
    ];
    taking.put(place, Object::Dictionary(Page::rest(&entries)), further)
}

/// What the catalog keeps.
fn of_catalog(opened: &judge::Opened<'_>) -> Result<Dictionary, PdfRefused> {
    let mut entries = opened.catalog.1.only(&OF_CATALOG);
    if let Some(form) = opened.catalog.1.find("AcroForm") {
        let form = opened.file.dictionary(form)?.only(&["Fields", "DA", "DR", "NeedAppearances", "Q"]);
        entries.set("AcroForm", Object::Dictionary(form));
    }
    let names = opened.attachments.names.only(&["Dests"]);
    if names.find("Dests").is_some() {
        entries.set("Names", Object::Dictionary(names));
    }
    Ok(entries)
}
