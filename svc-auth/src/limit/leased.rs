//! Budgets that several processes share, drawn from a store in small leases.
//!
//! 1. A process that holds nothing of a company's budget **draws** a fortieth
//!    of it from the store, in one atomic step, and admits requests from that
//!    without asking again. The sum of all draws never passes the budget, so
//!    no more is admitted in all; what silent processes hold is at most a
//!    fortieth each.
//! 2. What a minute did not use **goes back** to the month with the next draw,
//!    when the company fell silent ([`LeasedLimiter::give_back_idle`]), and
//!    when the process ends ([`LeasedLimiter::give_back`]).
//! 3. Requests of one company that need a draw wait for one.
//! 4. A budget that is used up is remembered until it resets: what is refused
//!    costs neither a write nor a read.
//! 5. What is drawn, given back or refused belongs to the minute and the
//!    month of this process's clock. Clocks that disagree draw from windows of
//!    their own, so one that is ahead uses up nothing of the others.
//! 6. While the store fails, a process counts alone against the whole budget,
//!    and asks again after a second.
//!
//! A request that is given up by its client in the middle of its draw loses
//! what it drew: the budget is short of it, never over.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use async_trait::async_trait;
use futures_util::lock::Mutex;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::AccountId;

use crate::limit::lease::Lease;
use crate::limit::table::{Record, Table};
use crate::limit::{LimitDecision, LimitStatus, Limits, Windows};
use crate::ports::{BudgetStore, Draw, RateLimiter};

/// Shares budgets with other processes: exact to a fortieth for each of them,
/// and remembered when the process ends.
pub struct LeasedLimiter {
    store: Arc<dyn BudgetStore>,
    limits: Limits,
    slots: Table<Slot>,
    /// The second of the last warning: a store that is down must not flood the log.
    warned: AtomicI64,
}

struct Slot {
    lease: Lease,
    /// Held by the request that draws.
    turn: Arc<Mutex<()>>,
}

impl LeasedLimiter {
    /// The same budgets for every company.
    #[must_use]
    pub fn new(store: Arc<dyn BudgetStore>, limits: Limits) -> Self {
        Self { store, limits, slots: Table::new(), warned: AtomicI64::new(i64::MIN) }
    }

    /// Gives back all that this process holds. To be called when it ends.
    ///
    /// # Errors
    /// When the store failed; the rest is not given back and runs out with its minute and month.
    pub async fn give_back(&self) -> Result<(), StoreError> {
        self.return_from(|_| true).await
    }

    /// Gives back what companies hold that fell silent, and forgets them. To be
    /// called every ten seconds or so.
    ///
    /// # Errors
    /// When the store failed; what was being given back is lost, the rest waits for the next call.
    pub async fn give_back_idle(&self, now: Timestamp) -> Result<(), StoreError> {
        self.return_from(|lease| lease.is_silent(now)).await?;
        self.slots.retain(|_, slot| {
            let waiting = Arc::strong_count(&slot.turn) > 1;
            waiting || !slot.lease.is_silent(now) || !slot.lease.is_spare(self.limits, now)
        });
        Ok(())
    }

    async fn return_from(&self, chosen: impl Fn(&Lease) -> bool + Send) -> Result<(), StoreError> {
        let mut holding = Vec::new();
        self.slots.retain(|account, slot| {
            if slot.lease.is_holding() && chosen(&slot.lease) {
                holding.push(account);
            }
            true
        });
        for account in holding {
            // Taken out only now: what a failure keeps from being given back can still be used.
            if let Some(draw) = self.slots.edit(account, |slot| slot.lease.hand_over()).flatten() {
                self.store.draw(account, draw, self.limits, draw.drawn_at).await?;
            }
        }
        Ok(())
    }

    fn edit<T>(&self, account: AccountId, now: Timestamp, work: impl FnOnce(&mut Lease) -> T) -> T {
        self.slots.with(account, now, |slot| work(&mut slot.lease))
    }

    fn warn(&self, account: AccountId, error: &StoreError, now: Timestamp) {
        if self.warned.swap(now.unix_seconds(), Ordering::Relaxed) != now.unix_seconds() {
            let error = error as &dyn Error;
            tracing::warn!(%account, error, "the store of the budgets failed: this process counts alone");
        }
    }
}

