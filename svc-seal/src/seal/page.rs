//! The pages of signatures: drawn as a file of their own, then taken over into the update.

use super::Seal;
use super::update::Update;
use crate::draw::{About, Canvas, Drawn, LEFT, MOST_PIXELS, Mark, Style, drawn, output};
use crate::error::{PdfRefused, SealError};
use crate::evidence::{Role, SignedDocument, Signer};
use crate::judge;
use crate::pdf::{Dictionary, Id, Object};
use crate::texts::{Texts, instant};

/// How wide the labels are, and a drawn signature at most, in points.
const LABELS: f32 = 96.0;
const INK: (f32, f32) = (180.0, 54.0);

/// Draws the pages.
pub(super) fn pages(seal: &Seal<'_>, document: &SignedDocument) -> Result<Vec<u8>, SealError> {
    let evidence = seal.evidence;
    let texts = Texts::of(evidence.language);
    let mut canvas = Canvas::new()?;
    canvas.flow(LEFT, 490.0, Style::TITLE, texts.signatures);
    canvas.y += 8.0;
    canvas.pair(LEFT, texts.subject, LABELS, Style::STRONG, &evidence.subject);
    canvas.pair(LEFT, texts.document, LABELS, Style::BODY, &document.name);
    canvas.pair(LEFT, texts.envelope, LABELS, Style::BODY, &evidence.envelope);
    canvas.pair(LEFT, texts.sender, LABELS, Style::BODY, &evidence.sender);
    canvas.pair(LEFT, texts.before, LABELS, Style::BODY, &document.before.to_string());
    canvas.pair(LEFT, texts.sealed, LABELS, Style::BODY, &instant(seal.sealed_at, evidence.language));
    canvas.y += 6.0;
    canvas.flow(LEFT, 490.0, Style::LABEL, texts.note);
    let mut pixels = MOST_PIXELS;
    for signer in evidence.signers.iter().filter(|signer| signer.role != Role::Copy) {
        self::signer(&mut canvas, seal, signer, texts, &mut pixels)?;
    }
    canvas.feet(&format!("{} · {}", texts.signatures, evidence.envelope));
    let about = About {
        title: &evidence.subject,
        author: &evidence.sender,
        language: texts.code,
        at: seal.sealed_at,
    };
    output(canvas, &about)
}

fn signer(
    canvas: &mut Canvas,
    seal: &Seal<'_>,
    signer: &Signer,
    texts: &Texts,
    pixels: &mut usize,
) -> Result<(), SealError> {
    let language = seal.evidence.language;
    canvas.y += 12.0;
    canvas.make_room(150.0);
    canvas.rule();
    canvas.y += 8.0;
    canvas.flow(LEFT, 490.0, Style::HEAD, &format!("{} · {}", signer.name, texts.role(signer.role)));
    canvas.y += 2.0;
    canvas.pair(LEFT, texts.email, LABELS, Style::BODY, &signer.email);
    canvas.pair(LEFT, texts.identified, LABELS, Style::BODY, texts.identification(signer.identified));
    let when = signer.signed_at().map(|at| instant(at, language));
    canvas.pair(LEFT, texts.signed, LABELS, Style::BODY, when.as_deref().unwrap_or(texts.not_signed));
    let signature = seal.signatures.iter().find(|signature| signature.signer == signer.id);
    let Some(signature) = signature else { return Ok(()) };
    let failed = |reason| SealError::Ink { signer: signer.id.clone(), reason };
    canvas.y += 4.0;
    match drawn(&signature.ink, pixels).map_err(failed)? {
        Drawn::Typed(name) => canvas.pair(LEFT, texts.signature, LABELS, Style::WRITTEN, &name),
        Drawn::Figure(ink) => {
            let (width, height) = INK;
            canvas.make_room(height);
            let y = canvas.y;
            canvas.line(LEFT, Style::LABEL, texts.signature);
            canvas.mark(Mark::Ink { x: LEFT + LABELS, y, width, height, ink });
            canvas.y = y + height;
        }
    }
    Ok(())
}

/// Takes the pages of a file over, below this node of a tree of pages, the first of them with a field; answers where
/// they are now.
pub(super) fn add(
    update: &mut Update,
    pages: &[u8],
    tree: Id,
    field: Option<Id>,
) -> Result<Vec<Id>, SealError> {
    // A file of our own that cannot be read is no fault of the document.
    let own = |error: PdfRefused| SealError::Layout(error.to_string());
    let opened = judge::open(pages).map_err(own)?;
    let file = &opened.file;
    let information = file.trailer().find("Info").and_then(Object::as_reference);
    let skipped = [Some(opened.catalog.0), Some(opened.tree.0), information];
    let by = update.reserve_many(file.size()).0;
    for number in 1..file.size() {
        let id = (number, 0);
        let (mut object, raw) = file.load_raw(id).map_err(own)?;
        let kind = object.as_dictionary().is_some_and(|entries| {
            ["XRef", "ObjStm", "Metadata", "Catalog", "Pages"].iter().any(|kind| entries.is(kind))
        });
        if object == Object::Null || kind || skipped.contains(&Some(id)) {
            continue;
        }
        object.shift(by);
        let id = (number.saturating_add(by), 0);
        match (object, raw) {
            (Object::Dictionary(entries), Some(raw)) => {
                update.put_stream(id, entries, raw);
            }
            (Object::Dictionary(entries), None) if entries.is("Page") => {
                let mut page = as_kid(entries, tree);
                if let (Some(field), Some(&(first, _))) = (field, opened.pages.first())
                    && first == number
                {
                    page.set("Annots", Object::Array(vec![Object::Reference(field)]));
                }
                update.put(id, &Object::Dictionary(page));
            }
            (object, _) => update.put(id, &object),
        }
    }
    Ok(opened.pages.iter().map(|&(number, _)| (number.saturating_add(by), 0)).collect())
}

/// A page that takes nothing from the node above it (7.7.3.4).
fn as_kid(mut page: Dictionary, tree: Id) -> Dictionary {
    page.set("Parent", Object::Reference(tree));
    page.set("Rotate", Object::Integer(0));
    if let Some(sheet) = page.find("MediaBox").cloned() {
        page.set("CropBox", sheet);
    }
    if page.find("Resources").is_none() {
        page.set("Resources", Object::Dictionary(Dictionary::default()));
    }
    page
}
