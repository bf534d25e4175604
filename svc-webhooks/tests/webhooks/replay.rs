//! Sending past events and ended deliveries again.

use std::collections::BTreeSet;
use std::time::Duration;

use svc_core::event::{Event, EventType};
use svc_core::permission::Grants;
use svc_core::refused::Refused;
use svc_testkit::catalogue::subscribable;
use svc_testkit::fakes::FakeSender;
use svc_testkit::webhooks::verbs::update;
use svc_webhooks::delivery::{Delivery, Status as Arrival, begin_test, finish_test};
use svc_webhooks::ports::{DeliveryFilter, QueueOverview, ReplayStorage, WebhookStorage};
use svc_webhooks::replay::{
    Again, EndedRequest, EventsRequest, MAX_OPEN, PAUSE, Replay, ReplayError, ReplayReport, State, Status,
    WAITING, Why, cancel, prepare, replay_once, start,
};
use svc_webhooks::retry::RetrySchedule;
use svc_webhooks::subscription::{CLOCK_SKEW, Change, Subscription, UpdateRequest};

use crate::test_app::{TestApp, commit, headers};

const SOON: Duration = Duration::from_secs(6);

fn read() -> Grants {
    "read".parse().expect("valid")
}

fn events(app: &TestApp) -> EventsRequest {
    EventsRequest { from: app.samples.now().minus(Duration::from_hours(24)), until: None, types: None }
}

async fn started(
    app: &TestApp,
    subscription: &Subscription,
    again: Again,
) -> Result<Replay, Refused<ReplayError>> {
    let draft = prepare(&app.storage, app.call(), subscription.id, again, subscribable(&read())).await?;
    let unit = app.storage.begin_replay().await.expect("begin");
    let replay = start(&*unit, app.call(), draft).await?;
    commit(unit).await;
    Ok(replay)
}

async fn step(app: &TestApp) -> Option<ReplayReport> {
    replay_once(&app.storage, &app.config.schedule, app.samples.now(), app.samples.random())
        .await
        .expect("a step")
}

/// Steps until nothing is due; answers how many deliveries were added.
async fn steps(app: &TestApp) -> u64 {
    let mut added = 0;
    while let Some(report) = step(app).await {
        added += report.added;
    }
    added
}

async fn stored(app: &TestApp, replay: &Replay) -> Replay {
    app.storage.replays().find(&app.scope, replay.id).await.expect("find").expect("stored")
}

async fn log(app: &TestApp, subscription: &Subscription) -> Vec<Delivery> {
    let page = svc_core::page::PageRules { default: 5_000, max: 5_000 }.page(None, None).expect("valid");
    let all = DeliveryFilter::default();
    let log = app.storage.deliveries().page(&app.scope, subscription.id, &all, page).await.expect("page");
    log.items.into_iter().map(|logged| logged.delivery).collect()
}

async fn change(app: &TestApp, subscription: &Subscription, request: UpdateRequest) {
    let change = Change::check(request, subscribable(&read()), &FakeSender::new()).await.expect("valid");
    let unit = app.begin().await;
    update(&*unit, app.call(), subscription.id, None, change).await.expect("update");
    commit(unit).await;
}

fn many(app: &TestApp, count: usize) -> Vec<Event> {
    let events: Vec<_> = (0..count).map(|_| app.samples.event(app.account, "contact.create")).collect();
    app.storage.append(&events);
    events
}

#[tokio::test]
async fn past_events_go_out_again_as_they_were_the_oldest_first() {
    let app = TestApp::new();
    let before = app.happen().await;
    app.dispatch().await;
    let subscription = app.subscribed().await;
    let after = app.happen().await;
    app.publish(&app.samples.event(app.account, "invoice.pay")).await;
    app.dispatch().await;
    let receiver = FakeSender::new();
    app.attempt(&receiver).await;
    assert_eq!(headers(&receiver, "X-SVC-Webhook-Id"), [after.id.to_string()]);

    let replay = started(&app, &subscription, Again::Events(events(&app))).await.expect("started");
    assert_eq!((replay.matched, replay.status()), (2, Status::Running));
    app.pass(SOON);
    assert_eq!(steps(&app).await, 2);
    app.pass(PAUSE);
    let receiver = FakeSender::new();
    app.attempt(&receiver).await;
    let ids = [&before, &after].map(|event| event.id.to_string());
    assert_eq!(headers(&receiver, "X-SVC-Webhook-Id"), ids);
    for (sent, event) in receiver.sent().iter().zip([&before, &after]) {
        assert_eq!(sent.body, event.body());
    }
    let done = stored(&app, &replay).await;
    assert_eq!((done.status(), done.sent), (Status::Completed, 2));
    let deliveries = log(&app, &subscription).await;
    let again = deliveries.iter().filter(|delivery| !delivery.automatic);
    assert!(again.clone().all(|one| (one.max_attempts, one.status()) == (6, Arrival::Delivered)));
    assert_eq!(again.count(), 2);
}

