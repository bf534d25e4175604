//! Links for uploads that assistants asked for.

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::TokenId;

use crate::token::Fingerprint;
use crate::upload::UploadLink;

/// Reads links for uploads.
#[async_trait]
pub trait UploadLinkReader: Send + Sync {
    /// The link with one of these fingerprints (one per pepper in use), ended or not.
    async fn by_fingerprint(&self, candidates: &[Fingerprint]) -> Result<Option<UploadLink>, StoreError>;

    /// How many of this credential have not ended.
    async fn open_of(&self, credential: TokenId, now: Timestamp) -> Result<u64, StoreError>;
}

/// Changes links for uploads.
#[async_trait]
pub trait UploadLinkStore: UploadLinkReader {
    /// Adds one.
    ///
    /// # Errors
    /// [`StoreError::Taken`] when another one has its fingerprint.
    async fn add(&self, link: &UploadLink) -> Result<(), StoreError>;

    /// Forgets those that ended before this instant; answers how many.
    async fn purge_upload_links(&self, before: Timestamp) -> Result<u64, StoreError>;
}
