//! From a commit to the fan-out: what the process itself committed is handed over, the rest is looked for.

#![expect(clippy::indexing_slicing, reason = "a test fails when something is missing")]

use std::future::poll_fn;
use std::task::Poll;
use std::time::{Duration, Instant};

use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::EventId;
use svc_core::unit::UnitOfWork;
use svc_storage_seaorm::{Database, SeaUnit};
use svc_testkit::audit::noted;
use svc_testkit::webhooks::sample::Samples;
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::ports::{FanOut, InitialLease, Lease, OutboxPosition, WebhookStorage, WebhookUnit as _};
use svc_webhooks::subscription::Subscription;

use crate::both::on_both;
use crate::fresh::{Fresh, postgres};

on_both! {
    what_is_committed_comes_in_its_order_and_only_once
    what_another_unit_took_out_is_not_fanned_out
    a_unit_with_a_transaction_of_its_own_hands_over_though_its_caller_goes
    a_unit_that_fails_hands_nothing_over
    receivers_of_what_comes_alone_are_read_beside_its_commit_and_get_nothing_once_they_are_gone
    a_change_of_a_receiver_is_seen_by_the_fan_out_that_follows
}

/// So many published events.
pub(crate) async fn published(database: &Database, samples: &Samples, count: usize) -> Vec<Event> {
    let account = samples.account();
    let events: Vec<_> = (0..count).map(|_| samples.event(account, "contact.create")).collect();
    let unit = database.begin().await.expect("begun");
    UnitOfWork::outbox(&*unit).publish(&events).await.expect("published");
    UnitOfWork::commit(unit).await.expect("committed");
    events
}

/// Takes what waits out of the outbox, without a delivery.
pub(crate) async fn take(storage: &dyn WebhookStorage, limit: u32) -> Vec<EventId> {
    let waiting = storage.queue().waiting(limit).await.expect("read").events;
    let (positions, events): (Vec<_>, Vec<_>) = waiting.into_iter().unzip();
    let initial_lease = InitialLease { lease: Lease(1), until: Timestamp::default() };
    let batch = FanOut { positions, leased: Vec::new(), queued: Vec::new(), initial_lease };
    let taken = storage.queue().fan_out(&batch).await.expect("taken").events;
    assert_eq!(taken, events.iter().map(|event| event.id).collect());
    events.iter().map(|event| event.id).collect()
}

async fn waiting(database: &Database, limit: u32) -> Vec<EventId> {
    let waiting = database.webhooks().queue().waiting(limit).await.expect("read");
    waiting.events.into_iter().map(|(_, event)| event.id).collect()
}

fn ids(events: &[Event]) -> Vec<EventId> {
    events.iter().map(|event| event.id).collect()
}

async fn what_is_committed_comes_in_its_order_and_only_once(fresh: &Fresh) {
    let (database, samples) = (&fresh.database, Samples::new(1));
    assert!(waiting(database, 9).await.is_empty());
    let mut events = published(database, &samples, 2).await;
    assert_eq!(waiting(database, 9).await, ids(&events));
    events.extend(published(database, &samples, 1).await);
    // A unit that does more than add rows has a transaction of its own.
    let unit = database.begin().await.expect("begun");
    let last = samples.event(samples.account(), "contact.create");
    unit.outbox().publish(std::slice::from_ref(&last)).await.expect("published");
    begin_transaction(&unit, &samples).await;
    UnitOfWork::commit(unit).await.expect("committed");
    events.push(last);
    assert_eq!(waiting(database, 3).await, ids(&events[..3]));
    let storage = database.webhooks();
    assert_eq!(take(&*storage, 3).await, ids(&events[..3]));
    assert_eq!(take(&*storage, 9).await, ids(&events[3..]));
    assert!(waiting(database, 9).await.is_empty());
}

async fn what_another_unit_took_out_is_not_fanned_out(fresh: &Fresh) {
    let (database, samples) = (&fresh.database, Samples::new(2));
    let positions = handed_over(fresh, async || published(database, &samples, 1).await.remove(0).id).await;
    let initial_lease = InitialLease { lease: Lease(1), until: Timestamp::default() };
    let batch = FanOut { positions, leased: Vec::new(), queued: Vec::new(), initial_lease };
    let done = database.webhooks().queue().fan_out(&batch).await.expect("no failure");
    assert!(done.events.is_empty(), "it went with the unit that took it");
    assert!(waiting(database, 9).await.is_empty());
}

async fn a_unit_with_a_transaction_of_its_own_hands_over_though_its_caller_goes(fresh: &Fresh) {
    let (database, samples) = (&fresh.database, Samples::new(5));
    let positions = handed_over(fresh, async || {
        let event = samples.event(samples.account(), "contact.create");
        let unit = database.begin().await.expect("begun");
        unit.outbox().publish(std::slice::from_ref(&event)).await.expect("published");
        begin_transaction(&unit, &samples).await;
        let told = database.events_committed();
        let mut committing = UnitOfWork::commit(unit);
        let ended = poll_fn(|context| Poll::Ready(committing.as_mut().poll(context))).await;
        if let Poll::Ready(outcome) = ended {
            outcome.expect("committed, and sooner than its caller could go");
        }
        drop(committing);
        told.notified().await;
        event.id
    });
    assert_eq!(positions.await.len(), 1);
}

