//! Random histories of subscriptions and deliveries, played on a storage and on the reference model.
//!
//! A [`History`] is a list of steps, each with the time that passes before it:
//! two companies create, change, rotate, switch and remove subscriptions,
//! allowed to or not; events happen; two workers fan out, claim, attempt,
//! settle and release, in order or not, with leases that ended, that were given
//! back or used before; deliveries are sent again by hand in every state, and
//! old ones are purged.
//!
//! [`play`] takes a history through the use cases of svc-webhooks over a
//! storage. Beside it a model lives the same history as the specification,
//! parts 3.2 and 3.3, tells it: maps and rules, nothing of the code that it is
//! compared with. After each step the answer, every subscription, the whole
//! delivery log and the depth of the queue must be what the model says. What a
//! claim picks is the storage's choice within rules: the model checks the
//! choice, and goes on from it.
//!
//! Where they part, the [`Divergence`] tells what happened until then, line by
//! line; proptest shrinks the history to the few lines that matter.
//! [`webhook_storage_model!`](crate::webhook_storage_model) is the test of a storage.

mod check;
mod divergence;
mod history;
mod model;
mod play;
mod seen;

pub use self::check::webhooks_live_as_the_model_says;
pub use self::divergence::{Divergence, Played};
pub use self::history::{History, histories};
pub use self::play::{Subject, play};
