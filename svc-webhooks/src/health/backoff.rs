//! What decides how gently a receiver is treated.

use std::time::Duration;

use svc_core::clock::Timestamp;

use crate::retry::RetrySchedule;

/// Failures in a row from which on a receiver rests between attempts.
const RESTS_FROM: u32 = 5;
/// Failures in a row from which on it rests for as long as it ever does.
const RESTS_MOST_FROM: u32 = 10;
/// The rest is this part of the shortest wait at most: 3 seconds of a minute.
const PART_OF_A_WAIT: u32 = 20;

/// What is known of a receiver that comes along with each delivery to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Failures since the latest success.
    pub consecutive_failures: u32,
    /// When the latest attempt ended that this tells of.
    pub at: Option<Timestamp>,
    /// Until when the receiver asked to be left alone.
    pub asked_until: Option<Timestamp>,
}

/// How long receivers that fail rest between attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    most: Duration,
}

impl Pace {
    /// Rests that put no attempt off by more than 5 % of the shortest wait of the schedule.
    #[must_use]
    pub fn of(schedule: &RetrySchedule) -> Self {
        Self { most: schedule.shortest() / PART_OF_A_WAIT }
    }

    /// The longest rest.
    #[must_use]
    pub fn most(self) -> Duration {
        self.most
    }

    /// The rest after so many failures in a row: none at first, then twice as long with each.
    #[must_use]
    pub fn rest(self, failures: u32) -> Duration {
        match failures {
            ..RESTS_FROM => Duration::ZERO,
            RESTS_FROM..RESTS_MOST_FROM => self.most / (1 << (RESTS_MOST_FROM - failures)),
            RESTS_MOST_FROM.. => self.most,
        }
    }
}

impl Standing {
    /// Until when nothing new is sent; `None` for a receiver that need not rest.
    #[must_use]
    pub fn rests_until(&self, pace: Pace) -> Option<Timestamp> {
        if self.consecutive_failures == 0 {
            return None;
        }
        let rest = pace.rest(self.consecutive_failures);
        let paced = self.at.filter(|_| !rest.is_zero()).map(|at| at.plus(rest));
        paced.max(self.asked_until)
    }

    /// Whether the receiver may have to rest: what is new for it goes through the queue.
    #[must_use]
    pub fn may_rest(&self) -> bool {
        self.consecutive_failures >= RESTS_FROM || self.asked_until.is_some()
    }

    /// After an attempt that ended at `at`; a failure may ask for a rest.
    #[must_use]
    pub fn after(self, arrived: bool, at: Timestamp, asked_until: Option<Timestamp>) -> Self {
        let latest = self.at.max(Some(at));
        if arrived {
            return Self { consecutive_failures: 0, at: latest, asked_until: None };
        }
        Self {
            consecutive_failures: self.consecutive_failures.saturating_add(1),
            at: latest,
            asked_until: self.asked_until.max(asked_until),
        }
    }
}
