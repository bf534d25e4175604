//! The port of the budgets that several processes share.

use std::sync::Arc;

use async_trait::async_trait;
use svc_auth::limit::Limits;
use svc_auth::ports::{BudgetStore, Draw, Drawn};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::AccountId;

use crate::database::{Database, Inner};

impl Database {
    /// The port of the budgets that several processes share.
    #[must_use]
    pub fn budgets(&self) -> Arc<dyn BudgetStore> {
        Arc::clone(&self.0) as Arc<dyn BudgetStore>
    }
}

#[async_trait]
impl BudgetStore for Inner {
    async fn draw(
        &self,
        account: AccountId,
        draw: Draw,
        limits: Limits,
        now: Timestamp,
    ) -> Result<Drawn, StoreError> {
        // A refusal is told from a read alone: it neither writes nor waits for a writer.
        if let Some(refused) = self.reader.refused(account, draw, limits, now).await? {
            return Ok(refused);
        }
        let unit = Self::begin(self)?;
        let drawn = unit.store.draw(account, draw, limits, now).await?;
        unit.finish().await?;
        Ok(drawn)
    }
}
