//! The metrics of this process, in the form that Prometheus reads.

use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use svc_core::clock::Timestamp;
use svc_webhooks::delivery::{DispatchReport, Status};
use svc_webhooks::ports::{QueueDepth, Settlement};

use crate::failure::Failure;

const ATTEMPTS: &str = "svc_webhook_attempts_total";
const ATTEMPT_SECONDS: &str = "svc_webhook_attempt_seconds";
const DELIVERY_SECONDS: &str = "svc_webhook_delivery_seconds";
const ENDED: &str = "svc_webhook_deliveries_ended_total";
const STALE: &str = "svc_webhook_stale_settlements_total";
const IN_FLIGHT: &str = "svc_webhook_attempts_in_flight";
const DISPATCHED: &str = "svc_events_dispatched_total";
const CREATED: &str = "svc_webhook_deliveries_created_total";
const OUTBOX: &str = "svc_outbox_events";
const QUEUED: &str = "svc_webhook_queue_depth";
const OLDEST: &str = "svc_webhook_oldest_due_seconds";
const DRAWS: &str = "svc_limit_draws_total";
const CACHED: &str = "svc_tokens_cached";
const UNKNOWN: &str = "svc_unknown_client_attempts_total";
const ENDED_SESSIONS: &str = "svc_sessions_expired_total";
const PROBLEMS: &str = "http_problems_total";
const TLS_RELOADS: &str = "svc_tls_reloads_total";
const TLS_TROUBLE: &str = "svc_tls_files_unusable";
const TLS_UNTIL: &str = "svc_tls_certificate_not_after_timestamp";

/// Upper bounds of the latency histograms, in seconds: from a neighbour's answer to the last retry.
const SECONDS: &[f64] = &[
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0,
    86_400.0,
];

/// Makes the process collect metrics; once per process.
pub(crate) fn install() -> Result<PrometheusHandle, Failure> {
    let failed = |error: metrics_exporter_prometheus::BuildError| {
        Failure::caused("metrics", "metrics cannot be collected", &error)
    };
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), SECONDS)
        .map_err(failed)?
        .install_recorder()
        .map_err(failed)?;
    describe_counter!(ATTEMPTS, "attempts by outcome: delivered or failed");
    describe_histogram!(ATTEMPT_SECONDS, Unit::Seconds, "from the start of an attempt to its end");
    describe_histogram!(
        DELIVERY_SECONDS,
        Unit::Seconds,
        "from the making of a delivery to the receiver's 2xx"
    );
    describe_counter!(ENDED, "deliveries that ended, by status");
    describe_counter!(STALE, "attempts whose lease had ended before they were settled");
    describe_gauge!(IN_FLIGHT, "attempts that are under way");
    describe_counter!(DISPATCHED, "events taken out of the outbox");
    describe_counter!(CREATED, "deliveries made for them");
    describe_gauge!(OUTBOX, "events in the outbox that are not fanned out yet");
    describe_gauge!(QUEUED, "deliveries that wait or are due");
    describe_gauge!(OLDEST, Unit::Seconds, "how long the oldest due delivery has been due");
    describe_counter!(PROBLEMS, "refused requests by the code of the problem, those of the authority too");
    describe_counter!(DRAWS, "draws from the shared budgets by outcome: granted, exhausted or failed");
    describe_gauge!(CACHED, "tokens whose authority is cached");
    describe_counter!(UNKNOWN, "attempts to authenticate from addresses that no proxy told");
    describe_counter!(ENDED_SESSIONS, "sessions that were removed because their time was over");
    describe_counter!(TLS_RELOADS, "new TLS files that were put in use");
    describe_gauge!(TLS_TROUBLE, "1 while the TLS files cannot be used and the certificate before is served");
    describe_gauge!(TLS_UNTIL, "Unix time at which the certificate in use ends");
    Ok(handle)
}

/// Events were fanned out.
pub(crate) fn dispatched(report: DispatchReport) {
    counter!(DISPATCHED).increment(count(report.events));
    counter!(CREATED).increment(count(report.deliveries));
}

/// An attempt ended.
pub(crate) fn attempted(settlement: &Settlement) {
    let Settlement { delivery, attempt, .. } = settlement;
    if let Some(attempt) = attempt {
        let outcome = if attempt.outcome.error.is_none() { "delivered" } else { "failed" };
        counter!(ATTEMPTS, "outcome" => outcome).increment(1);
        histogram!(ATTEMPT_SECONDS).record(attempt.outcome.duration.as_secs_f64());
        if attempt.outcome.error.is_none() {
            let ended = attempt.at.plus(attempt.outcome.duration);
            histogram!(DELIVERY_SECONDS).record(ended.since(delivery.created_at).as_secs_f64());
        }
    }
    match delivery.status() {
        Status::Delivered => counter!(ENDED, "status" => "delivered").increment(1),
        Status::Failed => counter!(ENDED, "status" => "failed").increment(1),
        Status::Pending | Status::Retrying => {}
    }
}

/// Settlements came too late.
pub(crate) fn stale(settlements: u64) {
    counter!(STALE).increment(settlements);
}

/// So many attempts are under way.
pub(crate) fn in_flight(attempts: usize) {
    gauge!(IN_FLIGHT).set(exact(count(attempts)));
}

/// What the queue held at `now`.
pub(crate) fn depth(depth: QueueDepth, now: Timestamp) {
    gauge!(OUTBOX).set(exact(depth.events));
    gauge!(QUEUED).set(exact(depth.queued));
    gauge!(OLDEST).set(depth.oldest_due.map_or(0.0, |due| now.since(due).as_secs_f64()));
}

/// The outcome of a draw from the shared budgets.
pub(crate) fn drawn(outcome: &'static str) {
    counter!(DRAWS, "outcome" => outcome).increment(1);
}

/// So many tokens are cached.
pub(crate) fn cached_tokens(tokens: u64) {
    gauge!(CACHED).set(exact(tokens));
}

/// So many attempts to authenticate came from unknown addresses since the start.
pub(crate) fn unknown_clients(attempts: u64) {
    counter!(UNKNOWN).absolute(attempts);
}

/// Sessions were removed whose time was over.
pub(crate) fn expired_sessions(sessions: u64) {
    counter!(ENDED_SESSIONS).increment(sessions);
}

/// New TLS files are in use.
pub(crate) fn tls_reloaded() {
    counter!(TLS_RELOADS).increment(1);
}

/// Whether the TLS files cannot be used at present.
pub(crate) fn tls_trouble(trouble: bool) {
    gauge!(TLS_TROUBLE).set(f64::from(u8::from(trouble)));
}

/// The certificate in use ends then, as far as it tells.
pub(crate) fn tls_certificate(until: Option<Timestamp>) {
    if let Some(until) = until {
        gauge!(TLS_UNTIL).set(exact(u64::try_from(until.unix_seconds()).unwrap_or_default()));
    }
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

#[expect(clippy::cast_precision_loss, reason = "a queue of 2^53 deliveries is beyond every database")]
fn exact(number: u64) -> f64 {
    number as f64
}
