//! The life of a replay as a pure state machine.
//!
//! ```text
//! running ──moved, paused──▶ running
//!    ├──moved past the last one──▶ completed
//!    └──cancelled──▶ cancelled
//! ```

use svc_core::clock::Timestamp;
use svc_core::id::{ReplayId, TypedId};
use svc_core::random::RandomSource;
use svc_core::resource::Version;
use thiserror::Error;

use super::{Cursor, Selection, Taken};

/// A job that sends something again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// Its id.
    pub id: ReplayId,
    /// What it sends.
    pub selection: Selection,
    /// How many that were at the instant of asking.
    pub matched: u64,
    /// Deliveries added so far.
    pub sent: u64,
    /// Where it stands.
    pub state: State,
    /// Counts its steps: the fence between servers.
    pub version: Version,
}

/// Where a replay stands, with the data valid there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Goes on at `due_at`.
    Running {
        /// The last cursor that is behind it; `None` at the start.
        after: Option<Cursor>,
        /// When its next step is due.
        due_at: Timestamp,
    },
    /// Everything that it selects was added to the queue.
    Completed {
        /// When the last of it was.
        at: Timestamp,
    },
    /// Ended before it was through.
    Cancelled {
        /// When.
        at: Timestamp,
        /// Why.
        why: Why,
    },
}

/// Why a replay was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A caller asked for it.
    Asked,
    /// Its subscription was switched off.
    SubscriptionInactive,
}

/// The name of a [`State`], as the API writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// `running`
    Running,
    /// `completed`
    Completed,
    /// `cancelled`
    Cancelled,
}

/// A step that the replay's state does not allow.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("cannot {action} a replay that is {status}")]
pub struct TransitionError {
    /// What was to be done: `plan`, `move`, `pause` or `cancel`.
    pub action: &'static str,
    /// Where the replay stands.
    pub status: Status,
}

impl Replay {
    /// A new replay, due at once.
    #[must_use]
    pub fn of(selection: Selection, matched: u64, random: &dyn RandomSource) -> Self {
        let now = selection.asked_at;
        Self {
            id: ReplayId::generate(now, random),
            selection,
            matched,
            sent: 0,
            state: State::Running { after: None, due_at: now },
            version: Version::FIRST,
        }
    }

    /// The name of its state.
    #[must_use]
    pub fn status(&self) -> Status {
        match self.state {
            State::Running { .. } => Status::Running,
            State::Completed { .. } => Status::Completed,
            State::Cancelled { .. } => Status::Cancelled,
        }
    }

    /// When its next step is due; `None` once it has ended.
    #[must_use]
    pub fn due_at(&self) -> Option<Timestamp> {
        match self.state {
            State::Running { due_at, .. } => Some(due_at),
            State::Completed { .. } | State::Cancelled { .. } => None,
        }
    }

    /// When it ended; `None` while it runs.
    #[must_use]
    pub fn ended_at(&self) -> Option<Timestamp> {
        match self.state {
            State::Running { .. } => None,
            State::Completed { at } | State::Cancelled { at, .. } => Some(at),
        }
    }

    /// Deliveries of what was `taken` were added: past it, or through.
    ///
    /// # Errors
    /// When it has ended already.
    pub fn moved(self, now: Timestamp, taken: &Taken) -> Result<Self, TransitionError> {
        let (before, _) = self.running("move")?;
        let added = u64::try_from(taken.picks.len()).unwrap_or(u64::MAX);
        let state = match taken.next {
            Some(due_at) => State::Running { after: taken.after.or(before), due_at },
            None => State::Completed { at: now },
        };
        Ok(self.next(state, added))
    }

    /// Pauses until `due_at`.
    ///
    /// # Errors
    /// When it has ended already.
    pub fn paused(self, due_at: Timestamp) -> Result<Self, TransitionError> {
        let (after, _) = self.running("pause")?;
        Ok(self.next(State::Running { after, due_at }, 0))
    }

    /// Ends it before it is through; what was added stays.
    ///
    /// # Errors
    /// When it has ended already.
    pub fn cancelled(self, now: Timestamp, why: Why) -> Result<Self, TransitionError> {
        self.running("cancel")?;
        Ok(self.next(State::Cancelled { at: now, why }, 0))
    }

    /// Its cursor and when it is due, if `action` may still be done.
    pub(super) fn running(
        &self,
        action: &'static str,
    ) -> Result<(Option<Cursor>, Timestamp), TransitionError> {
        match self.state {
            State::Running { after, due_at } => Ok((after, due_at)),
            State::Completed { .. } | State::Cancelled { .. } => {
                Err(TransitionError { action, status: self.status() })
            }
        }
    }

    fn next(self, state: State, added: u64) -> Self {
        Self { state, sent: self.sent.saturating_add(added), version: self.version.next(), ..self }
    }
}

svc_core::wire_names!(Status { Running = "running", Completed = "completed", Cancelled = "cancelled" });
svc_core::wire_names!(Why { Asked = "asked", SubscriptionInactive = "subscription_inactive" });
