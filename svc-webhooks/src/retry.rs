//! When a failed delivery is tried again (specification, part 3.3).

use std::time::Duration;

/// How many attempts a delivery has, the first included.
pub const ATTEMPTS: u8 = 6;

/// The waits after failed attempts 1 to 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetrySchedule([Duration; 5]);

impl RetrySchedule {
    /// 1 minute, 5 minutes, 30 minutes, 2 hours, 12 hours.
    pub const STANDARD: Self = Self([
        Duration::from_mins(1),
        Duration::from_mins(5),
        Duration::from_mins(30),
        Duration::from_hours(2),
        Duration::from_hours(12),
    ]);

    /// Other waits, for tests.
    #[must_use]
    pub const fn new(waits: [Duration; 5]) -> Self {
        Self(waits)
    }

    /// The shortest wait of all.
    #[must_use]
    pub fn shortest(&self) -> Duration {
        self.0.into_iter().min().unwrap_or_default()
    }

    /// The wait after failed attempt number `attempt` (from 1); `None` after the last.
    #[must_use]
    pub fn wait_after(&self, attempt: u8) -> Option<Duration> {
        self.0.get(usize::from(attempt.checked_sub(1)?)).copied()
    }
}

impl Default for RetrySchedule {
    fn default() -> Self {
        Self::STANDARD
    }
}
