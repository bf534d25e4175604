//! Changing tokens in a unit of work.

use svc_auth::authenticate::Denied;
use svc_auth::ports::AuthStorage;
use svc_auth::token::AuthorityError::ApiAccessOff;
use svc_auth::token::{Connection, ConnectionRole, EditError, Status, Token, TokenValue, UpdateRequest};
use svc_core::error::StoreError;
use svc_core::id::{TokenId, TypedId};
use svc_core::refused::Refused;
use svc_testkit::auth::verbs::{disable, enable, revoke, rotate, update};
use uuid::Uuid;

use crate::test_app::{TestApp, bearer};

#[tokio::test]
async fn a_change_is_stored_with_the_next_version() {
    let app = TestApp::new();
    let (token, _) = app.create(app.request()).await;
    let unit = app.unit().await;
    let off = disable(&*unit, app.call(), token.id).await.unwrap();
    let on = enable(&*unit, app.call(), token.id).await.unwrap();
    let (rotated, _) = rotate(&*unit, app.call(), token.id, &app.peppers).await.unwrap();
    let gone = revoke(&*unit, app.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
    let versions = [&token, &off, &on, &rotated, &gone].map(|token| token.version.as_i64());
    assert_eq!(versions, [1, 2, 3, 4, 5]);
    assert_eq!(app.storage.tokens().find(token.id).await.unwrap(), Some(gone));
}

#[tokio::test]
async fn a_rotation_stores_prefix_and_fingerprint_of_the_new_value_and_nothing_else_changes() {
    let app = TestApp::new();
    let (before, old) = app.create(app.request()).await;
    let unit = app.unit().await;
    let (after, new) = rotate(&*unit, app.call(), before.id, &app.peppers).await.unwrap();
    assert_ne!(old, new);
    assert_eq!(after.prefix, new.prefix());
    assert_eq!(after.fingerprint, app.peppers.fingerprint(&new));
    assert_eq!(TokenValue::parse(new.expose()), Ok(new));
    let undone = Token {
        prefix: before.prefix.clone(),
        fingerprint: before.fingerprint,
        version: before.version,
        ..after
    };
    assert_eq!(undone, before);
}

#[tokio::test]
async fn a_connection_is_switched_and_renamed_and_neither_rotated_nor_widened() {
    let app = TestApp::new();
    let (token, value) = app.create(app.request()).await;
    let client = "https://app.example/client.json".parse().unwrap();
    let connection = Some(Connection { client, role: ConnectionRole::Operator });
    let connected = Token { connection, version: token.version.next(), ..token.clone() };
    let unit = app.unit().await;
    unit.tokens().replace(token.version, &connected).await.unwrap();
    let answer = rotate(&*unit, app.call(), token.id, &app.peppers).await;
    assert!(matches!(answer, Err(Refused::Own(EditError::Connection))), "{answer:?}");
    for request in [
        UpdateRequest { permissions: Some(vec!["full".into()]), ..UpdateRequest::default() },
        UpdateRequest { personal_data: Some(true), ..UpdateRequest::default() },
        UpdateRequest { allowed_ips: Some(Vec::new()), ..UpdateRequest::default() },
    ] {
        let answer = update(&*unit, app.call(), token.id, None, request).await;
        assert!(matches!(answer, Err(Refused::Own(EditError::Connection))), "{answer:?}");
    }
    let request = UpdateRequest { name: Some("Desk".into()), ..UpdateRequest::default() };
    let renamed = update(&*unit, app.call(), token.id, None, request).await.unwrap();
    disable(&*unit, app.call(), token.id).await.unwrap();
    let on = enable(&*unit, app.call(), token.id).await.unwrap();
    assert_eq!((&*on.name, &on.connection), ("Desk", &renamed.connection));
    // What had a value has none: its access tokens stand for it, and not here.
    unit.commit().await.unwrap();
    let answer = app.admit(&bearer(&value)).await;
    assert!(matches!(answer, Err(Denied::TokenInvalid)), "{answer:?}");
}

#[tokio::test]
async fn with_api_access_off_a_token_can_be_stopped_but_not_rotated() {
    let app = TestApp::new();
    let (token, _) = app.create(app.request()).await;
    app.storage.put_api_access(app.acme, false);
    let unit = app.unit().await;
    let answer = rotate(&*unit, app.call(), token.id, &app.peppers).await;
    assert!(matches!(answer, Err(Refused::Own(EditError::Authority(ApiAccessOff(id)))) if id == app.acme));
    disable(&*unit, app.call(), token.id).await.unwrap();
    enable(&*unit, app.call(), token.id).await.unwrap();
    revoke(&*unit, app.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
}

#[tokio::test]
async fn an_illegal_move_names_itself_and_the_state_and_stores_nothing() {
    let app = TestApp::new();
    let (token, _) = app.create(app.request()).await;
    let unit = app.unit().await;
    let Err(Refused::Own(illegal)) = enable(&*unit, app.call(), token.id).await else {
        panic!("an active token cannot be switched on");
    };
    assert_eq!((illegal.step, illegal.status), ("enable", Status::Active));
    assert_eq!(illegal.to_string(), "a token that is active cannot be changed by `enable`");
    unit.commit().await.unwrap();
    assert_eq!(app.storage.tokens().find(token.id).await.unwrap(), Some(token));
}

#[tokio::test]
async fn an_unknown_token_is_not_found_by_any_change() {
    let app = TestApp::new();
    let id = TokenId::from_uuid(Uuid::from_u128(404));
    let unit = app.unit().await;
    assert!(matches!(disable(&*unit, app.call(), id).await, Err(Refused::NotFound)));
    assert!(matches!(enable(&*unit, app.call(), id).await, Err(Refused::NotFound)));
    assert!(matches!(revoke(&*unit, app.call(), id).await, Err(Refused::NotFound)));
    let answer = rotate(&*unit, app.call(), id, &app.peppers).await;
    assert!(matches!(answer, Err(Refused::NotFound)));
}

#[tokio::test]
async fn of_two_changes_at_once_the_second_is_a_conflict() {
    let app = TestApp::new();
    let (token, _) = app.create(app.request()).await;
    let (first, second) = (app.unit().await, app.unit().await);
    disable(&*first, app.call(), token.id).await.unwrap();
    rotate(&*second, app.call(), token.id, &app.peppers).await.unwrap();
    first.commit().await.unwrap();
    assert!(matches!(second.commit().await, Err(StoreError::Conflict)));
    let stored = app.storage.tokens().find(token.id).await.unwrap().unwrap();
    assert_eq!(stored.fingerprint, token.fingerprint);
}
