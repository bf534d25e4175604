//! Webhook subscriptions.

use svc_core::audit::Action;
use svc_testkit::fakes::FakeSender;
use svc_webhooks::subscription::{self, Change, UpdateRequest};

use crate::audited::world::{Case, World, case, read};

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
