//! API access of companies.

use svc_business::account;
use svc_core::audit::Action;

use crate::audited::world::{Case, World, case};

pub(super) async fn api_access(world: &World) -> Vec<Case> {
    let expected = [(world.acme, Action::ApiAccess)];
    let off = case!(
        world,
        "account::set_api_access off",
        |unit, call| account::set_api_access(&*unit, call, world.acme, false),
        expected
    );
    let on = case!(
        world,
        "account::set_api_access on",
        |unit, call| account::set_api_access(&*unit, call, world.acme, true),
        expected
    );
    vec![off, on]
}

pub(super) async fn without_change(world: &World) -> Vec<Case> {
    vec![case!(
        world,
        "account::set_api_access on while it is on",
        |unit, call| account::set_api_access(&*unit, call, world.acme, true),
        []
    )]
}
