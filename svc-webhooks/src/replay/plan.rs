//! What the next step of a replay does: decided without input or output.

use std::time::Duration;

use svc_core::clock::Timestamp;

use super::{Candidate, Cursor, Pick, Replay, Source, TransitionError, Why};
use crate::subscription::{CLOCK_SKEW, Subscription};

/// First attempts of the subscription that may wait before its replays pause.
///
/// Above what a receiver takes at a time, so a replay does not slow it down; and few enough that
/// what has just happened is soon at the front of the same lane.
pub const WAITING: u32 = 256;

/// How much one step looks at, at most: what bounds its transaction.
pub const AT_A_TIME: u32 = 512;

/// How long a replay pauses while too much waits.
pub const PAUSE: Duration = Duration::from_millis(200);

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Ends before it is through.
    Cancel(Why),
    /// Does nothing until this instant.
    Pause(Timestamp),
    /// Goes on.
    Look(Look),
}

/// What a step looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Only what comes after this cursor.
    pub after: Option<Cursor>,
    /// Only what is older than this instant.
    pub until: Timestamp,
    /// So many at most, whether they are selected or not.
    pub limit: u32,
    /// How many deliveries may be added.
    pub room: u32,
}

/// What a step takes of what it looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// What is sent again.
    pub picks: Vec<Pick>,
    /// The last cursor that is behind it now; `None` when it looked at nothing.
    pub after: Option<Cursor>,
    /// When the next step is due; `None` when nothing is left.
    pub next: Option<Timestamp>,
}

impl Replay {
    /// The next step, when `waiting` first attempts of the subscription wait.
    ///
    /// # Errors
    /// When it has ended already.
    pub fn plan(
        &self,
        now: Timestamp,
        subscription: &Subscription,
        waiting: u32,
    ) -> Result<Plan, TransitionError> {
        let (after, _) = self.running("plan")?;
        if !subscription.is_active() {
            return Ok(Plan::Cancel(Why::SubscriptionInactive));
        }
        // Half of the room at least, so that a step is worth its commit.
        if waiting > WAITING / 2 {
            return Ok(Plan::Pause(now.plus(PAUSE)));
        }
        let until = match self.selection.source {
            Source::Events => self.selection.until.min(now.minus(CLOCK_SKEW)),
            Source::Deliveries { .. } => self.selection.until,
        };
        Ok(Plan::Look(Look { after, until, limit: AT_A_TIME, room: WAITING - waiting }))
    }

    /// What to take of the candidates that a look found, in their order.
    #[must_use]
    pub fn take(
        &self,
        now: Timestamp,
        look: Look,
        candidates: &[Candidate],
        subscription: &Subscription,
    ) -> Taken {
        let room = usize::try_from(look.room).unwrap_or(usize::MAX);
        let (mut picks, mut after, mut full) = (Vec::new(), None, false);
        for candidate in candidates {
            if let Some(pick) = candidate.pick.clone().filter(|pick| subscription.events.contains(&pick.kind))
            {
                full = picks.len() >= room;
                if full {
                    break;
                }
                picks.push(pick);
            }
            after = Some(candidate.cursor);
        }
        let more = full || u32::try_from(candidates.len()).is_ok_and(|found| found >= look.limit);
        let next = if more {
            Some(now)
        } else if look.until < self.selection.until {
            Some(self.selection.until.plus(CLOCK_SKEW))
        } else {
            None
        };
        Taken { picks, after, next }
    }
}
