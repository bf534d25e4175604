//! What assistants called.

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::TokenId;

use crate::calls::CallRecord;

/// Keeps calls; each method commits for itself.
#[async_trait]
pub trait CallStore: Send + Sync {
    /// Adds calls; one with an id that is there already is left out, so that a batch may be written again.
    async fn append(&self, calls: &[CallRecord]) -> Result<(), StoreError>;

    /// The last calls of a credential, the newest first, `most` of them.
    async fn last(&self, credential: TokenId, most: u32) -> Result<Vec<CallRecord>, StoreError>;

    /// Forgets calls before this instant; answers how many.
    async fn purge(&self, before: Timestamp) -> Result<u64, StoreError>;
}
