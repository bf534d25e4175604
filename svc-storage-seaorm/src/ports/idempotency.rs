//! The port of idempotent requests: each step is a unit of its own.

use std::sync::Arc;

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::idempotency::{Claim, Fence, IdempotencyStore, RequestHash, RequestKey};

use super::in_small_commits;
use crate::database::{Database, Inner};

impl Database {
    /// The port of idempotent requests.
    #[must_use]
    pub fn idempotency(&self) -> Arc<dyn IdempotencyStore> {
        Arc::clone(&self.0) as Arc<dyn IdempotencyStore>
    }
}

/// So many keys are forgotten in one commit.
const KEYS_AT_ONCE: u32 = 1_000;

#[async_trait]
impl IdempotencyStore for Inner {
    async fn claim(
        &self,
        key: &RequestKey,
        request: RequestHash,
        now: Timestamp,
    ) -> Result<Claim, StoreError> {
        let unit = Self::begin(self)?;
        let claim = unit.store.claim_key(key, request, now).await?;
        unit.finish().await?;
        Ok(claim)
    }

    async fn release(&self, key: &RequestKey, fence: Fence) -> Result<(), StoreError> {
        let unit = Self::begin(self)?;
        unit.store.release_key(key, fence).await?;
        unit.finish().await
    }

    async fn purge(&self, before: Timestamp) -> Result<u64, StoreError> {
        in_small_commits(KEYS_AT_ONCE, || async {
            let unit = Self::begin(self)?;
            let some = unit.store.purge_keys(before, KEYS_AT_ONCE).await?;
            unit.finish().await?;
            Ok(some)
        })
        .await
    }
}
