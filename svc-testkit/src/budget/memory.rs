//! Budgets in memory.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use svc_auth::limit::{Limits, Windows};
use svc_auth::ports::{BudgetStore, Draw, Drawn};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::AccountId;

/// Budgets that forget with the process. Clones share them, as processes share a database.
#[derive(Clone, Debug, Default)]
pub struct MemoryBudgets(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    windows: Mutex<BTreeMap<AccountId, Windows>>,
    draws: AtomicU64,
    down: AtomicBool,
}

impl MemoryBudgets {
    /// Nothing used yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on every draw fails (`true`), or works again (`false`).
    pub fn set_down(&self, down: bool) {
        self.0.down.store(down, Ordering::SeqCst);
    }

    /// How many draws the store answered or refused.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.0.draws.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl BudgetStore for MemoryBudgets {
    async fn draw(
        &self,
        account: AccountId,
        draw: Draw,
        limits: Limits,
        now: Timestamp,
    ) -> Result<Drawn, StoreError> {
        self.0.draws.fetch_add(1, Ordering::SeqCst);
        if self.0.down.load(Ordering::SeqCst) {
            return Err(StoreError::backend("switched off by the test"));
        }
        let mut windows = self.0.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let known = windows.get(&account).cloned().unwrap_or_default();
        let (drawn, after) = known.draw(draw, limits, now);
        windows.extend(after.map(|after| (account, after)));
        Ok(drawn)
    }
}
