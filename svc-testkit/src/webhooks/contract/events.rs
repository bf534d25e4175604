//! Cases of the log of events.

#![expect(missing_docs, reason = "the name of a case is its claim")]
#![expect(clippy::indexing_slicing, reason = "a case fails when something is missing")]

use std::collections::BTreeSet;
use std::time::Duration;

use svc_core::event::{Event, EventDeclaration};
use svc_core::id::EventId;
use svc_core::page::PageRules;
use svc_core::tenant::Scope;
use svc_webhooks::delivery::Delivery;
use svc_webhooks::ports::{ClaimRequest, DeliveryCounts, EventFilter, LoggedEvent};

use super::{CONTACT, MANY, Storage, add, answered, enqueue, first_page, publish};
use crate::catalogue;
use crate::webhooks::sample::{Samples, scope};

const PAID: &str = "invoice.pay";

fn all() -> EventFilter {
    EventFilter {
        types: catalogue::events().all().map(EventDeclaration::kind).collect(),
        ..EventFilter::default()
    }
}

async fn ids(storage: Storage<'_>, scope: &Scope, filter: &EventFilter) -> Vec<EventId> {
    let page = storage.events().page(scope, filter, first_page()).await.expect("page");
    assert_eq!(page.total, page.items.len() as u64);
    page.items.iter().map(|logged| logged.event.id).collect()
}

pub async fn the_log_of_events_comes_newest_first_as_they_were_published(storage: Storage<'_>) {
    let samples = Samples::new(61);
    let account = samples.account();
    let mut events: Vec<Event> = (0..5).map(|_| samples.event(account, CONTACT)).collect();
    events[1] = events[1].clone().with("merged_id", "con_2").with("movement_count", 3);
    publish(storage, &events).await;
    events.reverse();
    for (number, expected) in [(1, &events[0..2]), (2, &events[2..4]), (3, &events[4..]), (4, &[])] {
        let request = PageRules::USUAL.page(Some(number), Some(2)).expect("valid");
        let page = storage.events().page(&scope([account]), &all(), request).await.expect("page");
        assert_eq!((page.total, page.request), (5, request));
        let found: Vec<_> = page.items.into_iter().map(|logged| logged.event).collect();
        assert_eq!(found, expected, "page {number}");
    }
}

pub async fn the_log_of_events_tells_what_became_of_them(storage: Storage<'_>) {
    let samples = Samples::new(62);
    let subscription = samples.subscription(samples.account(), &[CONTACT]);
    add(storage, &subscription).await;
    let events: Vec<_> = (0..3).map(|_| samples.event(subscription.account, CONTACT)).collect();
    publish(storage, &events).await;
    let first = samples.delivery(&events[0], &subscription);
    let second = Delivery { max_attempts: 1, ..samples.delivery(&events[1], &subscription) };
    enqueue(storage, &[first.clone(), second]).await;
    let leased =
        storage.queue().claim(&ClaimRequest::any(MANY), samples.now(), Duration::from_secs(30)).await;
    let leased = leased.expect("claim").leased;
    let settlements = [answered(&samples, &leased[0], 200), answered(&samples, &leased[1], 500)];
    assert_eq!(storage.queue().settle(&settlements).await.expect("settle"), 2);
    let again = Delivery { automatic: false, ..samples.delivery(&events[0], &subscription) };
    enqueue(storage, &[again]).await;

    let log =
        storage.events().page(&scope([subscription.account]), &all(), first_page()).await.expect("page");
    let counts: Vec<_> = log.items.iter().map(|logged| logged.deliveries).collect();
    let none = DeliveryCounts::default();
    let expected =
        [none, DeliveryCounts { failed: 1, ..none }, DeliveryCounts { delivered: 1, pending: 1, ..none }];
    assert_eq!(counts, expected);
}

