//! What an envelope is.

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, CaseId, ContactId, EnvelopeId, FileId, SalesDocumentId, SignerId};
use svc_core::resource::{Resource, ResourceStore, Version};
use svc_core::trail::Digest;
use time::Date;

use super::signer::Signer;
use crate::party::{Email, Extension, LanguageTag};
use crate::ports::DynSignatureUnit;
use crate::record::Record;

/// Documents that people are asked to sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// Its id.
    pub id: EnvelopeId,
    /// The company that sends it.
    pub company: AccountId,
    /// What it is about, 1 to 200 characters.
    pub subject: String,
    /// What the sender says to those who sign, at most 10,000 characters.
    pub message: Option<String>,
    /// The language of mails, pages and the certificate.
    pub language: LanguageTag,
    /// Whether people sign one after the other.
    pub order: SigningOrder,
    /// When it expires; a term of thirty days begins with the sending of a draft that says nothing.
    pub expires_at: Option<Timestamp>,
    /// After how many days those who have not signed are reminded; never when 0.
    pub reminder_every_days: u8,
    /// What is signed, in order.
    pub files: Vec<EnvelopeFile>,
    /// Who is asked, in the order of the client; those that took a place come last.
    pub signers: Vec<Signer>,
    /// What it belongs to.
    pub links: Vec<EnvelopeLink>,
    /// Where it is in its life.
    pub status: EnvelopeStatus,
    /// The envelope that it was sent in the place of.
    pub supersedes: Option<EnvelopeId>,
    /// The envelope that was sent in its place.
    pub superseded_by: Option<EnvelopeId>,
    /// Where its trail ends.
    pub trail: TrailHead,
    /// What integrators keep with it.
    pub extension: Extension,
    /// Counts its changes.
    pub version: Version,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl Envelope {
    /// The signer with this id.
    #[must_use]
    pub fn signer(&self, id: SignerId) -> Option<&Signer> {
        self.signers.iter().find(|signer| signer.id == id)
    }

    /// Why it was voided, if it was.
    #[must_use]
    pub const fn void_reason(&self) -> Option<&VoidReason> {
        match &self.status {
            EnvelopeStatus::Voided { reason, .. } => Some(reason),
            EnvelopeStatus::Draft
            | EnvelopeStatus::Sent { .. }
            | EnvelopeStatus::Completed { .. }
            | EnvelopeStatus::Declined { .. } => None,
        }
    }
}

/// Whether people sign one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SigningOrder {
    /// All at once: `parallel`
    Parallel,
    /// Each when all those of a lower order have signed: `sequential`
    Sequential,
}

svc_core::wire_names!(SigningOrder { Parallel = "parallel", Sequential = "sequential" });

/// A file of an envelope, at its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnvelopeFile {
    /// The file.
    pub file: FileId,
    /// The version that people sign, from the sending on.
    pub pin: Option<FilePin>,
}

/// One version of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePin {
    /// Its number.
    pub version: u32,
    /// The SHA-256 of its content.
    pub sha256: Digest,
    /// The length of its content in bytes.
    pub size: u64,
    /// The name that the file had, at most 255 characters.
    pub name: String,
    /// How many pages it has.
    pub pages: u32,
}

/// A record that an envelope belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnvelopeLink {
    /// A case.
    Case(CaseId),
    /// A contact.
    Contact(ContactId),
    /// A sales document that was issued.
    Invoice(SalesDocumentId),
}

/// Where the trail of an envelope ends: with the last of its entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrailHead {
    /// How many there are.
    pub entries: u32,
    /// The hash of the last one.
    pub hash: Digest,
}

impl TrailHead {
    /// No entries yet.
    pub const NONE: Self = Self { entries: 0, hash: Digest::NONE };
}

/// Where an envelope is in its life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EnvelopeStatus {
    /// It changes.
    Draft,
    /// People are asked to sign.
    Sent {
        /// When it was sent.
        at: Timestamp,
        /// When the next reminder is due.
        remind_at: Option<Timestamp>,
    },
    /// Everyone signed.
    Completed {
        /// When it was sent.
        sent_at: Timestamp,
        /// When the last one signed.
        at: Timestamp,
        /// What came of it, once it is sealed.
        sealed: Option<SealedFiles>,
    },
    /// A signer declined.
    Declined {
        /// When it was sent.
        sent_at: Timestamp,
        /// When.
        at: Timestamp,
    },
    /// It was ended before everyone signed.
    Voided {
        /// When it was sent.
        sent_at: Timestamp,
        /// When.
        at: Timestamp,
        /// Why.
        reason: VoidReason,
    },
}

