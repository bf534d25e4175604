//! What is known about the signing of an envelope; the content of `evidence.json`.

use serde::{Deserialize, Serialize};
use svc_core::clock::Timestamp;

use svc_core::trail::{Chain, Digest};

/// The language of what is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Spanish.
    Es,
    /// English.
    #[default]
    En,
}

/// What is known about the signing of an envelope.
///
/// Texts are printed and embedded as they are given: e-mail addresses that must not be shown come masked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The id of the envelope.
    pub envelope: String,
    /// What the envelope is about.
    pub subject: String,
    /// The company that sent it.
    pub sender: String,
    /// The language of its pages.
    pub language: Language,
    /// When it was sent.
    pub sent_at: Timestamp,
    /// When the last signer signed.
    pub completed_at: Timestamp,
    /// What was signed, in order.
    pub documents: Vec<SignedDocument>,
    /// Who signed, in order.
    pub signers: Vec<Signer>,
    /// What happened, each entry with the hash of the one before.
    pub entries: Chain,
}

/// A file of an envelope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignedDocument {
    /// The name of the file.
    pub name: String,
    /// Its number of pages.
    pub pages: u32,
    /// The SHA-256 of the file that people signed.
    pub before: Digest,
    /// The SHA-256 of the sealed file; absent within the sealed file itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Digest>,
}

/// A person of an envelope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Signer {
    /// The id within the envelope.
    pub id: String,
    /// The name.
    pub name: String,
    /// The e-mail address, as it may be shown.
    pub email: String,
    /// What the person was asked for.
    pub role: Role,
    /// How the person was identified.
    pub identified: Identification,
    /// What the person did and was sent, in order.
    pub steps: Vec<Step>,
}

impl Signer {
    /// When the person signed or approved.
    #[must_use]
    pub fn signed_at(&self) -> Option<Timestamp> {
        self.steps.iter().find(|step| step.kind == StepKind::Signed).map(|step| step.at)
    }
}

/// What a person is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// To sign.
    Signer,
    /// To approve.
    Approver,
    /// Nothing: the person receives a copy.
    Copy,
}

/// How a person was identified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Identification {
    /// By a link that was sent to the e-mail address.
    Email,
    /// By the link, and a code that was sent to the e-mail address.
    EmailOtp,
    /// By the link, and a code that was sent to the phone.
    SmsOtp,
}

/// Something that a person did or was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// When.
    pub at: Timestamp,
    /// What.
    #[serde(flatten)]
    pub kind: StepKind,
    /// The address that the request came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ip: Option<String>,
    /// The program that sent the request, as it names itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
}

/// What a person did or was sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum StepKind {
    /// The link was sent.
    Notified {
        /// Where to, as it may be shown.
        to: String,
    },
    /// The person opened the documents.
    Viewed,
    /// The person agreed to sign electronically.
    Consented {
        /// The text that was agreed to, word for word.
        text: String,
    },
    /// The person entered the code that was sent.
    OtpProved {
        /// Where the code was sent to, as it may be shown.
        to: String,
        /// What the service keeps as the proof: the id of the message, a digest of the code.
        proof: String,
    },
    /// The person signed or approved.
    Signed,
    /// The person declined.
    Declined {
        /// Why, in the words of the person.
        reason: String,
    },
    /// Another person took the place.
    Replaced {
        /// The id of that signer.
        by: String,
    },
}
