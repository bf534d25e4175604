//! What changes of subscriptions leave in the audit log.

use serde_json::{Value, json};
use svc_core::audit::{Action, Actor, Details, Entry};
use svc_core::id::{TokenId, TypedId};
use svc_core::permission::Grants;
use svc_core::unit::Unit;
use svc_testkit::fakes::FakeSender;
use svc_testkit::webhooks::sample::scope;
use svc_webhooks::subscription::{
    Change, CreateRequest, Draft, HeaderChanges, Subscription, UpdateRequest, create, remove, rotate_secret,
    update,
};

use crate::world::{World, commit};

fn read() -> Grants {
    "read".parse().expect("valid")
}

async fn created(world: &World) -> Subscription {
    let request = CreateRequest {
        name: "ERP".to_owned(),
        url: "https://hooks.example.com/svc?key=hunter2".to_owned(),
        events: vec!["invoice.pay".to_owned(), "contact.create".to_owned()],
        headers: [("X-Api-Key".to_owned(), "kanari".to_owned().into())].into(),
        in_flight: None,
    };
    let draft = Draft::check(request, &read(), &FakeSender::new()).await.expect("valid");
    let token = TokenId::generate(world.samples.now(), world.samples.random());
    let unit = world.begin().await;
    let subscription = create(&*unit, world.call(), world.account, token, draft).await.expect("create");
    commit(unit).await;
    subscription
}

async fn change(request: UpdateRequest) -> Change {
    Change::check(request, &read(), &FakeSender::new()).await.expect("valid")
}

fn value(details: Option<&Details>) -> Value {
    details.map_or(Value::Null, |details| serde_json::from_str(details.as_str()).expect("JSON"))
}

/// Action, state before and state after of each entry of the company.
fn told(world: &World) -> Vec<(Action, Value, Value)> {
    let entries = world.storage.audit().entries(world.account);
    entries
        .iter()
        .map(|entry| (entry.action, value(entry.before.as_ref()), value(entry.after.as_ref())))
        .collect()
}

#[tokio::test]
async fn every_change_is_one_entry_with_the_states_before_and_after() {
    let world = World::new();
    let subscription = created(&world).await;
    let unit = world.begin().await;
    let request = UpdateRequest {
        name: Some("New".to_owned()),
        url: Some("https://other.example.com:8443/in".to_owned()),
        events: Some(vec!["case.create".to_owned()]),
        active: Some(false),
        in_flight: Some(1),
        headers: Some(HeaderChanges::Merge([("X-Api-Key".to_owned(), Some("new".to_owned().into()))].into())),
    };
    update(&*unit, world.call(), subscription.id, None, change(request).await).await.expect("update");
    commit(unit).await;
    let unit = world.begin().await;
    rotate_secret(&*unit, world.call(), subscription.id, None).await.expect("rotate");
    commit(unit).await;
    let unit = world.begin().await;
    remove(&*unit, world.call(), subscription.id, None).await.expect("remove");
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
        told(&world),
        [
            (Action::SubscriptionCreate, Value::Null, first.clone()),
            (Action::SubscriptionUpdate, first, changed),
            (Action::SubscriptionRotateSecret, second.clone(), second.clone()),
            (Action::SubscriptionDelete, second, Value::Null),
        ]
    );
    for Entry { account, at, actor, subject, .. } in world.storage.audit().entries(world.account) {
        assert_eq!((account, at), (world.account, world.samples.now()));
        assert_eq!((actor, subject), (Actor::OPERATOR, subscription.id.to_string()));
    }
}

#[tokio::test]
async fn what_changed_nothing_leaves_no_entry() {
    let world = World::new();
    let subscription = created(&world).await;
    let same = UpdateRequest { name: Some("ERP".to_owned()), active: Some(true), ..UpdateRequest::default() };
    let unit = world.begin().await;
    update(&*unit, world.call(), subscription.id, None, change(same).await).await.expect("update");
    commit(unit).await;

    // A stranger is refused, and a change that is dropped never was.
    let foreign = scope([world.samples.account()]);
    let unit = world.begin().await;
    let outcome = remove(&*unit, world.samples.call(&foreign), subscription.id, None).await;
    outcome.expect_err("another company's");
    commit(unit).await;
    let unit = world.begin().await;
    rotate_secret(&*unit, world.call(), subscription.id, None).await.expect("rotate");
    drop(unit);
    let [first, second] = [world.begin().await, world.begin().await];
    rotate_secret(&*first, world.call(), subscription.id, None).await.expect("rotate");
    rotate_secret(&*second, world.call(), subscription.id, None).await.expect("rotate");
    commit(first).await;
    let second: Box<dyn Unit> = second;
    second.commit().await.expect_err("lost the race");

    let actions: Vec<_> = told(&world).into_iter().map(|(action, ..)| action).collect();
    assert_eq!(actions, [Action::SubscriptionCreate, Action::SubscriptionRotateSecret]);
}

#[tokio::test]
async fn neither_a_secret_nor_a_query_gets_into_the_log() {
    let world = World::new();
    let before = created(&world).await;
    let unit = world.begin().await;
    let after = rotate_secret(&*unit, world.call(), before.id, None).await.expect("rotate");
    commit(unit).await;
    let log = format!("{:?}", world.storage.audit().entries(world.account));
    for secret in [before.secret.expose(), after.secret.expose(), "hunter2", "whsec_", "kanari"] {
        assert!(!log.contains(secret), "{secret} in {log}");
    }
}
