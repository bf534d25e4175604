//! Sealing for nothing, before people sign.

use svc_core::clock::Timestamp;
use svc_core::trail::{Chain, Digest};

use super::{Seal, seal};
use crate::error::{PdfRefused, SealError};
use crate::evidence::{Evidence, Language, SignedDocument};
use crate::key::{SealKey, SealKind, Sealer};

/// Signs nothing.
struct Nothing;

impl Sealer for Nothing {
    fn room(&self) -> usize {
        1
    }

    fn sign(&self, _: &Digest) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
        Ok(vec![0])
    }
}

/// Seals a document of so many pages, and throws the result away: what sealing reads in it beyond its pages is read here,
/// so that no envelope is completed whose files cannot be sealed.
///
/// # Errors
/// What of the document keeps it from being sealed.
pub(crate) fn rehearse(document: &[u8], pages: u32) -> Result<(), PdfRefused> {
    let at = Timestamp::default();
    let named = SignedDocument { name: String::new(), pages, before: Digest::of(document), after: None };
    let evidence = Evidence {
        envelope: String::new(),
        subject: String::new(),
        sender: String::new(),
        language: Language::default(),
        sent_at: at,
        completed_at: at,
        documents: vec![named],
        signers: Vec::new(),
        entries: Chain::default(),
    };
    let key = SealKey::new(0, [0; 32]);
    let kind = SealKind::Platform(&Nothing);
    match seal(document, &Seal { evidence: &evidence, signatures: &[], sealed_at: at, key: &key, kind }) {
        Err(SealError::Pdf(refused)) => Err(refused),
        // The rest is about the evidence and the signatures, of which there are none here.
        Ok(_) | Err(_) => Ok(()),
    }
}
