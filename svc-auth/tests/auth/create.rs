//! Creating tokens.

use std::time::Duration;

use svc_auth::ports::{AuthStorage, Standing};
use svc_auth::token::AuthorityError::{ApiAccessOff, NotAdministered, ParentNotAdministered};
use svc_auth::token::{CreateRequest, FullRequest, Policy, Status, create_full};
use svc_core::error::ValidationErrors;
use svc_core::permission::Grants;
use svc_core::refused::Refused;
use svc_core::resource::Version;
use svc_core::role::Role;

use svc_testkit::catalogue::policy;

use crate::test_app::{ADMINISTRATOR, HOLDER, TestApp, account, group, user};

#[tokio::test]
async fn a_new_token_is_active_and_keeps_only_the_fingerprint_of_its_value() {
    let app = TestApp::new();
    let request = CreateRequest {
        name: "  Shop sync ".into(),
        companies: vec![app.acme],
        allowed_ips: vec!["203.0.113.9/24".into(), "203.0.113.0/24".into()],
        ..app.request()
    };
    let (token, value) = app.create(request).await;
    assert_eq!(app.storage.tokens().find(token.id).await.unwrap(), Some(token.clone()));
    assert_eq!((token.status(app.now()), token.version), (Status::Active, Version::FIRST));
    assert_eq!(token.name, "Shop sync");
    assert_eq!(token.prefix, &value.expose()[..12]);
    assert_eq!(token.fingerprint, app.peppers.fingerprint(&value));
    assert!(token.companies.is_empty(), "the primary account is not one of the others");
    assert_eq!(token.allowed_ips.written(), ["203.0.113.0/24"]);
    assert!(!format!("{token:?} {value:?}").contains(&value.expose()[12..]));
}

#[tokio::test]
async fn a_full_token_does_everything_in_its_company_for_as_long_as_the_operator_lets_it() {
    let app = TestApp::new();
    let month = Duration::from_hours(30 * 24);
    for (longest_life, expires_at) in [(None, None), (Some(month), Some(app.now().plus(month)))] {
        let policy = Policy { longest_life, ..policy() };
        let request = FullRequest { name: "first".to_owned(), primary: app.acme, creator: app.ada };
        let unit = app.unit().await;
        let made = create_full(&*unit, app.call(), request, &app.peppers, &policy).await;
        let (token, _) = made.unwrap();
        unit.commit().await.unwrap();
        let expected = "full".parse::<Grants>().unwrap();
        assert_eq!((&token.grants, token.personal_data, token.expires_at), (&expected, true, expires_at));
        assert_eq!((token.primary, token.created_by), (app.acme, Some(app.ada)));
        assert!(
            token.companies.is_empty() && token.groups.is_empty() && token.allowed_ips.written().is_empty()
        );
    }
    assert_eq!(app.tokens().await.len(), 2);
}

