//! Tokens that name whole groups: who changes them, and which logs tell of it.

use svc_auth::ports::Standing;
use svc_auth::token::AuthorityError::{ApiAccessOff, NotAdministered, ParentNotAdministered};
use svc_auth::token::{
    ChangeError, CreateRequest, Token, UpdateError, UpdateRequest, disable, revoke, rotate, update,
};
use svc_core::audit::{Action, Actor, Who};
use svc_core::id::{AccountId, SessionId, TypedId, UserId};
use svc_core::unit::Call;
use svc_testkit::business::sample::scope;
use uuid::Uuid;

use crate::world::{ADMINISTRATOR, HOLDER, World, account, group, user};

/// Ada's token for Acme and the group of companies 2, its parent company, and 3.
async fn prepared() -> (World, Token) {
    let world = World::new();
    world.family(group(1), [2, 3]);
    world.storage.put_standing(world.ada, account(2), HOLDER);
    let (token, _) = world.create(CreateRequest { groups: vec![group(1)], ..world.request() }).await;
    (world, token)
}

async fn renamed(world: &World, token: &Token) -> Result<Token, UpdateError> {
    let unit = world.unit().await;
    let request = UpdateRequest { name: Some("Other".into()), ..UpdateRequest::default() };
    update(&*unit, world.call(), token.id, None, request).await
}

/// Whether a person may rotate, acting for Acme.
async fn rotated(world: &World, token: &Token, person: UserId) -> Result<(), ChangeError> {
    let who = Who::Person { user: person, session: SessionId::from_uuid(Uuid::from_u128(1)) };
    let (actor, scope) = (Actor { who, from: None, request: None }, scope(&[world.acme]));
    let call = Call { actor: &actor, scope: &scope, ..world.call() };
    let unit = world.unit().await;
    rotate(&*unit, call, token.id, &world.peppers).await.map(|_| ())
}

#[tokio::test]
async fn with_api_access_off_for_a_company_of_its_group_a_token_is_stopped_but_not_edited() {
    let (world, token) = prepared().await;
    world.storage.put_api_access(account(3), false);
    let answer = renamed(&world, &token).await;
    let off = account(3);
    assert!(
        matches!(answer, Err(UpdateError::Change(ChangeError::Authority(ApiAccessOff(id)))) if id == off),
        "{answer:?}"
    );
    let unit = world.unit().await;
    let answer = rotate(&*unit, world.call(), token.id, &world.peppers).await;
    assert!(matches!(answer, Err(ChangeError::Authority(ApiAccessOff(id))) if id == off));
    disable(&*unit, world.call(), token.id).await.unwrap();
    revoke(&*unit, world.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
}

#[tokio::test]
async fn a_company_that_a_token_reaches_no_more_does_not_stand_in_the_way_of_its_edits() {
    let (world, token) = prepared().await;
    world.storage.put_api_access(account(3), false);
    world.storage.put_standing(world.ada, account(2), Standing::Former);
    assert!(renamed(&world, &token).await.is_ok());
}

#[tokio::test]
async fn somebody_else_changes_it_who_administers_the_parent_company_and_loses_nothing_of_the_group() {
    let (world, token) = prepared().await;
    let ben = user(2);
    let rotated = async |parent, subsidiary| {
        for (number, standing) in [(1, ADMINISTRATOR), (2, parent), (3, subsidiary)] {
            world.storage.put_standing(ben, account(number), standing);
        }
        rotated(&world, &token, ben).await
    };
    assert!(rotated(ADMINISTRATOR, Standing::Stranger).await.is_ok());
    // He left the subsidiary, which Ada's token reaches.
    let answer = rotated(ADMINISTRATOR, Standing::Former).await;
    assert!(matches!(answer, Err(ChangeError::Authority(NotAdministered(id))) if id == account(3)));
    for parent in [Standing::Stranger, Standing::Former] {
        let answer = rotated(parent, HOLDER).await;
        assert!(
            matches!(answer, Err(ChangeError::Authority(ParentNotAdministered(id))) if id == group(1)),
            "{parent:?}"
        );
    }
}

#[tokio::test]
async fn its_changes_are_in_the_log_of_the_present_parent_company_and_of_no_other_member() {
    let (world, token) = prepared().await;
    let told = |company: AccountId| -> Vec<Action> {
        let entries = world.storage.audit().entries(company);
        assert!(entries.iter().all(|entry| entry.subject == token.id.to_string()));
        entries.iter().map(|entry| entry.action).collect()
    };
    assert_eq!([world.acme, account(2)].map(told), [[Action::TokenCreate], [Action::TokenCreate]]);
    assert_eq!(told(account(3)), []);

    world.storage.put_parent(group(1), account(3));
    let unit = world.unit().await;
    disable(&*unit, world.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
    assert_eq!(told(account(2)), [Action::TokenCreate]);
    assert_eq!(told(account(3)), [Action::TokenDisable]);
    assert_eq!(told(world.acme), [Action::TokenCreate, Action::TokenDisable]);
}

#[tokio::test]
async fn a_parent_company_that_is_named_itself_has_each_change_once() {
    let world = World::new();
    world.family(group(1), [1, 2]);
    world.create(CreateRequest { groups: vec![group(1)], ..world.request() }).await;
    assert_eq!(world.storage.audit().entries(world.acme).len(), 1);
    assert_eq!(world.storage.audit().entries(account(2)), []);
}
