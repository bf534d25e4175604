//! Tokens that name whole groups: which people change them, and which logs tell of it.

use svc_auth::ports::Standing;
use svc_auth::token::AuthorityError::{ApiAccessOff, NotAdministered, ParentNotAdministered};
use svc_auth::token::{CreateRequest, EditError, Token, UpdateRequest};
use svc_core::audit::{Action, Actor, Who};
use svc_core::id::{AccountId, SessionId, TypedId, UserId};
use svc_core::refused::Refused;
use svc_core::unit::CallContext;
use svc_testkit::auth::verbs::{disable, revoke, rotate, update};
use svc_testkit::business::sample::scope;
use uuid::Uuid;

use crate::test_app::{ADMINISTRATOR, HOLDER, TestApp, account, group, user};

/// Ada's token for Acme and the group of companies 2, its parent company, and 3.
async fn prepared() -> (TestApp, Token) {
    let app = TestApp::new();
    app.family(group(1), [2, 3]);
    app.storage.put_standing(app.ada, account(2), HOLDER);
    let (token, _) = app.create(CreateRequest { groups: vec![group(1)], ..app.request() }).await;
    (app, token)
}

async fn renamed(app: &TestApp, token: &Token) -> Result<Token, Refused<EditError>> {
    let unit = app.unit().await;
    let request = UpdateRequest { name: Some("Other".into()), ..UpdateRequest::default() };
    update(&*unit, app.call(), token.id, None, request).await
}

/// Whether a person may rotate, acting for Acme.
async fn rotated(app: &TestApp, token: &Token, person: UserId) -> Result<(), Refused<EditError>> {
    let who = Who::Person { user: person, session: SessionId::from_uuid(Uuid::from_u128(1)) };
    let (actor, scope) = (Actor { who, from: None, request: None }, scope(&[app.acme]));
    let call = CallContext { actor: &actor, scope: &scope, ..app.call() };
    let unit = app.unit().await;
    rotate(&*unit, call, token.id, &app.peppers).await.map(|_| ())
}

#[tokio::test]
async fn with_api_access_off_for_a_company_of_its_group_a_token_is_stopped_but_not_edited() {
    let (app, token) = prepared().await;
    app.storage.put_api_access(account(3), false);
    let answer = renamed(&app, &token).await;
    let off = account(3);
    assert!(
        matches!(answer, Err(Refused::Own(EditError::Authority(ApiAccessOff(id)))) if id == off),
        "{answer:?}"
    );
    let unit = app.unit().await;
    let answer = rotate(&*unit, app.call(), token.id, &app.peppers).await;
    assert!(matches!(answer, Err(Refused::Own(EditError::Authority(ApiAccessOff(id)))) if id == off));
    disable(&*unit, app.call(), token.id).await.unwrap();
    revoke(&*unit, app.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
}

#[tokio::test]
async fn a_company_that_a_token_reaches_no_more_does_not_stand_in_the_way_of_its_edits() {
    let (app, token) = prepared().await;
    app.storage.put_api_access(account(3), false);
    app.storage.put_standing(app.ada, account(2), Standing::Former);
    assert!(renamed(&app, &token).await.is_ok());
}

#[tokio::test]
async fn another_administrator_of_the_parent_company_changes_it_and_loses_nothing_of_the_group() {
    let (app, token) = prepared().await;
    let ben = user(2);
    let rotated = async |parent, subsidiary| {
        for (number, standing) in [(1, ADMINISTRATOR), (2, parent), (3, subsidiary)] {
            app.storage.put_standing(ben, account(number), standing);
        }
        rotated(&app, &token, ben).await
    };
    assert!(rotated(ADMINISTRATOR, Standing::Stranger).await.is_ok());
    // He left the subsidiary, which Ada's token reaches.
    let answer = rotated(ADMINISTRATOR, Standing::Former).await;
    assert!(
        matches!(answer, Err(Refused::Own(EditError::Authority(NotAdministered(id)))) if id == account(3))
    );
    for parent in [Standing::Stranger, Standing::Former] {
        let answer = rotated(parent, HOLDER).await;
        assert!(
            matches!(answer, Err(Refused::Own(EditError::Authority(ParentNotAdministered(id)))) if id == group(1)),
            "{parent:?}"
        );
    }
}

#[tokio::test]
async fn its_changes_are_in_the_log_of_the_present_parent_company_and_of_no_other_member() {
    let (app, token) = prepared().await;
    let told = |company: AccountId| -> Vec<Action> {
        let entries = app.storage.audit().entries(company);
        assert!(entries.iter().all(|entry| entry.subject == token.id.to_string()));
        entries.iter().map(|entry| entry.action).collect()
    };
    assert_eq!([app.acme, account(2)].map(told), [[Action::TokenCreate], [Action::TokenCreate]]);
    assert_eq!(told(account(3)), []);

    app.storage.put_parent(group(1), account(3));
    let unit = app.unit().await;
    disable(&*unit, app.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
    assert_eq!(told(account(2)), [Action::TokenCreate]);
    assert_eq!(told(account(3)), [Action::TokenDisable]);
    assert_eq!(told(app.acme), [Action::TokenCreate, Action::TokenDisable]);
}

#[tokio::test]
async fn a_parent_company_that_is_named_itself_has_each_change_once() {
    let app = TestApp::new();
    app.family(group(1), [1, 2]);
    app.create(CreateRequest { groups: vec![group(1)], ..app.request() }).await;
    assert_eq!(app.storage.audit().entries(app.acme).len(), 1);
    assert_eq!(app.storage.audit().entries(account(2)), []);
}

#[tokio::test]
async fn a_company_that_its_creator_makes_is_reached_in_a_group_that_the_token_names_and_in_no_other() {
    let app = TestApp::new();
    app.family(group(1), [2, 3]);
    app.storage.put_standing(app.ada, account(2), HOLDER);
    let naming = CreateRequest { groups: vec![group(1)], companies: vec![account(2)], ..app.request() };
    let alone = CreateRequest { groups: vec![], ..naming.clone() };
    for (request, promised) in [(naming, true), (alone, false)] {
        let header = app.header(request).await;
        let principal = app.admit(&header).await.unwrap().principal;
        let reaches = [Some(group(1)), Some(group(2)), None].map(|place| principal.reaches_new_in(place));
        assert_eq!(reaches, [promised, false, false]);
        // It joins, held by its maker.
        app.storage.put_company(account(4), "Delta", Some(group(1)));
        app.storage.put_standing(app.ada, account(4), HOLDER);
        app.authenticator.forget();
        assert_eq!(app.admit(&header).await.unwrap().principal.scope.contains(account(4)), promised);
        app.storage.put_company(account(4), "Delta", None);
    }
}
