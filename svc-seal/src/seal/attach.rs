//! The evidence as an attachment (ISO 32000-2, 7.11.4 and 14.13), and when the file was changed.

use svc_core::clock::Timestamp;

use super::Seal;
use super::update::Update;
use crate::error::PdfRefused;
use crate::judge::Opened;
use crate::pdf::{Dictionary, File, Object};

/// How deep the tree of attachments may be, and how many there may be.
const DEEPEST: usize = 16;
const MOST: usize = 10_000;

const UNREADABLE: PdfRefused = PdfRefused::Damaged { what: "the list of attachments" };

/// Adds `evidence.json`; answers where its bytes begin. They are as they are: whoever verifies needs no PDF library.
pub(super) fn evidence(
    update: &mut Update,
    file: &File<'_>,
    catalog: &mut Dictionary,
    json: &[u8],
    seal: &Seal<'_>,
) -> Result<usize, PdfRefused> {
    let mut names = match catalog.find("Names") {
        Some(names) => file.dictionary(names)?,
        None => Dictionary::default(),
    };
    let mut attached = Vec::new();
    if let Some(tree) = names.find("EmbeddedFiles") {
        gather(file, tree, 0, &mut attached)?;
    }
    let taken = |name: &str| attached.iter().any(|(key, _)| key == name.as_bytes());
    let mut name = "evidence.json".to_owned();
    let mut number = 1_u32;
    while taken(&name) {
        number = number.saturating_add(1);
        name = format!("evidence-{number}.json");
    }
    let (stream, specification) = (update.reserve(), update.reserve());
    let at = date(seal.sealed_at);
    let parameters = Dictionary::of([
        ("Size", Object::integer(json.len())),
        ("CreationDate", Object::text(&at)),
        ("ModDate", Object::text(&at)),
    ]);
    let entries = Dictionary::of([
        ("Type", Object::name("EmbeddedFile")),
        ("Subtype", Object::name("application/json")),
        ("Params", Object::Dictionary(parameters)),
    ]);
    let begins = update.put_stream(stream, entries, json);
    let files = Dictionary::of([("F", Object::Reference(stream)), ("UF", Object::Reference(stream))]);
    let description = format!("{}: {}", seal.evidence.envelope, seal.evidence.subject);
    let entries = Dictionary::of([
        ("Type", Object::name("Filespec")),
        ("F", Object::text(&name)),
        ("UF", Object::text(&name)),
        ("Desc", Object::text(&description)),
        ("AFRelationship", Object::name("Supplement")),
        ("EF", Object::Dictionary(files)),
    ]);
    update.put(specification, &Object::Dictionary(entries));

    attached.push((name.into_bytes(), Object::Reference(specification)));
    attached.sort_by(|(one, _), (other, _)| one.cmp(other));
    let flat = attached.into_iter().flat_map(|(key, value)| [Object::Text(key), value]).collect();
    let tree = Dictionary::of([("Names", Object::Array(flat))]);
    names.set("EmbeddedFiles", Object::Dictionary(tree));
    catalog.set("Names", Object::Dictionary(names));
    let mut associated = match catalog.find("AF") {
        Some(associated) => file.resolve(associated)?.as_array().ok_or(UNREADABLE)?.to_vec(),
        None => Vec::new(),
    };
    associated.push(Object::Reference(specification));
    catalog.set("AF", Object::Array(associated));
    Ok(begins)
}

/// What a tree of names has (7.9.6).
fn gather(
    file: &File<'_>,
    node: &Object,
    depth: usize,
    found: &mut Vec<(Vec<u8>, Object)>,
) -> Result<(), PdfRefused> {
    if depth > DEEPEST || found.len() > MOST {
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
    Ok(())
}

/// What the trailer says about the information of the file: when it was changed, unless the file has its metadata in
/// XMP, with which it would then disagree.
pub(super) fn information(
    update: &mut Update,
    opened: &Opened<'_>,
    at: Timestamp,
) -> Result<Option<Object>, PdfRefused> {
    let old = opened.file.trailer().find("Info");
    if opened.catalog.1.find("Metadata").is_some() {
        return Ok(old.cloned());
    }
    let mut entries = match old {
        Some(old) => opened.file.resolve(old)?.into_dictionary().unwrap_or_default(),
        None => Dictionary::default(),
    };
    entries.set("ModDate", Object::text(&date(at)));
    let id = update.reserve();
    update.put(id, &Object::Dictionary(entries));
    Ok(Some(Object::Reference(id)))
}

/// `D:20260131091500Z` (7.9.4).
pub(super) fn date(at: Timestamp) -> String {
    let digits: String = at.to_string().chars().filter(char::is_ascii_digit).take(14).collect();
    format!("D:{digits}Z")
}
