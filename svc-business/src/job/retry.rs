//! When a job that failed is tried again.

use std::time::Duration;

/// The waits after the first failures, in seconds.
const WAITS: [u64; 6] = [30, 120, 600, 3_600, 14_400, 43_200];

/// How long to wait after so many failures in a row: from half a minute to twelve hours.
#[must_use]
pub fn wait_after(failures: u32) -> Duration {
    let place = usize::try_from(failures.saturating_sub(1)).unwrap_or(usize::MAX);
    Duration::from_secs(WAITS.get(place).copied().unwrap_or(43_200))
}
