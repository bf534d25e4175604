//! What the rules of files need from outside.

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::content::Digest;
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::resource::{References, ResourceReader, ResourceStore};

use super::File;

/// Reads files.
#[async_trait]
pub trait FileReader: ResourceReader<File> {
    /// Those among these contents, kept for a company, that a version of a file names whose contents were not purged.
    async fn named(&self, kept_for: AccountId, digests: &[Digest]) -> Result<Vec<Digest>, StoreError>;
}

/// Changes files.
///
/// # Implementing this port
/// A file comes back with its versions, links and tags in their order. A contact that is linked follows its merge. The
/// contract suite is `svc_testkit::business_storage_contract!`.
#[async_trait]
pub trait FileStore: FileReader + ResourceStore<File> + References<File> {
    /// Whether an envelope that is open or completed has it among what is signed.
    async fn is_signed(&self, file: &File) -> Result<bool, StoreError>;

    /// Takes their contents from files of a company that were deleted before this instant, at most `limit`; answers from how
    /// many. That is no change that a version counts.
    async fn purge(
        &self,
        company: AccountId,
        deleted_before: Timestamp,
        limit: u32,
    ) -> Result<u64, StoreError>;
}
