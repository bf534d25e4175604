//! Contents in memory: they are of files that can be sealed, which are of a limited size.

use svc_core::content::{Content, ContentError, ContentStore};
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::trail::Digest;

/// Reads a content whole; its store compares it with the digest.
pub(crate) async fn read(
    contents: &dyn ContentStore,
    kept_for: AccountId,
    digest: Digest,
) -> Result<Vec<u8>, StoreError> {
    let mut download = contents.read(kept_for, digest, None).await.map_err(failed)?;
    let mut bytes = Vec::new();
    while let Some(chunk) = download.next().await.map_err(failed)? {
        bytes.extend(chunk);
    }
    Ok(bytes)
}

/// Stores a content of a company.
pub(crate) async fn store(
    contents: &dyn ContentStore,
    company: AccountId,
    bytes: &[u8],
) -> Result<Content, StoreError> {
    let limit = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let mut upload = contents.begin(company, limit).await.map_err(failed)?;
    upload.write(bytes).await.map_err(failed)?;
    upload.finish().await.map_err(failed)
}

fn failed(error: ContentError) -> StoreError {
    StoreError::backend(error)
}
