//! Webhook subscriptions.

use std::time::Duration;

use svc_core::audit::Action;
use svc_testkit::fakes::FakeSender;
use svc_webhooks::replay::{self, Again, Draft, EventsRequest};
use svc_webhooks::subscription::{self, Change, UpdateRequest};

use crate::audited::world::{Case, World, case, read, told};

async fn change(active: bool) -> Change {
    let request = UpdateRequest { active: Some(active), ..UpdateRequest::default() };
    Change::check(request, &read(), &FakeSender::new()).await.expect("valid")
}

pub(super) async fn created(world: &World) -> Vec<Case> {
    let (draft, token) = (world.draft().await, world.token_id());
    vec![case!(
        world,
        "subscription::create",
        |unit, call| subscription::create(&*unit, call, world.acme, token, draft),
        [(world.acme, Action::SubscriptionCreate)]
    )]
}

pub(super) async fn updated(world: &World) -> Vec<Case> {
    let id = world.subscription().await.id;
    let off = change(false).await;
    vec![case!(
        world,
        "subscription::update",
        |unit, call| subscription::update(&*unit, call, id, None, off),
        [(world.acme, Action::SubscriptionUpdate)]
    )]
}

pub(super) async fn rotated(world: &World) -> Vec<Case> {
    let id = world.subscription().await.id;
    vec![case!(
        world,
        "subscription::rotate_secret",
        |unit, call| subscription::rotate_secret(&*unit, call, id, None),
        [(world.acme, Action::SubscriptionRotateSecret)]
    )]
}

/// A prepared replay of the last hour of a new subscription.
async fn prepared(world: &World) -> Draft {
    let id = world.subscription().await.id;
    let from = world.call().now.minus(Duration::from_hours(1));
    let again = Again::Events(EventsRequest { from, until: None, types: None });
    let storage = world.database.webhooks();
    replay::prepare(&*storage, world.call(), id, again, &read()).await.expect("valid")
}

pub(super) async fn replayed(world: &World) -> Vec<Case> {
    let draft = prepared(world).await;
    vec![case!(
        world,
        "replay::start",
        |unit, call| replay::start(&*unit, call, draft),
        [(world.acme, Action::SubscriptionReplay)]
    )]
}

pub(super) async fn replay_cancelled(world: &World) -> Vec<Case> {
    let draft = prepared(world).await;
    let (started, _) = told!(world, |unit, call| replay::start(&*unit, call, draft));
    vec![case!(
        world,
        "replay::cancel",
        |unit, call| replay::cancel(&*unit, call, started.id),
        [(world.acme, Action::SubscriptionCancelReplay)]
    )]
}

pub(super) async fn removed(world: &World) -> Vec<Case> {
    let id = world.subscription().await.id;
    vec![case!(
        world,
        "subscription::remove",
        |unit, call| subscription::remove(&*unit, call, id, None),
        [(world.acme, Action::SubscriptionDelete)]
    )]
}

pub(super) async fn without_change(world: &World) -> Vec<Case> {
    let id = world.subscription().await.id;
    let on = change(true).await;
    vec![case!(
        world,
        "subscription::update to the state that it has",
        |unit, call| subscription::update(&*unit, call, id, None, on),
        []
    )]
}
