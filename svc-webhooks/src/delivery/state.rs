//! The life of a delivery as a pure state machine (specification, part 3.3).
//!
//! ```text
//! pending ──2xx──▶ delivered            retrying ──2xx──▶ delivered
//!    ├──failure──▶ retrying ◀──failure──┘   └──last failure, cancel──▶ failed
//!    └──only attempt failed, cancel──▶ failed
//! ```

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::event::{Event, EventType};
use svc_core::id::{AccountId, DeliveryId, EventId, SubscriptionId, TypedId};
use svc_core::random::RandomSource;
use thiserror::Error;

use super::Outcome;
use crate::retry::RetrySchedule;
use crate::subscription::Subscription;

/// One delivery of one event to one subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Distinct per delivery; a redelivery has a new one.
    pub id: DeliveryId,
    /// Company of the subscription.
    pub account: AccountId,
    /// The subscription.
    pub subscription: SubscriptionId,
    /// The event; the same on every attempt and resend.
    pub event: EventId,
    /// Its type.
    pub event_type: EventType,
    /// Made by the dispatcher: at most one per event and subscription.
    pub automatic: bool,
    /// Attempts made so far.
    pub attempts: u8,
    /// Attempts there are in all: as many as the schedule had when it was made, or one for a test.
    pub max_attempts: u8,
    /// Where it stands.
    pub state: State,
    /// The most recent outcome.
    pub last: Option<Outcome>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// Where a delivery stands, with the data valid there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Not attempted yet; due at this instant.
    Pending {
        /// When the first attempt is due.
        due_at: Timestamp,
    },
    /// Failed at least once; due again at this instant.
    Retrying {
        /// When the next attempt is due.
        due_at: Timestamp,
    },
    /// A receiver answered 2xx.
    Delivered {
        /// When the answer came.
        at: Timestamp,
    },
    /// No attempt is left, or none may be made.
    Failed {
        /// When it was given up.
        at: Timestamp,
    },
}

/// The name of a [`State`], as the API writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// `pending`
    Pending,
    /// `retrying`
    Retrying,
    /// `delivered`
    Delivered,
    /// `failed`
    Failed,
}

/// A step that the delivery's state does not allow.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("cannot {action} a delivery that is {status}")]
pub struct TransitionError {
    /// What was to be done: `complete`, `fail` or `cancel`.
    pub action: &'static str,
    /// Where the delivery stands.
    pub status: Status,
}

impl Delivery {
    /// A new delivery of `event` to `subscription`, due at once, with so many attempts.
    #[must_use]
    pub fn of(
        event: &Event,
        subscription: &Subscription,
        attempts: u8,
        now: Timestamp,
        random: &dyn RandomSource,
    ) -> Self {
        Self {
            id: DeliveryId::generate(now, random),
            account: subscription.account,
            subscription: subscription.id,
            event: event.id,
            event_type: event.kind.clone(),
            automatic: true,
            attempts: 0,
            max_attempts: attempts,
            state: State::Pending { due_at: now },
            last: None,
            created_at: now,
        }
    }

    /// The name of its state.
    #[must_use]
    pub fn status(&self) -> Status {
        match self.state {
            State::Pending { .. } => Status::Pending,
            State::Retrying { .. } => Status::Retrying,
            State::Delivered { .. } => Status::Delivered,
            State::Failed { .. } => Status::Failed,
        }
    }

    /// When it is to be attempted next; `None` once it has ended.
    #[must_use]
    pub fn next_attempt_at(&self) -> Option<Timestamp> {
        match self.state {
            State::Pending { due_at } | State::Retrying { due_at } => Some(due_at),
            State::Delivered { .. } | State::Failed { .. } => None,
        }
    }

    /// The receiver answered 2xx: the delivery has arrived.
    ///
    /// # Errors
    /// When it has ended already.
    pub fn attempt_succeeded(self, now: Timestamp, outcome: Outcome) -> Result<Self, TransitionError> {
        let attempts = self.attempt("complete")?;
        Ok(Self { attempts, last: Some(outcome), state: State::Delivered { at: now }, ..self })
    }

    /// The attempt failed: due again after the schedule's wait, or given up after the last attempt.
    ///
    /// A schedule that has become shorter since the delivery was made ends it earlier; one that has become
    /// longer gives it no more attempts.
    ///
    /// # Errors
    /// When it has ended already.
    pub fn attempt_failed(
        self,
        now: Timestamp,
        outcome: Outcome,
        schedule: &RetrySchedule,
    ) -> Result<Self, TransitionError> {
        let attempts = self.attempt("fail")?;
        let wait = (attempts < self.max_attempts).then(|| schedule.wait_after(attempts)).flatten();
        let state = match wait {
            Some(wait) => State::Retrying { due_at: now.plus(wait) },
            None => State::Failed { at: now },
        };
        Ok(Self { attempts, last: Some(outcome), state, ..self })
    }

    /// Ends the delivery without an attempt; `reason` stands as its last error.
    ///
    /// # Errors
    /// When it has ended already.
    pub fn cancel(self, now: Timestamp, reason: &str) -> Result<Self, TransitionError> {
        self.attempt("cancel")?;
        let last = Outcome { status_code: None, error: Some(reason.to_owned()), duration: Duration::ZERO };
        Ok(Self { last: Some(last), state: State::Failed { at: now }, ..self })
    }

    /// The number of the attempt that `action` would make, if one may still be made.
    fn attempt(&self, action: &'static str) -> Result<u8, TransitionError> {
        match self.state {
            State::Pending { .. } | State::Retrying { .. } => Ok(self.attempts.saturating_add(1)),
            State::Delivered { .. } | State::Failed { .. } => {
                Err(TransitionError { action, status: self.status() })
            }
        }
    }
}

impl Status {
    /// Whether no further attempt follows.
    #[must_use]
    pub fn is_ended(self) -> bool {
        match self {
            Self::Pending | Self::Retrying => false,
            Self::Delivered | Self::Failed => true,
        }
    }
}

svc_core::wire_names!(Status {
    Pending = "pending",
    Retrying = "retrying",
    Delivered = "delivered",
    Failed = "failed",
});
