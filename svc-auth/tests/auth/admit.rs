//! Each of the five checks, and that the first one that fails is the answer.

use std::sync::Arc;
use std::time::Duration;

use svc_auth::authenticate::{Access, Authenticator, Denied};
use svc_auth::limit::{Budget, Limits, MemoryLimiter};
use svc_auth::ports::Standing;
use svc_auth::token::{CreateRequest, Pepper, Peppers, TokenValue, disable, revoke, rotate};
use svc_core::clock::Clock;
use svc_core::error::StoreError;
use svc_core::permission::Permission;
use svc_core::pii::Sight;
use svc_core::role::Role;

use crate::world::{READ_CONTACTS, World, account, bearer};

#[tokio::test]
async fn a_good_token_is_admitted_with_what_it_is_and_reaches() {
    let world = World::new();
    let request = CreateRequest {
        permissions: vec!["contacts:contacts.read".into()],
        personal_data: true,
        allowed_ips: vec!["203.0.113.0/24".into()],
        ..world.request()
    };
    let (token, value) = world.create(request).await;
    let admitted = world.ask(Some(&bearer(&value)), READ_CONTACTS, Some("203.0.113.9")).await.unwrap();
    let principal = admitted.principal;
    assert_eq!((principal.token, &*principal.name, principal.primary), (token.id, "Shop sync", world.acme));
    assert_eq!(principal.creator, world.ada);
    assert_eq!(principal.grants.written(), ["contacts:contacts.read"]);
    assert_eq!(principal.scope.companies(), Some(&[world.acme].into()));
    assert!(principal.sight.is_full());
    assert_eq!(admitted.limits.minute_left, Limits::default().per_minute - 1);
}

#[tokio::test]
async fn a_token_without_the_option_sees_personal_data_masked() {
    let world = World::new();
    let header = world.header(world.request()).await;
    assert_eq!(world.admit(&header).await.unwrap().principal.sight, Sight::Masked);
}

#[tokio::test]
async fn a_request_without_a_header_carries_no_token() {
    let world = World::new();
    let answer = world.ask(None, Access::AnyToken, None).await;
    assert!(matches!(answer, Err(Denied::TokenMissing)), "{answer:?}");
}

#[tokio::test]
async fn the_name_of_the_scheme_has_no_case() {
    let world = World::new();
    let (_, value) = world.create(world.request()).await;
    for scheme in ["Bearer", "bearer", "BEARER", "Bearer "] {
        assert!(world.admit(&format!("{scheme} {}", value.expose())).await.is_ok(), "{scheme}");
    }
}

#[tokio::test]
async fn junk_is_refused_without_asking_the_store() {
    let world = World::new();
    let (_, value) = world.create(world.request()).await;
    let good = value.expose();
    let last = if good.ends_with('0') { '1' } else { '0' };
    let bad_checksum = format!("Bearer {}{last}", &good[..good.len() - 1]);
    let before = world.storage.reads();
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
        let answer = world.admit(header).await;
        assert!(matches!(answer, Err(Denied::TokenInvalid)), "{header}: {answer:?}");
    }
    assert_eq!(world.storage.reads(), before);
}

#[tokio::test]
async fn a_well_formed_token_that_nobody_knows_is_invalid() {
    let world = World::new();
    let stranger = TokenValue::generate(&world.random);
    assert!(matches!(world.admit(&bearer(&stranger)).await, Err(Denied::TokenInvalid)));
}

#[tokio::test]
async fn each_state_has_an_answer_of_its_own_and_the_graver_one_comes_first() {
    let world = World::new();
    let expiring =
        CreateRequest { expires_at: Some(world.now().plus(Duration::from_secs(10))), ..world.request() };
    let (expired, expired_value) = world.create(expiring.clone()).await;
    let (off, off_value) = world.create(expiring.clone()).await;
    let (gone, gone_value) = world.create(expiring).await;
    let unit = world.unit().await;
    disable(&*unit, world.call(), off.id).await.unwrap();
    disable(&*unit, world.call(), gone.id).await.unwrap();
    revoke(&*unit, world.call(), gone.id).await.unwrap();
    unit.commit().await.unwrap();

    assert!(world.admit(&bearer(&expired_value)).await.is_ok(), "{expired:?}");
    assert!(matches!(world.admit(&bearer(&off_value)).await, Err(Denied::TokenDisabled)));
    assert!(matches!(world.admit(&bearer(&gone_value)).await, Err(Denied::TokenRevoked)));
    // All three are past their date now, and the first one still comes from the cache.
    world.clock.advance(Duration::from_secs(10));
    assert!(matches!(world.admit(&bearer(&expired_value)).await, Err(Denied::TokenExpired)));
    assert!(matches!(world.admit(&bearer(&off_value)).await, Err(Denied::TokenDisabled)));
    assert!(matches!(world.admit(&bearer(&gone_value)).await, Err(Denied::TokenRevoked)));
}

