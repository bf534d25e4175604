//! The budgets that several processes share.

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::AccountId;

use crate::limit::Limits;

/// What a process asks of a company's shared budgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// Requests that it wants to be able to admit.
    pub wanted: u32,
    /// Requests of an earlier draw that it did not use, to be given back.
    pub unused: u32,
    /// The instant at which the requests in `unused` were drawn: its minute and month get them back.
    pub drawn_at: Timestamp,
}

/// What a process was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Requests that it may admit in the minute of the draw; 0 when a budget is used up.
    pub granted: u32,
    /// Requests used or drawn by all processes in that minute, these included.
    pub minute_used: u32,
    /// Requests used or drawn by all processes in that month, these included.
    pub month_used: u64,
}

/// Keeps the budgets that several processes share.
///
/// # Implementing this port
/// Minute and month are those of the clock, UTC, that `now` is in. Processes
/// whose clocks disagree by up to a quarter of an hour draw from different
/// minutes, and each minute is shared by all that reach it: see
/// [`Windows`](crate::limit::Windows), which is the arithmetic. A draw is one
/// atomic step with a commit of its own, and one that grants nothing and gives
/// nothing back writes nothing. The contract suite is `svc_testkit::budget_contract!`.
#[async_trait]
pub trait BudgetStore: Send + Sync {
    /// Draws requests from the budgets of `account`, no more than both have left.
    async fn draw(
        &self,
        account: AccountId,
        draw: Draw,
        limits: Limits,
        now: Timestamp,
    ) -> Result<Drawn, StoreError>;
}
