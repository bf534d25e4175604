//! How long the scheduler holds back what is new for a receiver that fails.
//!
//! The schedule of retries ([`crate::retry`]) says when one delivery is attempted again. The backoff of a receiver
//! holds for all its deliveries.

use std::time::Duration;

use svc_core::clock::Timestamp;

use crate::retry::RetrySchedule;

/// Failures in a row from which on a receiver is in backoff after each attempt.
const BACKOFF_FROM: u32 = 5;
/// Failures in a row from which on its backoff is the longest.
const LONGEST_FROM: u32 = 10;
/// The longest backoff is this part of the shortest wait: 3 seconds of a minute.
const PART_OF_A_WAIT: u32 = 20;

/// What decides about the backoff of a receiver; it comes along with each delivery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReceiverBackoff {
    /// Failures since the latest success.
    pub consecutive_failures: u32,
    /// When the latest attempt ended that this tells of.
    pub at: Option<Timestamp>,
    /// Until when the receiver asked for no requests.
    pub asked_until: Option<Timestamp>,
    /// Whether it ever answered 2xx at the present URL.
    pub has_succeeded: bool,
}

/// How long receivers that fail are in backoff between attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackoffPolicy {
    longest: Duration,
}

impl BackoffPolicy {
    /// Backoffs that put no attempt off by more than 5 % of the shortest wait of the schedule; those of the
    /// standard schedule when this one has no waits.
    #[must_use]
    pub fn of(schedule: &RetrySchedule) -> Self {
        let shortest = schedule.shortest().or_else(|| RetrySchedule::STANDARD.shortest());
        Self { longest: shortest.unwrap_or_default() / PART_OF_A_WAIT }
    }

    /// The longest backoff.
    #[must_use]
    pub fn longest(self) -> Duration {
        self.longest
    }

    /// The backoff after so many failures in a row: none at first, then twice as long with each.
    #[must_use]
    pub fn after(self, failures: u32) -> Duration {
        match failures {
            ..BACKOFF_FROM => Duration::ZERO,
            BACKOFF_FROM..LONGEST_FROM => self.longest / (1 << (LONGEST_FROM - failures)),
            LONGEST_FROM.. => self.longest,
        }
    }
}

impl ReceiverBackoff {
    /// Until when nothing new is sent; `None` for a receiver that is in no backoff.
    #[must_use]
    pub fn until(&self, policy: BackoffPolicy) -> Option<Timestamp> {
        if self.consecutive_failures == 0 {
            return None;
        }
        let backoff = policy.after(self.consecutive_failures);
        let ours = self.at.filter(|_| !backoff.is_zero()).map(|at| at.plus(backoff));
        ours.max(self.asked_until)
    }

    /// Whether the receiver may be in backoff: what is new for it goes through the queue.
    #[must_use]
    pub fn may_be_active(&self) -> bool {
        self.consecutive_failures >= BACKOFF_FROM || self.asked_until.is_some()
    }

    /// After an attempt that ended at `at`; with a failure the receiver may ask for a backoff.
    #[must_use]
    pub fn after(self, arrived: bool, at: Timestamp, asked_until: Option<Timestamp>) -> Self {
        let latest = self.at.max(Some(at));
        if arrived {
            return Self { consecutive_failures: 0, at: latest, asked_until: None, has_succeeded: true };
        }
        Self {
            consecutive_failures: self.consecutive_failures.saturating_add(1),
            at: latest,
            asked_until: self.asked_until.max(asked_until),
            has_succeeded: self.has_succeeded,
        }
    }
}
