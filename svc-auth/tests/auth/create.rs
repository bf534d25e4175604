//! Creating tokens.

use std::time::Duration;

use svc_auth::ports::{AuthStorage, Standing};
use svc_auth::token::AuthorityError::{ApiAccessOff, NotAdministered, ParentNotAdministered};
use svc_auth::token::{CreateError, CreateRequest, Status};
use svc_core::error::Invalid;
use svc_core::resource::Version;
use svc_core::role::Role;

use crate::world::{ADMINISTRATOR, HOLDER, World, account, group, user};

#[tokio::test]
async fn a_new_token_is_active_and_keeps_only_the_fingerprint_of_its_value() {
    let world = World::new();
    let request = CreateRequest {
        name: "  Shop sync ".into(),
        companies: vec![world.acme],
        allowed_ips: vec!["203.0.113.9/24".into(), "203.0.113.0/24".into()],
        ..world.request()
    };
    let (token, value) = world.create(request).await;
    assert_eq!(world.storage.tokens().find(token.id).await.unwrap(), Some(token.clone()));
    assert_eq!((token.status(world.now()), token.version), (Status::Active, Version::FIRST));
    assert_eq!(token.name, "Shop sync");
    assert_eq!(token.prefix, &value.expose()[..12]);
    assert_eq!(token.fingerprint, world.peppers.fingerprint(&value));
    assert!(token.companies.is_empty(), "the primary account is not one of the others");
    assert_eq!(token.allowed_ips.written(), ["203.0.113.0/24"]);
    assert!(!format!("{token:?} {value:?}").contains(&value.expose()[12..]));
}

#[tokio::test]
async fn every_broken_rule_is_told_at_once() {
    let world = World::new();
    let request = CreateRequest {
        name: " ".into(),
        permissions: vec!["read".into(), "contacts:nothing.read".into()],
        allowed_ips: vec!["203.0.113.7".into(), "office".into()],
        expires_at: Some(world.now()),
        ..world.request()
    };
    let Err(CreateError::Invalid(Invalid(errors))) = world.try_create(request).await else {
        panic!("four rules are broken");
    };
    let told: Vec<_> = errors.iter().map(|error| (&*error.field, error.code)).collect();
    assert_eq!(
        told,
        [
            ("name", "required"),
            ("permissions[1]", "unknown_permission"),
            ("allowedIps[1]", "invalid_ip"),
            ("expiresAt", "out_of_range"),
        ]
    );
    assert_eq!(world.tokens().await, []);
}

#[tokio::test]
async fn names_permissions_and_lists_have_bounds() {
    let world = World::new();
    let named = |name: String| CreateRequest { name, ..world.request() };
    assert!(world.try_create(named("ñ".repeat(100))).await.is_ok());
    let many = (0..101).map(|number| format!("203.0.113.{number}")).collect();
    for request in [
        named("ñ".repeat(101)),
        named("a\nb".into()),
        CreateRequest { permissions: Vec::new(), ..world.request() },
        CreateRequest { allowed_ips: many, ..world.request() },
    ] {
        let answer = world.try_create(request.clone()).await;
        assert!(matches!(answer, Err(CreateError::Invalid(_))), "{request:?}");
    }
}

#[tokio::test]
async fn the_creator_administers_every_company_that_is_named() {
    let world = World::new();
    let other = account(2);
    world.storage.put_company(other, "Other", None);
    for standing in [Standing::Stranger, Standing::Former, Standing::Member(Role::Accountant)] {
        world.storage.put_standing(world.ada, other, standing);
        for request in [
            CreateRequest { primary: other, ..world.request() },
            CreateRequest { companies: vec![other], ..world.request() },
        ] {
            let answer = world.try_create(request).await;
            assert!(
                matches!(answer, Err(CreateError::Authority(NotAdministered(id))) if id == other),
                "{standing:?}"
            );
        }
    }
    world.storage.put_standing(world.ada, other, Standing::Member(Role::Administrator));
    assert!(world.try_create(CreateRequest { companies: vec![other], ..world.request() }).await.is_ok());
    world.storage.put_merged(other);
    let answer = world.try_create(CreateRequest { companies: vec![other], ..world.request() }).await;
    assert!(matches!(answer, Err(CreateError::Authority(NotAdministered(id))) if id == other));
}

