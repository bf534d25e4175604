//! What changes of subscriptions leave in the audit log.

use serde_json::{Value, json};
use svc_core::audit::{Action, Actor, Details, Entry};
use svc_core::permission::Grants;
use svc_core::unit::UnitOfWork;
use svc_testkit::catalogue::subscribable;
use svc_testkit::fakes::FakeSender;
use svc_testkit::webhooks::sample::scope;
use svc_testkit::webhooks::verbs::{remove, rotate_secret, update};
use svc_webhooks::subscription::{
    Change, CreateRequest, Draft, HeaderChanges, Subscription, UpdateRequest, create,
};

use crate::test_app::{TestApp, commit};

fn read() -> Grants {
    "read".parse().expect("valid")
}

async fn created(app: &TestApp) -> Subscription {
    let request = CreateRequest {
        name: "ERP".to_owned(),
        url: "https://hooks.example.com/svc?key=hunter2".to_owned(),
        events: vec!["invoice.pay".to_owned(), "contact.create".to_owned()],
        headers: [("X-Api-Key".to_owned(), "kanari".to_owned().into())].into(),
        in_flight: None,
    };
    let draft = Draft::check(request, subscribable(&read()), &FakeSender::new()).await.expect("valid");
    let unit = app.begin().await;
    let subscription = create(&*unit, app.call(), app.account, draft).await.expect("create");
    commit(unit).await;
    subscription
}

async fn change(request: UpdateRequest) -> Change {
    Change::check(request, subscribable(&read()), &FakeSender::new()).await.expect("valid")
}

fn value(details: Option<&Details>) -> Value {
    details.map_or(Value::Null, |details| serde_json::from_str(details.as_str()).expect("JSON"))
}

/// Action, state before and state after of each entry of the company.
fn told(app: &TestApp) -> Vec<(Action, Value, Value)> {
    let entries = app.storage.audit().entries(app.account);
    entries
        .iter()
        .map(|entry| (entry.action, value(entry.before.as_ref()), value(entry.after.as_ref())))
        .collect()
}

#[tokio::test]
async fn every_change_is_one_entry_with_the_states_before_and_after() {
    let app = TestApp::new();
    let subscription = created(&app).await;
    let unit = app.begin().await;
    let request = UpdateRequest {
        name: Some("New".to_owned()),
        url: Some("https://other.example.com:8443/in".to_owned()),
        events: Some(vec!["case.create".to_owned()]),
        active: Some(false),
        in_flight: Some(1),
        headers: Some(HeaderChanges::Merge([("X-Api-Key".to_owned(), Some("new".to_owned().into()))].into())),
    };
    update(&*unit, app.call(), subscription.id, None, change(request).await).await.expect("update");
    commit(unit).await;
    let unit = app.begin().await;
    rotate_secret(&*unit, app.call(), subscription.id, None).await.expect("rotate");
    commit(unit).await;
    let unit = app.begin().await;
    remove(&*unit, app.call(), subscription.id, None).await.expect("remove");
    commit(unit).await;

    let first = json!({
        "name": "ERP", "url": "https://hooks.example.com/svc?…",
        "events": ["contact.create", "invoice.pay"], "active": true, "maxInFlight": 32,
        "headers": { "X-Api-Key": "***" },
    });
    let second = json!({
        "name": "New", "url": "https://other.example.com:8443/in", "events": ["case.create"], "active": false,
        "maxInFlight": 1, "headers": { "X-Api-Key": "***" },
    });
    let mut changed = second.clone();
    changed["headers"]["X-Api-Key"] = json!("*** (changed)");
    assert_eq!(
        told(&app),
        [
            (Action::SubscriptionCreate, Value::Null, first.clone()),
            (Action::SubscriptionUpdate, first, changed),
            (Action::SubscriptionRotateSecret, second.clone(), second.clone()),
            (Action::SubscriptionDelete, second, Value::Null),
        ]
    );
    for Entry { account, at, actor, subject, .. } in app.storage.audit().entries(app.account) {
        assert_eq!((account, at), (app.account, app.samples.now()));
        assert_eq!((actor, subject), (Actor::OPERATOR, subscription.id.to_string()));
    }
}

#[tokio::test]
async fn what_changed_nothing_leaves_no_entry() {
    let app = TestApp::new();
    let subscription = created(&app).await;
    let same = UpdateRequest { name: Some("ERP".to_owned()), active: Some(true), ..UpdateRequest::default() };
    let unit = app.begin().await;
    update(&*unit, app.call(), subscription.id, None, change(same).await).await.expect("update");
    commit(unit).await;

    // A stranger is refused, and a change that is dropped never was.
    let foreign = scope([app.samples.account()]);
    let unit = app.begin().await;
    let outcome = remove(&*unit, app.samples.call(&foreign), subscription.id, None).await;
    outcome.expect_err("another company's");
    commit(unit).await;
    let unit = app.begin().await;
    rotate_secret(&*unit, app.call(), subscription.id, None).await.expect("rotate");
    drop(unit);
    let [first, second] = [app.begin().await, app.begin().await];
    rotate_secret(&*first, app.call(), subscription.id, None).await.expect("rotate");
    rotate_secret(&*second, app.call(), subscription.id, None).await.expect("rotate");
    commit(first).await;
    let second: Box<dyn UnitOfWork> = second;
    second.commit().await.expect_err("lost the race");

    let actions: Vec<_> = told(&app).into_iter().map(|(action, ..)| action).collect();
    assert_eq!(actions, [Action::SubscriptionCreate, Action::SubscriptionRotateSecret]);
}

#[tokio::test]
async fn neither_a_secret_nor_a_query_gets_into_the_log() {
    let app = TestApp::new();
    let before = created(&app).await;
    let unit = app.begin().await;
    let after = rotate_secret(&*unit, app.call(), before.id, None).await.expect("rotate");
    commit(unit).await;
    let log = format!("{:?}", app.storage.audit().entries(app.account));
    for secret in [before.secret.expose(), after.secret.expose(), "hunter2", "whsec_", "kanari"] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}
