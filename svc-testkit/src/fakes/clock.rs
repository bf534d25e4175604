//! A clock that stands still until it is moved.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use svc_core::clock::{Clock, Timestamp};

/// Tells the instant that it was set to; clones share one instant.
#[derive(Clone, Debug)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    /// A clock that stands at `now`.
    #[must_use]
    pub fn at(now: Timestamp) -> Self {
        Self(Arc::new(AtomicI64::new(now.unix_micros())))
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        self.set(self.now().plus(by));
    }

    /// Moves the clock to an instant, earlier ones included.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.unix_micros(), Ordering::SeqCst);
    }
}

impl Default for ManualClock {
    /// Stands at 2025-01-31T09:15:00Z.
    fn default() -> Self {
        Self::at(Timestamp::from_unix_seconds(1_738_314_900))
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_unix_micros(self.0.load(Ordering::SeqCst))
    }
}
