//! Cases of the delivery log.

#![expect(missing_docs, reason = "the name of a case is its claim")]
#![expect(clippy::indexing_slicing, reason = "a case fails when something is missing")]

use std::time::Duration;

use svc_core::event::EventType;
use svc_core::id::DeliveryId;
use svc_core::page::{PageRequest, PageRules};
use svc_webhooks::delivery::{Delivery, Status};
use svc_webhooks::ports::{ClaimRequest, DeliveryFilter};
use svc_webhooks::subscription::Subscription;

use super::{CONTACT, MANY, Storage, add, answered, enqueue, first_page, publish, queue_more, queued};
use crate::webhooks::sample::{Samples, scope};

pub(super) const LEASE: Duration = Duration::from_secs(30);

/// Less than ids can tell.
const MICRO: Duration = Duration::from_micros(1);

/// What ids can tell.
const MILLI: Duration = Duration::from_millis(1);

async fn log(
    storage: Storage<'_>,
    subscription: &Subscription,
    filter: &DeliveryFilter,
    request: PageRequest,
) -> (u64, Vec<DeliveryId>) {
    let scope = scope([subscription.account]);
    let page = storage.deliveries().page(&scope, subscription.id, filter, request).await.expect("page");
    assert_eq!(page.request, request);
    (page.total, page.items.iter().map(|logged| logged.delivery.id).collect())
}

/// Claims everything that is due and settles it with these answers, in the order of the queue.
pub(super) async fn settle_all(storage: Storage<'_>, samples: &Samples, statuses: &[u16]) {
    let leased =
        storage.queue().claim(&ClaimRequest::any(MANY), samples.now(), LEASE).await.expect("claim").leased;
    assert_eq!(leased.len(), statuses.len());
    let settlements: Vec<_> =
        leased.iter().zip(statuses).map(|(leased, status)| answered(samples, leased, *status)).collect();
    let settled = storage.queue().settle(&settlements).await.expect("settle");
    assert_eq!(settled, leased.len() as u64);
}

pub async fn deliveries_come_newest_first_with_totals(storage: Storage<'_>) {
    let samples = Samples::new(51);
    let (subscription, deliveries) = queued(storage, &samples, 5).await;
    let other = samples.subscription(subscription.account, &[CONTACT]);
    add(storage, &other).await;
    queue_more(storage, &samples, &other, 1).await;
    let newest: Vec<_> = deliveries.iter().rev().map(|delivery| delivery.id).collect();
    let all = DeliveryFilter::default();
    for (number, expected) in [(1, &newest[0..2]), (2, &newest[2..4]), (3, &newest[4..]), (4, &[])] {
        let request = PageRules::USUAL.page(Some(number), Some(2)).expect("valid");
        let page = log(storage, &subscription, &all, request).await;
        assert_eq!(page, (5, expected.to_vec()), "page {number}");
    }
}

pub async fn the_log_can_be_narrowed(storage: Storage<'_>) {
    let samples = Samples::new(52);
    let subscription = samples.subscription(samples.account(), &[CONTACT, "invoice.pay"]);
    add(storage, &subscription).await;
    let kinds = [CONTACT, "invoice.pay", CONTACT, "invoice.pay"];
    let events = kinds.map(|kind| samples.event(subscription.account, kind));
    publish(storage, &events).await;
    let deliveries = events.each_ref().map(|event| samples.delivery(event, &subscription));
    let one_attempt = Delivery { max_attempts: 1, ..deliveries[2].clone() };
    let stored = [deliveries[0].clone(), deliveries[1].clone(), one_attempt, deliveries[3].clone()];
    enqueue(storage, &stored[..3]).await;
    settle_all(storage, &samples, &[200, 500, 500]).await;
    enqueue(storage, &stored[3..]).await;

    let all = DeliveryFilter::default;
    let cases = [
        (DeliveryFilter { status: Some(Status::Delivered), ..all() }, vec![0]),
        (DeliveryFilter { status: Some(Status::Retrying), ..all() }, vec![1]),
        (DeliveryFilter { status: Some(Status::Failed), ..all() }, vec![2]),
        (DeliveryFilter { status: Some(Status::Pending), ..all() }, vec![3]),
        (DeliveryFilter { event_type: Some(EventType::of("invoice.pay")), ..all() }, vec![3, 1]),
        (DeliveryFilter { event: Some(events[2].id), ..all() }, vec![2]),
        (DeliveryFilter { from: Some(stored[1].created_at), ..all() }, vec![3, 2, 1]),
        (DeliveryFilter { from: Some(stored[1].created_at.plus(MICRO)), ..all() }, vec![3, 2]),
        (DeliveryFilter { before: Some(stored[1].created_at), ..all() }, vec![0]),
        (DeliveryFilter { before: Some(stored[1].created_at.plus(MICRO)), ..all() }, vec![1, 0]),
        (
            DeliveryFilter {
                from: Some(stored[1].created_at),
                before: Some(stored[3].created_at),
                event_type: Some(EventType::of(CONTACT)),
                ..all()
            },
            vec![2],
        ),
    ];
    for (filter, expected) in cases {
        let expected: Vec<_> = expected.into_iter().map(|at: usize| stored[at].id).collect();
        let found = log(storage, &subscription, &filter, first_page()).await;
        assert_eq!(found, (expected.len() as u64, expected), "{filter:?}");
    }
}

