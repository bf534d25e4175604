//! What a newer server has written beside this one, and what damage has left.

#![expect(clippy::indexing_slicing, reason = "a test fails when something is missing")]

use std::time::Duration;

use svc_core::event::{Event, EventDeclaration};
use svc_core::id::{AccountId, TypedId};
use svc_core::page::PageRules;
use svc_storage_seaorm::Engine;
use svc_testkit::audit::noted;
use svc_testkit::catalogue;
use svc_testkit::webhooks::sample::{Samples, scope};
use svc_webhooks::delivery::dispatch_once;
use svc_webhooks::ports::{ClaimRequest, EventFilter, QueueOverview, ReplayStorage};
use svc_webhooks::replay::{Replay, replay_once};
use svc_webhooks::retry::RetrySchedule;
use svc_webhooks::subscription::Subscription;

use crate::both::on_both;
use crate::fresh::Fresh;
use crate::outbox::{published, take};

on_both! {
    an_event_of_an_undeclared_type_goes_to_who_lists_it
    what_is_no_event_holds_up_no_other
    more_of_what_is_no_event_than_a_round_takes_holds_up_no_event
    an_outbox_row_without_its_event_holds_up_no_other
    an_event_of_an_undeclared_type_is_neither_in_the_log_nor_replayed
    a_replay_that_cannot_be_read_is_put_off_and_holds_up_no_other
}

const CONTACT: &str = "contact.create";

fn literal(fresh: &Fresh, id: uuid::Uuid) -> String {
    match fresh.database.engine() {
        Engine::Sqlite => format!("x'{}'", id.simple()),
        Engine::Postgres => format!("'{id}'"),
    }
}

async fn set_type(fresh: &Fresh, event: &Event, kind: &str) {
    let id = literal(fresh, event.id.uuid());
    fresh.sql(&format!("UPDATE svc_events SET type = '{kind}' WHERE id = {id}")).await;
}

async fn waiting(storage: &dyn QueueOverview, samples: &Samples) -> u64 {
    storage.depth(samples.now()).await.expect("depth").events.least()
}

/// A type that no catalogue of this program declares.
const FUTURE: EventDeclaration = EventDeclaration::new("future.kind", "future");

async fn an_event_of_an_undeclared_type_goes_to_who_lists_it(fresh: &Fresh) {
    let (storage, samples) = (fresh.database.webhooks(), Samples::new(1));
    let account = samples.account();
    let subscription =
        Subscription { events: [FUTURE.kind()].into(), ..samples.subscription(account, &[CONTACT]) };
    let unit = storage.begin().await.expect("begun");
    assert!(unit.subscriptions().insert(&subscription, 20).await.expect("added"));
    noted(&*unit, account).await.expect("noted");
    let event = Event::new(&FUTURE, account, 7, samples.now(), samples.random()).with("total", 12.5);
    unit.outbox().publish(std::slice::from_ref(&event)).await.expect("published");
    unit.commit().await.expect("committed");
    let report = dispatch_once(&*storage, &RetrySchedule::STANDARD, samples.now(), samples.random(), 10)
        .await
        .expect("dispatched");
    assert_eq!((report.events, report.deliveries), (1, 1));
    let request = ClaimRequest::any(10);
    let claimed =
        storage.queue().claim(&request, samples.now(), Duration::from_secs(30)).await.expect("claimed");
    let [leased] = claimed.leased.as_slice() else { panic!("one delivery, not {claimed:?}") };
    assert_eq!((&leased.delivery.event_type, &leased.notification.kind), (&FUTURE.kind(), &FUTURE.kind()));
    assert_eq!(leased.notification.body, event.body());
}

async fn damage(fresh: &Fresh, event: &Event) {
    let body = match fresh.database.engine() {
        Engine::Sqlite => "x'7b'",
        Engine::Postgres => "'\\x7b'",
    };
    fresh
        .sql(&format!("UPDATE svc_events SET body = {body} WHERE id = {}", literal(fresh, event.id.uuid())))
        .await;
}

async fn what_is_no_event_holds_up_no_other(fresh: &Fresh) {
    let (storage, samples) = (fresh.database.queue_overview(), Samples::new(1));
    let events = published(&fresh.database, &samples, 5).await;
    let ids = |at: &[usize]| at.iter().map(|at| events[*at].id).collect::<Vec<_>>();
    for at in [0, 3] {
        damage(fresh, &events[at]).await;
    }
    assert_eq!(take(&*storage, 10).await, ids(&[1, 2, 4]));
    published(&fresh.database, &samples, 1).await;
    let report = dispatch_once(&*storage, &RetrySchedule::STANDARD, samples.now(), samples.random(), 10)
        .await
        .expect("dispatched");
    assert_eq!(report.events, 1, "what came later is taken too");
    assert_eq!(take(&*storage, 10).await, []);
    assert_eq!(waiting(&*storage, &samples).await, 2);
}

