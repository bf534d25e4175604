//! What the rules of signing need from outside.

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::content::Content;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, EnvelopeId, FileId, SignerId};
use svc_core::resource::{Erase, ResourceReader, ResourceStore};
use svc_core::tenant::Scope;
use svc_core::trail::Link;

use super::ink::Ink;
use super::key::LinkHash;
use super::state::{Envelope, EnvelopeLink, FilePin};

/// Reads envelopes.
#[async_trait]
pub trait EnvelopeReader: ResourceReader<Envelope> {
    /// The envelope that has a signer with this link, and its company; whether the link lives is judged by the envelope.
    async fn of_link(&self, link: &LinkHash) -> Result<Option<(AccountId, EnvelopeId)>, StoreError>;

    /// The whole trail of an envelope, oldest entry first; `None` when it is unknown or out of reach. It has no pages, and
    /// [`TRAIL_ROOM`](super::TRAIL_ROOM) limits it.
    async fn trail(&self, scope: &Scope, id: EnvelopeId) -> Result<Option<Vec<Link>>, StoreError>;

    /// The signatures of an envelope of a company as people made them, in the order in which they signed.
    async fn inks(&self, company: AccountId, id: EnvelopeId) -> Result<Vec<(SignerId, Ink)>, StoreError>;

    /// The sent envelopes of a company whose terms have passed at this instant, those first that expired first, at most
    /// `limit`.
    async fn expiring(
        &self,
        company: AccountId,
        at: Timestamp,
        limit: u32,
    ) -> Result<Vec<EnvelopeId>, StoreError>;

    /// The sent envelopes of a company whose reminders are due at this instant, those first that were due first, at most
    /// `limit`.
    async fn reminding(
        &self,
        company: AccountId,
        at: Timestamp,
        limit: u32,
    ) -> Result<Vec<EnvelopeId>, StoreError>;
}

/// Changes envelopes.
///
/// # Implementing this port
/// Entries of a trail and signatures are not part of the record: they are added by the unit that has just replaced the
/// envelope, move with it when its company is absorbed, and are never changed. A place in a trail is given once: a second
/// entry for it fails. The contract suite is `svc_testkit::business_storage_contract!`.
#[async_trait]
pub trait EnvelopeStore: EnvelopeReader + ResourceStore<Envelope> + Erase<Envelope> {
    /// Adds entries to the trail of an envelope: the last ones of those that it counts.
    async fn append(&self, envelope: &Envelope, entries: &[Link]) -> Result<(), StoreError>;

    /// Keeps how a person signed.
    async fn keep_ink(&self, envelope: &Envelope, signer: SignerId, ink: &Ink) -> Result<(), StoreError>;
}

/// A file of a company, as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileState {
    /// It can be signed, in this version.
    Signable(FilePin),
    /// It cannot: a code and a sentence that says what a person can do about it.
    Refused {
        /// The stable name of the reason: `not_pdf`.
        code: &'static str,
        /// What is wrong with it.
        why: String,
    },
}

/// The files that envelopes need of those that a company has, within the unit of work that changes the envelope.
///
/// # Implementing this port
/// Files that are told of are not deleted by another unit of work before this one has committed, and the file of an envelope
/// that is open or completed is not deleted at all (`file_in_use`). `Signable` says that the content is a PDF that can be
/// sealed.
#[async_trait]
pub trait EnvelopeFiles: Send + Sync {
    /// The present state of these files of a company, in this order; `None` for one that the company does not have.
    async fn states(
        &self,
        company: AccountId,
        files: &[FileId],
    ) -> Result<Vec<Option<FileState>>, StoreError>;

    /// Keeps a file that signing came to; its content is stored.
    async fn keep(&self, made: MadeFile) -> Result<FileId, StoreError>;
}

/// A file that signing came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeFile {
    /// The company.
    pub company: AccountId,
    /// The envelope that it belongs to.
    pub envelope: EnvelopeId,
    /// What the envelope belongs to.
    pub links: Vec<EnvelopeLink>,
    /// Its name.
    pub name: String,
    /// Its content: PDF.
    pub content: Content,
}