#[tokio::test]
async fn an_event_that_is_sent_again_has_the_attempts_of_the_schedule_and_a_delivery_its_own() {
    let mut app = TestApp::new();
    app.config.schedule = RetrySchedule::of(&[]);
    let subscription = app.subscribed().await;
    app.happen().await;
    app.dispatch().await;
    app.attempt(&FakeSender::new().always(500)).await;
    app.config.schedule = RetrySchedule::new([Duration::from_secs(1)]).expect("few");
    let failed = Again::Deliveries(EndedRequest::default());
    started(&app, &subscription, failed).await.expect("started");
    app.pass(SOON);
    assert_eq!(steps(&app).await, 1);
    app.pass(SOON);
    started(&app, &subscription, Again::Events(events(&app))).await.expect("started");
    app.pass(SOON);
    assert_eq!(steps(&app).await, 1);
    let log = log(&app, &subscription).await;
    let attempts: Vec<_> = log.iter().rev().map(|delivery| delivery.max_attempts).collect();
    assert_eq!(attempts, [1, 1, 2]);
}

#[tokio::test]
async fn a_dry_run_counts_and_changes_nothing() {
    let app = TestApp::new();
    let subscription = app.subscribed().await;
    many(&app, 3);
    let again = Again::Events(events(&app));
    let draft = prepare(&app.storage, app.call(), subscription.id, again, subscribable(&read()))
        .await
        .expect("valid");
    assert_eq!(draft.matched, 3);
    app.pass(SOON);
    assert_eq!(step(&app).await, None);
    assert!(log(&app, &subscription).await.is_empty());
}

#[tokio::test]
async fn a_replay_leaves_room_in_the_queue_for_what_happens_meanwhile() {
    let app = TestApp::new();
    let subscription = app.subscribed().await;
    many(&app, 700);
    while app.dispatch().await.events > 0 {}
    let receiver = FakeSender::new();
    while app.attempt(&receiver).await.claimed > 0 {}
    let replay = started(&app, &subscription, Again::Events(events(&app))).await.expect("started");
    app.pass(SOON);
    let mut sent = 0;
    for _ in 0..100 {
        sent += steps(&app).await;
        let queued = app.storage.depth(app.samples.now()).await.expect("depth").queued;
        assert!(queued.least() <= u64::from(WAITING), "{queued:?} wait");
        if stored(&app, &replay).await.status() == Status::Completed {
            break;
        }
        // While too much waits, it pauses, and looks again after a moment.
        assert_eq!(step(&app).await, None);
        app.pass(PAUSE);
        app.attempt(&receiver).await;
    }
    assert_eq!((sent, stored(&app, &replay).await.sent), (700, 700));
    let again: Vec<_> =
        log(&app, &subscription).await.into_iter().filter(|delivery| !delivery.automatic).collect();
    let distinct: BTreeSet<_> = again.iter().map(|delivery| delivery.event).collect();
    assert_eq!((again.len(), distinct.len()), (700, 700));
}

#[tokio::test]
async fn a_replay_does_not_wait_for_deliveries_that_are_to_be_retried() {
    let app = TestApp::new();
    let subscription = app.subscribed().await;
    many(&app, 400);
    started(&app, &subscription, Again::Events(events(&app))).await.expect("started");
    app.pass(SOON);
    let broken = FakeSender::new().always(500);
    let mut sent = 0;
    for _ in 0..20 {
        sent += steps(&app).await;
        app.pass(PAUSE);
        app.attempt(&broken).await;
    }
    assert_eq!(sent, 400);
}

