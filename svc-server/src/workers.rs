//! The loops: what happens without a request, beside the deliveries of svc-worker.
//!
//! Each loop survives a store that fails: it logs, waits a little longer each
//! time, and goes on. What a loop does in one round is a function of the
//! domain crates; here is only when.

pub(crate) mod authority;
pub(crate) mod cleaner;
pub(crate) mod jobs;
pub(crate) mod notices;
mod reset_links;

use std::time::Duration;

use metrics_exporter_prometheus::PrometheusHandle;
use tokio::time::sleep;

use tokio_util::sync::CancellationToken;

/// How often collected samples are folded into histograms.
const UPKEEP: Duration = Duration::from_secs(5);

/// Keeps metrics from growing while no scraper reads them.
pub(crate) async fn upkeep(metrics: PrometheusHandle, asked: CancellationToken) {
    while wait(UPKEEP, &asked).await {
        metrics.run_upkeep();
    }
}

/// Waits; answers whether to go on.
async fn wait(time: Duration, asked: &CancellationToken) -> bool {
    asked.run_until_cancelled(sleep(time)).await.is_some()
}
