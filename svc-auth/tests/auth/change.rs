//! Changing tokens in a unit of work.

use svc_auth::ports::AuthStorage;
use svc_auth::token::AuthorityError::ApiAccessOff;
use svc_auth::token::{ChangeError, Status, TokenValue, disable, enable, revoke, rotate};
use svc_core::error::StoreError;
use svc_core::id::{TokenId, TypedId};
use uuid::Uuid;

use crate::world::World;

#[tokio::test]
async fn a_change_is_stored_with_the_next_version() {
    let world = World::new();
    let (token, _) = world.create(world.request()).await;
    let unit = world.unit().await;
    let off = disable(&*unit, world.call(), token.id).await.unwrap();
    let on = enable(&*unit, world.call(), token.id).await.unwrap();
    let (rotated, _) = rotate(&*unit, world.call(), token.id, &world.peppers).await.unwrap();
    let gone = revoke(&*unit, world.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
    let versions = [&token, &off, &on, &rotated, &gone].map(|token| token.version.as_i64());
    assert_eq!(versions, [1, 2, 3, 4, 5]);
    assert_eq!(world.storage.tokens().find(token.id).await.unwrap(), Some(gone));
}

#[tokio::test]
async fn a_rotation_stores_prefix_and_fingerprint_of_the_new_value_and_nothing_else_changes() {
    let world = World::new();
    let (before, old) = world.create(world.request()).await;
    let unit = world.unit().await;
    let (after, new) = rotate(&*unit, world.call(), before.id, &world.peppers).await.unwrap();
    assert_ne!(old, new);
    assert_eq!(after.prefix, new.prefix());
    assert_eq!(after.fingerprint, world.peppers.fingerprint(&new));
    assert_eq!(TokenValue::parse(new.expose()), Ok(new));
    let undone = svc_auth::token::Token {
        prefix: before.prefix.clone(),
        fingerprint: before.fingerprint,
        version: before.version,
        ..after
    };
    assert_eq!(undone, before);
}

#[tokio::test]
async fn with_api_access_off_a_token_can_be_stopped_but_not_rotated() {
    let world = World::new();
    let (token, _) = world.create(world.request()).await;
    world.storage.put_api_access(world.acme, false);
    let unit = world.unit().await;
    let answer = rotate(&*unit, world.call(), token.id, &world.peppers).await;
    assert!(matches!(answer, Err(ChangeError::Authority(ApiAccessOff(id))) if id == world.acme));
    disable(&*unit, world.call(), token.id).await.unwrap();
    enable(&*unit, world.call(), token.id).await.unwrap();
    revoke(&*unit, world.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
}

#[tokio::test]
async fn an_illegal_move_names_itself_and_the_state_and_stores_nothing() {
    let world = World::new();
    let (token, _) = world.create(world.request()).await;
    let unit = world.unit().await;
    let Err(ChangeError::Illegal(illegal)) = enable(&*unit, world.call(), token.id).await else {
        panic!("an active token cannot be switched on");
    };
    assert_eq!((illegal.step, illegal.status), ("enable", Status::Active));
    assert_eq!(illegal.to_string(), "a token that is active cannot be changed by `enable`");
    unit.commit().await.unwrap();
    assert_eq!(world.storage.tokens().find(token.id).await.unwrap(), Some(token));
}

#[tokio::test]
async fn an_unknown_token_is_not_found_by_any_change() {
    let world = World::new();
    let id = TokenId::from_uuid(Uuid::from_u128(404));
    let unit = world.unit().await;
    assert!(matches!(disable(&*unit, world.call(), id).await, Err(ChangeError::NotFound)));
    assert!(matches!(enable(&*unit, world.call(), id).await, Err(ChangeError::NotFound)));
    assert!(matches!(revoke(&*unit, world.call(), id).await, Err(ChangeError::NotFound)));
    let answer = rotate(&*unit, world.call(), id, &world.peppers).await;
    assert!(matches!(answer, Err(ChangeError::NotFound)));
}

#[tokio::test]
async fn of_two_changes_at_once_the_second_is_a_conflict() {
    let world = World::new();
    let (token, _) = world.create(world.request()).await;
    let (first, second) = (world.unit().await, world.unit().await);
    disable(&*first, world.call(), token.id).await.unwrap();
    rotate(&*second, world.call(), token.id, &world.peppers).await.unwrap();
    first.commit().await.unwrap();
    assert!(matches!(second.commit().await, Err(StoreError::Conflict)));
    let stored = world.storage.tokens().find(token.id).await.unwrap().unwrap();
    assert_eq!(stored.fingerprint, token.fingerprint);
}