#[tokio::test]
async fn an_event_that_was_on_its_way_when_the_replay_was_asked_for_is_in_it() {
    let app = TestApp::new();
    let subscription = app.subscribed().await;
    let slow = app.samples.event(app.account, "contact.create");
    let quick = app.happen().await;
    let replay = started(&app, &subscription, Again::Events(events(&app))).await.expect("started");
    app.pass(Duration::from_secs(1));
    assert_eq!(step(&app).await.map(|report| report.added), Some(0), "nothing is old enough");
    app.publish(&slow).await;
    let later = app.happen().await;
    app.pass(CLOCK_SKEW);
    assert_eq!(steps(&app).await, 2);
    assert_eq!(stored(&app, &replay).await.status(), Status::Completed);
    let sent: Vec<_> = log(&app, &subscription).await.iter().map(|delivery| delivery.event).collect();
    assert!(sent.contains(&slow.id) && sent.contains(&quick.id) && !sent.contains(&later.id));
}

#[tokio::test]
async fn only_types_that_are_asked_for_and_still_listed_go_out() {
    let app = TestApp::new();
    let kinds = ["contact.create", "contact.update", "invoice.pay"];
    let subscription = app.samples.subscription(app.account, &kinds);
    app.store(&subscription).await;
    for kind in kinds {
        app.publish(&app.samples.event(app.account, kind)).await;
    }
    let types = Some(vec!["contact.create".to_owned(), "contact.update".to_owned()]);
    let request = EventsRequest { types, ..events(&app) };
    let replay = started(&app, &subscription, Again::Events(request)).await.expect("started");
    assert_eq!(replay.matched, 2);
    let listed = vec!["contact.update".to_owned(), "invoice.pay".to_owned()];
    change(&app, &subscription, UpdateRequest { events: Some(listed), ..UpdateRequest::default() }).await;
    app.pass(SOON);
    assert_eq!(steps(&app).await, 1);
    let sent: Vec<_> =
        log(&app, &subscription).await.into_iter().map(|delivery| delivery.event_type).collect();
    assert_eq!(sent, [EventType::of("contact.update")]);
}

#[tokio::test]
async fn a_subscription_that_is_switched_off_ends_its_replays() {
    let app = TestApp::new();
    let subscription = app.subscribed().await;
    app.happen().await;
    let replay = started(&app, &subscription, Again::Events(events(&app))).await.expect("started");
    change(&app, &subscription, UpdateRequest { active: Some(false), ..UpdateRequest::default() }).await;
    app.pass(SOON);
    assert_eq!(steps(&app).await, 0);
    let at = app.samples.now();
    let why = Why::SubscriptionInactive;
    assert_eq!(stored(&app, &replay).await.state, State::Cancelled { at, why });
    let refused = started(&app, &subscription, Again::Events(events(&app))).await;
    assert!(matches!(refused, Err(Refused::Own(ReplayError::Inactive(_)))));
}

#[tokio::test]
async fn a_cancelled_replay_sends_nothing_more_and_cannot_be_cancelled_again() {
    let app = TestApp::new();
    let subscription = app.subscribed().await;
    app.happen().await;
    let replay = started(&app, &subscription, Again::Events(events(&app))).await.expect("started");
    for expected in [true, false] {
        let unit = app.storage.begin_replay().await.expect("begin");
        let cancelled = cancel(&*unit, app.call(), replay.id).await;
        match (expected, cancelled) {
            (true, Ok(cancelled)) => assert_eq!(cancelled.status(), Status::Cancelled),
            (false, Err(Refused::Own(error))) => assert_eq!(error.status, Status::Cancelled),
            (_, other) => panic!("{other:?}"),
        }
        commit(unit).await;
    }
    app.pass(SOON);
    assert_eq!(step(&app).await, None);
    assert!(log(&app, &subscription).await.is_empty());
}