impl EnvelopeStatus {
    /// The wire name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Sent { .. } => "sent",
            Self::Completed { .. } => "completed",
            Self::Declined { .. } => "declined",
            Self::Voided { .. } => "voided",
        }
    }

    /// When it was sent; `None` for a draft.
    #[must_use]
    pub const fn sent_at(&self) -> Option<Timestamp> {
        match self {
            Self::Draft => None,
            Self::Sent { at, .. } => Some(*at),
            Self::Completed { sent_at, .. }
            | Self::Declined { sent_at, .. }
            | Self::Voided { sent_at, .. } => Some(*sent_at),
        }
    }

    /// When it ended, for good.
    #[must_use]
    pub const fn ended_at(&self) -> Option<Timestamp> {
        match self {
            Self::Draft | Self::Sent { .. } => None,
            Self::Completed { at, .. } | Self::Declined { at, .. } | Self::Voided { at, .. } => Some(*at),
        }
    }
}

/// The files that a completed envelope came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealedFiles {
    /// The sealed files, in the order of those that were signed.
    pub files: Vec<FileId>,
    /// The certificate.
    pub certificate: FileId,
}

/// Why an envelope was ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VoidReason {
    /// The sender ended it, for this reason of 1 to 500 characters.
    Sender(String),
    /// Its term passed: `expired`
    Expired,
    /// Another one was sent in its place: `reissued`
    Reissued,
}

impl VoidReason {
    /// The words of the sender, or the name of the reason.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Sender(words) => words,
            Self::Expired => "expired",
            Self::Reissued => "reissued",
        }
    }

    /// The reason that is written so.
    #[must_use]
    pub fn of(text: &str) -> Self {
        match text {
            "expired" => Self::Expired,
            "reissued" => Self::Reissued,
            words => Self::Sender(words.to_owned()),
        }
    }
}

/// The statuses that a list of envelopes can be narrowed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnvelopeStatusFilter {
    /// `draft`
    Draft,
    /// `sent`
    Sent,
    /// `completed`
    Completed,
    /// `declined`
    Declined,
    /// `voided`
    Voided,
}

svc_core::wire_names!(EnvelopeStatusFilter {
    Draft = "draft",
    Sent = "sent",
    Completed = "completed",
    Declined = "declined",
    Voided = "voided",
});

/// What a list of envelopes can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnvelopeFilter {
    /// `companyId`: a subset of the scope; every company within it when empty.
    pub companies: Vec<AccountId>,
    /// `status`
    pub status: Option<EnvelopeStatusFilter>,
    /// `signerEmail`: of a person that it names, without regard to case. An index finds them where companies are named.
    pub signer_email: Option<Email>,
    /// `linkId`: with what it belongs to. An index finds them where companies are named.
    pub link: Option<EnvelopeLink>,
    /// `externalId`
    pub external_id: Option<String>,
    /// `q`: in the subject and in the names and e-mail addresses of signers, without regard to case.
    pub text: Option<String>,
    /// `updatedSince`
    pub updated_since: Option<Timestamp>,
    /// `from`: sent on this date or later, in UTC.
    pub from: Option<Date>,
    /// `to`: sent on this date or earlier, in UTC.
    pub to: Option<Date>,
}

/// What a list of envelopes can be sorted by; creation when nothing is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnvelopeSort {
    /// `sentAt`; drafts come last.
    SentAt,
    /// `expiresAt`; what has no term yet comes last.
    ExpiresAt,
    /// `updatedAt`
    UpdatedAt,
}

impl Resource for Envelope {
    const NAME: &'static str = "envelope";
    type Id = EnvelopeId;
    type Filter = EnvelopeFilter;
    type SortKey = EnvelopeSort;

    fn id(&self) -> EnvelopeId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl Record for Envelope {
    type Unit = DynSignatureUnit;

    fn store(unit: &Self::Unit) -> &dyn ResourceStore<Self> {
        unit.envelopes()
    }

    fn stamped(self, version: Version, at: Timestamp) -> Self {
        Self { version, updated_at: at, ..self }
    }
}
