//! Sending past events and ended deliveries again.

use std::collections::BTreeSet;
use std::time::Duration;

use svc_core::event::{Event, EventType};
use svc_core::permission::Grants;
use svc_testkit::fakes::FakeSender;
use svc_webhooks::delivery::{Delivery, Status as Arrival, begin_test, finish_test};
use svc_webhooks::ports::{DeliveryFilter, WebhookStorage};
use svc_webhooks::replay::{
    Again, CancelError, EndedRequest, EventsRequest, MAX_OPEN, REST, Replay, ReplayError, ReplayReport,
    State, Status, WAITING, Why, cancel, prepare, replay_once, start,
};
use svc_webhooks::subscription::{CLOCK_SKEW, Change, Subscription, UpdateRequest, update};

use crate::world::{World, commit, headers};

const SOON: Duration = Duration::from_secs(6);

fn read() -> Grants {
    "read".parse().expect("valid")
}

fn events(world: &World) -> EventsRequest {
    EventsRequest { from: world.samples.now().minus(Duration::from_hours(24)), until: None, types: None }
}

async fn started(world: &World, subscription: &Subscription, again: Again) -> Result<Replay, ReplayError> {
    let draft = prepare(&world.storage, world.call(), subscription.id, again, &read()).await?;
    let unit = world.begin().await;
    let replay = start(&*unit, world.call(), draft).await?;
    commit(unit).await;
    Ok(replay)
}

async fn step(world: &World) -> Option<ReplayReport> {
    replay_once(&world.storage, world.samples.now(), world.samples.random()).await.expect("a step")
}

/// Steps until nothing is due; answers how many deliveries were added.
async fn steps(world: &World) -> u64 {
    let mut added = 0;
    while let Some(report) = step(world).await {
        added += report.added;
    }
    added
}

async fn stored(world: &World, replay: &Replay) -> Replay {
    world.storage.replays().find(&world.scope, replay.id).await.expect("find").expect("stored")
}

async fn log(world: &World, subscription: &Subscription) -> Vec<Delivery> {
    let page = svc_core::page::PageRules { default: 5_000, max: 5_000 }.page(None, None).expect("valid");
    let all = DeliveryFilter::default();
    let log = world.storage.deliveries().page(&world.scope, subscription.id, &all, page).await.expect("page");
    log.items.into_iter().map(|logged| logged.delivery).collect()
}

async fn change(world: &World, subscription: &Subscription, request: UpdateRequest) {
    let change = Change::check(request, &read(), &FakeSender::new()).await.expect("valid");
    let unit = world.begin().await;
    update(&*unit, world.call(), subscription.id, None, change).await.expect("update");
    commit(unit).await;
}

fn many(world: &World, count: usize) -> Vec<Event> {
    let events: Vec<_> = (0..count).map(|_| world.samples.event(world.account, "contact.create")).collect();
    world.storage.append(&events);
    events
}

#[tokio::test]
async fn past_events_go_out_again_as_they_were_the_oldest_first() {
    let world = World::new();
    let before = world.happen().await;
    world.dispatch().await;
    let subscription = world.subscribed().await;
    let after = world.happen().await;
    world.publish(&world.samples.event(world.account, "invoice.pay")).await;
    world.dispatch().await;
    let receiver = FakeSender::new();
    world.attempt(&receiver).await;
    assert_eq!(headers(&receiver, "X-SVC-Webhook-Id"), [after.id.to_string()]);

    let replay = started(&world, &subscription, Again::Events(events(&world))).await.expect("started");
    assert_eq!((replay.matched, replay.status()), (2, Status::Running));
    world.pass(SOON);
    assert_eq!(steps(&world).await, 2);
    world.pass(REST);
    let receiver = FakeSender::new();
    world.attempt(&receiver).await;
    let ids = [&before, &after].map(|event| event.id.to_string());
    assert_eq!(headers(&receiver, "X-SVC-Webhook-Id"), ids);
    for (sent, event) in receiver.sent().iter().zip([&before, &after]) {
        assert_eq!(sent.body, event.body());
    }
    let done = stored(&world, &replay).await;
    assert_eq!((done.status(), done.sent), (Status::Completed, 2));
    let deliveries = log(&world, &subscription).await;
    let again = deliveries.iter().filter(|delivery| !delivery.automatic);
    assert!(again.clone().all(|one| (one.max_attempts, one.status()) == (6, Arrival::Delivered)));
    assert_eq!(again.count(), 2);
}

