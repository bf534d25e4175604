//! The evidence as an attachment (ISO 32000-2, 7.11.4 and 14.13), and when the file was changed.

use svc_core::clock::Timestamp;

use super::Seal;
use super::update::Update;
use crate::judge::{Attachments, Opened};
use crate::pdf::{Dictionary, Object};

/// Adds `evidence.json`; answers where its bytes begin. They are not compressed, so verifying needs no PDF library.
pub(super) fn evidence(
    update: &mut Update,
    attachments: Attachments,
    catalog: &mut Dictionary,
    json: &[u8],
    seal: &Seal<'_>,
) -> usize {
    let Attachments { mut names, mut attached, mut associated } = attachments;
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
    associated.push(Object::Reference(specification));
    catalog.set("AF", Object::Array(associated));
    begins
}

/// What the trailer says about the information of the file: when it was changed, unless the file has its metadata in
/// XMP, with which it would then disagree.
pub(super) fn information(update: &mut Update, opened: &Opened<'_>, at: Timestamp) -> Option<Object> {
    let old = opened.file.trailer().find("Info");
    if opened.catalog.1.find("Metadata").is_some() {
        // It is a reference or nothing (7.5.5).
        return old.filter(|old| old.as_reference().is_some()).cloned();
    }
    let old = old.and_then(|old| opened.file.dictionary(old).ok());
    let mut entries = old.unwrap_or_default();
    entries.set("ModDate", Object::text(&date(at)));
    let id = update.reserve();
    update.put(id, &Object::Dictionary(entries));
    Some(Object::Reference(id))
}

/// `D:20260131091500Z` (7.9.4).
pub(super) fn date(at: Timestamp) -> String {
    let digits: String = at.to_string().chars().filter(char::is_ascii_digit).take(14).collect();
    format!("D:{digits}Z")
}