pub async fn deliveries_of_other_companies_are_absent(storage: Storage<'_>) {
    let samples = Samples::new(53);
    let (subscription, deliveries) = queued(storage, &samples, 1).await;
    let foreign = scope([samples.account()]);
    let reader = storage.deliveries();
    assert_eq!(reader.find(&foreign, deliveries[0].id).await.expect("find"), None);
    let all = DeliveryFilter::default();
    let page = reader.page(&foreign, subscription.id, &all, first_page()).await.expect("page");
    assert_eq!((page.total, page.items.len()), (0, 0));
}

pub async fn purge_forgets_ended_deliveries_only(storage: Storage<'_>) {
    let samples = Samples::new(54);
    let (subscription, old) = queued(storage, &samples, 3).await;
    settle_all(storage, &samples, &[200, 500, 200]).await;
    samples.clock().advance(Duration::from_hours(24));
    let before = samples.now();
    let recent = queue_more(storage, &samples, &subscription, 1).await;
    let leased =
        storage.queue().claim(&ClaimRequest::any(MANY), samples.now(), LEASE).await.expect("claim").leased;
    let settlements: Vec<_> = leased
        .iter()
        .filter(|leased| leased.delivery.id == recent[0].id)
        .map(|leased| answered(&samples, leased, 200))
        .collect();
    storage.queue().settle(&settlements).await.expect("settle");

    assert_eq!(storage.queue().purge(before, MANY).await.expect("purge"), 2);
    let all = DeliveryFilter::default();
    let kept = log(storage, &subscription, &all, first_page()).await;
    assert_eq!(kept, (2, vec![recent[0].id, old[1].id]));
    let again = storage
        .queue()
        .claim(&ClaimRequest::any(MANY), samples.now().plus(LEASE), LEASE)
        .await
        .expect("claim")
        .leased;
    assert_eq!(again.len(), 1, "the delivery that still waits");
    assert_eq!(again[0].notification.id, old[1].event, "and its event is still there");
    assert!(!again[0].notification.body.is_empty());
}

pub async fn purge_stops_at_its_limit(storage: Storage<'_>) {
    let samples = Samples::new(55);
    queued(storage, &samples, 5).await;
    settle_all(storage, &samples, &[200; 5]).await;
    let before = samples.now().plus(Duration::from_secs(1));
    for expected in [2, 2, 1, 0] {
        assert_eq!(storage.queue().purge(before, 2).await.expect("purge"), expected);
    }
}

pub async fn purge_spares_what_was_made_at_its_instant_or_later(storage: Storage<'_>) {
    let samples = Samples::new(48);
    let (subscription, deliveries) = queued(storage, &samples, 4).await;
    settle_all(storage, &samples, &[200; 4]).await;
    let [first, second, third, fourth] = [0, 1, 2, 3].map(|at: usize| deliveries[at].id);
    let all = DeliveryFilter::default();
    for (before, left) in [
        (deliveries[0].created_at, vec![fourth, third, second, first]),
        (deliveries[2].created_at, vec![fourth, third]),
        (deliveries[2].created_at.plus(MILLI), vec![fourth]),
    ] {
        let (had, _) = log(storage, &subscription, &all, first_page()).await;
        let gone = storage.queue().purge(before, MANY).await.expect("purge");
        let kept = log(storage, &subscription, &all, first_page()).await;
        assert_eq!(kept, (had - gone, left), "before {before}");
    }
}
