//! Each of the five checks, and that the first one that fails is the answer.

use std::sync::Arc;
use std::time::Duration;

use svc_auth::authenticate::{Access, Authenticator, Denied};
use svc_auth::limit::{Budget, Limits, MemoryLimiter};
use svc_auth::ports::Standing;
use svc_auth::token::{CreateRequest, Pepper, Peppers, TokenValue};
use svc_core::clock::Clock;
use svc_core::error::StoreError;
use svc_core::permission::Permission;
use svc_core::pii::PiiAccess;
use svc_core::role::Role;
use svc_testkit::auth::verbs::{disable, enable, revoke, rotate};

use crate::test_app::{READ_CONTACTS, TestApp, account, bearer};

#[tokio::test]
async fn a_good_token_is_admitted_with_what_it_is_and_reaches() {
    let app = TestApp::new();
    let request = CreateRequest {
        permissions: vec!["contacts:contacts.read".into()],
        personal_data: true,
        allowed_ips: vec!["203.0.113.0/24".into()],
        ..app.request()
    };
    let (token, value) = app.create(request).await;
    let admitted = app.ask(Some(&bearer(&value)), READ_CONTACTS, Some("203.0.113.9")).await.unwrap();
    let principal = admitted.principal;
    assert_eq!((principal.token, &*principal.name, principal.primary), (token.id, "Shop sync", app.acme));
    assert_eq!(principal.creator, Some(app.ada));
    assert_eq!(principal.grants.written(), ["contacts:contacts.read"]);
    assert_eq!(principal.scope.companies(), Some(&[app.acme].into()));
    assert!(principal.access.is_full());
    assert_eq!(admitted.limits.minute_left, Limits::default().per_minute - 1);
}

#[tokio::test]
async fn a_token_without_the_option_sees_personal_data_masked() {
    let app = TestApp::new();
    let header = app.header(app.request()).await;
    assert_eq!(app.admit(&header).await.unwrap().principal.access, PiiAccess::Masked);
}

#[tokio::test]
async fn a_request_without_a_header_carries_no_token() {
    let app = TestApp::new();
    let answer = app.ask(None, Access::AnyToken, None).await;
    assert!(matches!(answer, Err(Denied::TokenMissing)), "{answer:?}");
}

#[tokio::test]
async fn the_name_of_the_scheme_has_no_case() {
    let app = TestApp::new();
    let (_, value) = app.create(app.request()).await;
    for scheme in ["Bearer", "bearer", "BEARER", "Bearer "] {
        assert!(app.admit(&format!("{scheme} {}", value.expose())).await.is_ok(), "{scheme}");
    }
}

#[tokio::test]
async fn junk_is_refused_without_asking_the_store() {
    let app = TestApp::new();
    let (_, value) = app.create(app.request()).await;
    let good = value.expose();
    let last = if good.ends_with('0') { '1' } else { '0' };
    let bad_checksum = format!("Bearer {}{last}", &good[..good.len() - 1]);
    let before = app.storage.reads();
    for header in [
        "",
        "Bearer",
        "Bearer ",
        "Bearer x",
        good,
        &format!("Bearer{good}"),
        &format!("Basic {good}"),
        &format!("Bearer {good}{good}"),
        &format!("Bearer {}", good.to_lowercase()),
        &format!("Bearer svc_test_{}", &good[9..]),
        &format!("Bearer \u{e9}{good}"),
        &bad_checksum,
    ] {
        let answer = app.admit(header).await;
        assert!(matches!(answer, Err(Denied::TokenInvalid)), "{header}: {answer:?}");
    }
    assert_eq!(app.storage.reads(), before);
}

#[tokio::test]
async fn a_well_formed_unknown_token_is_invalid() {
    let app = TestApp::new();
    let stranger = TokenValue::generate(&app.random);
    assert!(matches!(app.admit(&bearer(&stranger)).await, Err(Denied::TokenInvalid)));
}

