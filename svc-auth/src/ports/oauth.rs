//! Clients of OAuth, what people gave them, what they are asked to approve, and links for uploads.

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;

use crate::oauth::{Client, Grant, Pair};
use crate::ports::{
    ApprovalReader, ApprovalStore, AuthUnit, CallStore, TokenReader, UploadLinkReader, UploadLinkStore,
};
use crate::token::{ClientId, Fingerprint};

/// Where registered clients, grants with their tokens, approvals, links for uploads, and calls of assistants are kept.
///
/// # Implementing this port
/// The contract suite is `svc_testkit::oauth_storage_contract!`.
#[async_trait]
pub trait OauthStorage: Send + Sync {
    /// Opens a unit of work, which changes credentials as well.
    async fn begin(&self) -> Result<Box<dyn OauthUnit>, StoreError>;

    /// Reads clients.
    fn clients(&self) -> &dyn ClientReader;

    /// Reads grants.
    fn grants(&self) -> &dyn GrantReader;

    /// Reads approvals.
    fn approvals(&self) -> &dyn ApprovalReader;

    /// Reads links for uploads.
    fn uploads(&self) -> &dyn UploadLinkReader;

    /// What assistants called.
    fn calls(&self) -> &dyn CallStore;

    /// Reads credentials.
    fn credentials(&self) -> &dyn TokenReader;
}

/// A unit of work on clients, grants, approvals, links for uploads and credentials.
pub trait OauthUnit: AuthUnit {
    /// Changes clients within this unit.
    fn clients(&self) -> &dyn ClientStore;

    /// Changes grants within this unit.
    fn grants(&self) -> &dyn GrantStore;

    /// Changes approvals within this unit.
    fn approvals(&self) -> &dyn ApprovalStore;

    /// Changes links for uploads within this unit.
    fn uploads(&self) -> &dyn UploadLinkStore;
}

/// Reads clients that registered themselves.
#[async_trait]
pub trait ClientReader: Send + Sync {
    /// The client with this id. One that has a document is none here: its document says what it is.
    async fn client(&self, id: &ClientId) -> Result<Option<Client>, StoreError>;
}

/// Changes clients.
#[async_trait]
pub trait ClientStore: ClientReader {
    /// Adds a client. One that has registered with the same name and addresses before keeps its id: the answer is that
    /// one then, known since now.
    async fn register(&self, client: &Client) -> Result<Client, StoreError>;

    /// Forgets clients that registered before this instant and have no credential; answers how many.
    async fn purge_clients(&self, before: Timestamp) -> Result<u64, StoreError>;
}

/// Reads grants, by the fingerprints that may be stored for a presented secret (one per pepper in use).
#[async_trait]
pub trait GrantReader: Send + Sync {
    /// By its code.
    async fn by_code(&self, candidates: &[Fingerprint]) -> Result<Option<Grant>, StoreError>;

    /// With the pair whose access token it is.
    async fn by_access(&self, candidates: &[Fingerprint]) -> Result<Option<(Grant, Pair)>, StoreError>;

    /// With the pair whose refresh token it is, used or not.
    async fn by_refresh(&self, candidates: &[Fingerprint]) -> Result<Option<(Grant, Pair)>, StoreError>;
}

/// Changes grants.
#[async_trait]
pub trait GrantStore: GrantReader {
    /// Adds a grant.
    ///
    /// # Errors
    /// [`StoreError::Taken`] when another one has its code.
    async fn add(&self, grant: &Grant) -> Result<(), StoreError>;

    /// Puts `after` in the place of the grant as it was read, which is at another stage.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the stored one is at another stage than `before`.
    async fn advance(&self, before: &Grant, after: &Grant) -> Result<(), StoreError>;

    /// Adds a pair.
    ///
    /// # Errors
    /// [`StoreError::Taken`] when a token of it is there already.
    async fn give(&self, pair: &Pair) -> Result<(), StoreError>;

    /// Writes down the first use of a refresh token.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when it was used already.
    async fn use_up(&self, used: &Pair) -> Result<(), StoreError>;

    /// Forgets pairs whose refresh token ended before this instant, and grants that have none left and whose code
    /// ended before it: as many as `most`, those whose code ended first. Answers these grants, but for rows that are
    /// not as they were written.
    async fn purge_grants(&self, before: Timestamp, most: usize) -> Result<Vec<Grant>, StoreError>;
}
