//! An envelope as a response carries it.

use std::collections::BTreeMap;

use http::StatusCode;
use svc_business::signature::{
    Envelope, EnvelopeFile, EnvelopeLink, EnvelopeLinkType, EnvelopeStatus, EnvelopeStatusFilter, Signer,
    SignerAuth, SignerRole, SignerStatus, SigningOrder,
};
use svc_core::clock::Timestamp;
use svc_core::content::Digest;
use svc_core::id::{AccountId, ContactId, EnvelopeId, FileId, SignerId};
use svc_core::pii::{PiiAccess, Shown};
use svc_core::resource::Resource;
use svc_core::wire::Form;
use svc_core::wire_view;

use crate::answer::Answer;

wire_view! {
    /// Documents that people are asked to sign.
    #[derive(Debug)]
    pub(super) struct EnvelopeView as "Envelope" {
        id: EnvelopeId,
        object: &'static str => Form::one_of(&["envelope"]),
        company_id: AccountId,
        version: i64,
        subject: String => Form::ANY.example("Lease of the office"),
        message: Option<String>,
        /// The language of mails, pages and the certificate.
        language: String => Form::ANY.example("es"),
        status: &'static str => Form::one_of(EnvelopeStatusFilter::NAMES),
        /// What is signed, in order.
        files: Vec<FileView>,
        /// Who is asked; those that took a place come last.
        signers: Vec<SignerView>,
        order: SigningOrder,
        /// When it expires; thirty days after its sending when nothing is said.
        expires_at: Option<Timestamp> => Form::ANY.json("null"),
        reminder_every_days: i64 => Form::range(0, 30).number(3),
        links: Vec<LinkView> => Form::ANY.json("[]"),
        /// The envelope that it was sent in the place of.
        supersedes_id: Option<EnvelopeId> => Form::ANY.json("null"),
        /// The envelope that was sent in its place.
        superseded_by_id: Option<EnvelopeId> => Form::ANY.json("null"),
        /// The sealed files, in the order of `files`: a moment after everyone signed.
        completed_file_ids: Vec<FileId> => Form::ANY.json("[]"),
        /// The certificate of evidence.
        certificate_file_id: Option<FileId> => Form::ANY.json("null"),
        sent_at: Option<Timestamp> => Form::ANY.json("null"),
        completed_at: Option<Timestamp> => Form::ANY.json("null"),
        declined_at: Option<Timestamp> => Form::ANY.json("null"),
        voided_at: Option<Timestamp> => Form::ANY.json("null"),
        /// The words of the sender, or what the service calls the reason.
        void_reason: Option<String> => Form::ANY.json("null"),
        external_id: Option<String>,
        metadata: BTreeMap<String, String> => Form::ANY.json(r#"{"region":"north"}"#),
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

wire_view! {
    /// A file of an envelope.
    #[derive(Debug)]
    pub(super) struct FileView as "EnvelopeFileShown" {
        file_id: FileId,
        /// Its place, from 1.
        position: u32 => Form::range(1, 20).number(1),
        /// The version that people sign, from the sending on.
        file_version: Option<u32> => Form::range(1, 100).number(1),
        /// SHA-256 of that version.
        sha256: Option<Digest> => Form::ANY.example("b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"),
        /// The name that the file had then.
        name: Option<String> => Form::ANY.example("Contract.pdf"),
        /// Its bytes.
        size: Option<u64> => Form::range(1, i64::MAX).number(48_213),
        pages: Option<u32> => Form::range(1, 2_000).number(3),
    }
}

/// The statuses of a signer.
const SIGNER_STATUS: &[&str] = &["waiting", "notified", "viewed", "signed", "declined", "replaced"];

wire_view! {
    /// A person that an envelope names.
    #[derive(Debug)]
    pub(super) struct SignerView as "EnvelopeSigner" {
        id: SignerId,
        name: String => Form::ANY.example("Ana Pérez"),
        email: String => Form::ANY.example("ana@example.com"),
        /// Masked but for its last digits.
        phone: Option<Shown<String>> => Form::ANY.example("*********000"),
        /// Masked but for its ends.
        tax_id: Option<Shown<String>>,
        contact_id: Option<ContactId> => Form::ANY.json("null"),
        role: SignerRole,
        order: i64 => Form::range(1, 50).number(1),
        auth: SignerAuth,
        status: &'static str => Form::one_of(SIGNER_STATUS),
        /// When the link, or the copy, was sent.
        notified_at: Option<Timestamp> => Form::ANY.json("null"),
        /// When the documents were opened.
        viewed_at: Option<Timestamp> => Form::ANY.json("null"),
        signed_at: Option<Timestamp> => Form::ANY.json("null"),
        declined_at: Option<Timestamp> => Form::ANY.json("null"),
        /// Why, in the words of the person.
        decline_reason: Option<String> => Form::ANY.json("null"),
        /// The person who took the place.
        replaced_by_id: Option<SignerId> => Form::ANY.json("null"),
    }
}

wire_view! {
    /// A record that an envelope belongs to.
    #[derive(Debug)]
    pub(super) struct LinkView as "EnvelopeLinkShown" {
        r#type: EnvelopeLinkType,
        id: String => Form::ID,
    }
}

/// A single envelope as an answer.
pub(super) fn answer(status: StatusCode, envelope: Envelope) -> Answer {
    let (company, version) = (envelope.company, envelope.version);
    Answer::personal(status, move |access| EnvelopeView::of(&envelope, access)).of(company).version(version)
}

impl EnvelopeView {
    pub(super) fn of(envelope: &Envelope, access: PiiAccess) -> Self {
        let (completed_at, declined_at, voided_at, sealed) = match &envelope.status {
            EnvelopeStatus::Draft | EnvelopeStatus::Sent { .. } => (None, None, None, None),
            EnvelopeStatus::Completed { at, sealed, .. } => (Some(*at), None, None, sealed.as_ref()),
            EnvelopeStatus::Declined { at, .. } => (None, Some(*at), None, None),
            EnvelopeStatus::Voided { at, .. } => (None, None, Some(*at), None),
        };
        Self {
            id: envelope.id,
            object: Envelope::NAME,
            company_id: envelope.company,
            version: envelope.version.as_i64(),
            subject: envelope.subject.clone(),
            message: envelope.message.clone(),
            language: envelope.language.as_str().to_owned(),
            status: envelope.status.name(),
            files: (1..).zip(&envelope.files).map(|(position, file)| FileView::of(position, file)).collect(),
            signers: envelope.signers.iter().map(|signer| SignerView::of(signer, access)).collect(),
            order: envelope.order,
            expires_at: envelope.expires_at,
            reminder_every_days: i64::from(envelope.reminder_every_days),
            links: envelope.links.iter().map(LinkView::of).collect(),
            supersedes_id: envelope.supersedes,
            superseded_by_id: envelope.superseded_by,
            completed_file_ids: sealed.map(|sealed| sealed.files.clone()).unwrap_or_default(),
            certificate_file_id: sealed.map(|sealed| sealed.certificate),
            sent_at: envelope.status.sent_at(),
            completed_at,
            declined_at,
            voided_at,
            void_reason: envelope.void_reason().map(|reason| reason.as_str().to_owned()),
            external_id: envelope.extension.external_id.clone(),
            metadata: envelope.extension.metadata.clone(),
            created_at: envelope.created_at,
            updated_at: envelope.updated_at,
        }
    }
}

impl FileView {
    fn of(position: u32, file: &EnvelopeFile) -> Self {
        let pin = file.pin.as_ref();
        Self {
            file_id: file.file,
            position,
            file_version: pin.map(|pin| pin.version),
            sha256: pin.map(|pin| pin.sha256),
            name: pin.map(|pin| pin.name.clone()),
            size: pin.map(|pin| pin.size),
            pages: pin.map(|pin| pin.pages),
        }
    }
}

impl SignerView {
    fn of(signer: &Signer, access: PiiAccess) -> Self {
        let (signed_at, declined_at, decline_reason, replaced_by_id) = match &signer.status {
            SignerStatus::Waiting | SignerStatus::Notified { .. } | SignerStatus::Viewed { .. } => {
                (None, None, None, None)
            }
            SignerStatus::Signed { at, .. } => (Some(*at), None, None, None),
            SignerStatus::Declined { at, reason, .. } => (None, Some(*at), Some(reason.clone()), None),
            SignerStatus::Replaced { by, .. } => (None, None, None, Some(*by)),
        };
        Self {
            id: signer.id,
            name: signer.name.clone(),
            email: signer.email.as_str().to_owned(),
            phone: signer.phone.as_ref().map(|phone| phone.show(access)),
            tax_id: signer.tax_id.as_ref().map(|tax_id| tax_id.show(access)),
            contact_id: signer.contact,
            role: signer.role,
            order: i64::from(signer.order),
            auth: signer.auth,
            status: signer.status.name(),
            notified_at: signer.status.notified_at(),
            viewed_at: signer.status.viewed_at(),
            signed_at,
            declined_at,
            decline_reason,
            replaced_by_id,
        }
    }
}

impl LinkView {
    fn of(link: &EnvelopeLink) -> Self {
        let (r#type, id) = match link {
            EnvelopeLink::Case(id) => (EnvelopeLinkType::Case, id.to_string()),
            EnvelopeLink::Contact(id) => (EnvelopeLinkType::Contact, id.to_string()),
            EnvelopeLink::Invoice(id) => (EnvelopeLinkType::Invoice, id.to_string()),
        };
        Self { r#type, id }
    }
}
