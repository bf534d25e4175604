//! Budgets kept in the memory of one process.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::id::AccountId;

use crate::limit::{LimitDecision, Limits, Window};
use crate::ports::RateLimiter;

/// Counts in memory: exact on one node, forgotten when the process ends.
///
/// It keeps one small record for each company that called in the present
/// month. Several nodes that must share budgets need an adapter over a store.
#[derive(Debug)]
pub struct MemoryLimiter {
    limits: Limits,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    windows: HashMap<AccountId, Window>,
    /// Tells by its month when the windows were last swept.
    swept: Option<Window>,
}

impl MemoryLimiter {
    /// The same budgets for every company.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, counts: Mutex::default() }
    }
}

#[async_trait]
impl RateLimiter for MemoryLimiter {
    async fn take(&self, account: AccountId, now: Timestamp) -> LimitDecision {
        // A panic cannot leave a window half changed, so a poisoned lock is as good as a sound one.
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.swept.is_none_or(|swept| swept.is_over(now)) {
            counts.windows.retain(|_, window| !window.is_over(now));
            counts.swept = Some(Window::new(now));
        }
        counts.windows.entry(account).or_insert_with(|| Window::new(now)).take(self.limits, now)
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
        limiter.take(account(0), now.plus(Duration::from_hours(31 * 24))).await;
        assert_eq!(limiter.counts.lock().expect("sound").windows.len(), 1);
    }
}
