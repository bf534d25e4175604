//! A store of budgets that tells what was done to it.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use svc_auth::limit::Limits;
use svc_auth::ports::{BudgetStore, Draw, Drawn};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::AccountId;
use svc_testkit::budget::MemoryBudgets;
use tokio::task::yield_now;

/// Budgets in memory. Other requests go on while one draws.
#[derive(Default)]
pub(super) struct Watched {
    inner: MemoryBudgets,
    writes: AtomicU64,
    at_once: AtomicU64,
    most_at_once: AtomicU64,
    month_used: Mutex<BTreeMap<AccountId, u64>>,
}

impl Watched {
    pub(super) fn set_down(&self, down: bool) {
        self.inner.set_down(down);
    }

    /// Draws that were asked for.
    pub(super) fn draws(&self) -> u64 {
        self.inner.draws()
    }

    /// Draws that changed something.
    pub(super) fn writes(&self) -> u64 {
        self.writes.load(Ordering::SeqCst)
    }

    /// The most draws that were under way at a time.
    pub(super) fn most_at_once(&self) -> u64 {
        self.most_at_once.load(Ordering::SeqCst)
    }

    /// What a company used or drew in its month, as the last draw was told.
    pub(super) fn month_used(&self, account: AccountId) -> u64 {
        self.month_used.lock().unwrap().get(&account).copied().unwrap_or_default()
    }
}

#[async_trait]
impl BudgetStore for Watched {
    async fn draw(
        &self,
        account: AccountId,
        draw: Draw,
        limits: Limits,
        now: Timestamp,
    ) -> Result<Drawn, StoreError> {
        let at_once = self.at_once.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_at_once.fetch_max(at_once, Ordering::SeqCst);
        yield_now().await;
        let drawn = self.inner.draw(account, draw, limits, now).await;
        yield_now().await;
        self.at_once.fetch_sub(1, Ordering::SeqCst);
        let drawn = drawn?;
        if drawn.granted > 0 || draw.unused > 0 {
            self.writes.fetch_add(1, Ordering::SeqCst);
        }
        self.month_used.lock().unwrap().insert(account, drawn.month_used);
        Ok(drawn)
    }
}
