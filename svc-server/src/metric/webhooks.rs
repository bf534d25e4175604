//! What the deliverer and the cleaner count.

use std::time::Duration;

use metrics::{counter, gauge, histogram};
use svc_core::clock::{Clock as _, Timestamp};
use svc_core::system::SystemClock;
use svc_webhooks::delivery::{Attempt, DispatchReport, Status};
use svc_webhooks::ports::{ErrorClass, QueueDepth, Settlement};
use svc_webhooks::scheduler::Scheduler;
use svc_worker::{Observer, Step};

use super::catalogue::{
    ATTEMPT_SECONDS, ATTEMPTS, CREATED, DATABASE, DELIVERED, DELIVERY_SECONDS, DISPATCHED, DUE, ENDED,
    IN_FLIGHT, IN_TROUBLE, LEASED, OLDEST, OUTBOX, OUTBOX_AGE, PURGE_SUCCESS, PURGED, QUEUED, REPLAYED,
    RETURNED, SLOTS, STALE, STEP_FAILURES, STEP_SECONDS, STEP_SUCCESS, WAITING,
};
use super::{count, exact, unix_seconds};

/// Counts what the deliverer does.
pub(crate) struct DelivererMetrics;

impl Observer for DelivererMetrics {
    fn step(&self, step: Step, took: Duration, succeeded: bool) {
        histogram!(STEP_SECONDS, "step" => step.name()).record(took.as_secs_f64());
        if succeeded {
            gauge!(STEP_SUCCESS, "step" => step.name()).set(unix_seconds(SystemClock.now()));
        } else {
            counter!(STEP_FAILURES, "step" => step.name()).increment(1);
        }
    }

    fn fanned_out(&self, report: DispatchReport) {
        counter!(DISPATCHED).increment(count(report.events));
        counter!(CREATED).increment(count(report.deliveries));
    }

    fn attempted(&self, settlement: &Settlement) {
        let Settlement { delivery, attempt, .. } = settlement;
        if let Some(attempt) = attempt {
            counter!(ATTEMPTS, "outcome" => outcome(attempt)).increment(1);
            histogram!(ATTEMPT_SECONDS).record(attempt.outcome.duration.as_secs_f64());
            if attempt.outcome.arrived() {
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

    fn stale(&self, attempts: u64) {
        counter!(STALE).increment(attempts);
    }

    fn given_back(&self, leases: usize) {
        counter!(RETURNED).increment(count(leases));
    }

    fn scheduled(&self, scheduler: &Scheduler, slots: u32) {
        gauge!(IN_FLIGHT).set(f64::from(scheduler.under_way()));
        gauge!(SLOTS).set(f64::from(slots));
        gauge!(WAITING).set(f64::from(scheduler.waiting()));
        gauge!(IN_TROUBLE).set(exact(count(scheduler.in_trouble())));
    }

    fn replayed(&self, added: u64) {
        counter!(REPLAYED).increment(added);
    }

    fn cleaned(&self, deliveries: u64, _replays: u64, at: Timestamp) {
        purged(Purged::Delivery, deliveries, at);
    }
}

/// One of [`OUTCOMES`](super::catalogue::OUTCOMES).
fn outcome(attempt: &Attempt) -> &'static str {
    attempt.error_class.map_or(DELIVERED, ErrorClass::name)
}

/// What the queue held at `now`.
pub(crate) fn depth(depth: QueueDepth, now: Timestamp) {
    let age = |at: Option<Timestamp>| at.map_or(0.0, |at| now.since(at).as_secs_f64());
    gauge!(DATABASE).set(1.0);
    gauge!(OUTBOX).set(exact(depth.events.about()));
    gauge!(OUTBOX_AGE).set(age(depth.oldest_event));
    gauge!(QUEUED).set(exact(depth.queued.about()));
    gauge!(DUE).set(exact(depth.due.about()));
    gauge!(LEASED).set(exact(depth.leased.about()));
    gauge!(OLDEST).set(age(depth.oldest_due));
}

/// What the queue holds is not known: the figures of the last look would pass for present ones.
pub(crate) fn depth_unknown() {
    gauge!(DATABASE).set(0.0);
    for name in [OUTBOX, OUTBOX_AGE, QUEUED, DUE, LEASED, OLDEST] {
        gauge!(name).set(f64::NAN);
    }
}

/// What is removed once it is old.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purged {
    /// Ended deliveries.
    Delivery,
    /// Kept replies, sessions and attempts to sign in.
    Reply,
}

impl Purged {
    /// One of [`RECORDS`](super::catalogue::RECORDS).
    fn name(self) -> &'static str {
        match self {
            Self::Delivery => "delivery",
            Self::Reply => "reply",
        }
    }
}

/// So many old records were removed, and none is left at `now`; or the server has just begun to look for them.
pub(crate) fn purged(what: Purged, records: u64, now: Timestamp) {
    counter!(PURGED, "record" => what.name()).increment(records);
    gauge!(PURGE_SUCCESS, "record" => what.name()).set(unix_seconds(now));
}

#[cfg(test)]
mod tests {
    use metrics_exporter_prometheus::PrometheusBuilder;
    use svc_webhooks::ports::Count;

    use super::super::catalogue::OUTCOMES;
    use super::*;

    #[test]
    fn every_class_of_errors_is_told_from_the_start() {
        let classes = ErrorClass::ALL.map(ErrorClass::name);
        assert_eq!(OUTCOMES, [&[DELIVERED][..], &classes].concat());
    }

    #[test]
    fn a_step_that_fails_is_counted_and_is_no_success() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let took = Duration::from_millis(3);
        metrics::with_local_recorder(&recorder, || DelivererMetrics.step(Step::Claim, took, false));
        let before = recorder.handle().render();
        assert!(before.contains("svc_webhook_step_failures_total{step=\"claim\"} 1"), "{before}");
        assert!(!before.contains("svc_webhook_step_last_success_timestamp_seconds"), "{before}");
        metrics::with_local_recorder(&recorder, || DelivererMetrics.step(Step::Claim, took, true));
        let after = recorder.handle().render();
        assert!(after.contains("svc_webhook_step_failures_total{step=\"claim\"} 1"), "{after}");
        assert!(
            after.contains("svc_webhook_step_last_success_timestamp_seconds{step=\"claim\"} "),
            "{after}"
        );
        assert!(after.contains("svc_webhook_step_seconds_count{step=\"claim\"} 2"), "{after}");
    }

    #[test]
    fn what_is_not_known_of_the_queue_does_not_stay_as_it_was() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let now = Timestamp::from_unix_seconds(1_738_314_900);
        let oldest_due = Some(now.minus(Duration::from_secs(90)));
        let due = Count::at_least(10_000).or_about(Some(12_345));
        let known = QueueDepth { due, oldest_due, ..QueueDepth::default() };
        metrics::with_local_recorder(&recorder, || depth(known, now));
        let text = recorder.handle().render();
        for line in ["svc_database_up 1", "svc_webhook_due 12345", "svc_webhook_oldest_due_seconds 90"] {
            assert!(text.lines().any(|found| found == line), "no {line} in {text}");
        }
        metrics::with_local_recorder(&recorder, depth_unknown);
        let text = recorder.handle().render();
        for line in ["svc_database_up 0", "svc_webhook_due NaN", "svc_webhook_oldest_due_seconds NaN"] {
            assert!(text.lines().any(|found| found == line), "no {line} in {text}");
        }
    }
}
