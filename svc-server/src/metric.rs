//! The metrics of this process, in the form that Prometheus reads.
//!
//! [`catalogue`] lists every one of them; `docs/operations.md` says what each
//! means to an operator, and a test holds the two against what a running
//! server exposes. Labels have few values that are known beforehand: companies,
//! subscriptions and receivers are in `svc-server queue status`, not here.

mod catalogue;
mod webhooks;

use std::time::Duration;

use metrics::{counter, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use svc_business::job::{JobKind, Outcome};
use svc_core::clock::Timestamp;

use self::catalogue::METRICS;
pub(crate) use self::webhooks::{DelivererMetrics, Purged, depth, depth_unknown, purged};
use crate::failure::Failure;

/// Upper bounds of histograms, in seconds: from a neighbour's answer to the longest that anything here takes.
const SECONDS: &[f64] =
    &[0.001, 0.002, 0.003, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

/// The same for deliveries, which may have to wait for the last retry.
const LONG_SECONDS: &[f64] = &[
    0.001, 0.002, 0.003, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0,
    1800.0, 7200.0, 28_800.0, 86_400.0,
];

/// Makes the process collect metrics; once per process.
pub(crate) fn install() -> Result<PrometheusHandle, Failure> {
    let failed = |error: metrics_exporter_prometheus::BuildError| {
        Failure::caused("metrics", "metrics cannot be collected", &error)
    };
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), SECONDS)
        .and_then(|builder| {
            builder
                .set_buckets_for_metric(Matcher::Full(catalogue::DELIVERY_SECONDS.to_owned()), LONG_SECONDS)
        })
        .map_err(failed)?
        .install_recorder()
        .map_err(failed)?;
    for metric in METRICS {
        metric.describe();
        metric.start();
    }
    gauge!(catalogue::BUILD, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    Ok(handle)
}

/// The outcome of a draw from the shared budgets.
pub(crate) fn drawn(outcome: &'static str) {
    counter!(catalogue::DRAWS, "outcome" => outcome).increment(1);
}

/// So many tokens are cached.
pub(crate) fn cached_tokens(tokens: u64) {
    gauge!(catalogue::CACHED).set(exact(tokens));
}

/// So many attempts to authenticate came from unknown addresses since the start.
pub(crate) fn unknown_clients(attempts: u64) {
    counter!(catalogue::UNKNOWN).absolute(attempts);
}

/// Sessions were removed whose time was over.
pub(crate) fn expired_sessions(sessions: u64) {
    counter!(catalogue::ENDED_SESSIONS).increment(sessions);
}

/// A job of this kind ran.
pub(crate) fn job(kind: JobKind, outcome: Outcome, took: Duration) {
    counter!(catalogue::JOBS, "kind" => kind.name(), "outcome" => outcome.name()).increment(1);
    histogram!(catalogue::JOB_SECONDS, "kind" => kind.name()).record(took.as_secs_f64());
}

/// New TLS files are in use.
pub(crate) fn tls_reloaded() {
    counter!(catalogue::TLS_RELOADS).increment(1);
}

/// Whether the TLS files cannot be used at present.
pub(crate) fn tls_trouble(trouble: bool) {
    gauge!(catalogue::TLS_TROUBLE).set(f64::from(u8::from(trouble)));
}

/// The certificate in use ends then, as far as it tells.
pub(crate) fn tls_certificate(until: Option<Timestamp>) {
    if let Some(until) = until {
        gauge!(catalogue::TLS_UNTIL).set(unix_seconds(until));
    }
}

fn unix_seconds(at: Timestamp) -> f64 {
    exact(u64::try_from(at.unix_seconds()).unwrap_or_default())
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

#[expect(clippy::cast_precision_loss, reason = "a queue of 2^53 deliveries is beyond every database")]
fn exact(number: u64) -> f64 {
    number as f64
}