#[tokio::test]
async fn each_state_has_an_answer_of_its_own_and_the_graver_one_comes_first() {
    let app = TestApp::new();
    let expiring =
        CreateRequest { expires_at: Some(app.now().plus(Duration::from_secs(10))), ..app.request() };
    let (expired, expired_value) = app.create(expiring.clone()).await;
    let (off, off_value) = app.create(expiring.clone()).await;
    let (gone, gone_value) = app.create(expiring).await;
    let unit = app.unit().await;
    disable(&*unit, app.call(), off.id).await.unwrap();
    disable(&*unit, app.call(), gone.id).await.unwrap();
    revoke(&*unit, app.call(), gone.id).await.unwrap();
    unit.commit().await.unwrap();

    assert!(app.admit(&bearer(&expired_value)).await.is_ok(), "{expired:?}");
    assert!(matches!(app.admit(&bearer(&off_value)).await, Err(Denied::TokenDisabled)));
    assert!(matches!(app.admit(&bearer(&gone_value)).await, Err(Denied::TokenRevoked)));
    // All three are past their date now, and the first one still comes from the cache.
    app.clock.advance(Duration::from_secs(10));
    assert!(matches!(app.admit(&bearer(&expired_value)).await, Err(Denied::TokenExpired)));
    assert!(matches!(app.admit(&bearer(&off_value)).await, Err(Denied::TokenDisabled)));
    assert!(matches!(app.admit(&bearer(&gone_value)).await, Err(Denied::TokenRevoked)));
}

#[tokio::test]
async fn a_token_works_until_the_instant_before_its_expiry() {
    let app = TestApp::new();
    let expires_at = app.now().plus(Duration::from_secs(30));
    let header = app.header(CreateRequest { expires_at: Some(expires_at), ..app.request() }).await;
    app.clock.advance(Duration::from_secs(30) - Duration::from_micros(1));
    assert!(app.admit(&header).await.is_ok());
    app.clock.advance(Duration::from_micros(1));
    assert!(matches!(app.admit(&header).await, Err(Denied::TokenExpired)));
}

#[tokio::test]
async fn a_creator_who_lost_the_primary_account_takes_the_token_along() {
    for loss in [Standing::Former, Standing::Stranger, Standing::Member(Role::Manager)] {
        let app = TestApp::new();
        let header = app.header(app.request()).await;
        app.storage.put_standing(app.ada, app.acme, loss);
        assert!(matches!(app.admit(&header).await, Err(Denied::CreatorLostRole)), "{loss:?}");
    }
    let app = TestApp::new();
    let header = app.header(app.request()).await;
    app.storage.put_merged(app.acme);
    assert!(matches!(app.admit(&header).await, Err(Denied::CreatorLostRole)));

    let app = TestApp::new();
    let header = app.header(app.request()).await;
    app.storage.put_disabled(app.ada);
    assert!(matches!(app.admit(&header).await, Err(Denied::CreatorLostRole)));
}

#[tokio::test]
async fn switching_api_access_off_leaves_existing_tokens_working() {
    let app = TestApp::new();
    let header = app.header(app.request()).await;
    app.storage.put_api_access(app.acme, false);
    assert!(app.admit(&header).await.is_ok());
}

#[tokio::test]
async fn a_rotated_token_answers_to_its_new_value_only() {
    let app = TestApp::new();
    let (token, old) = app.create(app.request()).await;
    assert!(app.admit(&bearer(&old)).await.is_ok());
    let unit = app.unit().await;
    let (_, new) = rotate(&*unit, app.call(), token.id, &app.peppers).await.unwrap();
    unit.commit().await.unwrap();
    app.authenticator.forget();
    assert!(matches!(app.admit(&bearer(&old)).await, Err(Denied::TokenInvalid)));
    assert_eq!(app.admit(&bearer(&new)).await.unwrap().principal.token, token.id);
}

