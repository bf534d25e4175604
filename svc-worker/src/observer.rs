//! What is told of the work, for metrics.

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_webhooks::delivery::DispatchReport;
use svc_webhooks::ports::Settlement;
use svc_webhooks::scheduler::Scheduler;

/// What a deliverer does beside attempts, each in a transaction of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Events become deliveries.
    FanOut,
    /// Deliveries that wait are leased.
    Claim,
    /// Attempts are written back.
    Settle,
}

impl Step {
    /// `fan_out`, `claim` or `settle`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FanOut => "fan_out",
            Self::Claim => "claim",
            Self::Settle => "settle",
        }
    }
}

/// Hears what a deliverer does. Each method does nothing unless it is implemented, and none may block: the
/// deliverer waits for it.
pub trait Observer: Send + Sync {
    /// A step ended after this time, and whether the storage did what it was asked for.
    fn step(&self, step: Step, took: Duration, succeeded: bool) {
        let _ = (step, took, succeeded);
    }

    /// Events were taken out of the outbox.
    fn fanned_out(&self, report: DispatchReport) {
        let _ = report;
    }

    /// An attempt ended, and is about to be settled.
    fn attempted(&self, settlement: &Settlement) {
        let _ = settlement;
    }

    /// So many attempts came too late to be settled: their leases had ended.
    fn stale(&self, attempts: u64) {
        let _ = attempts;
    }

    /// So many leases were given back unused.
    fn given_back(&self, leases: usize) {
        let _ = leases;
    }

    /// What is under way and waits, of so many [slots](crate::SLOTS); four times a second at most.
    fn scheduled(&self, scheduler: &Scheduler, slots: u32) {
        let _ = (scheduler, slots);
    }

    /// A replay added so many deliveries.
    fn replayed(&self, added: u64) {
        let _ = added;
    }

    /// So many old deliveries and replays were removed in a round that ended well and began at `at`.
    fn cleaned(&self, deliveries: u64, replays: u64, at: Timestamp) {
        let _ = (deliveries, replays, at);
    }
}

/// Hears of nothing.
pub(crate) struct Silent;

impl Observer for Silent {}