#[tokio::test]
async fn a_dry_run_counts_and_changes_nothing() {
    let world = World::new();
    let subscription = world.subscribed().await;
    many(&world, 3);
    let again = Again::Events(events(&world));
    let draft = prepare(&world.storage, world.call(), subscription.id, again, &read()).await.expect("valid");
    assert_eq!(draft.matched, 3);
    world.pass(SOON);
    assert_eq!(step(&world).await, None);
    assert!(log(&world, &subscription).await.is_empty());
}

#[tokio::test]
async fn a_replay_leaves_room_in_the_queue_for_what_happens_meanwhile() {
    let world = World::new();
    let subscription = world.subscribed().await;
    many(&world, 700);
    while world.dispatch().await.events > 0 {}
    let receiver = FakeSender::new();
    while world.attempt(&receiver).await.claimed > 0 {}
    let replay = started(&world, &subscription, Again::Events(events(&world))).await.expect("started");
    world.pass(SOON);
    let mut sent = 0;
    for _ in 0..100 {
        sent += steps(&world).await;
        let queued = world.storage.queue().depth(world.samples.now()).await.expect("depth").queued;
        assert!(queued.least() <= u64::from(WAITING), "{queued:?} wait");
        if stored(&world, &replay).await.status() == Status::Completed {
            break;
        }
        // While too much waits, it rests, and looks again after a moment.
        assert_eq!(step(&world).await, None);
        world.pass(REST);
        world.attempt(&receiver).await;
    }
    assert_eq!((sent, stored(&world, &replay).await.sent), (700, 700));
    let again: Vec<_> =
        log(&world, &subscription).await.into_iter().filter(|delivery| !delivery.automatic).collect();
    let distinct: BTreeSet<_> = again.iter().map(|delivery| delivery.event).collect();
    assert_eq!((again.len(), distinct.len()), (700, 700));
}

#[tokio::test]
async fn a_replay_does_not_wait_for_deliveries_that_are_to_be_retried() {
    let world = World::new();
    let subscription = world.subscribed().await;
    many(&world, 400);
    started(&world, &subscription, Again::Events(events(&world))).await.expect("started");
    world.pass(SOON);
    let broken = FakeSender::new().always(500);
    let mut sent = 0;
    for _ in 0..20 {
        sent += steps(&world).await;
        world.pass(REST);
        world.attempt(&broken).await;
    }
    assert_eq!(sent, 400);
}

#[tokio::test]
async fn an_event_that_was_on_its_way_when_the_replay_was_asked_for_is_in_it() {
    let world = World::new();
    let subscription = world.subscribed().await;
    let slow = world.samples.event(world.account, "contact.create");
    let quick = world.happen().await;
    let replay = started(&world, &subscription, Again::Events(events(&world))).await.expect("started");
    world.pass(Duration::from_secs(1));
    assert_eq!(step(&world).await.map(|report| report.added), Some(0), "nothing is old enough");
    world.publish(&slow).await;
    let later = world.happen().await;
    world.pass(CLOCK_SKEW);
    assert_eq!(steps(&world).await, 2);
    assert_eq!(stored(&world, &replay).await.status(), Status::Completed);
    let sent: Vec<_> = log(&world, &subscription).await.iter().map(|delivery| delivery.event).collect();
    assert!(sent.contains(&slow.id) && sent.contains(&quick.id) && !sent.contains(&later.id));
}

