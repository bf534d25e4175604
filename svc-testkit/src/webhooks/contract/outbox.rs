//! Cases of the outbox and of fanning out.

#![expect(missing_docs, reason = "the name of a case is its claim")]
#![expect(clippy::indexing_slicing, reason = "a case fails when something is missing")]

use std::collections::BTreeSet;

use futures_util::future::join_all;
use svc_core::error::StoreError;
use svc_core::event::{Event, Extra};
use svc_core::id::EventId;
use svc_webhooks::delivery::Delivery;
use svc_webhooks::ports::DeliveryFilter;

use super::{CONTACT, MANY, Storage, add, enqueue, first_page, publish};
use crate::webhooks::sample::{Samples, scope};

fn events(samples: &Samples, count: usize) -> Vec<Event> {
    let account = samples.account();
    (0..count).map(|_| samples.event(account, CONTACT)).collect()
}

async fn take(storage: Storage<'_>, limit: u32) -> Result<Vec<Event>, StoreError> {
    let unit = storage.begin().await?;
    let taken = unit.deliveries().take_events(limit).await?;
    unit.commit().await?;
    Ok(taken)
}

pub async fn events_are_taken_oldest_first_and_once(storage: Storage<'_>) {
    let samples = Samples::new(21);
    let mut events = events(&samples, 5);
    events[1] = events[1].clone().with(Extra::MergedId("con_2".to_owned())).with(Extra::MovementCount(3));
    events[2].account = None;
    publish(storage, &events[..3]).await;
    publish(storage, &events[3..]).await;
    assert_eq!(take(storage, 2).await.expect("take"), events[..2]);
    assert_eq!(take(storage, MANY).await.expect("take"), events[2..]);
    assert_eq!(take(storage, MANY).await.expect("take"), []);
}

pub async fn events_return_when_their_unit_is_dropped(storage: Storage<'_>) {
    let events = events(&Samples::new(22), 3);
    publish(storage, &events).await;
    let unit = storage.begin().await.expect("begin");
    assert_eq!(unit.deliveries().take_events(2).await.expect("take"), events[..2]);
    drop(unit);
    // A server may still be rolling back, and its locked events are skipped until it has.
    let mut returned = BTreeSet::new();
    for _ in 0..10_000 {
        returned.extend(take(storage, MANY).await.expect("take").iter().map(|event| event.id));
        if returned.len() == events.len() {
            break;
        }
    }
    assert_eq!(returned, events.iter().map(|event| event.id).collect());
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
                Err(StoreError::Busy | StoreError::Conflict) => {}
                Err(error) => panic!("{error:?}"),
            }
            let depth = storage.queue().depth(events[0].occurred_at).await.expect("depth");
            if depth.events == 0 {
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
    assert_eq!(storage.queue().depth(samples.now()).await.expect("depth").queued, 3);
}
