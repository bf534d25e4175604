//! What a token or a person may see while no request of it is there to check.

use std::time::Duration;

use svc_auth::ports::Standing;
use svc_auth::token::{Connection, ConnectionRole, CreateRequest, Token, sight, sight_of_person};
use svc_core::id::TokenId;
use svc_core::permission::{Grants, Permission};
use svc_core::role::Role;
use svc_testkit::audit::noted;
use svc_testkit::catalogue::roles;

use crate::test_app::{MANAGER, TestApp, account};

const READ: Permission = Permission::of("contacts:contacts.read");

/// Whether the token sees contacts of the company.
async fn sees(app: &TestApp, token: TokenId) -> bool {
    let sight = sight(&app.storage, &roles(), token, app.now()).await.unwrap();
    sight.is_some_and(|sight| sight.covers(app.acme, Some(READ)))
}

#[tokio::test]
async fn a_sight_is_what_the_token_covers_in_the_companies_that_it_reaches() {
    let app = TestApp::new();
    let request = CreateRequest { permissions: vec![READ.to_string()], ..app.request() };
    let (token, _) = app.create(request).await;
    let found = sight(&app.storage, &roles(), token.id, app.now()).await.unwrap().unwrap();
    assert!(found.covers(app.acme, Some(READ)) && found.covers(app.acme, None));
    assert!(!found.covers(app.acme, Some(Permission::of("crm:cases.read"))));
    assert!(!found.covers(account(404), Some(READ)) && !found.covers(account(404), None));
}

#[tokio::test]
async fn a_token_that_does_not_work_sees_nothing() {
    let app = TestApp::new();
    let ends = app.now().plus(Duration::from_mins(1));
    let (token, _) = app.create(CreateRequest { expires_at: Some(ends), ..app.request() }).await;
    let (off, _) = app.create(app.request()).await;
    assert!(sees(&app, token.id).await && sees(&app, off.id).await);
    let unit = app.unit().await;
    svc_testkit::auth::verbs::disable(&*unit, app.call(), off.id).await.unwrap();
    unit.commit().await.unwrap();
    assert!(!sees(&app, off.id).await);
    app.clock.advance(Duration::from_mins(1));
    assert!(!sees(&app, token.id).await);
}

#[tokio::test]
async fn nor_does_one_whose_creator_lost_the_role() {
    let app = TestApp::new();
    let (token, _) = app.create(app.request()).await;
    assert!(sees(&app, token.id).await);
    app.storage.put_standing(app.ada, app.acme, MANAGER);
    assert!(!sees(&app, token.id).await);
}

#[tokio::test]
async fn a_person_sees_all_of_a_company_while_they_administer_it() {
    let app = TestApp::new();
    let seen = async || sight_of_person(&app.storage, app.ada, app.acme).await.unwrap();
    let sight = seen().await.expect("she administers it");
    assert!(sight.covers(app.acme, Some(READ)) && sight.covers(app.acme, None));
    assert!(!sight.covers(account(404), Some(READ)));
    assert!(sight_of_person(&app.storage, app.ada, account(404)).await.unwrap().is_none());
    app.storage.put_standing(app.ada, app.acme, MANAGER);
    assert!(seen().await.is_none());
}

#[tokio::test]
async fn a_connection_sees_what_its_person_may_read_now() {
    let app = TestApp::new();
    let (token, _) = app.create(app.request()).await;
    let connection =
        Connection { client: "https://app.example/client.json".parse().unwrap(), role: ConnectionRole::Full };
    let after = Token {
        connection: Some(connection),
        grants: Grants::all(),
        version: token.version.next(),
        ..token.clone()
    };
    let unit = app.unit().await;
    unit.tokens().replace(token.version, &after).await.unwrap();
    noted(&*unit, token.primary).await.unwrap();
    unit.commit().await.unwrap();
    let journal = Permission::of("accounting:journal.read");
    let covers = async || {
        let sight = sight(&app.storage, &roles(), token.id, app.now()).await.unwrap().unwrap();
        [READ, journal].map(|needed| sight.covers(app.acme, Some(needed)))
    };
    assert_eq!(covers().await, [true, true]);
    app.storage.put_standing(app.ada, app.acme, Standing::Member(Role::Employee));
    assert_eq!(covers().await, [true, false]);
}
