//! Cases of the outbox and of fanning out.

#![expect(missing_docs, reason = "the name of a case is its claim")]
#![expect(clippy::indexing_slicing, reason = "a case fails when something is missing")]

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::{DeliveryId, EventId};
use svc_webhooks::delivery::Delivery;
use svc_webhooks::ports::{
    ClaimRequest, DeliveryFilter, FanOut, FannedOut, InitialLease, Lease, OutboxPosition,
};
use svc_webhooks::subscription::{State, Subscription};

use super::{CONTACT, MANY, Storage, add, batch, enqueue, first_page, publish, remove, replace, take};
use crate::webhooks::sample::{Samples, scope};

fn events(samples: &Samples, count: usize) -> Vec<Event> {
    let account = samples.account();
    (0..count).map(|_| samples.event(account, CONTACT)).collect()
}

async fn claim_ids(storage: Storage<'_>, samples: &Samples) -> Vec<DeliveryId> {
    let request = ClaimRequest::any(MANY);
    let claimed =
        storage.queue().claim(&request, samples.now(), Duration::from_secs(30)).await.expect("claim");
    claimed.leased.into_iter().map(|leased| leased.delivery.id).collect()
}

pub async fn events_are_taken_oldest_first_and_once(storage: Storage<'_>) {
    let samples = Samples::new(21);
    let mut events = events(&samples, 5);
    events[1] = events[1].clone().with("merged_id", "con_2").with("movement_count", 3);
    events[2].tenant = None;
    publish(storage, &events[..3]).await;
    publish(storage, &events[3..]).await;
    assert_eq!(take(storage, 2).await.expect("take"), events[..2]);
    assert_eq!(take(storage, MANY).await.expect("take"), events[2..]);
    assert_eq!(take(storage, MANY).await.expect("take"), []);
}

pub async fn events_of_one_unit_keep_their_order(storage: Storage<'_>) {
    let events = events(&Samples::new(29), 5);
    let unit = storage.begin().await.expect("begin");
    for event in events.chunks(2) {
        unit.outbox().publish(event).await.expect("publish");
    }
    unit.commit().await.expect("commit");
    assert_eq!(take(storage, MANY).await.expect("take"), events);
}

pub async fn events_that_were_only_looked_at_stay(storage: Storage<'_>) {
    let events = events(&Samples::new(22), 3);
    publish(storage, &events).await;
    for _ in 0..2 {
        let waiting = storage.queue().waiting(2).await.expect("waiting").events;
        assert_eq!(waiting.into_iter().map(|(_, event)| event).collect::<Vec<_>>(), events[..2]);
    }
    assert_eq!(take(storage, MANY).await.expect("take"), events);
}

pub async fn events_wait_beside_the_active_subscriptions_of_their_companies(storage: Storage<'_>) {
    let samples = Samples::new(25);
    let [account, other] = [samples.account(), samples.account()];
    let wanted = samples.subscription(account, &[CONTACT]);
    let inactive = Subscription { state: State::Inactive, ..samples.subscription(account, &[CONTACT]) };
    for subscription in [&wanted, &inactive, &samples.subscription(other, &[CONTACT])] {
        add(storage, subscription).await;
    }
    publish(storage, &[samples.event(account, CONTACT)]).await;
    assert_eq!(storage.queue().waiting(MANY).await.expect("waiting").subscriptions, [wanted]);
}

pub async fn a_fan_out_leaves_out_what_another_one_took(storage: Storage<'_>) {
    let samples = Samples::new(26);
    let subscription = samples.subscription(samples.account(), &[CONTACT]);
    add(storage, &subscription).await;
    let both = [(); 2].map(|()| samples.event(subscription.account, CONTACT));
    publish(storage, &both).await;
    let positions: Vec<_> = storage
        .queue()
        .waiting(MANY)
        .await
        .expect("waiting")
        .events
        .into_iter()
        .map(|(position, _)| position)
        .collect();
    assert_eq!(take(storage, 1).await.expect("take"), both[..1]);

    let [gone, there] = both.each_ref().map(|event| samples.delivery(event, &subscription));
    let done = storage.queue().fan_out(&batch(positions, &[gone, there.clone()])).await.expect("fan out");
    let added = FannedOut { events: [both[1].id].into(), deliveries: [there.id].into() };
    assert_eq!(done, added);
    assert_eq!(claim_ids(storage, &samples).await, [there.id]);
}

pub async fn from_a_place_nothing_but_its_event_is_taken(storage: Storage<'_>) {
    let samples = Samples::new(30);
    let [there, gone] = [(); 2].map(|()| samples.event(samples.account(), CONTACT));
    publish(storage, std::slice::from_ref(&there)).await;
    let position = storage.queue().waiting(MANY).await.expect("waiting").events[0].0;
    let before = OutboxPosition { event: gone.id, ..position };
    let done = storage.queue().fan_out(&batch(vec![before], &[])).await.expect("fan out");
    assert_eq!(done, FannedOut::default(), "the number of its position was given to another event");
    assert_eq!(take(storage, MANY).await.expect("take"), [there]);
}

pub async fn more_events_than_were_asked_for_are_told_of(storage: Storage<'_>) {
    let events = events(&Samples::new(31), 3);
    publish(storage, &events).await;
    for (limit, more) in [(2, true), (4, false)] {
        assert_eq!(storage.queue().waiting(limit).await.expect("waiting").more, more, "{limit} of 3");
    }
}