#[tokio::test]
async fn a_company_that_does_not_exist_answers_as_one_of_strangers() {
    let world = World::new();
    let answer = world.try_create(CreateRequest { primary: account(404), ..world.request() }).await;
    assert!(matches!(answer, Err(CreateError::Authority(NotAdministered(id))) if id == account(404)));
    let answer = world.try_create(CreateRequest { creator: user(404), ..world.request() }).await;
    assert!(matches!(answer, Err(CreateError::Authority(NotAdministered(id))) if id == world.acme));
}

#[tokio::test]
async fn api_access_must_be_on_for_every_company_that_is_named() {
    let world = World::new();
    let other = account(2);
    world.storage.put_company(other, "Other", None);
    world.storage.put_standing(world.ada, other, Standing::Member(Role::Holder));
    world.storage.put_api_access(other, false);
    for request in [
        CreateRequest { primary: other, ..world.request() },
        CreateRequest { companies: vec![other], ..world.request() },
    ] {
        let answer = world.try_create(request).await;
        assert!(matches!(answer, Err(CreateError::Authority(ApiAccessOff(id))) if id == other));
    }
}

#[tokio::test]
async fn a_group_is_named_by_who_administers_its_parent_company() {
    let world = World::new();
    let ours = world.family(group(1), [2, 3]);
    let naming = |group| CreateRequest { groups: vec![group], ..world.request() };
    for administered in [HOLDER, ADMINISTRATOR] {
        world.storage.put_standing(world.ada, account(2), administered);
        assert!(world.try_create(naming(ours)).await.is_ok(), "{administered:?}");
    }
    // A subsidiary gives no right to its sisters, whatever somebody is there.
    world.storage.put_standing(world.ada, account(3), HOLDER);
    for lost in [Standing::Stranger, Standing::Former, Standing::Member(Role::Manager)] {
        world.storage.put_standing(world.ada, account(2), lost);
        let answer = world.try_create(naming(ours)).await;
        assert!(
            matches!(answer, Err(CreateError::Authority(ParentNotAdministered(id))) if id == ours),
            "{lost:?}"
        );
    }
}

#[tokio::test]
async fn nobody_names_a_group_that_is_unknown_or_has_no_parent_company() {
    let world = World::new();
    world.storage.put_company(account(2), "Headless", Some(group(2)));
    world.storage.put_standing(world.ada, account(2), HOLDER);
    for nobodys in [group(2), group(404)] {
        let answer = world.try_create(CreateRequest { groups: vec![nobodys], ..world.request() }).await;
        assert!(matches!(answer, Err(CreateError::Authority(ParentNotAdministered(id))) if id == nobodys));
    }
}

#[tokio::test]
async fn api_access_must_be_on_for_every_company_that_is_reached_through_a_group() {
    let world = World::new();
    let ours = world.family(group(1), [2, 3, 4]);
    world.storage.put_standing(world.ada, account(2), HOLDER);
    world.storage.put_api_access(account(4), false);
    let naming = || CreateRequest { groups: vec![ours], ..world.request() };
    let answer = world.try_create(naming()).await;
    assert!(matches!(answer, Err(CreateError::Authority(ApiAccessOff(id))) if id == account(4)));
    assert_eq!(world.tokens().await, []);
    // What the token would not reach does not stand in its way.
    world.storage.put_standing(world.ada, account(4), Standing::Former);
    assert!(world.try_create(naming()).await.is_ok());
}

#[tokio::test]
async fn a_failed_store_adds_nothing() {
    let world = World::new();
    let expires_at = Some(world.now().plus(Duration::from_secs(1)));
    world.storage.set_down(true);
    let answer = world.try_create(CreateRequest { expires_at, ..world.request() }).await;
    assert!(matches!(answer, Err(CreateError::Store(_))));
    world.storage.set_down(false);
    assert_eq!(world.tokens().await, []);
}
