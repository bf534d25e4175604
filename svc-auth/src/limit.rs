//! Per-minute rate and monthly quota of a company (specification, part 8), and
//! how many failed authentications an address may make.
//!
//! [`Windows`] is the arithmetic for one company. [`MemoryLimiter`] keeps one
//! per company in the memory of this process; [`LeasedLimiter`] shares budgets
//! with other processes. [`FailureCounts`] is the arithmetic for addresses.

mod calendar;
mod failures;
mod lease;
mod leased;
mod memory;
mod table;
mod windows;

use std::time::Duration;

pub use self::failures::{Charge, FailureCounts};
pub use self::leased::LeasedLimiter;
pub use self::memory::MemoryLimiter;
pub use self::windows::Windows;

/// The budgets of a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Requests per minute.
    pub per_minute: u32,
    /// Requests per calendar month (UTC).
    pub per_month: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { per_minute: 300, per_month: 200_000 }
    }
}

/// Which budget a request met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Requests per minute.
    Minute,
    /// Requests per month.
    Month,
}

/// What is left of the budgets after a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitStatus {
    /// The budgets.
    pub limits: Limits,
    /// Requests left in this minute.
    pub minute_left: u32,
    /// Until this minute's budget is full again.
    pub minute_resets_in: Duration,
    /// Requests left in this month.
    pub month_left: u64,
    /// Until the first of the next month, UTC.
    pub month_resets_in: Duration,
}

/// Whether a request may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitDecision {
    /// Within both budgets.
    Within(LimitStatus),
    /// One budget is used up; the client may come back after `retry_after`.
    Exceeded {
        /// Which one.
        budget: Budget,
        /// What is left of the other.
        status: LimitStatus,
        /// When to come back.
        retry_after: Duration,
    },
}
