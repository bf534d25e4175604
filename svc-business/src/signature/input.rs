//! What a client writes of an envelope.

use std::collections::BTreeMap;

use svc_core::id::{ContactId, FileId, SignerId};
use svc_core::patch::Patch;
use svc_core::wire::Form;
use svc_core::{wire_names, wire_patch, wire_request};

use super::ink::{InkKind, MOST_POINTS};
use super::signer::{SignerAuth, SignerRole};
use super::state::SigningOrder;
use crate::party::form;

wire_patch! {
    /// Documents that people are asked to sign, as a client writes them. Only a draft changes.
    pub struct EnvelopeInput as "Envelope" in company
        computed [
            status, supersedesId, supersededById, completedFileIds, certificateFileId, sentAt, completedAt, declinedAt,
            voidedAt, voidReason
        ]
    {
        /// What it is about.
        [always] subject: Patch<String> => Form::text(1, 200).example("Lease of the office"),
        /// What the sender says to those who sign.
        message: Patch<String> => Form::text(0, 10_000),
        /// The language of mails and pages; that of the company when left out.
        [kept] language: Patch<String> => form::LANGUAGE,
        /// Whether people sign one after the other; all at once when left out.
        [kept] order: Patch<SigningOrder>,
        /// When it expires: within a year from its sending, and thirty days after it when left out.
        expires_at: Patch<String> => Form::INSTANT,
        /// After how many days those who have not signed are reminded; never when 0 or left out.
        [kept] reminder_every_days: Patch<i64> => Form::range(0, 30).number(3),
        /// What is signed, in order. The list is written as a whole.
        [always] files: Patch<Vec<EnvelopeFileInput>> => Form::list(1, 20, &Form::ANY),
        /// Who is asked: one person at least who signs or approves. The list is written as a whole.
        [always] signers: Patch<Vec<SignerInput>> => Form::list(1, 50, &Form::ANY),
        /// What it belongs to, of the same company. The list is written as a whole.
        links: Patch<Vec<EnvelopeLinkInput>> => Form::list(0, 20, &Form::ANY),
        /// An integrator's own id, unique per company.
        external_id: Patch<String> => form::EXTERNAL_ID,
        /// An integrator's own pairs, at most 50; null for a key removes it.
        metadata: Patch<BTreeMap<String, Option<String>>> => form::METADATA,
        /// A new envelope is sent at once.
        send: bool,
    }
}

wire_request! {
    /// A file that is signed.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct EnvelopeFileInput as "EnvelopeFileInput" {
        /// A PDF file of the company; its version is that of the sending.
        pub file as "fileId": FileId,
    }
}

wire_request! {
    /// A person that an envelope names. One that names its id keeps what it leaves out of `phone` and `taxId`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct SignerInput as "EnvelopeSignerInput" {
        /// Of a person that the envelope has.
        pub id: Option<SignerId>,
        /// The name.
        pub name: String => Form::text(1, 200).example("Ana Pérez"),
        /// Where the link goes: no two of the same role have one address.
        pub email: String => Form::EMAIL.example("ana@example.com"),
        /// The phone.
        pub phone: Option<String> => form::PHONE,
        /// The tax id.
        pub tax_id: Option<String> => form::TAX_ID,
        /// The contact that the person is, of the same company.
        pub contact as "contactId": Option<ContactId>,
        /// What the person is asked for; to sign when left out.
        pub role: Option<SignerRole>,
        /// The turn, where people sign one after the other; 1 when left out.
        pub order: Option<i64> => Form::range(1, 50).number(1),
        /// How the person is identified; by the link alone when left out.
        pub auth: Option<SignerAuth>,
    }
}

/// What an envelope can be linked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnvelopeLinkType {
    /// `case`
    Case,
    /// A sales document that was issued: `invoice`
    Invoice,
    /// `contact`
    Contact,
}

wire_names!(EnvelopeLinkType { Case = "case", Invoice = "invoice", Contact = "contact" });

wire_request! {
    /// A record that an envelope belongs to.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct EnvelopeLinkInput as "EnvelopeLink" {
        /// What kind of record it is.
        pub r#type: EnvelopeLinkType => Form::ANY.example("contact"),
        /// Its id.
        pub id: String => Form::pattern("^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$"),
    }
}

wire_request! {
    /// Why an envelope is ended.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct EnvelopeVoidRequest as "EnvelopeVoid" {
        /// For those who were asked, and for the trail.
        pub reason: String => Form::text(1, 500).example("The terms have changed"),
    }
}

wire_request! {
    /// Who takes the place of a signer.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct ReassignRequest as "EnvelopeReassign" {
        /// The signer who gives the place.
        pub signer as "signerId": SignerId,
        /// The name of the new one.
        pub name: String => Form::text(1, 200).example("Luis Gil"),
        /// Where the link goes.
        pub email: String => Form::EMAIL.example("luis@example.com"),
        /// The phone.
        pub phone: Option<String> => form::PHONE,
    }
}

wire_request! {
    /// What is other in the envelope that is sent in the place of one.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct ReissueRequest as "EnvelopeReissue" {
        /// What is signed; the files of the old one in their present versions when left out.
        pub files: Option<Vec<EnvelopeFileInput>> => Form::list(1, 20, &Form::ANY),
        /// Who is asked; those of the old one who were not replaced when left out.
        pub signers: Option<Vec<SignerInput>> => Form::list(1, 50, &Form::ANY),
        /// When it expires; thirty days from now when left out.
        pub expires_at: Option<String> => Form::INSTANT.example("2026-01-31T09:15:00.000Z"),
    }
}

wire_request! {
    /// The code that was sent.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct CodeRequest as "EnvelopeCode" {
        /// Six digits.
        pub code: String => Form::text(6, 16).example("123456"),
    }
}

wire_request! {
    /// A signature as a person made it.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct InkInput as "EnvelopeSignature" {
        /// How it was made.
        pub kind: InkKind => Form::ANY.example("typed"),
        /// The name that was typed.
        pub text: Option<String> => Form::text(1, 200).example("Ana Pérez"),
        /// The strokes that were drawn: each has its points, and each point how far it is from the left and from the top.
        pub strokes: Option<Vec<Vec<Vec<u32>>>> => Form::list(1, MOST_POINTS, &Form::ANY),
    }
}

wire_request! {
    /// A signature.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct SignRequest as "EnvelopeSign" {
        /// That the person agrees to sign electronically.
        pub consent: bool => Form::ANY.json("true"),
        /// How the person signs.
        pub signature: InkInput,
    }
}

wire_request! {
    /// Why a person declines.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct DeclineRequest as "EnvelopeDecline" {
        /// For the sender.
        pub reason: String => Form::text(1, 1_000).example("The price is another one"),
    }
}