#[tokio::test]
async fn every_broken_rule_is_told_at_once() {
    let app = TestApp::new();
    let request = CreateRequest {
        name: " ".into(),
        permissions: vec!["read".into(), "contacts:nothing.read".into()],
        allowed_ips: vec!["203.0.113.7".into(), "office".into()],
        expires_at: Some(app.now()),
        ..app.request()
    };
    let Err(Refused::Invalid(ValidationErrors(errors))) = app.try_create(request).await else {
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
    assert_eq!(app.tokens().await, []);
}

#[tokio::test]
async fn names_permissions_and_lists_have_bounds() {
    let app = TestApp::new();
    let named = |name: String| CreateRequest { name, ..app.request() };
    assert!(app.try_create(named("ñ".repeat(100))).await.is_ok());
    let many = (0..101).map(|number| format!("203.0.113.{number}")).collect();
    for request in [
        named("ñ".repeat(101)),
        named("a\nb".into()),
        CreateRequest { permissions: Vec::new(), ..app.request() },
        CreateRequest { allowed_ips: many, ..app.request() },
    ] {
        let answer = app.try_create(request.clone()).await;
        assert!(matches!(answer, Err(Refused::Invalid(_))), "{request:?}");
    }
}

#[tokio::test]
async fn the_creator_administers_every_company_that_is_named() {
    let app = TestApp::new();
    let other = account(2);
    app.storage.put_company(other, "Other", None);
    for standing in [Standing::Stranger, Standing::Former, Standing::Member(Role::Accountant)] {
        app.storage.put_standing(app.ada, other, standing);
        for request in [
            CreateRequest { primary: other, ..app.request() },
            CreateRequest { companies: vec![other], ..app.request() },
        ] {
            let answer = app.try_create(request).await;
            assert!(matches!(answer, Err(Refused::Own(NotAdministered(id))) if id == other), "{standing:?}");
        }
    }
    app.storage.put_standing(app.ada, other, Standing::Member(Role::Administrator));
    assert!(app.try_create(CreateRequest { companies: vec![other], ..app.request() }).await.is_ok());
    app.storage.put_merged(other);
    let answer = app.try_create(CreateRequest { companies: vec![other], ..app.request() }).await;
    assert!(matches!(answer, Err(Refused::Own(NotAdministered(id))) if id == other));
}

#[tokio::test]
async fn a_company_that_does_not_exist_answers_as_one_of_strangers() {
    let app = TestApp::new();
    let answer = app.try_create(CreateRequest { primary: account(404), ..app.request() }).await;
    assert!(matches!(answer, Err(Refused::Own(NotAdministered(id))) if id == account(404)));
    let answer = app.try_create(CreateRequest { creator: Some(user(404)), ..app.request() }).await;
    assert!(matches!(answer, Err(Refused::Own(NotAdministered(id))) if id == app.acme));
}

#[tokio::test]
async fn api_access_must_be_on_for_every_company_that_is_named() {
    let app = TestApp::new();
    let other = account(2);
    app.storage.put_company(other, "Other", None);
    app.storage.put_standing(app.ada, other, Standing::Member(Role::Holder));
    app.storage.put_api_access(other, false);
    for request in [
        CreateRequest { primary: other, ..app.request() },
        CreateRequest { companies: vec![other], ..app.request() },
    ] {
        let answer = app.try_create(request).await;
        assert!(matches!(answer, Err(Refused::Own(ApiAccessOff(id))) if id == other));
    }
}

#[tokio::test]
async fn a_group_is_named_by_who_administers_its_parent_company() {
    let app = TestApp::new();
    let ours = app.family(group(1), [2, 3]);
    let naming = |group| CreateRequest { groups: vec![group], ..app.request() };
    for administered in [HOLDER, ADMINISTRATOR] {
        app.storage.put_standing(app.ada, account(2), administered);
        assert!(app.try_create(naming(ours)).await.is_ok(), "{administered:?}");
    }
    // A subsidiary gives no right to its sisters, in every role there.
    app.storage.put_standing(app.ada, account(3), HOLDER);
    for lost in [Standing::Stranger, Standing::Former, Standing::Member(Role::Manager)] {
        app.storage.put_standing(app.ada, account(2), lost);
        let answer = app.try_create(naming(ours)).await;
        assert!(matches!(answer, Err(Refused::Own(ParentNotAdministered(id))) if id == ours), "{lost:?}");
    }
}

#[tokio::test]
async fn a_group_that_is_unknown_or_has_no_parent_company_cannot_be_named() {
    let app = TestApp::new();
    app.storage.put_company(account(2), "Headless", Some(group(2)));
    app.storage.put_standing(app.ada, account(2), HOLDER);
    for unreachable in [group(2), group(404)] {
        let answer = app.try_create(CreateRequest { groups: vec![unreachable], ..app.request() }).await;
        assert!(matches!(answer, Err(Refused::Own(ParentNotAdministered(id))) if id == unreachable));
    }
}

#[tokio::test]
async fn api_access_must_be_on_for_every_company_that_is_reached_through_a_group() {
    let app = TestApp::new();
    let ours = app.family(group(1), [2, 3, 4]);
    app.storage.put_standing(app.ada, account(2), HOLDER);
    app.storage.put_api_access(account(4), false);
    let naming = || CreateRequest { groups: vec![ours], ..app.request() };
    let answer = app.try_create(naming()).await;
    assert!(matches!(answer, Err(Refused::Own(ApiAccessOff(id))) if id == account(4)));
    assert_eq!(app.tokens().await, []);
    // What the token would not reach does not stand in its way.
    app.storage.put_standing(app.ada, account(4), Standing::Former);
    assert!(app.try_create(naming()).await.is_ok());
}

#[tokio::test]
async fn a_failed_store_adds_nothing() {
    let app = TestApp::new();
    let expires_at = Some(app.now().plus(Duration::from_secs(1)));
    app.storage.set_down(true);
    let answer = app.try_create(CreateRequest { expires_at, ..app.request() }).await;
    assert!(matches!(answer, Err(Refused::Store(_))));
    app.storage.set_down(false);
    assert_eq!(app.tokens().await, []);
}
