//! Envelopes in every state, for tests of their life and of storages.

use std::fmt::Write as _;

use async_trait::async_trait;
use svc_business::party::Extension;
use svc_business::signature::code::{Code, Codes};
use svc_business::signature::key::{Access, CeremonyKey, LinkHash, Salt};
use svc_business::signature::{
    Act, Envelope, EnvelopeFile, EnvelopeFiles, EnvelopeStatus, FilePin, FileState, MadeFile, Signer,
    SignerAuth, SignerRole, SignerStatus, SigningOrder, TrailHead,
};
use svc_core::audit::Actor;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, FileId, SignerId};
use svc_core::pii::Pii;
use svc_core::resource::Version;
use svc_core::trail::Digest;

use super::sample::{at, email, id, phone, tax};
use crate::fakes::SeededRandom;

/// The key of links and codes.
#[must_use]
pub fn key() -> CeremonyKey {
    CeremonyKey::new([7; 32])
}

/// What the service does at this instant.
#[must_use]
pub fn act(now: Timestamp) -> Act {
    Act::of(&Actor::service("contract"), now)
}

/// What a signer does at this instant.
#[must_use]
pub fn act_of(signer: SignerId, now: Timestamp) -> Act {
    Act::of_signer(signer, &Actor::service("contract"), Some("Browser/1.0 (Ñ)"), now)
}

/// A person who signs with the link alone: the one with this number has the address `s<number>@example.com`.
#[must_use]
pub fn signer(number: u128) -> Signer {
    Signer {
        id: id(number),
        name: format!("Firmante {number}"),
        email: email(&format!("s{number}@example.com")),
        phone: None,
        tax_id: None,
        contact: None,
        role: SignerRole::Signer,
        order: 1,
        auth: SignerAuth::Email,
        status: SignerStatus::Waiting,
        access: None,
        reminded_at: None,
        codes: Codes::default(),
    }
}

/// A person with every member filled.
#[must_use]
pub fn full_signer(number: u128) -> Signer {
    let salt = Salt([9; 16]);
    let hash = [8; 32];
    let proved_at = Some(at(70));
    Signer {
        phone: Some(Pii::new(phone("+34 600 123 456"))),
        tax_id: Some(Pii::new(tax("B12345674"))),
        role: SignerRole::Approver,
        order: 2,
        auth: SignerAuth::EmailOtp,
        status: SignerStatus::Viewed { notified_at: at(60), at: at(61) },
        access: Some(Access { salt, hash: LinkHash([5; 32]) }),
        reminded_at: Some(at(65)),
        codes: Codes { sent: 2, last: Some(Code { salt, hash, at: at(66), tries: 3, proved_at }) },
        ..signer(number)
    }
}

/// A version of a file.
#[must_use]
pub fn pin(number: u8) -> FilePin {
    FilePin {
        version: u32::from(number) + 1,
        sha256: Digest::of(&[number]),
        size: 5_000_000_000 + u64::from(number),
        name: format!("contrato-{number}.pdf"),
        pages: 3,
    }
}

/// A draft with one file and these people.
#[must_use]
pub fn draft(company: AccountId, number: u32, signers: Vec<Signer>) -> Envelope {
    let created = at(i64::from(number));
    Envelope {
        id: id(u128::from(number)),
        company,
        subject: format!("Contrato {number}"),
        message: None,
        language: svc_business::party::LanguageTag::from_stored("es".to_owned()),
        order: SigningOrder::Parallel,
        expires_at: None,
        reminder_every_days: 0,
        files: vec![EnvelopeFile { file: id(900), pin: None }],
        signers,
        links: Vec::new(),
        status: EnvelopeStatus::Draft,
        supersedes: None,
        superseded_by: None,
        trail: TrailHead::NONE,
        extension: Extension::default(),
        version: Version::FIRST,
        created_at: created,
        updated_at: created,
    }
}

/// The way to a signer that a test's key and seed make.
#[must_use]
pub fn access(signer: SignerId) -> Access {
    Access::draw(&key(), signer, &SeededRandom::new(5))
}

/// The link of a signer whom a draft was sent to with [`access`].
#[must_use]
pub fn link(signer: SignerId) -> LinkHash {
    access(signer).hash
}

/// A PDF file of one page, which this text tells from others.
#[must_use]
pub fn pdf(text: &str) -> Vec<u8> {
    let page = "<< /Type /Page /Parent 2 0 R >>".to_owned();
    written(&format!("%PDF-1.7\n%{text}\n"), vec![page])
}

/// The bytes of a PDF file of one page whose content comes to so many bytes, which no compression makes much shorter.
#[must_use]
pub fn large_pdf(bytes: usize) -> Vec<u8> {
    let mut content = "% ".to_owned();
    while content.len() < bytes {
        content += &Digest::of(content.len().to_string().as_bytes()).to_string();
    }
    let page = "<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>".to_owned();
    let stream = format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len());
    written("%PDF-1.7\n", vec![page, stream])
}

/// A PDF file with a catalog, the list of pages and these objects behind it, the page first.
fn written(head: &str, objects: Vec<String>) -> Vec<u8> {
    let first = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 300 200] >>",
    ];
    let (mut file, mut table) = (head.to_owned(), String::new());
    let mut count = 1;
    for object in first.map(str::to_owned).into_iter().chain(objects) {
        let _ = writeln!(table, "{:010} 00000 n ", file.len());
        let _ = write!(file, "{count} 0 obj\n{object}\nendobj\n");
        count += 1;
    }
    let start = file.len();
    let _ = write!(file, "xref\n0 {count}\n0000000000 65535 f \n{table}");
    let _ = write!(file, "trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF");
    file.into_bytes()
}

/// A company's files for tests: every file is there, and is a PDF.
#[derive(Clone, Copy, Debug)]
pub struct PdfFiles;

#[async_trait]
impl EnvelopeFiles for PdfFiles {
    async fn states(&self, _: AccountId, files: &[FileId]) -> Result<Vec<Option<FileState>>, StoreError> {
        Ok(files.iter().map(|_| Some(FileState::Signable(pin(1)))).collect())
    }

    async fn keep(&self, _: MadeFile) -> Result<FileId, StoreError> {
        Ok(id(960))
    }
}
