//! How a receiver answers, as far as it matters to its owner and to what is sent next.
//!
//! One record per subscription, changed in the commit that settles attempts:
//! once per batch and subscription, by what the batch adds up to ([`Tally`]).
//! Nothing is ever counted by looking through the log.
//!
//! Attempts are counted by half days (UTC), the present one and the one before:
//! so the counts cover the last 12 to 24 hours, exactly since
//! [`Recent::since`]. The order of attempts is that in which they were settled.

mod backoff;
mod tally;

use std::time::Duration;

use svc_core::clock::Timestamp;

pub use self::backoff::{BackoffPolicy, ReceiverBackoff};
pub use self::tally::Tally;

/// Attempts are counted in periods of this length.
const PERIOD: Duration = Duration::from_hours(12);

/// Attempts that succeeded and attempts that failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Answered with 2xx.
    pub successes: u64,
    /// All others.
    pub failures: u64,
}

/// What is known of a receiver to which something was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// Number of the half day that `present` counts.
    pub half_day: i64,
    /// Attempts of that half day.
    pub present: Counts,
    /// Attempts of the one before.
    pub earlier: Counts,
    /// When the latest success ended.
    pub last_success_at: Option<Timestamp>,
    /// When the latest failure ended.
    pub last_failure_at: Option<Timestamp>,
    /// Why that one failed.
    pub last_error: Option<String>,
    /// Failures since the latest success.
    pub consecutive_failures: u32,
    /// Until when the receiver asked to be left alone; a success takes it back.
    pub asked_until: Option<Timestamp>,
}

/// What was counted lately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recent {
    /// The beginning of what is counted.
    pub since: Timestamp,
    /// The attempts since then.
    pub counts: Counts,
}

/// A receiver's health in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// `unknown`: nothing was sent to this URL yet.
    Unknown,
    /// `healthy`: the latest attempt succeeded.
    Healthy,
    /// `failing`: the latest attempt failed.
    Failing,
    /// `paused`: it failed, and the receiver asked to be left alone for a time that is not over.
    Paused,
}

impl Health {
    /// The record after a batch of settlements; `None` before the first.
    #[must_use]
    pub fn after(before: Option<Self>, tally: &Tally) -> Self {
        let before = before.unwrap_or_else(|| Self { half_day: tally.half_day, ..Self::default() });
        // A batch of an earlier half day, from a server whose clock is behind, counts in the present one.
        let (present, earlier) = match tally.half_day - before.half_day {
            ..=0 => (before.present, before.earlier),
            1 => (Counts::default(), before.present),
            2.. => (Counts::default(), Counts::default()),
        };
        let latest_failure = tally.last_failure_at.filter(|at| Some(*at) > before.last_failure_at);
        let cleared = tally.counts.successes > 0;
        Self {
            half_day: before.half_day.max(tally.half_day),
            present: present.and(tally.counts),
            earlier,
            last_success_at: before.last_success_at.max(tally.last_success_at),
            last_failure_at: latest_failure.or(before.last_failure_at),
            last_error: if latest_failure.is_some() { tally.last_error.clone() } else { before.last_error },
            consecutive_failures: if cleared { 0 } else { before.consecutive_failures }
                .saturating_add(tally.consecutive_failures),
            asked_until: if cleared { tally.asked_until } else { before.asked_until.max(tally.asked_until) },
        }
    }

    /// What was counted in the half day of `now` and the one before.
    #[must_use]
    pub fn recent(&self, now: Timestamp) -> Recent {
        let present = half_day(now);
        let counts = match present - self.half_day {
            ..=0 => self.present.and(self.earlier),
            1 => self.present,
            2.. => Counts::default(),
        };
        Recent { since: start_of(present - 1), counts }
    }

    /// The health in a word.
    #[must_use]
    pub fn status(&self, now: Timestamp) -> Status {
        match (self.consecutive_failures, self.asked_until) {
            (0, _) => Status::Healthy,
            (_, Some(until)) if now < until => Status::Paused,
            (_, Some(_) | None) => Status::Failing,
        }
    }

    /// What decides how gently the receiver is treated.
    #[must_use]
    pub fn backoff(&self) -> ReceiverBackoff {
        ReceiverBackoff {
            consecutive_failures: self.consecutive_failures,
            at: self.last_success_at.max(self.last_failure_at),
            asked_until: self.asked_until,
            has_succeeded: self.last_success_at.is_some(),
        }
    }
}

impl Counts {
    /// The share of successes, from 0 to 1; `None` of nothing.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share needs no more digits than a float has")]
    pub fn success_rate(self) -> Option<f64> {
        let all = self.all();
        (all > 0).then(|| self.successes as f64 / all as f64)
    }

    /// All attempts.
    #[must_use]
    pub fn all(self) -> u64 {
        self.successes.saturating_add(self.failures)
    }

    fn and(self, other: Self) -> Self {
        Self {
            successes: self.successes.saturating_add(other.successes),
            failures: self.failures.saturating_add(other.failures),
        }
    }
}

svc_core::wire_names!(Status {
    Unknown = "unknown",
    Healthy = "healthy",
    Failing = "failing",
    Paused = "paused",
});

/// The number of the half day of an instant.
fn half_day(at: Timestamp) -> i64 {
    at.unix_micros().div_euclid(micros(PERIOD))
}

fn start_of(half_day: i64) -> Timestamp {
    Timestamp::from_unix_micros(half_day.saturating_mul(micros(PERIOD)))
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}
