//! What the tests of the executable have in common.

mod api;
mod process;
mod receiver;

pub(crate) use self::api::Api;
pub(crate) use self::process::Site;
pub(crate) use self::receiver::{Answer, Hit, Receiver};

use std::time::Duration;

/// Nothing that a test waits for takes longer.
///
/// The longest is a lease of a process that was killed: 20 s beyond the timeout of an attempt.
pub(crate) const PATIENCE: Duration = Duration::from_secs(45);
