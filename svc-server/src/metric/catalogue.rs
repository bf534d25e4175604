//! Every metric with its kind, its labels and what it says.

use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram};

pub(super) const BUILD: &str = "svc_build_info";
pub(super) const DATABASE: &str = "svc_database_up";
pub(super) const OUTBOX: &str = "svc_outbox_events";
pub(super) const OUTBOX_AGE: &str = "svc_outbox_oldest_seconds";
pub(super) const DISPATCHED: &str = "svc_events_dispatched_total";
pub(super) const CREATED: &str = "svc_webhook_deliveries_created_total";
pub(super) const QUEUED: &str = "svc_webhook_queue_depth";
pub(super) const DUE: &str = "svc_webhook_due";
pub(super) const LEASED: &str = "svc_webhook_leased";
pub(super) const OLDEST: &str = "svc_webhook_oldest_due_seconds";
pub(super) const ATTEMPTS: &str = "svc_webhook_attempts_total";
pub(super) const ATTEMPT_SECONDS: &str = "svc_webhook_attempt_seconds";
pub(super) const DELIVERY_SECONDS: &str = "svc_webhook_delivery_seconds";
pub(super) const ENDED: &str = "svc_webhook_deliveries_ended_total";
pub(super) const STALE: &str = "svc_webhook_stale_settlements_total";
pub(super) const RETURNED: &str = "svc_webhook_leases_returned_total";
pub(super) const IN_FLIGHT: &str = "svc_webhook_attempts_in_flight";
pub(super) const SLOTS: &str = "svc_webhook_places";
pub(super) const WAITING: &str = "svc_webhook_waiting_for_place";
pub(super) const IN_TROUBLE: &str = "svc_webhook_receivers_paced";
pub(super) const STEP_SECONDS: &str = "svc_webhook_step_seconds";
pub(super) const STEP_FAILURES: &str = "svc_webhook_step_failures_total";
pub(super) const STEP_SUCCESS: &str = "svc_webhook_step_last_success_timestamp_seconds";
pub(super) const REPLAYED: &str = "svc_webhook_replayed_total";
pub(super) const PURGED: &str = "svc_purged_total";
pub(super) const PURGE_SUCCESS: &str = "svc_purge_last_success_timestamp_seconds";
pub(super) const DRAWS: &str = "svc_limit_draws_total";
pub(super) const CACHED: &str = "svc_tokens_cached";
pub(super) const UNKNOWN: &str = "svc_unknown_client_attempts_total";
pub(super) const ENDED_SESSIONS: &str = "svc_sessions_expired_total";
pub(super) const JOBS: &str = "svc_jobs_total";
pub(super) const JOB_SECONDS: &str = "svc_job_seconds";
pub(super) const TLS_RELOADS: &str = "svc_tls_reloads_total";
pub(super) const TLS_TROUBLE: &str = "svc_tls_files_unusable";
pub(super) const TLS_UNTIL: &str = "svc_tls_certificate_not_after_timestamp_seconds";
/// How attempts end: [`DELIVERED`], or the name of a class of errors.
pub(super) const OUTCOMES: &[&str] =
    &[DELIVERED, "dns", "refused", "connect", "tls", "timeout", "status", "redirect", "body"];
pub(super) const DELIVERED: &str = "delivered";
/// What the deliverer does beside attempts.
pub(super) const STEPS: &[&str] = &["fan_out", "claim", "settle"];
/// What the cleaner removes.
pub(super) const RECORDS: &[&str] = &["delivery", "reply"];

/// These three are counted by the API itself.
const REQUESTS: &str = "http_requests_total";
const REQUEST_SECONDS: &str = "http_request_duration_seconds";
const PROBLEMS: &str = "http_problems_total";

/// One metric.
pub(super) struct Metric {
    name: &'static str,
    kind: Kind,
    about: &'static str,
}

enum Kind {
    /// Counts from 0 on, with each value of its label: what never happened is 0 and not absent, so that
    /// rates and alerts work from the start.
    Counter(Option<Label>),
    /// Counts too; its labels are known only when something was counted.
    OpenCounter,
    Gauge,
    Histogram,
}

