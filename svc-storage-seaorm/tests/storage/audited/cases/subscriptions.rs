//! Webhook subscriptions.

use std::time::Duration;

use svc_core::audit::Action;
use svc_testkit::catalogue::subscribable;
use svc_testkit::fakes::FakeSender;
use svc_testkit::webhooks::verbs;
use svc_webhooks::replay::{self, Again, Draft, EventsRequest};
use svc_webhooks::subscription::{self, Change, UpdateRequest};

use crate::audited::test_app::{Case, TestApp, case, read, told};

async fn change(active: bool) -> Change {
    let request = UpdateRequest { active: Some(active), ..UpdateRequest::default() };
    Change::check(request, subscribable(&read()), &FakeSender::new()).await.expect("valid")
}

pub(super) async fn created(app: &TestApp) -> Vec<Case> {
    let draft = app.draft().await;
    vec![case!(
        app,
        "subscription::create",
        |unit, call| subscription::create(&*unit, call, app.acme, draft),
        [(app.acme, Action::SubscriptionCreate)]
    )]
}

pub(super) async fn updated(app: &TestApp) -> Vec<Case> {
    let id = app.subscription().await.id;
    let off = change(false).await;
    vec![case!(
        app,
        "subscription::update",
        |unit, call| verbs::update(&*unit, call, id, None, off),
        [(app.acme, Action::SubscriptionUpdate)]
    )]
}

pub(super) async fn rotated(app: &TestApp) -> Vec<Case> {
    let id = app.subscription().await.id;
    vec![case!(
        app,
        "subscription::rotate_secret",
        |unit, call| verbs::rotate_secret(&*unit, call, id, None),
        [(app.acme, Action::SubscriptionRotateSecret)]
    )]
}

/// A prepared replay of the last hour of a new subscription.
async fn prepared(app: &TestApp) -> Draft {
    let id = app.subscription().await.id;
    let from = app.call().now.minus(Duration::from_hours(1));
    let again = Again::Events(EventsRequest { from, until: None, types: None });
    let storage = app.database.replays();
    replay::prepare(&*storage, app.call(), id, again, subscribable(&read())).await.expect("valid")
}

pub(super) async fn replayed(app: &TestApp) -> Vec<Case> {
    let draft = prepared(app).await;
    vec![case!(
        app,
        "replay::start",
        |unit, call| replay::start(&*unit, call, draft),
        [(app.acme, Action::SubscriptionReplay)]
    )]
}

pub(super) async fn replay_cancelled(app: &TestApp) -> Vec<Case> {
    let draft = prepared(app).await;
    let (started, _) = told!(app, |unit, call| replay::start(&*unit, call, draft));
    vec![case!(
        app,
        "replay::cancel",
        |unit, call| replay::cancel(&*unit, call, started.id),
        [(app.acme, Action::SubscriptionCancelReplay)]
    )]
}

pub(super) async fn removed(app: &TestApp) -> Vec<Case> {
    let id = app.subscription().await.id;
    vec![case!(
        app,
        "subscription::remove",
        |unit, call| verbs::remove(&*unit, call, id, None),
        [(app.acme, Action::SubscriptionDelete)]
    )]
}

pub(super) async fn without_change(app: &TestApp) -> Vec<Case> {
    let id = app.subscription().await.id;
    let on = change(true).await;
    vec![case!(
        app,
        "subscription::update to the state that it has",
        |unit, call| verbs::update(&*unit, call, id, None, on),
        []
    )]
}
