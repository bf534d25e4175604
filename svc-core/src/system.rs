//! The clock and the randomness of the operating system.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::clock::{Clock, Timestamp};
use crate::random::RandomSource;

/// The wall clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place where the wall clock is read")]
    fn now(&self) -> Timestamp {
        // A clock before 1970 is broken beyond help; 1970 is as good as any answer.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_unix_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }
}

/// The generator of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsRandom;

impl RandomSource for OsRandom {
    /// # Panics
    /// When the operating system has no randomness: going on would hand out secrets that can be guessed.
    fn fill(&self, bytes: &mut [u8]) {
        getrandom::fill(bytes).expect("the operating system gives random bytes");
    }
}
