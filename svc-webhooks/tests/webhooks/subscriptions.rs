//! Creating, changing, rotating and removing subscriptions.

use std::collections::BTreeMap;
use std::time::Duration;

use svc_core::audit::{Actor, Who};
use svc_core::error::{FieldError, StoreError};
use svc_core::event::EventType;
use svc_core::id::{TokenId, TypedId as _};
use svc_core::permission::{Grants, Permission};
use svc_core::refused::Refused;
use svc_core::resource::Version;
use svc_core::unit::CallContext;
use svc_testkit::catalogue::subscribable;
use svc_testkit::fakes::FakeSender;
use svc_testkit::webhooks::sample::scope;
use svc_testkit::webhooks::verbs::{remove, rotate_secret, update};
use svc_webhooks::endpoint::EndpointError;
use svc_webhooks::ports::{Refusal, WebhookStorage};
use svc_webhooks::subscription::{
    Author, Change, ChangeError, CreateRequest, Draft, MAX_PER_ACCOUNT, State, Subscription,
    TooManySubscriptions, UpdateRequest, create,
};
use uuid::Uuid;

use crate::test_app::{TestApp, commit, silence};

fn read() -> Grants {
    "read".parse().expect("valid")
}

fn request(name: &str, url: &str, events: &[&str]) -> CreateRequest {
    CreateRequest {
        name: name.to_owned(),
        url: url.to_owned(),
        events: events.iter().map(|&event| event.to_owned()).collect(),
        headers: BTreeMap::new(),
        in_flight: None,
    }
}

const URL: &str = "https://hooks.example.com/svc";

async fn created(app: &TestApp) -> Result<Subscription, Refused<TooManySubscriptions>> {
    let wanted = request("  ERP ", URL, &["invoice.pay", "contact.create", "invoice.pay"]);
    let draft =
        Draft::check(wanted, subscribable(&read()), &FakeSender::new()).await.expect("a valid request");
    let unit = app.begin().await;
    let subscription = create(&*unit, app.call(), app.account, draft).await?;
    commit(unit).await;
    Ok(subscription)
}

async fn changed(
    app: &TestApp,
    subscription: &Subscription,
    expected: Option<Version>,
    request: UpdateRequest,
) -> Result<Subscription, Refused<ChangeError>> {
    let change = Change::check(request, subscribable(&read()), &FakeSender::new()).await?;
    let unit = app.begin().await;
    let after = update(&*unit, app.call(), subscription.id, expected, change).await?;
    commit(unit).await;
    Ok(after)
}

fn findings(error: &[FieldError]) -> Vec<(&str, &str)> {
    error.iter().map(|error| (error.field.as_str(), error.code)).collect()
}

async fn stored(app: &TestApp, subscription: &Subscription) -> Option<Subscription> {
    app.storage.subscriptions().find(&app.scope, subscription.id).await.expect("find")
}

#[tokio::test]
async fn a_new_subscription_is_active_with_a_secret_and_each_event_once() {
    let app = TestApp::new();
    let subscription = created(&app).await.expect("create");
    assert_eq!(subscription.name, "ERP");
    assert_eq!(subscription.endpoint.as_str(), URL);
    let events: Vec<_> = subscription.events.iter().map(EventType::name).collect();
    assert_eq!(events, ["contact.create", "invoice.pay"], "in the order of their names");
    assert_eq!(subscription.state, State::Active { since: app.samples.now() });
    assert_eq!(subscription.version, Version::FIRST);
    assert_eq!(subscription.secret.expose().len(), "whsec_".len() + 43);
    assert!(subscription.secret.expose().starts_with("whsec_"));
    assert!(!format!("{subscription:?}").contains(subscription.secret.expose()));
    assert_eq!(stored(&app, &subscription).await, Some(subscription));
}

#[tokio::test]
async fn missing_permissions_come_before_everything_else_and_before_the_network() {
    let held: Grants = "contacts:contacts.read".parse().expect("valid");
    let events = ["invoice.pay", "contact.create", "envelope.sent", "invoice.void", "nonsense"];
    let missing = [Permission::of("sales:invoices.read"), Permission::of("sign:envelopes.read")];
    let outcome = Draft::check(request("", "junk", &events), subscribable(&held), &silence()).await;
    assert!(matches!(outcome, Err(Refused::Own(ChangeError::MissingPermissions(found))) if found == missing));

    let update = UpdateRequest {
        name: Some(String::new()),
        events: Some(events.map(str::to_owned).to_vec()),
        ..UpdateRequest::default()
    };
    let outcome = Change::check(update, subscribable(&held), &silence()).await;
    assert!(matches!(outcome, Err(Refused::Own(ChangeError::MissingPermissions(found))) if found == missing));
}

