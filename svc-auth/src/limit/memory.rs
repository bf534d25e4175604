//! Budgets kept in the memory of one process.

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::id::AccountId;

use crate::limit::table::{Record, Table};
use crate::limit::{LimitDecision, LimitStatus, Limits, Windows};
use crate::ports::RateLimiter;

/// Counts in memory: exact on one node, forgotten when the process ends.
///
/// It keeps one small record for each company that called in the present
/// month; a clock that steps back finds what was used of the earlier minute. Several nodes that must share budgets take a
/// [`LeasedLimiter`](crate::limit::LeasedLimiter).
#[derive(Debug)]
pub struct MemoryLimiter {
    limits: Limits,
    windows: Table<Windows>,
}

impl MemoryLimiter {
    /// The same budgets for every company.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, windows: Table::new() }
    }
}

#[async_trait]
impl RateLimiter for MemoryLimiter {
    async fn take(&self, account: AccountId, now: Timestamp) -> LimitDecision {
        self.windows.with(account, now, |windows| windows.take(self.limits, now))
    }

    fn status(&self, account: AccountId, now: Timestamp) -> LimitStatus {
        let known = self.windows.edit(account, |windows| windows.status(self.limits, now));
        known.unwrap_or_else(|| Windows::new().status(self.limits, now))
    }
}

impl Record for Windows {
    fn new(_now: Timestamp) -> Self {
        Self::new()
    }

    fn is_over(&self, now: Timestamp) -> bool {
        self.is_over(now)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use svc_core::id::TypedId;
    use uuid::Uuid;

    use super::*;

    fn account(number: u128) -> AccountId {
        AccountId::from_uuid(Uuid::from_u128(number))
    }

    #[tokio::test]
    async fn each_company_has_budgets_of_its_own() {
        let limiter = MemoryLimiter::new(Limits { per_minute: 1, per_month: 10 });
        let now = Timestamp::default();
        assert!(matches!(limiter.take(account(1), now).await, LimitDecision::Within(_)));
        assert!(matches!(limiter.take(account(1), now).await, LimitDecision::Exceeded { .. }));
        assert!(matches!(limiter.take(account(2), now).await, LimitDecision::Within(_)));
    }

    #[tokio::test]
    async fn companies_that_fell_silent_leave_no_trace_after_their_month() {
        let limiter = MemoryLimiter::new(Limits::default());
        let now = Timestamp::default();
        for number in 0..1_000 {
            limiter.take(account(number), now).await;
        }
        assert_eq!(limiter.windows.len(), 1_000);
        for number in 0..1_000 {
            limiter.take(account(number % 64), now.plus(Duration::from_hours(31 * 24))).await;
        }
        assert_eq!(limiter.windows.len(), 64);
    }
}
