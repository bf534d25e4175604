//! The port that reads the audit log.

use std::sync::Arc;

use async_trait::async_trait;
use svc_core::audit::{AuditReader, Filter, Head, Record};
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;

use crate::database::{Database, Inner};

impl Database {
    /// The port that reads the audit log.
    #[must_use]
    pub fn audit(&self) -> Arc<dyn AuditReader> {
        Arc::clone(&self.0) as Arc<dyn AuditReader>
    }
}

#[async_trait]
impl AuditReader for Inner {
    async fn page(
        &self,
        scope: &Scope,
        filter: &Filter,
        page: PageRequest,
    ) -> Result<Page<Record>, StoreError> {
        self.reader.page(scope, filter, page).await
    }

    async fn records(&self, account: AccountId, after: u64, limit: u32) -> Result<Vec<Record>, StoreError> {
        self.reader.records(account, after, limit).await
    }

    async fn heads(&self) -> Result<Vec<(AccountId, Head)>, StoreError> {
        self.reader.heads().await
    }
}
