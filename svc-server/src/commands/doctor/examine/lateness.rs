//! Whether deliveries are late.
//!
//! That is no fault of this machine, and so no failure: it may be meant that no
//! server runs, and a receiver may take its time.

use std::time::Duration;

use svc_core::clock::{Clock as _, Timestamp};
use svc_core::error::chain;
use svc_core::system::SystemClock;
use svc_storage_seaorm::Database;
use svc_webhooks::ports::QueueDepth;

use super::Check;
use crate::commands::queue_status::LATE;

const NAME: &str = "webhooks";

/// Looks at what waits.
pub(super) async fn examine(database: &Database) -> Check {
    let now = SystemClock.now();
    match database.queue_overview().depth(now).await {
        Ok(depth) => judge(depth, now),
        Err(error) => Check::failed(NAME, chain(&error)),
    }
}

fn judge(depth: QueueDepth, now: Timestamp) -> Check {
    let late = |since: Option<Timestamp>| since.map(|since| now.since(since)).filter(|age| *age > LATE);
    let age = |age: Duration| humantime::format_duration(Duration::from_secs(age.as_secs()));
    let QueueDepth { events, queued, due, .. } = depth;
    let late = match (late(depth.oldest_event), late(depth.oldest_due)) {
        (Some(oldest), _) => format!("{events} events have waited for up to {} in the outbox", age(oldest)),
        (None, Some(oldest)) => format!("{due} deliveries have been due for up to {}", age(oldest)),
        (None, None) => return Check::good(NAME, &format!("nothing is late, {queued} deliveries wait")),
    };
    let hint = "`svc-server queue status` shows whose, docs/operations.md tells what to do";
    Check::warning(NAME, format!("{late}: {hint}"))
}

#[cfg(test)]
mod tests {
    use svc_webhooks::ports::Count;

    use super::*;

    #[test]
    fn what_is_late_is_a_warning_and_no_failure() {
        let now = Timestamp::from_unix_seconds(1_738_314_900);
        let before = |seconds| Some(now.minus(Duration::from_secs(seconds)));
        let verdict = |oldest_event, oldest_due| {
            let (events, due) = (Count::Exactly(12), Count::at_least(10_000));
            let depth = QueueDepth { events, oldest_event, due, oldest_due, ..QueueDepth::default() };
            let Check { ok, warning, detail, .. } = judge(depth, now);
            assert!(ok);
            (warning, detail)
        };
        let (warning, detail) = verdict(before(60), before(60));
        assert!(!warning && detail.starts_with("nothing is late"), "{detail}");
        let (warning, detail) = verdict(before(3_661), before(90));
        assert!(warning && detail.starts_with("12 events have waited for up to 1h 1m 1s in the"), "{detail}");
        let (warning, detail) = verdict(None, before(61));
        assert!(warning && detail.starts_with("≥10000 deliveries have been due for up to 1m 1s"), "{detail}");
    }
}