async fn more_of_what_is_no_event_than_a_round_takes_holds_up_no_event(fresh: &Fresh) {
    let (storage, samples) = (fresh.database.queue_overview(), Samples::new(2));
    let events = published(&fresh.database, &samples, 8).await;
    for event in &events[..5] {
        damage(fresh, event).await;
    }
    let mut taken = Vec::new();
    for _ in 0..3 {
        taken.extend(take(&*storage, 2).await);
    }
    assert_eq!(taken, events[5..].iter().map(|event| event.id).collect::<Vec<_>>());
    assert_eq!(waiting(&*storage, &samples).await, 5);
}

async fn an_outbox_row_without_its_event_holds_up_no_other(fresh: &Fresh) {
    let (storage, samples) = (fresh.database.webhooks(), Samples::new(3));
    let events = published(&fresh.database, &samples, 3).await;
    fresh.sql(&format!("DELETE FROM svc_events WHERE id = {}", literal(fresh, events[1].id.uuid()))).await;
    assert_eq!(take(&*storage, 10).await, [events[0].id, events[2].id]);
    assert_eq!(take(&*storage, 10).await, []);
}

async fn an_event_of_an_undeclared_type_is_neither_in_the_log_nor_replayed(fresh: &Fresh) {
    let (storage, samples) = (fresh.database.replays(), Samples::new(4));
    let events = published(&fresh.database, &samples, 3).await;
    set_type(fresh, &events[1], "future.kind").await;
    let account = events[0].account().expect("a company's");
    let filter = EventFilter {
        types: catalogue::events().all().map(EventDeclaration::kind).collect(),
        ..EventFilter::default()
    };
    let page = PageRules::USUAL.page(None, None).expect("valid");
    let log = storage.events().page(&scope([account]), &filter, page).await.expect("page");
    let found: Vec<_> = log.items.iter().map(|logged| logged.event.id).collect();
    assert_eq!(found, [events[2].id, events[0].id]);
    let replay = replay(&*storage, &samples, account).await;
    assert_eq!(storage.replays().count(&replay.selection).await.expect("count"), 2);
    samples.clock().advance(Duration::from_mins(1));
    let report = replay_once(&*storage, &RetrySchedule::STANDARD, samples.now(), samples.random())
        .await
        .expect("a step");
    assert_eq!(report.map(|report| report.added), Some(2));
}

async fn a_replay_that_cannot_be_read_is_put_off_and_holds_up_no_other(fresh: &Fresh) {
    let (storage, samples) = (fresh.database.replays(), Samples::new(5));
    let broken = replay(&*storage, &samples, samples.account()).await;
    let sound = replay(&*storage, &samples, samples.account()).await;
    let id = literal(fresh, broken.id.uuid());
    fresh.sql(&format!("UPDATE svc_replays SET types = '[7]' WHERE id = {id}")).await;
    samples.clock().advance(Duration::from_mins(1));
    let step = || async {
        replay_once(&*storage, &RetrySchedule::STANDARD, samples.now(), samples.random())
            .await
            .expect("a step")
    };
    assert_eq!(step().await, None, "the one that is due longest cannot be read");
    assert_eq!(step().await.map(|report| report.replay), Some(sound.id));
    assert_eq!(step().await, None);
    fresh.sql(&format!("UPDATE svc_replays SET types = '[\"{CONTACT}\"]' WHERE id = {id}")).await;
    samples.clock().advance(Duration::from_mins(2));
    assert_eq!(step().await.map(|report| report.replay), Some(broken.id), "it comes again");
}

/// A stored replay of all events of the company, to a new subscription.
async fn replay(storage: &dyn ReplayStorage, samples: &Samples, account: AccountId) -> Replay {
    let subscription = samples.subscription(account, &[CONTACT]);
    let replay = Replay::of(samples.selection(&subscription), 0, samples.random());
    let unit = storage.begin_replay().await.expect("begun");
    assert!(unit.subscriptions().insert(&subscription, 20).await.expect("added"));
    assert!(unit.replays().insert(&replay, 3).await.expect("added"));
    noted(&*unit, account).await.expect("noted");
    unit.commit().await.expect("committed");
    replay
}