#[async_trait]
impl RateLimiter for LeasedLimiter {
    async fn take(&self, account: AccountId, now: Timestamp) -> LimitDecision {
        let limits = self.limits;
        let taken = self
            .slots
            .with(account, now, |slot| slot.lease.take(limits, now).ok_or_else(|| Arc::clone(&slot.turn)));
        let turn = match taken {
            Ok(decision) => return decision,
            Err(turn) => turn,
        };
        let _turn = turn.lock().await;
        // The draw of another request may have served this one too.
        let taken =
            self.edit(account, now, |lease| lease.take(limits, now).ok_or_else(|| lease.draw(limits, now)));
        let draw = match taken {
            Ok(decision) => return decision,
            Err(draw) => draw,
        };
        match self.store.draw(account, draw, limits, now).await {
            Ok(drawn) => self.edit(account, now, |lease| lease.drawn(drawn, limits, now)),
            Err(error) => {
                self.warn(account, &error, now);
                self.edit(account, now, |lease| lease.failed(limits, now))
            }
        }
    }

    fn status(&self, account: AccountId, now: Timestamp) -> LimitStatus {
        let known = self.slots.edit(account, |slot| slot.lease.status(self.limits, now));
        known.unwrap_or_else(|| Windows::new().status(self.limits, now))
    }

    async fn look_up(&self, account: AccountId, now: Timestamp) -> Result<LimitStatus, StoreError> {
        let nothing = Draw { wanted: 0, unused: 0, drawn_at: now };
        let drawn = self.store.draw(account, nothing, self.limits, now).await?;
        let mut windows = Windows::new();
        windows.set_minute_used(drawn.minute_used, now);
        windows.raise_month_used(drawn.month_used, now);
        Ok(windows.status(self.limits, now))
    }
}

impl Record for Slot {
    fn new(now: Timestamp) -> Self {
        Self { lease: Lease::new(now), turn: Arc::default() }
    }

    fn is_over(&self, now: Timestamp) -> bool {
        self.lease.is_over(now)
    }
}

impl fmt::Debug for LeasedLimiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LeasedLimiter").field("limits", &self.limits).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use svc_core::id::TypedId;
    use uuid::Uuid;

    use super::*;
    use crate::ports::Drawn;

    /// Grants all that is asked for, or fails.
    #[derive(Default)]
    struct Store {
        down: AtomicBool,
    }

    #[async_trait]
    impl BudgetStore for Store {
        async fn draw(&self, _: AccountId, draw: Draw, _: Limits, _: Timestamp) -> Result<Drawn, StoreError> {
            if self.down.load(Ordering::SeqCst) {
                return Err(StoreError::Busy);
            }
            Ok(Drawn { granted: draw.wanted, minute_used: 1, month_used: 1 })
        }
    }

    fn account(number: u128) -> AccountId {
        AccountId::from_uuid(Uuid::from_u128(number))
    }

    #[tokio::test]
    async fn silent_companies_leave_no_trace() {
        let limiter = LeasedLimiter::new(Arc::new(Store::default()), Limits::default());
        let now = Timestamp::default();
        for number in 0..1_000 {
            limiter.take(account(number), now).await;
        }
        let later = now.plus(Duration::from_mins(2));
        limiter.take(account(7), later).await;
        limiter.give_back_idle(later).await.expect("the store works");
        assert_eq!(limiter.slots.len(), 1);
    }

    #[tokio::test]
    async fn what_the_store_does_not_know_is_kept_until_it_works_again() {
        let store = Arc::new(Store::default());
        let limiter = LeasedLimiter::new(Arc::clone(&store) as _, Limits::default());
        let now = Timestamp::default();
        store.down.store(true, Ordering::SeqCst);
        limiter.take(account(1), now).await;
        let later = now.plus(Duration::from_mins(3));
        limiter.give_back_idle(later).await.expect("nothing was held");
        assert_eq!(limiter.slots.len(), 1);
        store.down.store(false, Ordering::SeqCst);
        limiter.take(account(1), later).await;
        limiter.give_back_idle(later.plus(Duration::from_mins(2))).await.expect("the store works");
        assert_eq!(limiter.slots.len(), 0);
    }
}
