//! The port of OAuth, beside the credentials, companies and people of this database.

use std::sync::Arc;

use async_trait::async_trait;
use svc_auth::calls::CallRecord;
use svc_auth::ports::{
    ApprovalReader, ApprovalStore, CallStore, ClientReader, ClientStore, GrantReader, GrantStore,
    OauthStorage, OauthUnit, TokenReader, UploadLinkReader, UploadLinkStore,
};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::TokenId;

use super::in_small_commits;
use crate::database::{Database, Inner};
use crate::unit::SeaUnit;

/// Calls that one commit forgets.
const CALLS_AT_ONCE: u32 = 1_000;

impl Database {
    /// The port of OAuth.
    #[must_use]
    pub fn oauth(&self) -> Arc<dyn OauthStorage> {
        Arc::clone(&self.0) as Arc<dyn OauthStorage>
    }
}

#[async_trait]
impl OauthStorage for Inner {
    async fn begin(&self) -> Result<Box<dyn OauthUnit>, StoreError> {
        Ok(Box::new(Self::begin(self)?))
    }

    fn clients(&self) -> &dyn ClientReader {
        &self.reader
    }

    fn grants(&self) -> &dyn GrantReader {
        &self.reader
    }

    fn approvals(&self) -> &dyn ApprovalReader {
        &self.reader
    }

    fn uploads(&self) -> &dyn UploadLinkReader {
        &self.reader
    }

    fn calls(&self) -> &dyn CallStore {
        self
    }

    fn credentials(&self) -> &dyn TokenReader {
        &self.reader
    }
}

#[async_trait]
impl CallStore for Inner {
    async fn append(&self, calls: &[CallRecord]) -> Result<(), StoreError> {
        let unit = Self::begin(self)?;
        unit.store.append_calls(calls).await?;
        unit.finish().await
    }

    async fn last(&self, credential: TokenId, most: u32) -> Result<Vec<CallRecord>, StoreError> {
        self.reader.last_calls(credential, most).await
    }

    async fn purge(&self, before: Timestamp) -> Result<u64, StoreError> {
        in_small_commits(CALLS_AT_ONCE, || async {
            let unit = Self::begin(self)?;
            let some = unit.store.purge_calls(before, CALLS_AT_ONCE).await?;
            unit.finish().await?;
            Ok(some)
        })
        .await
    }
}

impl OauthUnit for SeaUnit {
    fn clients(&self) -> &dyn ClientStore {
        &self.store
    }

    fn grants(&self) -> &dyn GrantStore {
        &self.store
    }

    fn approvals(&self) -> &dyn ApprovalStore {
        &self.store
    }

    fn uploads(&self) -> &dyn UploadLinkStore {
        &self.store
    }
}
