//! What the deliverer and the cleaner count.

use std::future::Future;
use std::time::Duration;

use metrics::{counter, gauge, histogram};
use svc_core::clock::{Clock as _, Timestamp};
use svc_webhooks::delivery::{Attempt, DispatchReport, Status};
use svc_webhooks::ports::{ErrorClass, QueueDepth, Settlement};
use svc_webhooks::scheduler::Scheduler;
use tokio::time::Instant;
use tracing::Instrument as _;

use super::catalogue::{
    ATTEMPT_SECONDS, ATTEMPTS, CREATED, DATABASE, DELIVERED, DELIVERY_SECONDS, DISPATCHED, DUE, ENDED,
    IN_FLIGHT, IN_TROUBLE, LEASED, OLDEST, OUTBOX, OUTBOX_AGE, PURGE_SUCCESS, PURGED, QUEUED, REPLAYED,
    RETURNED, SLOTS, STALE, STEP_FAILURES, STEP_SECONDS, STEP_SUCCESS, WAITING,
};
use super::{count, exact, unix_seconds};
use crate::system::SystemClock;

/// From one look at the scheduler to the next.
const UPDATE_EVERY: Duration = Duration::from_millis(250);

/// What the deliverer does beside attempts, each in a transaction of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    /// Events become deliveries.
    FanOut,
    /// Deliveries that wait are leased.
    Claim,
    /// Attempts are written back.
    Settle,
}

impl Round {
    fn name(self) -> &'static str {
        match self {
            Self::FanOut => "fan_out",
            Self::Claim => "claim",
            Self::Settle => "settle",
        }
    }

    fn span(self) -> tracing::Span {
        tracing::debug_span!(target: "svc_webhooks", "round", step = self.name())
    }
}

/// Runs a round in a span of its own, and keeps how long it took, whether it failed, and when one last did not.
pub(crate) async fn watched<T, E>(round: Round, work: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    let began = Instant::now();
    let done = work.instrument(round.span()).await;
    histogram!(STEP_SECONDS, "step" => round.name()).record(began.elapsed().as_secs_f64());
    match &done {
        Ok(_) => gauge!(STEP_SUCCESS, "step" => round.name()).set(unix_seconds(SystemClock.now())),
        Err(_) => counter!(STEP_FAILURES, "step" => round.name()).increment(1),
    }
    done
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

/// One of [`OUTCOMES`](super::catalogue::OUTCOMES).
fn outcome(attempt: &Attempt) -> &'static str {
    attempt.error_class.map_or(DELIVERED, ErrorClass::name)
}

/// Settlements came too late.
pub(crate) fn stale(settlements: u64) {
    counter!(STALE).increment(settlements);
}

/// Leases were given back unused.
pub(crate) fn returned(leases: usize) {
    counter!(RETURNED).increment(count(leases));
}

/// Gauges of what is under way, and of what waits for it.
pub(crate) struct SchedulerGauges {
    next: Instant,
}

impl SchedulerGauges {
    pub(crate) fn new() -> Self {
        Self { next: Instant::now() }
    }

    /// Sets the gauges of a scheduler with so many slots, unless it just did: looking at every receiver takes a while.
    pub(crate) fn update(&mut self, scheduler: &Scheduler, slots: u32) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + UPDATE_EVERY;
        gauge!(IN_FLIGHT).set(f64::from(scheduler.under_way()));
        gauge!(SLOTS).set(f64::from(slots));
        gauge!(WAITING).set(f64::from(scheduler.waiting()));
        gauge!(IN_TROUBLE).set(exact(count(scheduler.in_trouble())));
    }
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

/// A replay made a step.
pub(crate) fn replayed(added: u64) {
    counter!(REPLAYED).increment(added);
}

/// Old records were removed.
pub(crate) fn purged(deliveries: u64, replies: u64) {
    counter!(PURGED, "record" => "delivery").increment(deliveries);
    counter!(PURGED, "record" => "reply").increment(replies);
}

/// All that is old was removed at `now`, or the server has just begun to look for it.
pub(crate) fn clean_as_of(now: Timestamp) {
    gauge!(PURGE_SUCCESS).set(unix_seconds(now));
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

    #[tokio::test]
    async fn a_round_that_fails_is_counted_and_is_no_success() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let _here = metrics::set_default_local_recorder(&recorder);
        assert_eq!(watched(Round::Claim, async { Err::<(), _>("refused") }).await, Err("refused"));
        let before = recorder.handle().render();
        assert!(before.contains("svc_webhook_step_failures_total{step=\"claim\"} 1"), "{before}");
        assert!(!before.contains("svc_webhook_step_last_success_timestamp_seconds"), "{before}");
        assert_eq!(watched(Round::Claim, async { Ok::<_, ()>(7) }).await, Ok(7));
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
