//! The authority version.

use std::collections::BTreeSet;

use svc_core::role::Role;

use super::{AuthFixture, TokenFixture, at, insert, known, replace, version, world};
use crate::auth::token;
use crate::business::sample::id;

/// Insert and replace move it; reading does not.
pub async fn the_authority_version_moves_with_every_token_change(fixture: &impl TokenFixture) {
    let world = known(fixture).await;
    let token = token(1, world.ada, world.acme);
    let at_first = version(fixture.storage()).await;
    assert_ne!(at_first, None, "it counts changes");
    assert_eq!(version(fixture.storage()).await, at_first);
    insert(fixture.storage(), &token).await;
    let inserted = version(fixture.storage()).await;
    assert_ne!(inserted, at_first);
    let off = token.clone().disable(at(2)).expect("active");
    replace(fixture.storage(), token.version, &off).await.expect("replaced");
    assert_ne!(version(fixture.storage()).await, inserted);
}

/// Each change that may give or take a right.
pub async fn the_authority_version_moves_with_companies_and_memberships(fixture: &impl AuthFixture) {
    let world = world(fixture).await;
    let group = id(21);
    fixture.add_group(group).await;
    let mut seen = BTreeSet::from([version(fixture.storage()).await]);
    fixture.add_company(id(13), "Gamma", Some(group)).await;
    seen.insert(version(fixture.storage()).await);
    fixture.set_parent(group, id(13)).await;
    seen.insert(version(fixture.storage()).await);
    fixture.set_role(world.ada, world.acme, Role::Auditor).await;
    seen.insert(version(fixture.storage()).await);
    fixture.end_membership(world.ada, world.acme).await;
    seen.insert(version(fixture.storage()).await);
    fixture.merge(world.acme, world.beta).await;
    seen.insert(version(fixture.storage()).await);
    fixture.disable_user(world.ada).await;
    seen.insert(version(fixture.storage()).await);
    assert_eq!(seen.len(), 7, "{seen:?}");
}
