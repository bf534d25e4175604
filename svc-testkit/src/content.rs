//! For content stores: one in memory, what every store does, and steps that tests of files take.

mod contract;
mod memory;

use std::ops::Range;

use svc_core::content::{Content, ContentError, ContentStore, Digest};
use svc_core::id::AccountId;

#[doc(hidden)]
pub use self::contract::cases;
pub use self::memory::MemoryContent;

/// Uploads these bytes in one piece.
///
/// # Errors
/// Those of the store.
pub async fn upload(
    store: &dyn ContentStore,
    company: AccountId,
    bytes: &[u8],
) -> Result<Content, ContentError> {
    let mut upload = store.begin(company, bytes.len() as u64).await?;
    upload.write(bytes).await?;
    upload.finish().await
}

/// Reads a content, or a range of it, into memory.
///
/// # Errors
/// Those of the store.
///
/// # Panics
/// When a chunk has no bytes.
pub async fn read(
    store: &dyn ContentStore,
    company: AccountId,
    digest: Digest,
    range: Option<Range<u64>>,
) -> Result<Vec<u8>, ContentError> {
    let mut download = store.read(company, digest, range).await?;
    let mut bytes = Vec::new();
    while let Some(chunk) = download.next().await? {
        assert!(!chunk.is_empty(), "a chunk has no bytes");
        bytes.extend(chunk);
    }
    Ok(bytes)
}