#[tokio::test]
async fn only_types_that_are_asked_for_and_still_listed_go_out() {
    let world = World::new();
    let kinds = ["contact.create", "contact.update", "invoice.pay"];
    let subscription = world.samples.subscription(world.account, &kinds);
    world.store(&subscription).await;
    for kind in kinds {
        world.publish(&world.samples.event(world.account, kind)).await;
    }
    let types = Some(vec!["contact.create".to_owned(), "contact.update".to_owned()]);
    let request = EventsRequest { types, ..events(&world) };
    let replay = started(&world, &subscription, Again::Events(request)).await.expect("started");
    assert_eq!(replay.matched, 2);
    let listed = vec!["contact.update".to_owned(), "invoice.pay".to_owned()];
    change(&world, &subscription, UpdateRequest { events: Some(listed), ..UpdateRequest::default() }).await;
    world.pass(SOON);
    assert_eq!(steps(&world).await, 1);
    let sent: Vec<_> = log(&world, &subscription).await.iter().map(|delivery| delivery.event_type).collect();
    assert_eq!(sent, [EventType::of("contact.update")]);
}

#[tokio::test]
async fn a_subscription_that_is_switched_off_ends_its_replays() {
    let world = World::new();
    let subscription = world.subscribed().await;
    world.happen().await;
    let replay = started(&world, &subscription, Again::Events(events(&world))).await.expect("started");
    change(&world, &subscription, UpdateRequest { active: Some(false), ..UpdateRequest::default() }).await;
    world.pass(SOON);
    assert_eq!(steps(&world).await, 0);
    let at = world.samples.now();
    let why = Why::SubscriptionInactive;
    assert_eq!(stored(&world, &replay).await.state, State::Cancelled { at, why });
    let refused = started(&world, &subscription, Again::Events(events(&world))).await;
    assert!(matches!(refused, Err(ReplayError::SubscriptionInactive)));
}

#[tokio::test]
async fn a_cancelled_replay_sends_nothing_more_and_cannot_be_cancelled_again() {
    let world = World::new();
    let subscription = world.subscribed().await;
    world.happen().await;
    let replay = started(&world, &subscription, Again::Events(events(&world))).await.expect("started");
    for expected in [true, false] {
        let unit = world.begin().await;
        let cancelled = cancel(&*unit, world.call(), replay.id).await;
        match (expected, cancelled) {
            (true, Ok(cancelled)) => assert_eq!(cancelled.status(), Status::Cancelled),
            (false, Err(CancelError::Ended(error))) => assert_eq!(error.status, Status::Cancelled),
            (_, other) => panic!("{other:?}"),
        }
        commit(unit).await;
    }
    world.pass(SOON);
    assert_eq!(step(&world).await, None);
    assert!(log(&world, &subscription).await.is_empty());
}

