//! A file sealed: an incremental update after the document, whose bytes stay as they are.
//!
//! The update has, in this order: the pages of signatures, `evidence.json`, the tree of pages and the catalog anew
//! (ISO 32000-2, 7.5.6), the place of a platform signature if there is one, the [seal](stamp), and the
//! cross-references. All of it is laid out first. Then the code of the key is written into the seal, over all bytes
//! but its own digits and those of the platform signature; then the platform signs what is there.

mod attach;
mod page;
mod platform;
mod rehearsal;
pub(crate) mod stamp;
mod update;

pub(crate) use self::platform::signed;
pub(crate) use self::rehearsal::rehearse;

use serde::{Deserialize, Serialize};
use svc_core::clock::Timestamp;

use self::stamp::Stamp;
use self::update::Update;
use crate::draw::Ink;
use crate::error::{PdfRefused, SealError};
use crate::evidence::Evidence;
use crate::key::{SealKey, SealKind};
use crate::pdf::{Dictionary, Id, Object};
use crate::{MOST_ENTRIES, MOST_EVIDENCE, MOST_SIGNERS, judge};
use svc_core::trail::Digest;

/// What a document is sealed with.
#[derive(Clone, Debug)]
pub struct Seal<'a> {
    /// What is known about the signing; one of its documents has the digest of the file.
    pub evidence: &'a Evidence,
    /// The signatures as people made them; those of signers without one are left out.
    pub signatures: &'a [Signature],
    /// When it is sealed.
    pub sealed_at: Timestamp,
    /// The key of the seal.
    pub key: &'a SealKey,
    /// What else it is sealed with.
    pub kind: SealKind<'a>,
}

/// The signature of a person, as the person made it.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// The id of the signer.
    pub signer: String,
    /// How it looks.
    pub ink: Ink,
}

/// The content of `evidence.json`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Attached<E> {
    /// The version of this form.
    pub(crate) version: u32,
    pub(crate) sealed_at: Timestamp,
    pub(crate) original_sha256: Digest,
    pub(crate) evidence: E,
}

/// Seals a document: adds pages of signatures and the evidence, and a code over all of it.
///
/// The document is a prefix of the answer, byte for byte. The same arguments give the same bytes, unless a
/// [`Sealer`](crate::Sealer) answers otherwise.
///
/// # Errors
/// [`SealError`]: the document cannot be sealed, is not one of the evidence, or the evidence does not hold.
pub fn seal(document: &[u8], seal: &Seal<'_>) -> Result<Vec<u8>, SealError> {
    seal.evidence.entries.verify()?;
    bounded(seal.evidence)?;
    let digest = Digest::of(document);
    let named = seal.evidence.documents.iter().find(|one| one.before == digest);
    let named = named.ok_or(SealError::OtherDocument)?;
    let attached =
        Attached { version: 1, sealed_at: seal.sealed_at, original_sha256: digest, evidence: seal.evidence };
    let json = serde_json::to_vec(&attached).map_err(|_| SealError::TooMuchEvidence)?;
    if json.len() > MOST_EVIDENCE {
        return Err(SealError::TooMuchEvidence);
    }
    let opened = judge::open(document)?;
    let pages = page::pages(seal, named)?;

    let mut update = Update::after(document, opened.file.size());
    let (mut tree, mut catalog) = (opened.tree.1.clone(), opened.catalog.1.clone());
    let field = match seal.kind {
        SealKind::Platform(sealer) => Some((sealer, update.reserve())),
        SealKind::Keyed => None,
    };
    let added = page::add(&mut update, &pages, opened.tree.0, field.map(|(_, field)| field))?;
    grow(&opened, &mut tree, &added)?;
    update.put(opened.tree.0, &Object::Dictionary(tree));
    let information = attach::information(&mut update, &opened, seal.sealed_at);
    let evidence = attach::evidence(&mut update, opened.attachments, &mut catalog, &json, seal);
    let gap = match (field, added.first()) {
        (Some((sealer, field)), Some(&page)) => {
            let place = platform::Place { field, page, at: seal.sealed_at };
            Some(platform::place(&mut update, &opened.file, &mut catalog, place, sealer)?)
        }
        _ => None,
    };
    let stamped = update.reserve();
    catalog.set("SvcSeal", Object::Reference(stamped));
    update.put(opened.catalog.0, &Object::Dictionary(catalog));
    let stamp = Stamp {
        key: seal.key.id(),
        original: document.len(),
        digest,
        evidence: (evidence, json.len()),
        gap: gap.as_ref().map_or((0, 0), |gap| gap.digits),
        length: 0,
    };
    let at = update.begin(stamped);
    update.write(&stamp.text());
    update.end();
    let mut file = update.finish(&opened.file, opened.catalog.0, information, digest);

    // The length of the whole is known now, and has its digits already.
    let stamp = Stamp { length: file.len(), ..stamp };
    stamp::overwrite(&mut file, at, &stamp.text());
    if let Some(gap) = &gap {
        gap.write_ranges(&mut file);
    }
    let code = seal.key.code(stamp.covered(&file, at));
    stamp::overwrite(&mut file, Stamp::code_at(at), code.to_string().as_bytes());
    if let (Some(gap), Some((sealer, _))) = (gap, field) {
        gap.sign(&mut file, sealer)?;
    }
    Ok(file)
}

/// Whether the evidence is no more than an envelope has.
pub(crate) fn bounded(evidence: &Evidence) -> Result<(), SealError> {
    let steps: usize = evidence.signers.iter().map(|signer| signer.steps.len()).sum();
    let within = evidence.signers.len() <= MOST_SIGNERS
        && evidence.entries.links().len().max(steps).max(evidence.documents.len()) <= MOST_ENTRIES;
    let within = within && serde_json::to_vec(evidence).is_ok_and(|json| json.len() <= MOST_EVIDENCE);
    if within { Ok(()) } else { Err(SealError::TooMuchEvidence) }
}

/// Adds pages at the end of the tree (7.7.3).
fn grow(opened: &judge::Opened<'_>, tree: &mut Dictionary, added: &[Id]) -> Result<(), PdfRefused> {
    let kids = tree.find("Kids").cloned().unwrap_or(Object::Null);
    let mut kids = opened.file.resolve(&kids)?.as_array().unwrap_or_default().to_vec();
    kids.extend(added.iter().copied().map(Object::Reference));
    tree.set("Kids", Object::Array(kids));
    tree.set("Count", Object::integer(opened.pages.len().saturating_add(added.len())));
    Ok(())
}