#[tokio::test]
async fn tokens_made_under_an_older_pepper_work_until_it_is_dropped_unless_they_got_a_new_value() {
    let app = TestApp::new();
    let (kept, kept_value) = app.create(app.request()).await;
    let (renewed, _) = app.create(app.request()).await;
    let under = |peppers: &Peppers| {
        let limiter = Arc::new(MemoryLimiter::new(Limits::default()));
        let clock = Arc::clone(&app.clock) as Arc<dyn Clock>;
        Authenticator::new(Arc::new(app.storage.clone()), limiter, clock, peppers.clone())
    };
    let new = || Pepper::new(2, [2; 32]);
    let peppers = Peppers::new(new(), vec![Pepper::new(1, [1; 32])]);
    let unit = app.unit().await;
    let (_, new_value) = rotate(&*unit, app.call(), renewed.id, &peppers).await.unwrap();
    unit.commit().await.unwrap();
    let before = app.tokens().await;

    let rotated = under(&peppers);
    for (value, token) in [(&kept_value, kept.id), (&new_value, renewed.id)] {
        let admitted = rotated.admit(Some(&bearer(value)), Access::AnyToken, None).await.unwrap();
        assert_eq!(admitted.principal.token, token);
    }
    assert_eq!(app.tokens().await, before, "a request writes nothing");

    let dropped = under(&Peppers::new(new(), Vec::new()));
    assert!(dropped.admit(Some(&bearer(&new_value)), Access::AnyToken, None).await.is_ok());
    let refused = dropped.admit(Some(&bearer(&kept_value)), Access::AnyToken, None).await.unwrap_err();
    assert!(matches!(refused.denied, Denied::TokenInvalid), "{refused:?}");
}

#[tokio::test]
async fn only_listed_addresses_pass_a_list_and_an_unknown_source_never_does() {
    let app = TestApp::new();
    let request = CreateRequest {
        allowed_ips: ["203.0.113.7", "198.51.100.0/24", "2001:db8::/32"].map(Into::into).into(),
        ..app.request()
    };
    let header = app.header(request).await;
    for source in ["203.0.113.7", "198.51.100.200", "2001:db8:1::1", "::ffff:203.0.113.7"] {
        assert!(app.admit_from(&header, source).await.is_ok(), "{source}");
    }
    for source in ["203.0.113.8", "198.51.101.1", "2001:db9::1", "::ffff:203.0.113.8", "::1"] {
        let answer = app.admit_from(&header, source).await;
        assert!(matches!(answer, Err(Denied::IpNotAllowed)), "{source}: {answer:?}");
    }
    assert!(matches!(app.admit(&header).await, Err(Denied::IpNotAllowed)));
    let anywhere = app.header(app.request()).await;
    assert!(app.admit(&anywhere).await.is_ok());
}

#[tokio::test]
async fn the_limits_are_those_of_the_primary_account() {
    let app = TestApp::limited(Limits { per_minute: 2, per_month: 3 });
    let (other, bob) = (account(2), app.ada);
    app.storage.put_company(other, "Other", None);
    app.storage.put_standing(bob, other, Standing::Member(Role::Administrator));
    let [first, second] = [app.header(app.request()).await, app.header(app.request()).await];
    let elsewhere = app.header(CreateRequest { primary: other, ..app.request() }).await;
    assert!(app.admit(&first).await.is_ok());
    assert!(app.admit(&second).await.is_ok());
    let Err(Denied::LimitExceeded { budget, retry_after, .. }) = app.admit(&first).await else {
        panic!("two requests were the budget");
    };
    assert_eq!((budget, retry_after), (Budget::Minute, Duration::from_mins(1)));
    assert!(app.admit(&elsewhere).await.is_ok());
    app.clock.advance(retry_after);
    assert!(app.admit(&first).await.is_ok());
    let answer = app.admit(&first).await;
    assert!(matches!(answer, Err(Denied::LimitExceeded { budget: Budget::Month, .. })), "{answer:?}");
}

