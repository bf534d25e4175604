//! The loops: everything that happens without a request.
//!
//! Each loop survives a store that fails: it logs, waits a little longer each
//! time, and goes on. What a loop does in one round is a function of the
//! domain crates; here is only when.

pub(crate) mod authority;
pub(crate) mod cleaner;
pub(crate) mod deliverer;
pub(crate) mod replayer;

use std::time::Duration;

use metrics_exporter_prometheus::PrometheusHandle;
use tokio::time::sleep;

use crate::shutdown::Shutdown;

/// How often collected samples are folded into histograms.
const UPKEEP: Duration = Duration::from_secs(5);

/// Keeps metrics that nobody scrapes from growing.
pub(crate) async fn upkeep(metrics: PrometheusHandle, asked: Shutdown) {
    while wait(UPKEEP, &asked).await {
        metrics.run_upkeep();
    }
}

/// Waits; answers whether to go on.
async fn wait(time: Duration, asked: &Shutdown) -> bool {
    tokio::select! {
        () = sleep(time) => true,
        () = asked.asked() => false,
    }
}

/// Waits that double from `first` to `last`.
#[derive(Debug)]
struct Backoff {
    first: Duration,
    last: Duration,
    next: Duration,
}

impl Backoff {
    const fn new(first: Duration, last: Duration) -> Self {
        Self { first, last, next: first }
    }

    /// For a queue that is polled: 5 ms to 1 s.
    const fn idle() -> Self {
        Self::new(Duration::from_millis(5), Duration::from_secs(1))
    }

    /// For a store that fails: 50 ms to 5 s.
    const fn failing() -> Self {
        Self::new(Duration::from_millis(50), Duration::from_secs(5))
    }

    fn step(&mut self) -> Duration {
        let wait = self.next;
        self.next = self.next.saturating_mul(2).min(self.last);
        wait
    }

    fn reset(&mut self) {
        self.next = self.first;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_last_and_start_again_after_a_success() {
        let mut backoff = Backoff::new(Duration::from_millis(5), Duration::from_millis(15));
        assert_eq!(
            [backoff.step(), backoff.step(), backoff.step()].map(|wait| wait.as_millis()),
            [5, 10, 15]
        );
        backoff.reset();
        assert_eq!(backoff.step(), Duration::from_millis(5));
    }
}