pub async fn the_log_of_events_can_be_narrowed(storage: Storage<'_>) {
    let samples = Samples::new(63);
    let (ours, other) = (samples.account(), samples.account());
    let mut events = [
        samples.event(ours, CONTACT),
        samples.event(ours, PAID),
        samples.event(other, CONTACT),
        samples.event(ours, "case.create"),
    ];
    events[3].kind = EventDeclaration::TEST.kind();
    publish(storage, &events).await;
    let kinds =
        |names: &[&str]| names.iter().map(|name| catalogue::event(name).kind()).collect::<BTreeSet<_>>();
    let (both, at) = (scope([ours, other]), |index: usize| events[index].occurred_at);
    let cases = [
        (all(), vec![2, 1, 0]),
        (EventFilter { types: BTreeSet::new(), ..all() }, vec![]),
        (EventFilter { types: kinds(&[PAID]), ..all() }, vec![1]),
        (EventFilter { types: [EventDeclaration::TEST.kind()].into(), ..all() }, vec![3]),
        (EventFilter { companies: vec![ours], ..all() }, vec![1, 0]),
        (EventFilter { object: Some(events[2].object_id.clone()), ..all() }, vec![2]),
        (EventFilter { from: Some(at(1)), ..all() }, vec![2, 1]),
        (EventFilter { before: Some(at(2)), ..all() }, vec![1, 0]),
        (EventFilter { from: Some(at(1)), before: Some(at(2)), ..all() }, vec![1]),
    ];
    for (filter, expected) in cases {
        let expected: Vec<_> = expected.into_iter().map(|index: usize| events[index].id).collect();
        assert_eq!(ids(storage, &both, &filter).await, expected, "{filter:?}");
    }
    let foreign = EventFilter { companies: vec![other], ..all() };
    assert_eq!(ids(storage, &scope([ours]), &foreign).await, [], "out of reach");
    assert_eq!(ids(storage, &scope([samples.account()]), &all()).await, []);
}

pub async fn an_event_of_the_log_is_found_within_its_scope(storage: Storage<'_>) {
    let samples = Samples::new(66);
    let subscription = samples.subscription(samples.account(), &[CONTACT]);
    add(storage, &subscription).await;
    let mut events = [(); 2].map(|()| samples.event(subscription.account, CONTACT));
    events[1].kind = EventDeclaration::TEST.kind();
    publish(storage, &events).await;
    enqueue(storage, &[samples.delivery(&events[0], &subscription)]).await;

    let find = async |companies, id| storage.events().find(&companies, id).await.expect("find");
    for (event, pending) in events.into_iter().zip([1, 0]) {
        let id = event.id;
        let deliveries = DeliveryCounts { pending, ..DeliveryCounts::default() };
        assert_eq!(find(scope([subscription.account]), id).await, Some(LoggedEvent { event, deliveries }));
        assert_eq!(find(scope([samples.account()]), id).await, None, "out of reach");
    }
    let unknown = samples.event(subscription.account, CONTACT).id;
    assert_eq!(find(scope([subscription.account]), unknown).await, None);
}

pub async fn purge_forgets_old_events_that_nothing_needs(storage: Storage<'_>) {
    let samples = Samples::new(64);
    let subscription = samples.subscription(samples.account(), &[CONTACT]);
    add(storage, &subscription).await;
    let [unwanted, arrived, open, waiting] = [(); 4].map(|()| samples.event(subscription.account, CONTACT));
    let [ended, under_way] = [&arrived, &open].map(|event| samples.delivery(event, &subscription));
    let recent = samples.event(subscription.account, CONTACT);
    publish(storage, &[unwanted, arrived, open.clone(), recent.clone()]).await;
    enqueue(storage, &[ended.clone(), under_way]).await;
    publish(storage, std::slice::from_ref(&waiting)).await;
    let lease = Duration::from_secs(30);
    let leased = storage.queue().claim(&ClaimRequest::any(MANY), samples.now(), lease).await;
    let leased = leased.expect("claim").leased;
    let leased = leased.iter().find(|one| one.delivery.id == ended.id).expect("it is due");
    assert_eq!(storage.queue().settle(&[answered(&samples, leased, 200)]).await.expect("settle"), 1);

    let scope = scope([subscription.account]);
    assert_eq!(storage.queue().purge(recent.occurred_at, MANY).await.expect("purge"), 1);
    // What was told of no receiver is gone, and what arrived; not what happened at that instant.
    assert_eq!(ids(storage, &scope, &all()).await, [recent.id, waiting.id, open.id]);
    let later = recent.occurred_at.plus(Duration::from_millis(1));
    assert_eq!(storage.queue().purge(later, MANY).await.expect("purge"), 0);
    assert_eq!(ids(storage, &scope, &all()).await, [waiting.id, open.id]);
}
