//! The reference model of a delivery: what the specification, part 3.3, says,
//! in the plainest form.
//!
//! The model keeps no state but the history of what happened. Everything else
//! is counted from the history, so it shares no code and no idea with the
//! state machine that is checked against it.

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_webhooks::delivery::Status;

/// Something that happens to a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// An attempt was answered with 2xx.
    Succeed,
    /// An attempt failed.
    Fail,
    /// No attempt may be made any more.
    Cancel,
}

/// A delivery as its history.
#[derive(Clone, Debug)]
pub struct ModelDelivery {
    created_at: Timestamp,
    most: usize,
    waits: Vec<Duration>,
    history: Vec<(Step, Timestamp)>,
}

impl ModelDelivery {
    /// A delivery that was just made, with this many attempts at most and these waits between them.
    #[must_use]
    pub fn new(created_at: Timestamp, most: usize, waits: impl Into<Vec<Duration>>) -> Self {
        Self { created_at, most, waits: waits.into(), history: Vec::new() }
    }

    /// Lets `step` happen at `now`; answers whether it may: nothing happens to an ended delivery.
    pub fn step(&mut self, step: Step, now: Timestamp) -> bool {
        let open = matches!(self.status(), Status::Pending | Status::Retrying);
        if open {
            self.history.push((step, now));
        }
        open
    }

    /// Where it stands.
    #[must_use]
    pub fn status(&self) -> Status {
        if self.count(Step::Succeed) > 0 {
            Status::Delivered
        } else if self.count(Step::Cancel) > 0
            || self.count(Step::Fail) == self.most.min(self.waits.len() + 1)
        {
            Status::Failed
        } else if self.count(Step::Fail) > 0 {
            Status::Retrying
        } else {
            Status::Pending
        }
    }

    /// Attempts made so far.
    #[must_use]
    pub fn attempts(&self) -> usize {
        self.count(Step::Succeed) + self.count(Step::Fail)
    }

    /// When it is to be attempted next, unless it has ended.
    #[must_use]
    pub fn next_attempt_at(&self) -> Option<Timestamp> {
        match self.status() {
            Status::Pending => Some(self.created_at),
            Status::Retrying => {
                let (_, failed_at) = self.history.last()?;
                let wait = self.waits.get(self.count(Step::Fail) - 1)?;
                Some(failed_at.plus(*wait))
            }
            Status::Delivered | Status::Failed => None,
        }
    }

    fn count(&self, step: Step) -> usize {
        self.history.iter().filter(|(happened, _)| *happened == step).count()
    }
}
