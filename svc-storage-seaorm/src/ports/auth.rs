//! The ports of tokens and of the budgets that they share.

use async_trait::async_trait;
use svc_auth::limit::Limits;
use svc_auth::ports::{AccountDirectory, AuthStorage, AuthUnit, BudgetStore, Draw, Drawn, TokenReader};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::AccountId;

use crate::database::Inner;

#[async_trait]
impl AuthStorage for Inner {
    async fn begin(&self) -> Result<Box<dyn AuthUnit>, StoreError> {
        Ok(Box::new(Self::begin(self)?))
    }

    fn tokens(&self) -> &dyn TokenReader {
        &self.reader
    }

    fn directory(&self) -> &dyn AccountDirectory {
        &self.reader
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