pub async fn a_fan_out_leaves_out_subscriptions_that_were_removed_or_switched_off(storage: Storage<'_>) {
    let samples = Samples::new(27);
    let account = samples.account();
    let all = [(); 3].map(|()| samples.subscription(account, &[CONTACT]));
    let [kept, removed, switched_off] = &all;
    for subscription in &all {
        add(storage, subscription).await;
    }
    let event = samples.event(account, CONTACT);
    publish(storage, std::slice::from_ref(&event)).await;
    let waiting = storage.queue().waiting(MANY).await.expect("waiting");
    assert_eq!(waiting.subscriptions.len(), 3);
    remove(storage, removed).await.expect("removed");
    let version = switched_off.version.next();
    let inactive = Subscription { state: State::Inactive, version, ..switched_off.clone() };
    replace(storage, switched_off, &inactive).await.expect("switched off");

    let deliveries = [kept, removed, switched_off].map(|one| samples.delivery(&event, one));
    let batch = batch(waiting.events.iter().map(|(position, _)| *position).collect(), &deliveries);
    let done = storage.queue().fan_out(&batch).await.expect("fan out");
    assert_eq!(done, FannedOut { events: [event.id].into(), deliveries: [deliveries[0].id].into() });
    assert_eq!(take(storage, MANY).await.expect("take"), []);
}

pub async fn what_a_fan_out_leased_cannot_be_claimed_until_the_lease_ends(storage: Storage<'_>) {
    let samples = Samples::new(28);
    let subscription = samples.subscription(samples.account(), &[CONTACT]);
    add(storage, &subscription).await;
    let both = [(); 2].map(|()| samples.event(subscription.account, CONTACT));
    publish(storage, &both).await;
    let positions = storage.queue().waiting(MANY).await.expect("waiting").events;
    let [ours, others] = both.each_ref().map(|event| samples.delivery(event, &subscription));
    let initial_lease = InitialLease { lease: Lease(7), until: samples.now().plus(Duration::from_secs(30)) };
    let batch = FanOut {
        positions: positions.iter().map(|(position, _)| *position).collect(),
        leased: vec![ours.clone()],
        queued: vec![others.clone()],
        initial_lease,
    };
    let done = storage.queue().fan_out(&batch).await.expect("fan out");
    assert_eq!(done.deliveries, [ours.id, others.id].into());
    assert_eq!(claim_ids(storage, &samples).await, [others.id]);
    samples.clock().advance(Duration::from_secs(30));
    let mut again = claim_ids(storage, &samples).await;
    again.sort_unstable();
    assert_eq!(again, [ours.id, others.id], "both leases have ended");
}

pub async fn units_at_once_never_take_the_same_event(storage: Storage<'_>) {
    let events = events(&Samples::new(23), 24);
    publish(storage, &events).await;
    let worker = || async {
        let mut taken: Vec<EventId> = Vec::new();
        // A unit may find everything held by others, or lose to them: it comes back
        // until every event is gone.
        for _ in 0..1_000 {
            match take(storage, 3).await {
                Ok(more) => taken.extend(more.iter().map(|event| event.id)),
                Err(StoreError::Busy | StoreError::Undone | StoreError::Conflict) => {}
                Err(error) => panic!("{error:?}"),
            }
            if storage.queue().waiting(1).await.expect("waiting").events.is_empty() {
                break;
            }
        }
        taken
    };
    let taken: Vec<_> = join_all((0..4).map(|_| worker())).await.into_iter().flatten().collect();
    assert_eq!(taken.len(), events.len(), "no event twice");
    let expected: BTreeSet<_> = events.iter().map(|event| event.id).collect();
    assert_eq!(taken.into_iter().collect::<BTreeSet<_>>(), expected, "and none is missing");
}

pub async fn an_event_is_fanned_out_once_per_subscription(storage: Storage<'_>) {
    let samples = Samples::new(24);
    let account = samples.account();
    let [first, second] = [account; 2].map(|account| samples.subscription(account, &[CONTACT]));
    add(storage, &first).await;
    add(storage, &second).await;
    let event = samples.event(account, CONTACT);
    publish(storage, std::slice::from_ref(&event)).await;

    let original = samples.delivery(&event, &first);
    let other = samples.delivery(&event, &second);
    enqueue(storage, &[original.clone(), samples.delivery(&event, &first), other]).await;
    enqueue(storage, &[samples.delivery(&event, &first)]).await;
    let filter = DeliveryFilter::default();
    let scope = scope([account]);
    let log = storage.deliveries().page(&scope, first.id, &filter, first_page()).await.expect("page");
    assert_eq!(log.items.into_iter().map(|logged| logged.delivery).collect::<Vec<_>>(), [original]);

    let by_hand = Delivery { automatic: false, ..samples.delivery(&event, &first) };
    enqueue(storage, std::slice::from_ref(&by_hand)).await;
    let log = storage.deliveries().page(&scope, first.id, &filter, first_page()).await.expect("page");
    assert_eq!(log.total, 2, "a redelivery is no repetition");
    assert_eq!(claim_ids(storage, &samples).await.len(), 3);
}
