//! The log of events: what happened, and what became of it.

pub(crate) mod list;
pub(crate) mod show;

use svc_webhooks::ports::DeliveryCounts;

use crate::texts::{EventLog, filled};

/// What became of an event, each part with its colour; empty without a delivery.
fn became(counts: DeliveryCounts, t: &EventLog) -> Vec<(String, &'static str)> {
    let parts = [
        (counts.delivered, t.arrived, "good"),
        (counts.pending.saturating_add(counts.retrying), t.under_way, ""),
        (counts.failed, t.given_up, "bad"),
    ];
    let told = |(number, text, class): (u64, &str, &'static str)| {
        (number > 0).then(|| (filled(text, number), class))
    };
    parts.into_iter().filter_map(told).collect()
}