/// A label, and its values as far as they are known beforehand.
type Label = (&'static str, &'static [&'static str]);

const fn counter(name: &'static str, about: &'static str) -> Metric {
    Metric { name, kind: Kind::Counter(None), about }
}

const fn counter_by(name: &'static str, label: Label, about: &'static str) -> Metric {
    Metric { name, kind: Kind::Counter(Some(label)), about }
}

const fn open_counter(name: &'static str, about: &'static str) -> Metric {
    Metric { name, kind: Kind::OpenCounter, about }
}

const fn gauge(name: &'static str, about: &'static str) -> Metric {
    Metric { name, kind: Kind::Gauge, about }
}

const fn histogram(name: &'static str, about: &'static str) -> Metric {
    Metric { name, kind: Kind::Histogram, about }
}

/// All of them, in the order of `docs/operations.md`.
pub(super) const METRICS: &[Metric] = &[
    gauge(OUTBOX, "events in the outbox that are not fanned out yet"),
    gauge(OUTBOX_AGE, "how long ago the oldest of them occurred"),
    gauge(QUEUED, "deliveries that have not ended: due, leased, or waiting for their time"),
    gauge(DUE, "deliveries that are due and not leased"),
    gauge(LEASED, "deliveries under a lease that holds"),
    gauge(OLDEST, "how long the longest due delivery has been due"),
    gauge(DATABASE, "1 when the database told of the queue, 0 when it failed to"),
    counter(DISPATCHED, "events taken out of the outbox"),
    counter(CREATED, "deliveries made for them"),
    counter(REPLAYED, "deliveries that replays added"),
    counter_by(ATTEMPTS, ("outcome", OUTCOMES), "attempts by outcome"),
    histogram(ATTEMPT_SECONDS, "from the start of an attempt to its end"),
    histogram(DELIVERY_SECONDS, "from the making of a delivery to the receiver's 2xx"),
    counter_by(ENDED, ("status", &["delivered", "failed"]), "deliveries that ended, by status"),
    counter(STALE, "attempts whose lease had ended before they were settled: lost leases"),
    counter(RETURNED, "leases given back unused: no slot in time, or shutdown"),
    gauge(IN_FLIGHT, "attempts that are under way"),
    gauge(SLOTS, "attempts that may be under way"),
    gauge(WAITING, "leased deliveries that wait for a slot"),
    gauge(IN_TROUBLE, "receivers that get fewer attempts at a time because of failures"),
    histogram(STEP_SECONDS, "how long fan-out, claim and settlement take in the database"),
    counter_by(STEP_FAILURES, ("step", STEPS), "rounds of them that failed"),
    gauge(STEP_SUCCESS, "when a round of them last succeeded"),
    counter_by(PURGED, ("record", RECORDS), "old records that were removed"),
    gauge(PURGE_SUCCESS, "when old records were last looked for; the start of the server at first"),
    open_counter(REQUESTS, "requests by method, route and status"),
    histogram(REQUEST_SECONDS, "from the head of a request to the head of its answer"),
    open_counter(PROBLEMS, "refused requests by the code of the problem, those of the authority too"),
    counter_by(
        DRAWS,
        ("outcome", &["granted", "exhausted", "failed"]),
        "draws from the shared budgets by outcome",
    ),
    gauge(CACHED, "tokens whose authority is cached"),
    counter(UNKNOWN, "attempts to authenticate from addresses that no proxy told"),
    counter(ENDED_SESSIONS, "sessions that were removed because their time was over"),
    open_counter(JOBS, "jobs that ran, by kind and outcome"),
    histogram(JOB_SECONDS, "how long a job takes"),
    counter(TLS_RELOADS, "new TLS files that were put in use"),
    gauge(TLS_TROUBLE, "1 while the TLS files cannot be used and the certificate before is served"),
    gauge(TLS_UNTIL, "when the certificate in use ends"),
    gauge(BUILD, "1, with the version of the server"),
];

impl Metric {
    /// Tells the recorder what the metric says.
    pub(super) fn describe(&self) {
        let Self { name, about, .. } = *self;
        match self.kind {
            Kind::Counter(_) | Kind::OpenCounter => describe_counter!(name, about),
            Kind::Gauge if name.ends_with("_seconds") => describe_gauge!(name, Unit::Seconds, about),
            Kind::Gauge => describe_gauge!(name, about),
            Kind::Histogram => describe_histogram!(name, Unit::Seconds, about),
        }
    }

    /// Makes a counter stand at 0.
    pub(super) fn start(&self) {
        match self.kind {
            Kind::Counter(None) => counter!(self.name).absolute(0),
            Kind::Counter(Some((label, values))) => {
                for value in values {
                    counter!(self.name, label => *value).absolute(0);
                }
            }
            Kind::OpenCounter | Kind::Gauge | Kind::Histogram => {}
        }
    }
}