/// What is handed over of an event that is committed so, and taken out of the outbox by another unit.
async fn handed_over(fresh: &Fresh, commit: impl AsyncFn() -> EventId) -> Vec<OutboxPosition> {
    let began = Instant::now();
    loop {
        assert!(waiting(&fresh.database, 9).await.is_empty());
        let committed = commit().await;
        fresh.sql("DELETE FROM svc_outbox").await;
        let handed = fresh.database.webhooks().queue().waiting(9).await.expect("read").events;
        // On a machine that stood still meanwhile, the outbox was looked into.
        if !handed.is_empty() {
            assert_eq!(handed[0].0.event, committed);
            return handed.into_iter().map(|(position, _)| position).collect();
        }
        assert!(began.elapsed() < Duration::from_mins(1), "nothing is handed over");
    }
}

async fn receivers_of_what_comes_alone_are_read_beside_its_commit_and_get_nothing_once_they_are_gone(
    fresh: &Fresh,
) {
    let (database, samples) = (&fresh.database, Samples::new(6));
    let storage = database.webhooks();
    let began = Instant::now();
    loop {
        let (subscription, event) = subscribed_and_published(database, &samples).await;
        fresh.sql("DELETE FROM svc_subscriptions").await;
        let waiting = storage.queue().waiting(9).await.expect("read");
        // On a machine that stood still meanwhile, they are read now.
        if waiting.subscriptions.is_empty() {
            assert!(began.elapsed() < Duration::from_mins(1), "nothing is read ahead");
            continue;
        }
        assert_eq!(waiting.subscriptions, std::slice::from_ref(&subscription));
        let initial_lease = InitialLease { lease: Lease(1), until: Timestamp::default() };
        let positions = waiting.events.into_iter().map(|(position, _)| position).collect();
        let deliveries = vec![samples.delivery(&event, &subscription)];
        let batch = FanOut { positions, leased: deliveries, queued: Vec::new(), initial_lease };
        let done = storage.queue().fan_out(&batch).await.expect("no failure");
        assert_eq!((done.events.len(), done.deliveries.len()), (1, 0));
        return;
    }
}

async fn a_change_of_a_receiver_is_seen_by_the_fan_out_that_follows(fresh: &Fresh) {
    let (database, samples) = (&fresh.database, Samples::new(7));
    let storage = database.webhooks();
    let (mut subscription, _) = subscribed_and_published(database, &samples).await;
    let before = subscription.version;
    subscription.endpoint = Endpoint::parse("https://another.example/hook").expect("a URL");
    subscription.version = before.next();
    let unit = storage.begin().await.expect("begun");
    unit.subscriptions().replace(before, &subscription).await.expect("replaced");
    noted(&*unit, subscription.account).await.expect("written down");
    unit.commit().await.expect("committed");
    let waiting = storage.queue().waiting(9).await.expect("read");
    assert_eq!((waiting.events.len(), waiting.subscriptions), (1, vec![subscription]));
}

/// A subscription, and an event that is committed alone and that it wants.
async fn subscribed_and_published(database: &Database, samples: &Samples) -> (Subscription, Event) {
    let storage = database.webhooks();
    let account = samples.account();
    let subscription = samples.subscription(account, &["contact.create"]);
    let unit = storage.begin().await.expect("begun");
    assert!(unit.subscriptions().insert(&subscription, 1).await.expect("added"));
    noted(&*unit, account).await.expect("written down");
    unit.commit().await.expect("committed");
    take(&*storage, 9).await;
    let event = samples.event(account, "contact.create");
    let unit = database.begin().await.expect("begun");
    unit.outbox().publish(std::slice::from_ref(&event)).await.expect("published");
    UnitOfWork::commit(unit).await.expect("committed");
    (subscription, event)
}

/// Does what no unit can put off.
async fn begin_transaction(unit: &SeaUnit, samples: &Samples) {
    let unsent = samples.subscription(samples.account(), &["contact.create"]).id;
    unit.subscriptions().forget_health(unsent).await.expect("forgotten");
}

async fn a_unit_that_fails_hands_nothing_over(fresh: &Fresh) {
    let (database, samples) = (&fresh.database, Samples::new(3));
    assert!(waiting(database, 9).await.is_empty());
    let kept = published(database, &samples, 1).await;
    let unit = database.begin().await.expect("begun");
    unit.outbox().publish(&kept).await.expect("put off");
    let twice = UnitOfWork::commit(unit).await;
    assert!(matches!(twice, Err(StoreError::Backend(_))), "{twice:?}");
    let unit = database.begin().await.expect("begun");
    let dropped = samples.event(samples.account(), "contact.create");
    unit.outbox().publish(&[dropped]).await.expect("put off");
    // Whatever needs a transaction makes it run before.
    begin_transaction(&unit, &samples).await;
    drop(unit);
    assert_eq!(waiting(database, 9).await, ids(&kept));
}

#[tokio::test]
async fn what_another_process_commits_is_found_though_there_is_always_something_of_our_own() {
    let Some(fresh) = postgres().await else { return };
    let (ours, samples) = (&fresh.database, Samples::new(4));
    assert!(waiting(ours, 9).await.is_empty());
    let theirs = Database::open(&fresh.settings).await.expect("opens");
    let wanted = published(&theirs, &samples, 1).await;
    theirs.close().await;
    let began = Instant::now();
    let storage = ours.webhooks();
    loop {
        published(ours, &samples, 1).await;
        if take(&*storage, 9).await.contains(&wanted[0].id) {
            break;
        }
        assert!(began.elapsed() < Duration::from_mins(1), "never found");
    }
}
