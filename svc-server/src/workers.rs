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
use svc_core::delay::DoublingDelay;

use metrics_exporter_prometheus::PrometheusHandle;
use tokio::time::sleep;

use crate::shutdown::Shutdown;

/// How often collected samples are folded into histograms.
const UPKEEP: Duration = Duration::from_secs(5);

/// Keeps metrics from growing while no scraper reads them.
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

/// For a queue that is polled: 5 ms to 1 s.
const fn idle() -> DoublingDelay {
    DoublingDelay::new(Duration::from_millis(5), Duration::from_secs(1))
}

/// For a store that fails: 50 ms to 5 s.
const fn failing() -> DoublingDelay {
    DoublingDelay::new(Duration::from_millis(50), Duration::from_secs(5))
}
