//! How a receiver answers, in the view of its subscription.

use svc_core::clock::Timestamp;
use svc_core::wire::Form;
use svc_core::wire_view;
use svc_webhooks::health::{Health, Status};

wire_view! {
    /// How the receiver of a subscription answers. Test events count too.
    #[derive(Debug)]
    pub(super) struct View as "SubscriptionHealth" {
        /// Unknown before the first attempt, healthy after a success, failing after a failure, and paused
        /// while a receiver that failed has asked with `Retry-After` to be left alone.
        status: Status => Form::ANY.example("healthy"),
        /// The share of attempts since `since` that were answered with 2xx, 0 to 1 with four decimals; null
        /// when there was none.
        success_rate: Option<f64>,
        /// The attempts since `since`.
        attempts: u64,
        /// The beginning of the preceding half day (UTC): 12 to 24 hours ago.
        since: Timestamp,
        last_success_at: Option<Timestamp>,
        last_failure_at: Option<Timestamp> => Form::ANY.json("null"),
        /// Why the latest failure failed.
        last_error: Option<String>,
        /// Failures since the latest success.
        consecutive_failures: u32 => Form::ANY.number(0),
        /// Until when the receiver asked to be left alone; null unless `paused`.
        paused_until: Option<Timestamp> => Form::ANY.json("null"),
    }
}

impl View {
    pub(super) fn of(health: Option<&Health>, now: Timestamp) -> Self {
        let status = health.map_or(Status::Unknown, |health| health.status(now));
        let nothing = Health::default();
        let health = health.unwrap_or(&nothing);
        let recent = health.recent(now);
        Self {
            status,
            success_rate: recent.counts.success_rate().map(|rate| (rate * 10_000.0).round() / 10_000.0),
            attempts: recent.counts.all(),
            since: recent.since,
            last_success_at: health.last_success_at,
            last_failure_at: health.last_failure_at,
            last_error: health.last_error.clone(),
            consecutive_failures: health.consecutive_failures,
            paused_until: health.asked_until.filter(|_| status == Status::Paused),
        }
    }
}
