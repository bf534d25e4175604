//! Failed authentications, counted by address.

use std::num::NonZeroU32;
use std::time::Duration;

use futures_util::future::join_all;
use svc_auth::authenticate::{Access, Denied};
use svc_auth::limit::Limits;
use svc_auth::ports::Standing;
use svc_auth::token::{CreateRequest, TokenValue, disable, revoke};
use svc_core::role::Role;

use crate::cache::gated;
use crate::world::{READ_CONTACTS, World, account, bearer};

const GUESSER: &str = "203.0.113.7";

/// Tokens of the right form that nobody knows.
fn inventions(world: &World, count: usize) -> Vec<String> {
    (0..count).map(|_| bearer(&TokenValue::generate(&world.random))).collect()
}

async fn fail(world: &World, source: &str, times: usize) {
    for _ in 0..times {
        let answer = world.admit_from("Bearer junk", source).await;
        assert!(matches!(answer, Err(Denied::TokenInvalid)), "{answer:?}");
    }
}

fn is_stopped(answer: &Result<impl Sized, Denied>) -> bool {
    matches!(answer, Err(Denied::TooManyFailures { .. }))
}

#[tokio::test]
async fn the_sixty_first_failure_of_a_minute_is_refused_without_a_look_up() {
    let world = World::new();
    for invention in inventions(&world, 60) {
        let answer = world.admit_from(&invention, GUESSER).await;
        assert!(matches!(answer, Err(Denied::TokenInvalid)), "{answer:?}");
    }
    let before = world.storage.reads();
    for header in inventions(&world, 10).iter().map(String::as_str).chain(["Bearer junk", "Basic x", ""]) {
        let answer = world.admit_from(header, GUESSER).await;
        let Err(Denied::TooManyFailures { retry_after }) = answer else { panic!("{header}: {answer:?}") };
        assert_eq!(retry_after, Duration::from_mins(1));
    }
    assert_eq!(world.storage.reads(), before);
    world.clock.advance(Duration::from_mins(1));
    fail(&world, GUESSER, 60).await;
    assert!(is_stopped(&world.admit_from("Bearer junk", GUESSER).await));
}

#[tokio::test]
async fn behind_a_stopped_address_warm_tokens_pass_and_cold_ones_wait() {
    let world = World::new();
    let [warm, cold] = [world.header(world.request()).await, world.header(world.request()).await];
    world.admit_from(&warm, GUESSER).await.unwrap();
    fail(&world, GUESSER, 60).await;
    let before = world.storage.reads();
    assert!(world.admit_from(&warm, GUESSER).await.is_ok());
    assert!(is_stopped(&world.admit_from(&cold, GUESSER).await));
    assert_eq!(world.storage.reads(), before);
    assert!(world.admit_from(&cold, "203.0.113.8").await.is_ok());
    assert!(world.admit_from(&cold, GUESSER).await.is_ok(), "another address made it warm");
}

#[tokio::test]
async fn a_token_that_ceased_to_be_good_does_not_pass_a_stopped_address_although_it_is_cached() {
    let world = World::new();
    let expires_at = Some(world.now().plus(Duration::from_secs(5)));
    let header = world.header(CreateRequest { expires_at, ..world.request() }).await;
    world.admit_from(&header, GUESSER).await.unwrap();
    fail(&world, GUESSER, 60).await;
    assert!(world.admit_from(&header, GUESSER).await.is_ok());
    world.clock.advance(Duration::from_secs(5));
    assert!(is_stopped(&world.admit_from(&header, GUESSER).await));
}

