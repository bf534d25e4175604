//! Tokens: what happens to one is told in the log of each company that it names.

use svc_auth::token::{self, ExposureSource, Policy, UpdateRequest, report_exposed};
use svc_core::audit::Action;
use svc_core::id::AccountId;

use crate::audited::world::{Case, World, case, told};
use crate::fresh::keys;

fn both(world: &World, action: Action) -> [(AccountId, Action); 2] {
    [world.acme, world.beta].map(|company| (company, action))
}

fn rename(name: &str) -> UpdateRequest {
    UpdateRequest { name: Some(name.to_owned()), ..UpdateRequest::default() }
}

pub(super) async fn created(world: &World) -> Vec<Case> {
    let (request, peppers) = (world.token_request(), keys().peppers());
    let created = case!(
        world,
        "token::create",
        |unit, call| token::create(&*unit, call, request, &peppers, Policy::default()),
        both(world, Action::TokenCreate)
    );
    vec![created]
}

pub(super) async fn updated(world: &World) -> Vec<Case> {
    let id = world.token().await.id;
    let updated = case!(
        world,
        "token::update",
        |unit, call| token::update(&*unit, call, id, None, rename("another")),
        both(world, Action::TokenUpdate)
    );
    vec![updated]
}

pub(super) async fn disabled(world: &World) -> Vec<Case> {
    let id = world.token().await.id;
    let expected = both(world, Action::TokenDisable);
    vec![case!(world, "token::disable", |unit, call| token::disable(&*unit, call, id), expected)]
}

pub(super) async fn enabled(world: &World) -> Vec<Case> {
    let id = world.token().await.id;
    told!(world, |unit, call| token::disable(&*unit, call, id));
    let expected = both(world, Action::TokenEnable);
    vec![case!(world, "token::enable", |unit, call| token::enable(&*unit, call, id), expected)]
}

pub(super) async fn rotated(world: &World) -> Vec<Case> {
    let (id, peppers) = (world.token().await.id, keys().peppers());
    let expected = both(world, Action::TokenRotate);
    vec![case!(world, "token::rotate", |unit, call| token::rotate(&*unit, call, id, &peppers), expected)]
}

pub(super) async fn revoked(world: &World) -> Vec<Case> {
    let id = world.token().await.id;
    let expected = both(world, Action::TokenRevoke);
    let revoked = case!(world, "token::revoke", |unit, call| token::revoke(&*unit, call, id), expected);
    let (value, peppers) = (world.valued_token().await.1, keys().peppers());
    let place = ExposureSource::default();
    let exposed = case!(
        world,
        "token::report_exposed",
        |unit, call| report_exposed(&*unit, call, value.expose(), &peppers, &place),
        expected
    );
    vec![revoked, exposed]
}

pub(super) async fn without_change(world: &World) -> Vec<Case> {
    let token = world.token().await;
    let same = rename(&token.name);
    let renamed = case!(
        world,
        "token::update to the same name",
        |unit, call| token::update(&*unit, call, token.id, None, same),
        []
    );
    let (token, value) = world.valued_token().await;
    told!(world, |unit, call| token::revoke(&*unit, call, token.id));
    let (peppers, place) = (keys().peppers(), ExposureSource::default());
    let exposed = case!(
        world,
        "token::report_exposed of a revoked token",
        |unit, call| report_exposed(&*unit, call, value.expose(), &peppers, &place),
        []
    );
    vec![renamed, exposed]
}