#[tokio::test]
async fn every_broken_rule_of_the_input_is_found_in_one_pass() {
    let long = "ñ".repeat(101);
    let types: Vec<_> = (0..45).map(|at| format!("no.{at}")).collect();
    let types: Vec<_> = types.iter().map(String::as_str).collect();
    for (name, events, expected) in [
        (" \t", vec![], vec![("name", "required"), ("events", "required")]),
        (long.as_str(), vec!["contact.create"], vec![("name", "too_long")]),
        (
            "ERP",
            vec!["contact.create", "webhook.test", "contact.created"],
            vec![("events[1]", "not_subscribable"), ("events[2]", "unknown_event")],
        ),
        ("ERP", types, vec![("events", "too_many")]),
    ] {
        let outcome = Draft::check(request(name, URL, &events), subscribable(&read()), &silence()).await;
        match outcome {
            Err(Refused::Invalid(invalid)) => assert_eq!(findings(&invalid.0), expected),
            other => panic!("expected {expected:?}, found {other:?}"),
        }
    }
    let fits = request(&"ñ".repeat(100), URL, &["contact.create"; 60]);
    assert!(
        Draft::check(fits, subscribable(&read()), &FakeSender::new()).await.is_ok(),
        "repeated events count once"
    );
}

#[tokio::test]
async fn a_url_that_is_not_allowed_is_refused() {
    for (url, expected) in [
        ("hooks.example.com", EndpointError::Malformed),
        ("ftp://hooks.example.com/", EndpointError::Scheme),
        ("https://user:secret@hooks.example.com/", EndpointError::Credentials),
        ("https://hooks.example.com/#top", EndpointError::Fragment),
    ] {
        let outcome =
            Draft::check(request("ERP", url, &["contact.create"]), subscribable(&read()), &silence()).await;
        assert!(matches!(outcome, Err(Refused::Own(ChangeError::Url(found))) if found == expected), "{url}");
    }
    let refusal = Refusal::InternalName("db.internal".to_owned());
    let sender = FakeSender::new().refusing(refusal.clone());
    let outcome =
        Draft::check(request("ERP", URL, &["contact.create"]), subscribable(&read()), &sender).await;
    assert!(matches!(outcome, Err(Refused::Own(ChangeError::Target(found))) if found == refusal));
    let update = UpdateRequest { url: Some(URL.to_owned()), ..UpdateRequest::default() };
    let outcome = Change::check(update, subscribable(&read()), &sender).await;
    assert!(matches!(outcome, Err(Refused::Own(ChangeError::Target(found))) if found == refusal));
    assert_eq!(sender.checked().len(), 2);
}

#[tokio::test]
async fn an_account_has_at_most_twenty_subscriptions() {
    let app = TestApp::new();
    for _ in 0..MAX_PER_ACCOUNT {
        created(&app).await.expect("create");
    }
    let outcome = created(&app).await;
    assert!(matches!(outcome, Err(Refused::Own(TooManySubscriptions { most: 20 }))), "{outcome:?}");
}

#[tokio::test]
async fn a_change_counts_and_one_that_changes_nothing_does_not() {
    let app = TestApp::new();
    let before = created(&app).await.expect("create");
    app.pass(Duration::from_secs(5));
    let same = UpdateRequest {
        name: Some(" ERP ".to_owned()),
        url: Some(URL.to_owned()),
        events: Some(vec!["invoice.pay".to_owned(), "contact.create".to_owned()]),
        active: Some(true),
        in_flight: Some(32),
        headers: None,
    };
    assert_eq!(changed(&app, &before, None, same).await.expect("update"), before);

    let request = UpdateRequest {
        name: Some("New".to_owned()),
        url: Some("https://other.example.com/".to_owned()),
        events: Some(vec!["case.create".to_owned()]),
        active: Some(false),
        in_flight: Some(256),
        headers: None,
    };
    let after = changed(&app, &before, Some(Version::FIRST), request).await.expect("update");
    assert_eq!(after.version, Version::FIRST.next());
    assert_eq!((after.updated_at, after.created_at), (app.samples.now(), before.created_at));
    assert_eq!((after.name.as_str(), after.state), ("New", State::Inactive));
    assert_eq!(after.events.iter().map(EventType::name).collect::<Vec<_>>(), ["case.create"]);
    assert_eq!((&after.secret, after.in_flight.get()), (&before.secret, 256));
    assert_eq!(stored(&app, &before).await, Some(after.clone()));

    app.pass(Duration::from_secs(5));
    let on = UpdateRequest { active: Some(true), ..UpdateRequest::default() };
    let after = changed(&app, &after, None, on).await.expect("update");
    assert_eq!(after.state, State::Active { since: app.samples.now() });
}

#[tokio::test]
async fn rotation_replaces_the_secret_and_nothing_else() {
    let app = TestApp::new();
    let before = created(&app).await.expect("create");
    let unit = app.begin().await;
    let after = rotate_secret(&*unit, app.call(), before.id, Some(before.version)).await.expect("rotate");
    commit(unit).await;
    assert_ne!(after.secret, before.secret);
    assert_eq!(stored(&app, &before).await.as_ref(), Some(&after));
    let expected = Subscription {
        secret: after.secret.clone(),
        version: before.version.next(),
        updated_at: app.samples.now(),
        ..before
    };
    assert_eq!(after, expected);
}