#[tokio::test]
async fn a_replay_needs_the_permissions_of_its_events_and_a_window_that_was() {
    let app = TestApp::new();
    let subscription = app.samples.subscription(app.account, &["contact.create", "invoice.pay"]);
    app.store(&subscription).await;
    let held: Grants = "contacts:*.read".parse().expect("valid");
    let asked = |again: Again, held: Grants| {
        let (app, id) = (&app, subscription.id);
        async move { prepare(&app.storage, app.call(), id, again, subscribable(&held)).await }
    };
    let refused = asked(Again::Events(events(&app)), held.clone()).await;
    let Err(Refused::Own(ReplayError::MissingPermissions(missing))) = refused else { panic!("{refused:?}") };
    assert_eq!(missing.iter().map(|one| one.name()).collect::<Vec<_>>(), ["sales:invoices.read"]);
    let refused = asked(Again::Deliveries(EndedRequest::default()), held.clone()).await;
    assert!(matches!(refused, Err(Refused::Own(ReplayError::MissingPermissions(_)))));
    let types = |names: &[&str]| Some(names.iter().map(ToString::to_string).collect::<Vec<_>>());
    let some = EventsRequest { types: types(&["contact.create"]), ..events(&app) };
    assert!(asked(Again::Events(some), held).await.is_ok(), "it holds that of what is asked for");

    let (now, base) = (app.samples.now(), events(&app));
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
        let Err(Refused::Invalid(invalid)) = refused else { panic!("{again:?}: {refused:?}") };
        assert_eq!(invalid.0.first().map(|one| one.field.as_str()), Some(field), "{again:?}");
    }
}

#[tokio::test]
async fn a_subscription_has_few_open_replays() {
    let app = TestApp::new();
    let subscription = app.subscribed().await;
    for _ in 0..MAX_OPEN {
        started(&app, &subscription, Again::Events(events(&app))).await.expect("started");
    }
    let refused = started(&app, &subscription, Again::Events(events(&app))).await;
    assert!(matches!(refused, Err(Refused::Own(ReplayError::TooMany { most: MAX_OPEN }))));
    app.pass(SOON);
    steps(&app).await;
    started(&app, &subscription, Again::Events(events(&app))).await.expect("those have ended");
}

#[tokio::test]
async fn failed_deliveries_go_out_again_once_for_each_event_and_tests_do_not() {
    let app = TestApp::new();
    let subscription = app.subscribed().await;
    let happened = many(&app, 3);
    app.dispatch().await;
    let broken = FakeSender::new().always(500);
    for _ in 0..6 {
        app.attempt(&broken).await;
        app.pass(Duration::from_hours(13));
    }
    let unit = app.begin().await;
    let run = begin_test(&*unit, app.call(), subscription.id, &app.config).await.expect("begun");
    commit(unit).await;
    let clock = app.samples.clock();
    finish_test(run, &app.storage, &broken, clock, &app.config).await.expect("attempted");
    app.pass(Duration::from_secs(1));

    let all = || Again::Deliveries(EndedRequest::default());
    let first = started(&app, &subscription, all()).await.expect("started");
    assert_eq!(first.matched, 3);
    assert_eq!(steps(&app).await, 3, "what has ended need not be waited for");
    let underway = started(&app, &subscription, all()).await.expect("started");
    assert_eq!(underway.matched, 0, "all of them are under way");
    app.pass(PAUSE);
    let receiver = FakeSender::new();
    app.attempt(&receiver).await;
    let arrived: BTreeSet<_> = headers(&receiver, "X-SVC-Webhook-Id").into_iter().collect();
    assert_eq!(arrived, happened.iter().map(|one| one.id.to_string()).collect());
    let again = started(&app, &subscription, all()).await.expect("started");
    assert_eq!(again.matched, 0, "they have arrived since");
    steps(&app).await;
    let forced =
        EndedRequest { even_if_arrived: true, event: Some(happened[1].id), ..EndedRequest::default() };
    let forced = started(&app, &subscription, Again::Deliveries(forced)).await.expect("started");
    assert_eq!((forced.matched, steps(&app).await), (1, 1));
}

#[tokio::test]
async fn a_type_that_is_not_known_here_is_not_replayed() {
    let app = TestApp::new();
    let known = app.samples.subscription(app.account, &["contact.create"]);
    let future = EventType::of("future.kind");
    let listing = Subscription { events: known.events.iter().cloned().chain([future]).collect(), ..known };
    app.store(&listing).await;
    let again = |types| Again::Events(EventsRequest { types, ..events(&app) });
    let replay = started(&app, &listing, again(None)).await.expect("started");
    assert_eq!(replay.selection.types, [EventType::of("contact.create")].into());
    let named = started(&app, &listing, again(Some(vec!["future.kind".to_owned()]))).await;
    assert!(
        matches!(&named, Err(Refused::Invalid(errors)) if errors.0[0].code == "unknown_event"),
        "{named:?}"
    );
}
