//! Receivers of webhooks that misbehave, each in one way that has a name.
//!
//! [`corpus()`] is data: what a receiver does on a connection, step by step, and
//! how an exchange with it may end. [`HostileReceiver`] plays one of them on a
//! real socket, to every connection alike. A sender is tested with all:
//!
//! - each exchange ends, in one of the ways that are listed for it;
//! - the next exchange ends in such a way too, and on a connection of its own
//!   unless the first was left in good order ([`kept`](field@Behaviour::kept)); what is left
//!   in disorder is closed;
//! - no answer has the status [`FORGED`]: only unsolicited answers
//!   have it, sent behind the one that was due.
//!
//! Names, not numbers, are quoted in failures and reports.

mod behaviour;
mod certificates;
mod connections;
mod corpus;
mod play;
mod receiver;

pub use self::behaviour::{Behaviour, Certificate, Door, End, FORGED};
pub use self::certificates::{Certificates, HOST};
pub use self::corpus::corpus;
pub use self::receiver::{HostileReceiver, Stage};