#[tokio::test]
async fn another_version_or_another_company_changes_nothing() {
    let app = TestApp::new();
    let subscription = created(&app).await.expect("create");
    let stale = Some(subscription.version.next());
    let rename = || UpdateRequest { name: Some("New".to_owned()), ..UpdateRequest::default() };
    let outcome = changed(&app, &subscription, stale, rename()).await;
    assert!(matches!(outcome, Err(Refused::VersionConflict { current: Version::FIRST })), "{outcome:?}");
    let unit = app.begin().await;
    let outcome = remove(&*unit, app.call(), subscription.id, stale).await;
    assert!(matches!(outcome, Err(Refused::VersionConflict { current: Version::FIRST })), "{outcome:?}");
    let outcome = rotate_secret(&*unit, app.call(), subscription.id, stale).await;
    assert!(matches!(outcome, Err(Refused::VersionConflict { current: Version::FIRST })), "{outcome:?}");

    let foreign = scope([app.samples.account()]);
    let call = app.samples.call(&foreign);
    let change = Change::check(rename(), subscribable(&read()), &silence()).await.expect("valid");
    let outcome = update(&*unit, call, subscription.id, None, change).await;
    assert!(matches!(outcome, Err(Refused::NotFound)), "{outcome:?}");
    let outcome = remove(&*unit, call, subscription.id, None).await;
    assert!(matches!(outcome, Err(Refused::NotFound)), "{outcome:?}");
    let outcome = rotate_secret(&*unit, call, subscription.id, None).await;
    assert!(matches!(outcome, Err(Refused::NotFound)), "{outcome:?}");
    commit(unit).await;
    assert_eq!(stored(&app, &subscription).await, Some(subscription));
}

#[tokio::test]
async fn a_change_that_lost_a_race_is_a_conflict() {
    let app = TestApp::new();
    let subscription = created(&app).await.expect("create");
    let [first, second] = [app.begin().await, app.begin().await];
    rotate_secret(&*first, app.call(), subscription.id, None).await.expect("rotate");
    rotate_secret(&*second, app.call(), subscription.id, None).await.expect("rotate");
    commit(first).await;
    let outcome = second.commit().await;
    assert!(matches!(outcome, Err(StoreError::Conflict)), "{outcome:?}");
}

#[tokio::test]
async fn a_removed_subscription_is_gone() {
    let app = TestApp::new();
    let subscription = created(&app).await.expect("create");
    let unit = app.begin().await;
    remove(&*unit, app.call(), subscription.id, Some(subscription.version)).await.expect("remove");
    commit(unit).await;
    assert_eq!(stored(&app, &subscription).await, None);
}

/// A server beside this one may know more types than this one does.
#[tokio::test]
async fn what_lists_an_unknown_type_is_not_pointed_elsewhere_unless_it_lists_others() {
    let app = TestApp::new();
    let known = app.samples.subscription(app.account, &["contact.create"]);
    let future = EventType::of("future.kind");
    let listing = Subscription { events: known.events.iter().cloned().chain([future]).collect(), ..known };
    app.store(&listing).await;
    let moved =
        || UpdateRequest { url: Some("https://other.example.com/".to_owned()), ..UpdateRequest::default() };
    match changed(&app, &listing, None, moved()).await {
        Err(Refused::Invalid(errors)) => assert_eq!(findings(&errors.0), [("events", "unknown_event")]),
        other => panic!("{other:?}"),
    }
    assert_eq!(stored(&app, &listing).await.as_ref(), Some(&listing), "nothing was changed");
    let rename = UpdateRequest { name: Some("New".to_owned()), ..UpdateRequest::default() };
    changed(&app, &listing, None, rename).await.expect("what stays where it is may be changed");
    let anew = UpdateRequest { events: Some(vec!["contact.create".to_owned()]), ..moved() };
    changed(&app, &listing, None, anew).await.expect("moved");
}

#[tokio::test]
async fn the_token_that_had_to_hold_the_permissions_last_answers_for_a_subscription() {
    let app = TestApp::new();
    let made = app.subscribed().await;
    let mut answering = vec![made.author];
    for (number, request) in (1..).zip([
        UpdateRequest { name: Some("Other".to_owned()), active: Some(false), ..UpdateRequest::default() },
        UpdateRequest { active: Some(true), ..UpdateRequest::default() },
        UpdateRequest { active: Some(true), ..UpdateRequest::default() },
        UpdateRequest { url: Some(URL.to_owned() + "/moved"), ..UpdateRequest::default() },
        UpdateRequest { events: Some(vec!["contact.create".to_owned()]), ..UpdateRequest::default() },
    ]) {
        let who = Who::Token(TokenId::from_uuid(Uuid::from_u128(number)));
        let actor = Actor { who, from: None, request: None };
        let change = Change::check(request, subscribable(&read()), &FakeSender::new()).await.expect("valid");
        let unit = app.begin().await;
        let call = CallContext { actor: &actor, ..app.call() };
        let after = update(&*unit, call, made.id, None, change).await.expect("changed");
        commit(unit).await;
        answering.push(after.author);
    }
    let token = |number| Author::Token(TokenId::from_uuid(Uuid::from_u128(number)));
    assert_eq!(answering, [made.author, made.author, token(2), token(2), token(4), token(5)]);
}
