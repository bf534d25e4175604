//! Clocks of servers: nearly right, never all the same.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use svc_core::clock::{Clock, Timestamp};

use super::world::World;

/// How far a clock is off at most.
pub(super) const SKEW: Duration = Duration::from_millis(1_500);

/// The clock of one server; clones are the same clock.
#[derive(Clone)]
pub(super) struct SkewedClock {
    world: World,
    /// Microseconds ahead of the world.
    ahead: Arc<AtomicI64>,
}

impl SkewedClock {
    pub(super) fn new(world: World) -> Self {
        let clock = Self { world, ahead: Arc::default() };
        clock.jump();
        clock
    }

    /// Puts it right or wrong, within the bound.
    pub(super) fn jump(&self) {
        let most = i64::try_from(SKEW.as_micros()).unwrap_or_default();
        let ahead = i64::try_from(self.world.below(2 * most.unsigned_abs() + 1)).unwrap_or_default() - most;
        self.ahead.store(ahead, Ordering::SeqCst);
    }
}

impl Clock for SkewedClock {
    fn now(&self) -> Timestamp {
        let ahead = self.ahead.load(Ordering::SeqCst);
        Timestamp::from_unix_micros(self.world.now().unix_micros() + ahead)
    }
}
