//! How a receiver answers, in words.

use svc_core::clock::Timestamp;
use svc_webhooks::health::{Health, Status};

use crate::instant::Instant;
use crate::texts::{Subscriptions, filled};

/// The health of a receiver as pages show it.
pub(super) struct Told {
    /// In a word, and its colour.
    pub(super) state: (&'static str, &'static str),
    /// `98.5 % of 200 attempts`; `None` when there was none lately.
    pub(super) rate: Option<String>,
    pub(super) since: Instant,
    pub(super) last_success: Option<Instant>,
    pub(super) last_failure: Option<Instant>,
    pub(super) last_error: Option<String>,
    pub(super) failures_in_a_row: u32,
    pub(super) paused_until: Option<Instant>,
}

/// What is known of a receiver; `None` before anything was sent to it.
pub(super) fn told(health: Option<&Health>, now: Timestamp, t: &Subscriptions) -> Told {
    let nothing = Health::default();
    let status = health.map_or(Status::Unknown, |health| health.status(now));
    let health = health.unwrap_or(&nothing);
    let recent = health.recent(now);
    let rate = recent.counts.success_rate();
    Told {
        state: state(status, t),
        rate: rate.map(|rate| filled(&filled(t.rate, percent(rate)), recent.counts.all())),
        since: recent.since.into(),
        last_success: health.last_success_at.map(Instant::from),
        last_failure: health.last_failure_at.map(Instant::from),
        last_error: health.last_error.clone(),
        failures_in_a_row: health.consecutive_failures,
        paused_until: health.asked_until.filter(|_| status == Status::Paused).map(Instant::from),
    }
}

fn state(status: Status, t: &Subscriptions) -> (&'static str, &'static str) {
    match status {
        Status::Unknown => (t.unknown, ""),
        Status::Healthy => (t.healthy, "good"),
        Status::Failing => (t.failing, "bad"),
        Status::Paused => (t.paused, "warn"),
    }
}

/// A share in per cent, to one decimal and never rounded up to all.
fn percent(share: f64) -> String {
    format!("{:.1}", (share * 1_000.0).floor() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_failure_among_many_attempts_is_not_rounded_away() {
        assert_eq!(
            [percent(1.0), percent(0.999_99), percent(0.5), percent(0.0)],
            ["100.0", "99.9", "50.0", "0.0"]
        );
    }
}
