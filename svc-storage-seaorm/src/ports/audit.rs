//! The port that reads the audit log.

use std::sync::Arc;

use async_trait::async_trait;
use svc_core::audit::{AuditReader, ChainKeys, Filter, Head, Record, Unreadable};
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_core::page::{Page, PageRequest};
use svc_core::tenant::Scope;

use crate::database::{Database, Inner};
use crate::schema::Part;

impl Database {
    /// The port that reads the audit log.
    #[must_use]
    pub fn audit(&self) -> Arc<dyn AuditReader> {
        Arc::clone(&self.0) as Arc<dyn AuditReader>
    }

    /// What its records are sealed with, to verify them.
    #[must_use]
    pub fn audit_keys(&self) -> ChainKeys {
        self.0.chain.as_ref().clone()
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
        self.reader.audit_page(scope, filter, page).await
    }

    async fn records(
        &self,
        account: AccountId,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Result<Record, Unreadable>>, StoreError> {
        self.reader.audit_records(account, after, limit).await
    }

    async fn companies(&self) -> Result<Vec<Result<AccountId, Unreadable>>, StoreError> {
        self.reader.audited_companies(self.schema.has(Part::Business)).await
    }

    async fn head(&self, account: AccountId) -> Result<Option<Result<Head, Unreadable>>, StoreError> {
        self.reader.audit_head(account).await
    }
}
