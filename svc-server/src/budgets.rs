//! Counts the draws from the shared budgets, for the metrics.

use std::sync::Arc;

use async_trait::async_trait;
use svc_auth::limit::Limits;
use svc_auth::ports::{BudgetStore, Draw, Drawn};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::AccountId;

use crate::metric;

/// A store of budgets whose draws are counted.
pub(crate) struct CountedBudgets(pub(crate) Arc<dyn BudgetStore>);

#[async_trait]
impl BudgetStore for CountedBudgets {
    async fn draw(
        &self,
        account: AccountId,
        draw: Draw,
        limits: Limits,
        now: Timestamp,
    ) -> Result<Drawn, StoreError> {
        let drawn = self.0.draw(account, draw, limits, now).await;
        metric::drawn(match &drawn {
            Ok(Drawn { granted: 0, .. }) if draw.wanted > 0 => "exhausted",
            Ok(_) => "granted",
            Err(_) => "failed",
        });
        drawn
    }
}