#[tokio::test]
async fn every_401_but_a_missing_token_counts_and_nothing_else_does() {
    let world = World::new().with_failures(NonZeroU32::MIN);
    let expires_at = Some(world.now().plus(Duration::from_micros(1)));
    let (off, off_value) = world.create(world.request()).await;
    let (gone, gone_value) = world.create(world.request()).await;
    let (_, expired_value) = world.create(CreateRequest { expires_at, ..world.request() }).await;
    let unit = world.unit().await;
    disable(&*unit, world.call(), off.id).await.unwrap();
    revoke(&*unit, world.call(), gone.id).await.unwrap();
    unit.commit().await.unwrap();
    world.clock.advance(Duration::from_micros(1));
    let lost = account(2);
    world.storage.put_company(lost, "Lost", None);
    world.storage.put_standing(world.ada, lost, Standing::Member(Role::Holder));
    let orphan = world.header(CreateRequest { primary: lost, ..world.request() }).await;
    world.storage.put_standing(world.ada, lost, Standing::Former);
    let failures =
        ["Bearer junk".to_owned(), bearer(&off_value), bearer(&gone_value), bearer(&expired_value), orphan];
    for (number, failure) in failures.iter().chain(&inventions(&world, 1)).enumerate() {
        let source = format!("198.51.100.{number}");
        let first = world.admit_from(failure, &source).await;
        assert!(first.is_err() && !is_stopped(&first), "{first:?}");
        assert!(is_stopped(&world.admit_from(failure, &source).await), "after {first:?}");
    }

    let narrow = CreateRequest {
        permissions: vec!["crm:cases.read".into()],
        allowed_ips: vec!["192.0.2.1".into()],
        ..world.request()
    };
    let (good, narrow) = (world.header(world.request()).await, world.header(narrow).await);
    let ask = async |header, access| world.ask(header, access, Some(GUESSER)).await;
    for _ in 0..2 {
        assert!(matches!(ask(None, Access::AnyToken).await, Err(Denied::TokenMissing)));
        assert!(matches!(ask(Some(&*narrow), READ_CONTACTS).await, Err(Denied::MissingPermission { .. })));
        assert!(matches!(ask(Some(&*narrow), Access::AnyToken).await, Err(Denied::IpNotAllowed)));
        let session = ask(Some(&*narrow), Access::SessionOnly).await;
        assert!(matches!(session, Err(Denied::AccountTokenNotAccepted)));
        assert!(ask(Some(&*good), Access::AnyToken).await.is_ok());
        world.authenticator.forget();
        world.storage.set_down(true);
        assert!(matches!(ask(Some(&*good), Access::AnyToken).await, Err(Denied::Store(_))));
        world.storage.set_down(false);
    }
    assert!(ask(Some(&*good), Access::AnyToken).await.is_ok());
}

#[tokio::test]
async fn good_tokens_cost_an_address_nothing_however_many_there_are() {
    let world = World::new();
    for _ in 0..200 {
        let header = world.header(world.request()).await;
        assert!(world.admit_from(&header, GUESSER).await.is_ok());
    }
}

#[tokio::test]
async fn a_thousand_guesses_at_once_get_no_more_look_ups_than_a_thousand_in_a_row() {
    let (world, gate) = gated();
    gate.open();
    let guesses = inventions(&world, 1_000);
    let answers = join_all(guesses.iter().map(|guess| world.admit_from(guess, GUESSER))).await;
    assert_eq!(gate.lookups(), 60);
    assert_eq!(answers.iter().filter(|answer| is_stopped(answer)).count(), 940);
}

#[tokio::test]
async fn guesses_whose_client_goes_away_before_the_answer_still_count() {
    let (world, gate) = gated();
    for guess in inventions(&world, 60) {
        let asking = world.admit_from(&guess, GUESSER);
        tokio::select! {
            biased;
            _ = asking => panic!("the gate is shut"),
            () = gate.wait_for_one() => {}
        }
    }
    assert!(is_stopped(&world.admit_from("Bearer junk", GUESSER).await));
}

#[tokio::test]
async fn a_refusal_tells_what_is_left_of_the_budgets_where_the_caller_is_known() {
    let world = World::limited(Limits { per_minute: 2, per_month: 9 });
    let request = CreateRequest { permissions: vec!["crm:cases.read".into()], ..world.request() };
    let header = world.header(request).await;
    let left = async |header: &str, access| {
        let refused = world.authenticator.admit(Some(header), access, None).await.unwrap_err();
        refused.limits.map(|status| (status.minute_left, status.month_left))
    };
    assert_eq!(left("Bearer junk", Access::AnyToken).await, None);
    assert_eq!(left(&header, READ_CONTACTS).await, Some((2, 9)));
    world.admit(&header).await.unwrap();
    assert_eq!(left(&header, Access::SessionOnly).await, Some((1, 8)));
    world.admit(&header).await.unwrap();
    assert_eq!(left(&header, Access::AnyToken).await, Some((0, 7)));
}

#[tokio::test]
async fn callers_without_a_known_address_share_ten_allowances_and_are_counted() {
    let world = World::new();
    let cold = world.header(world.request()).await;
    let ask = async |header: &str| world.ask(Some(header), Access::AnyToken, None).await;
    for _ in 0..599 {
        assert!(matches!(ask("Bearer junk").await, Err(Denied::TokenInvalid)));
    }
    assert!(ask(&cold).await.is_ok(), "one guesser with the allowance of an address locks nobody out");
    assert!(ask(&cold).await.is_ok());
    assert_eq!(world.authenticator.attempts_from_unknown_addresses(), 600, "a cached token is no attempt");
    assert!(matches!(ask("Bearer junk").await, Err(Denied::TokenInvalid)));
    assert!(is_stopped(&ask("Bearer junk").await));
    assert!(is_stopped(&ask(&world.header(world.request()).await).await));
    fail(&world, GUESSER, 60).await;
    assert_eq!(world.authenticator.attempts_from_unknown_addresses(), 603);
}
