//! What the tests of the executable have in common.

mod api;
mod log;
mod process;
mod receiver;
mod terminal;

pub(crate) use self::api::{Api, Reply};
pub(crate) use self::log::Log;
pub(crate) use self::process::{Run, Server, Site};
pub(crate) use self::receiver::{Answer, Hit, Receiver};
pub(crate) use self::terminal::Terminal;

use std::time::{Duration, Instant};

use svc_core::clock::Clock as _;
use svc_core::clock::Timestamp;
use svc_core::system::SystemClock;

/// Nothing that a test waits for takes longer.
///
/// The longest is a lease of a process that was killed: 20 s beyond the timeout of an attempt.
pub(crate) const PATIENCE: Duration = Duration::from_mins(2);

/// Looks again and again until it is so.
#[track_caller]
pub(crate) fn await_that(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        // Who asks all the time takes from the server what it needs.
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The command that makes a token of a company which may do everything.
pub(crate) fn token_create<'a>(account: &'a str, creator: &'a str) -> [&'a str; 10] {
    ["token", "create", "--account", account, "--creator", creator, "--name", "Shop", "--permission", "full"]
}

/// The clock of the machine, which the servers go by.
pub(crate) fn now() -> Timestamp {
    SystemClock.now()
}