#[tokio::test]
async fn a_replay_needs_the_permissions_of_its_events_and_a_window_that_was() {
    let world = World::new();
    let subscription = world.samples.subscription(world.account, &["contact.create", "invoice.pay"]);
    world.store(&subscription).await;
    let held: Grants = "contacts:*.read".parse().expect("valid");
    let asked = |again: Again, held: Grants| {
        let (world, id) = (&world, subscription.id);
        async move { prepare(&world.storage, world.call(), id, again, &held).await }
    };
    let refused = asked(Again::Events(events(&world)), held.clone()).await;
    let Err(ReplayError::MissingPermissions(missing)) = refused else { panic!("{refused:?}") };
    assert_eq!(missing.iter().map(|one| one.name()).collect::<Vec<_>>(), ["sales:invoices.read"]);
    let refused = asked(Again::Deliveries(EndedRequest::default()), held.clone()).await;
    assert!(matches!(refused, Err(ReplayError::MissingPermissions(_))));
    let types = |names: &[&str]| Some(names.iter().map(ToString::to_string).collect::<Vec<_>>());
    let some = EventsRequest { types: types(&["contact.create"]), ..events(&world) };
    assert!(asked(Again::Events(some), held).await.is_ok(), "it holds that of what is asked for");

    let (now, base) = (world.samples.now(), events(&world));
    let hour = Duration::from_hours(1);
    let kind = |name: &str| {
        Again::Deliveries(EndedRequest { kind: Some(name.to_owned()), ..EndedRequest::default() })
    };
    for (again, field) in [
        (Again::Events(EventsRequest { types: types(&["no.such"]), ..base.clone() }), "eventTypes[0]"),
        (Again::Events(EventsRequest { types: types(&["case.create"]), ..base.clone() }), "eventTypes[0]"),
        (Again::Events(EventsRequest { types: types(&[]), ..base.clone() }), "eventTypes"),
        (Again::Events(EventsRequest { from: now.plus(hour), ..base.clone() }), "from"),
        (Again::Events(EventsRequest { until: Some(base.from), ..base.clone() }), "from"),
        (kind("webhook.test"), "eventType"),
        (kind("no.such"), "eventType"),
    ] {
        let refused = asked(again.clone(), read()).await;
        let Err(ReplayError::Invalid(invalid)) = refused else { panic!("{again:?}: {refused:?}") };
        assert_eq!(invalid.0.first().map(|one| one.field.as_str()), Some(field), "{again:?}");
    }
}

#[tokio::test]
async fn a_subscription_has_few_open_replays() {
    let world = World::new();
    let subscription = world.subscribed().await;
    for _ in 0..MAX_OPEN {
        started(&world, &subscription, Again::Events(events(&world))).await.expect("started");
    }
    let refused = started(&world, &subscription, Again::Events(events(&world))).await;
    assert!(matches!(refused, Err(ReplayError::TooMany { most: MAX_OPEN })));
    world.pass(SOON);
    steps(&world).await;
    started(&world, &subscription, Again::Events(events(&world))).await.expect("those have ended");
}

#[tokio::test]
async fn failed_deliveries_go_out_again_once_for_each_event_and_tests_do_not() {
    let world = World::new();
    let subscription = world.subscribed().await;
    let happened = many(&world, 3);
    world.dispatch().await;
    let broken = FakeSender::new().always(500);
    for _ in 0..6 {
        world.attempt(&broken).await;
        world.pass(Duration::from_hours(13));
    }
    let unit = world.begin().await;
    let run = begin_test(&*unit, world.call(), subscription.id, &world.config).await.expect("begun");
    commit(unit).await;
    let clock = world.samples.clock();
    finish_test(run, &world.storage, &broken, clock, &world.config).await.expect("attempted");
    world.pass(Duration::from_secs(1));

    let all = || Again::Deliveries(EndedRequest::default());
    let first = started(&world, &subscription, all()).await.expect("started");
    assert_eq!(first.matched, 3);
    assert_eq!(steps(&world).await, 3, "what has ended need not be waited for");
    let underway = started(&world, &subscription, all()).await.expect("started");
    assert_eq!(underway.matched, 0, "all of them are under way");
    world.pass(REST);
    let receiver = FakeSender::new();
    world.attempt(&receiver).await;
    let arrived: BTreeSet<_> = headers(&receiver, "X-SVC-Webhook-Id").into_iter().collect();
    assert_eq!(arrived, happened.iter().map(|one| one.id.to_string()).collect());
    let again = started(&world, &subscription, all()).await.expect("started");
    assert_eq!(again.matched, 0, "they have arrived since");
    steps(&world).await;
    let forced =
        EndedRequest { even_if_arrived: true, event: Some(happened[1].id), ..EndedRequest::default() };
    let forced = started(&world, &subscription, Again::Deliveries(forced)).await.expect("started");
    assert_eq!((forced.matched, steps(&world).await), (1, 1));
}
