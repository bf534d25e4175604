//! Cases of deliveries hour by hour.

#![expect(missing_docs, reason = "the name of a case is its claim")]
#![expect(clippy::indexing_slicing, reason = "a case fails when something is missing")]

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_webhooks::delivery::Status;
use svc_webhooks::ports::{HourOfDeliveries, HoursRequest};
use svc_webhooks::subscription::Subscription;

use super::log::settle_all;
use super::{CONTACT, Storage, add, queue_more, queued};
use crate::webhooks::sample::{Samples, scope};

const HOUR: Duration = Duration::from_hours(1);

async fn hours(storage: Storage<'_>, of: &Subscription, request: HoursRequest) -> Vec<HourOfDeliveries> {
    storage.deliveries().hours(&scope([of.account]), request).await.expect("hours")
}

/// The statuses that were seen in an hour, in order.
fn seen(hour: &HourOfDeliveries) -> Vec<&'static str> {
    let mut seen: Vec<_> = hour.seen.iter().map(|one| one.status.name()).collect();
    seen.sort_unstable();
    seen
}

fn three_from(from: Timestamp) -> HoursRequest {
    HoursRequest { from, hours: 3, count: 100, look: 100 }
}

pub async fn an_hour_tells_how_its_deliveries_went(storage: Storage<'_>) {
    let samples = Samples::new(57);
    let (subscription, first) = queued(storage, &samples, 3).await;
    let from = first[0].created_at;
    settle_all(storage, &samples, &[200, 500, 204]).await;
    samples.clock().advance(HOUR * 2);
    queue_more(storage, &samples, &subscription, 2).await;
    // Another one of the company, and one of another company.
    let beside = samples.subscription(subscription.account, &[CONTACT]);
    add(storage, &beside).await;
    queue_more(storage, &samples, &beside, 1).await;
    let (foreign, _) = queued(storage, &samples, 1).await;

    let found = hours(storage, &subscription, three_from(from)).await;
    assert_eq!(found.iter().map(|hour| hour.made).collect::<Vec<_>>(), [3, 0, 3]);
    assert!(found.iter().all(|hour| !hour.more));
    assert_eq!(seen(&found[0]), ["delivered", "delivered", "retrying"]);
    assert!(found[0].seen.iter().all(|one| one.took.is_some()));
    assert_eq!(found[1].seen, []);
    assert_eq!(seen(&found[2]), ["pending"; 3]);
    assert!(found[2].seen.iter().all(|one| one.status == Status::Pending && one.took.is_none()));

    // An hour begins with its instant, and ends before that of the next.
    let later = hours(storage, &subscription, three_from(from.plus(HOUR))).await;
    assert_eq!(later.iter().map(|hour| hour.made).collect::<Vec<_>>(), [0, 3, 0]);
    let earlier = hours(storage, &subscription, three_from(from.minus(HOUR * 3))).await;
    assert_eq!(earlier, vec![HourOfDeliveries::default(); 3]);
    assert_eq!(hours(storage, &foreign, three_from(from)).await[2].made, 1);
    assert_eq!(hours(storage, &foreign, HoursRequest { hours: 0, ..three_from(from) }).await, []);
}

pub async fn an_hour_is_counted_and_looked_at_up_to_its_limits(storage: Storage<'_>) {
    let samples = Samples::new(58);
    let (subscription, first) = queued(storage, &samples, 4).await;
    settle_all(storage, &samples, &[500, 500, 200, 200]).await;
    let request = |count, look| HoursRequest { from: first[0].created_at, hours: 1, count, look };
    let limited = hours(storage, &subscription, request(3, 2)).await;
    assert_eq!((limited[0].made, limited[0].more), (3, true));
    assert_eq!(seen(&limited[0]), ["delivered"; 2], "the newest");
    let seen_further = hours(storage, &subscription, request(1, 3)).await;
    assert_eq!((seen_further[0].made, seen(&seen_further[0]).len()), (1, 3), "each limit holds by itself");
    let exact = hours(storage, &subscription, request(5, 3)).await;
    assert_eq!((exact[0].made, exact[0].more), (4, false));
    assert_eq!(seen(&exact[0]), ["delivered", "delivered", "retrying"]);
    let full = hours(storage, &subscription, request(4, 4)).await;
    assert_eq!((full[0].made, full[0].more), (4, true), "there may be more");
}