#[tokio::test]
async fn a_token_works_until_the_instant_before_its_expiry() {
    let world = World::new();
    let expires_at = world.now().plus(Duration::from_secs(30));
    let header = world.header(CreateRequest { expires_at: Some(expires_at), ..world.request() }).await;
    world.clock.advance(Duration::from_secs(30) - Duration::from_micros(1));
    assert!(world.admit(&header).await.is_ok());
    world.clock.advance(Duration::from_micros(1));
    assert!(matches!(world.admit(&header).await, Err(Denied::TokenExpired)));
}

#[tokio::test]
async fn a_creator_who_lost_the_primary_account_takes_the_token_along() {
    for loss in [Standing::Former, Standing::Stranger, Standing::Member(Role::Manager)] {
        let world = World::new();
        let header = world.header(world.request()).await;
        world.storage.put_standing(world.ada, world.acme, loss);
        assert!(matches!(world.admit(&header).await, Err(Denied::CreatorLostRole)), "{loss:?}");
    }
    let world = World::new();
    let header = world.header(world.request()).await;
    world.storage.put_merged(world.acme);
    assert!(matches!(world.admit(&header).await, Err(Denied::CreatorLostRole)));

    let world = World::new();
    let header = world.header(world.request()).await;
    world.storage.put_disabled(world.ada);
    assert!(matches!(world.admit(&header).await, Err(Denied::CreatorLostRole)));
}

#[tokio::test]
async fn switching_api_access_off_leaves_existing_tokens_working() {
    let world = World::new();
    let header = world.header(world.request()).await;
    world.storage.put_api_access(world.acme, false);
    assert!(world.admit(&header).await.is_ok());
}

#[tokio::test]
async fn a_rotated_token_answers_to_its_new_value_only() {
    let world = World::new();
    let (token, old) = world.create(world.request()).await;
    assert!(world.admit(&bearer(&old)).await.is_ok());
    let unit = world.unit().await;
    let (_, new) = rotate(&*unit, world.call(), token.id, &world.peppers).await.unwrap();
    unit.commit().await.unwrap();
    world.authenticator.forget();
    assert!(matches!(world.admit(&bearer(&old)).await, Err(Denied::TokenInvalid)));
    assert_eq!(world.admit(&bearer(&new)).await.unwrap().principal.token, token.id);
}

#[tokio::test]
async fn tokens_made_under_an_older_pepper_work_until_it_is_dropped_unless_they_got_a_new_value() {
    let world = World::new();
    let (kept, kept_value) = world.create(world.request()).await;
    let (renewed, _) = world.create(world.request()).await;
    let under = |peppers: &Peppers| {
        let limiter = Arc::new(MemoryLimiter::new(Limits::default()));
        let clock = Arc::clone(&world.clock) as Arc<dyn Clock>;
        Authenticator::new(Arc::new(world.storage.clone()), limiter, clock, peppers.clone())
    };
    let new = || Pepper::new(2, [2; 32]);
    let peppers = Peppers::new(new(), vec![Pepper::new(1, [1; 32])]);
    let unit = world.unit().await;
    let (_, new_value) = rotate(&*unit, world.call(), renewed.id, &peppers).await.unwrap();
    unit.commit().await.unwrap();
    let before = world.tokens().await;

    let rotated = under(&peppers);
    for (value, token) in [(&kept_value, kept.id), (&new_value, renewed.id)] {
        let admitted = rotated.admit(Some(&bearer(value)), Access::AnyToken, None).await.unwrap();
        assert_eq!(admitted.principal.token, token);
    }
    assert_eq!(world.tokens().await, before, "a request writes nothing");

    let dropped = under(&Peppers::new(new(), Vec::new()));
    assert!(dropped.admit(Some(&bearer(&new_value)), Access::AnyToken, None).await.is_ok());
    let refused = dropped.admit(Some(&bearer(&kept_value)), Access::AnyToken, None).await.unwrap_err();
    assert!(matches!(refused.denied, Denied::TokenInvalid), "{refused:?}");
}

#[tokio::test]
async fn only_listed_addresses_pass_a_list_and_an_unknown_source_never_does() {
    let world = World::new();
    let request = CreateRequest {
        allowed_ips: ["203.0.113.7", "198.51.100.0/24", "2001:db8::/32"].map(Into::into).into(),
        ..world.request()
    };
    let header = world.header(request).await;
    for source in ["203.0.113.7", "198.51.100.200", "2001:db8:1::1", "::ffff:203.0.113.7"] {
        assert!(world.admit_from(&header, source).await.is_ok(), "{source}");
    }
    for source in ["203.0.113.8", "198.51.101.1", "2001:db9::1", "::ffff:203.0.113.8", "::1"] {
        let answer = world.admit_from(&header, source).await;
        assert!(matches!(answer, Err(Denied::IpNotAllowed)), "{source}: {answer:?}");
    }
    assert!(matches!(world.admit(&header).await, Err(Denied::IpNotAllowed)));
    let anywhere = world.header(world.request()).await;
    assert!(world.admit(&anywhere).await.is_ok());
}