/// One token breaks rules 1 to 5; each is then mended in turn, and the next one answers.
#[tokio::test]
async fn a_request_that_fails_several_checks_gets_the_first() {
    let app = TestApp::limited(Limits { per_minute: 1, per_month: 1 });
    let used_up = app.header(app.request()).await;
    let request = CreateRequest {
        permissions: vec!["crm:cases.read".into()],
        allowed_ips: vec!["203.0.113.7".into()],
        ..app.request()
    };
    let (token, value) = app.create(request).await;
    let header = bearer(&value);
    assert!(app.admit(&used_up).await.is_ok());
    app.storage.put_standing(app.ada, app.acme, Standing::Former);
    let unit = app.unit().await;
    disable(&*unit, app.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
    let ask = async |access, source: &str| {
        app.authenticator.forget();
        app.ask(Some(&header), access, Some(source)).await.unwrap_err()
    };
    let (elsewhere, area) = ("198.51.100.1", "203.0.113.7");

    assert!(matches!(ask(Access::SessionOnly, elsewhere).await, Denied::TokenDisabled));
    let unit = app.unit().await;
    enable(&*unit, app.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
    assert!(matches!(ask(Access::SessionOnly, elsewhere).await, Denied::CreatorLostRole));
    app.storage.put_standing(app.ada, app.acme, Standing::Member(Role::Administrator));
    assert!(matches!(ask(Access::SessionOnly, elsewhere).await, Denied::AccountTokenNotAccepted));
    let denied = ask(READ_CONTACTS, elsewhere).await;
    let required = Permission::of("contacts:contacts.read");
    assert!(matches!(denied, Denied::MissingPermission { required: named } if named == required));
    let held = Access::Permission(Permission::of("crm:cases.read"));
    assert!(matches!(ask(held, elsewhere).await, Denied::IpNotAllowed));
    assert!(matches!(ask(held, area).await, Denied::LimitExceeded { .. }));
}

#[tokio::test]
async fn a_request_refused_before_the_last_check_costs_no_budget() {
    let app = TestApp::limited(Limits { per_minute: 1, per_month: 1 });
    let request = CreateRequest { permissions: vec!["crm:cases.read".into()], ..app.request() };
    let header = app.header(request).await;
    for _ in 0..3 {
        let answer = app.ask(Some(&header), READ_CONTACTS, None).await;
        assert!(matches!(answer, Err(Denied::MissingPermission { .. })));
    }
    assert!(app.admit(&header).await.is_ok());
}

#[tokio::test]
async fn a_store_that_cannot_be_read_is_neither_a_yes_nor_a_401() {
    let app = TestApp::new();
    let header = app.header(app.request()).await;
    app.storage.set_down(true);
    let answer = app.admit(&header).await;
    assert!(matches!(answer, Err(Denied::Store(StoreError::Backend(_)))), "{answer:?}");
    app.storage.set_down(false);
    assert!(app.admit(&header).await.is_ok());
}

#[tokio::test]
async fn last_uses_are_collected_for_admitted_requests_only() {
    let app = TestApp::new();
    let (token, value) = app.create(app.request()).await;
    let header = bearer(&value);
    let _ = app.ask(Some(&header), Access::SessionOnly, None).await;
    assert_eq!(app.authenticator.take_uses(), []);
    app.admit_from(&header, "203.0.113.7").await.unwrap();
    app.clock.advance(Duration::from_secs(1));
    app.admit_from(&header, "203.0.113.8").await.unwrap();
    let uses = app.authenticator.take_uses();
    let written: Vec<_> = uses.iter().map(|last| (last.token, last.at, last.from)).collect();
    assert_eq!(written, [(token.id, app.now(), "203.0.113.8".parse().ok())]);
    app.admit(&header).await.unwrap();
    assert_eq!(app.authenticator.take_uses(), []);
    app.clock.advance(Duration::from_mins(1));
    assert_eq!(app.authenticator.take_uses().len(), 1);
}
