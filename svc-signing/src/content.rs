//! Contents in memory: they are of files that can be sealed, which are of a limited size.

use svc_core::content::{Content, ContentError, ContentStore};
use svc_core::error::StoreError;
use svc_core::id::AccountId;

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
