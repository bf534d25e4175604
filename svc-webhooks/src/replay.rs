//! Sending again: past events, or ended deliveries, to one subscription.
//!
//! A [`Replay`] is a job that the database remembers. The protocol, and what
//! survives a crash at each step:
//!
//! 1. [`prepare`] turns a request into a [`Selection`], counts what it selects
//!    and changes nothing: a dry run ends here. [`start`] stores the job, with
//!    the permissions checked and everything about it fixed but its progress.
//!    What is selected ends at the instant of asking, so the job ends too.
//! 2. [`replay_once`] takes the job that is due longest, adds the next few
//!    deliveries and moves the job's [`Cursor`] past them, all in one commit. A
//!    crash before the commit leaves the cursor where it was, and nothing was
//!    added; after it, everything was. So nothing that the job selects is left
//!    out and nothing is added twice, however many servers die.
//! 3. No step sends anything over the network, so the row of the job, locked by its
//!    transaction, is all the lease there is: servers pass over a job that
//!    another one is working on, and the lock of one that dies goes with it.
//!    [`Replay::version`] is the fence: a step or a cancellation that another
//!    one overtook is a conflict and changes nothing.
//! 4. The deliveries of a job wait in the lane of first attempts as all others
//!    do, [`WAITING`] of them at most. While more wait, the job pauses: what
//!    happens meanwhile is never behind more than those.
//!
//! Events of the last moments may not be committed yet, though their ids are
//! made: a job looks only at those older than [`CLOCK_SKEW`], and is finished
//! once its whole window is.
//!
//! [`CLOCK_SKEW`]: crate::subscription::CLOCK_SKEW

mod audit;
mod cancel;
mod plan;
mod prepare;
mod selection;
mod start;
mod state;
mod step;

pub use self::cancel::cancel;
pub use self::plan::{AT_A_TIME, Look, PAUSE, Plan, Taken, WAITING};
pub use self::prepare::{Again, Draft, EndedRequest, EventsRequest, ReplayError, prepare};
pub use self::selection::{Candidate, Cursor, Ended, Pick, Selection, Source};
pub use self::start::{MAX_OPEN, start};
pub use self::state::{Replay, State, Status, TransitionError, Why};
pub use self::step::{ReplayReport, replay_once};
