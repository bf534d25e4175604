//! Deliveries: from an event in the outbox to a receiver's 2xx.
//!
//! The protocol, and what survives a crash at each step:
//!
//! 1. A use case commits a change together with its event in the outbox.
//! 2. [`dispatch_once`] takes events out of the outbox and adds one delivery
//!    per matching active subscription, in one commit. A crash before the
//!    commit leaves the event in the outbox; after it, nothing is left to do.
//! 3. [`attempt_once`] claims due deliveries with a lease (one commit), sends
//!    them with no transaction open, and settles them in a batch (one commit).
//!    A crash in between leaves the lease to end by itself: the delivery is
//!    claimed and sent again with the same ids. So every event arrives at least
//!    once, and what repeats is at most what was in flight.
//! 4. A settlement carries the lease token of its claim. When the lease ended
//!    and another server claimed the delivery, the stale settlement changes nothing.
//!
//! [`Delivery`] is the state machine of one delivery; its transitions are pure.

mod answer_budget;
mod attempt;
mod dispatch;
mod outcome;
mod redact;
mod redeliver;
mod retry_after;
mod state;
mod test_event;
mod user_agent;

pub use self::answer_budget::AnswerBudget;
pub use self::attempt::{
    AttemptConfig, AttemptReport, SETTLE_MARGIN, attempt_allowed, attempt_claimed, attempt_once, headers,
};
pub use self::dispatch::{DispatchReport, Round, deliveries_for, dispatch_once, fan_out};
pub use self::outcome::{Attempt, Outcome};
pub use self::redeliver::{RedeliverError, redeliver};
pub use self::state::{Delivery, State, Status, TransitionError};
pub use self::test_event::{TestReport, TestRun, begin_test, finish_test};
pub use self::user_agent::{MalformedProduct, Product, UserAgent};