#[tokio::test]
async fn the_limits_are_those_of_the_primary_account() {
    let world = World::limited(Limits { per_minute: 2, per_month: 3 });
    let (other, bob) = (account(2), world.ada);
    world.storage.put_company(other, "Other", None);
    world.storage.put_standing(bob, other, Standing::Member(Role::Administrator));
    let [first, second] = [world.header(world.request()).await, world.header(world.request()).await];
    let elsewhere = world.header(CreateRequest { primary: other, ..world.request() }).await;
    assert!(world.admit(&first).await.is_ok());
    assert!(world.admit(&second).await.is_ok());
    let Err(Denied::LimitExceeded { budget, retry_after, .. }) = world.admit(&first).await else {
        panic!("two requests were the budget");
    };
    assert_eq!((budget, retry_after), (Budget::Minute, Duration::from_mins(1)));
    assert!(world.admit(&elsewhere).await.is_ok());
    world.clock.advance(retry_after);
    assert!(world.admit(&first).await.is_ok());
    let answer = world.admit(&first).await;
    assert!(matches!(answer, Err(Denied::LimitExceeded { budget: Budget::Month, .. })), "{answer:?}");
}

/// One token breaks rules 1 to 5; each is then mended in turn, and the next one answers.
#[tokio::test]
async fn a_request_that_fails_several_checks_gets_the_first() {
    let world = World::limited(Limits { per_minute: 1, per_month: 1 });
    let used_up = world.header(world.request()).await;
    let request = CreateRequest {
        permissions: vec!["crm:cases.read".into()],
        allowed_ips: vec!["203.0.113.7".into()],
        ..world.request()
    };
    let (token, value) = world.create(request).await;
    let header = bearer(&value);
    assert!(world.admit(&used_up).await.is_ok());
    world.storage.put_standing(world.ada, world.acme, Standing::Former);
    let unit = world.unit().await;
    disable(&*unit, world.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
    let ask = async |access, source: &str| {
        world.authenticator.forget();
        world.ask(Some(&header), access, Some(source)).await.unwrap_err()
    };
    let (elsewhere, office) = ("198.51.100.1", "203.0.113.7");

    assert!(matches!(ask(Access::SessionOnly, elsewhere).await, Denied::TokenDisabled));
    let unit = world.unit().await;
    svc_auth::token::enable(&*unit, world.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
    assert!(matches!(ask(Access::SessionOnly, elsewhere).await, Denied::CreatorLostRole));
    world.storage.put_standing(world.ada, world.acme, Standing::Member(Role::Administrator));
    assert!(matches!(ask(Access::SessionOnly, elsewhere).await, Denied::AccountTokenNotAccepted));
    let denied = ask(READ_CONTACTS, elsewhere).await;
    let required = Permission::of("contacts:contacts.read");
    assert!(matches!(denied, Denied::MissingPermission { required: named } if named == required));
    let held = Access::Permission(Permission::of("crm:cases.read"));
    assert!(matches!(ask(held, elsewhere).await, Denied::IpNotAllowed));
    assert!(matches!(ask(held, office).await, Denied::LimitExceeded { .. }));
}

#[tokio::test]
async fn a_request_refused_before_the_last_check_costs_no_budget() {
    let world = World::limited(Limits { per_minute: 1, per_month: 1 });
    let request = CreateRequest { permissions: vec!["crm:cases.read".into()], ..world.request() };
    let header = world.header(request).await;
    for _ in 0..3 {
        let answer = world.ask(Some(&header), READ_CONTACTS, None).await;
        assert!(matches!(answer, Err(Denied::MissingPermission { .. })));
    }
    assert!(world.admit(&header).await.is_ok());
}

#[tokio::test]
async fn a_store_that_cannot_be_read_is_neither_a_yes_nor_a_401() {
    let world = World::new();
    let header = world.header(world.request()).await;
    world.storage.set_down(true);
    let answer = world.admit(&header).await;
    assert!(matches!(answer, Err(Denied::Store(StoreError::Backend(_)))), "{answer:?}");
    world.storage.set_down(false);
    assert!(world.admit(&header).await.is_ok());
}

#[tokio::test]
async fn last_uses_are_collected_for_admitted_requests_only() {
    let world = World::new();
    let (token, value) = world.create(world.request()).await;
    let header = bearer(&value);
    let _ = world.ask(Some(&header), Access::SessionOnly, None).await;
    assert_eq!(world.authenticator.take_uses(), []);
    world.admit_from(&header, "203.0.113.7").await.unwrap();
    world.clock.advance(Duration::from_secs(1));
    world.admit_from(&header, "203.0.113.8").await.unwrap();
    let uses = world.authenticator.take_uses();
    let written: Vec<_> = uses.iter().map(|last| (last.token, last.at, last.from)).collect();
    assert_eq!(written, [(token.id, world.now(), "203.0.113.8".parse().ok())]);
    world.admit(&header).await.unwrap();
    assert_eq!(world.authenticator.take_uses(), []);
    world.clock.advance(Duration::from_mins(1));
    assert_eq!(world.authenticator.take_uses().len(), 1);
}
