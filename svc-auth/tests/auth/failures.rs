//! Failed authentications, counted by address.

use std::num::NonZeroU32;
use std::time::Duration;

use futures_util::future::join_all;
use svc_auth::authenticate::{Access, Denied};
use svc_auth::limit::Limits;
use svc_auth::ports::Standing;
use svc_auth::token::{CreateRequest, TokenValue};
use svc_core::role::Role;
use svc_testkit::auth::verbs::{disable, revoke};

use crate::cache::gated;
use crate::test_app::{READ_CONTACTS, TestApp, account, bearer};

const GUESSER: &str = "203.0.113.7";

/// Unknown tokens of the right form.
fn inventions(app: &TestApp, count: usize) -> Vec<String> {
    (0..count).map(|_| bearer(&TokenValue::generate(&app.random))).collect()
}

async fn fail(app: &TestApp, source: &str, times: usize) {
    for _ in 0..times {
        let answer = app.admit_from("Bearer junk", source).await;
        assert!(matches!(answer, Err(Denied::TokenInvalid)), "{answer:?}");
    }
}

fn is_stopped(answer: &Result<impl Sized, Denied>) -> bool {
    matches!(answer, Err(Denied::TooManyFailures { .. }))
}

#[tokio::test]
async fn the_sixty_first_failure_of_a_minute_is_refused_without_a_look_up() {
    let app = TestApp::new();
    for invention in inventions(&app, 60) {
        let answer = app.admit_from(&invention, GUESSER).await;
        assert!(matches!(answer, Err(Denied::TokenInvalid)), "{answer:?}");
    }
    let before = app.storage.reads();
    for header in inventions(&app, 10).iter().map(String::as_str).chain(["Bearer junk", "Basic x", ""]) {
        let answer = app.admit_from(header, GUESSER).await;
        let Err(Denied::TooManyFailures { retry_after }) = answer else { panic!("{header}: {answer:?}") };
        assert_eq!(retry_after, Duration::from_mins(1));
    }
    assert_eq!(app.storage.reads(), before);
    app.clock.advance(Duration::from_mins(1));
    fail(&app, GUESSER, 60).await;
    assert!(is_stopped(&app.admit_from("Bearer junk", GUESSER).await));
}

#[tokio::test]
async fn behind_a_stopped_address_warm_tokens_pass_and_cold_ones_wait() {
    let app = TestApp::new();
    let [warm, cold] = [app.header(app.request()).await, app.header(app.request()).await];
    app.admit_from(&warm, GUESSER).await.unwrap();
    fail(&app, GUESSER, 60).await;
    let before = app.storage.reads();
    assert!(app.admit_from(&warm, GUESSER).await.is_ok());
    assert!(is_stopped(&app.admit_from(&cold, GUESSER).await));
    assert_eq!(app.storage.reads(), before);
    assert!(app.admit_from(&cold, "203.0.113.8").await.is_ok());
    assert!(app.admit_from(&cold, GUESSER).await.is_ok(), "another address made it warm");
}

#[tokio::test]
async fn a_token_that_ceased_to_be_good_does_not_pass_a_stopped_address_although_it_is_cached() {
    let app = TestApp::new();
    let expires_at = Some(app.now().plus(Duration::from_secs(5)));
    let header = app.header(CreateRequest { expires_at, ..app.request() }).await;
    app.admit_from(&header, GUESSER).await.unwrap();
    fail(&app, GUESSER, 60).await;
    assert!(app.admit_from(&header, GUESSER).await.is_ok());
    app.clock.advance(Duration::from_secs(5));
    assert!(is_stopped(&app.admit_from(&header, GUESSER).await));
}

#[tokio::test]
async fn every_401_but_a_missing_token_counts_and_nothing_else_does() {
    let app = TestApp::new().with_failures(NonZeroU32::MIN);
    let expires_at = Some(app.now().plus(Duration::from_micros(1)));
    let (off, off_value) = app.create(app.request()).await;
    let (gone, gone_value) = app.create(app.request()).await;
    let (_, expired_value) = app.create(CreateRequest { expires_at, ..app.request() }).await;
    let unit = app.unit().await;
    disable(&*unit, app.call(), off.id).await.unwrap();
    revoke(&*unit, app.call(), gone.id).await.unwrap();
    unit.commit().await.unwrap();
    app.clock.advance(Duration::from_micros(1));
    let lost = account(2);
    app.storage.put_company(lost, "Lost", None);
    app.storage.put_standing(app.ada, lost, Standing::Member(Role::Holder));
    let orphan = app.header(CreateRequest { primary: lost, ..app.request() }).await;
    app.storage.put_standing(app.ada, lost, Standing::Former);
    let failures =
        ["Bearer junk".to_owned(), bearer(&off_value), bearer(&gone_value), bearer(&expired_value), orphan];
    for (number, failure) in failures.iter().chain(&inventions(&app, 1)).enumerate() {
        let source = format!("198.51.100.{number}");
        let first = app.admit_from(failure, &source).await;
        assert!(first.is_err() && !is_stopped(&first), "{first:?}");
        assert!(is_stopped(&app.admit_from(failure, &source).await), "after {first:?}");
    }

    let narrow = CreateRequest {
        permissions: vec!["crm:cases.read".into()],
        allowed_ips: vec!["192.0.2.1".into()],
        ..app.request()
    };
    let (good, narrow) = (app.header(app.request()).await, app.header(narrow).await);
    let ask = async |header, access| app.ask(header, access, Some(GUESSER)).await;
    for _ in 0..2 {
        assert!(matches!(ask(None, Access::AnyToken).await, Err(Denied::TokenMissing)));
        assert!(matches!(ask(Some(&*narrow), READ_CONTACTS).await, Err(Denied::MissingPermission { .. })));
        assert!(matches!(ask(Some(&*narrow), Access::AnyToken).await, Err(Denied::IpNotAllowed)));
        let session = ask(Some(&*narrow), Access::SessionOnly).await;
        assert!(matches!(session, Err(Denied::AccountTokenNotAccepted)));
        assert!(ask(Some(&*good), Access::AnyToken).await.is_ok());
        app.authenticator.forget();
        app.storage.set_down(true);
        assert!(matches!(ask(Some(&*good), Access::AnyToken).await, Err(Denied::Store(_))));
        app.storage.set_down(false);
    }
    assert!(ask(Some(&*good), Access::AnyToken).await.is_ok());
}

#[tokio::test]
async fn good_tokens_cost_an_address_nothing_however_many_there_are() {
    let app = TestApp::new();
    for _ in 0..200 {
        let header = app.header(app.request()).await;
        assert!(app.admit_from(&header, GUESSER).await.is_ok());
    }
}

#[tokio::test]
async fn a_thousand_guesses_at_once_get_no_more_look_ups_than_a_thousand_in_a_row() {
    let (app, gate) = gated();
    gate.open();
    let guesses = inventions(&app, 1_000);
    let answers = join_all(guesses.iter().map(|guess| app.admit_from(guess, GUESSER))).await;
    assert_eq!(gate.lookups(), 60);
    assert_eq!(answers.iter().filter(|answer| is_stopped(answer)).count(), 940);
}

#[tokio::test]
async fn guesses_whose_client_goes_away_before_the_answer_still_count() {
    let (app, gate) = gated();
    for guess in inventions(&app, 60) {
        let asking = app.admit_from(&guess, GUESSER);
        tokio::select! {
            biased;
            _ = asking => panic!("the gate is shut"),
            () = gate.wait_for_one() => {}
        }
    }
    assert!(is_stopped(&app.admit_from("Bearer junk", GUESSER).await));
}

#[tokio::test]
async fn a_refusal_tells_what_is_left_of_the_budgets_where_the_caller_is_known() {
    let app = TestApp::limited(Limits { per_minute: 2, per_month: 9 });
    let request = CreateRequest { permissions: vec!["crm:cases.read".into()], ..app.request() };
    let header = app.header(request).await;
    let left = async |header: &str, access| {
        let refused = app.authenticator.admit(Some(header), access, None).await.unwrap_err();
        refused.limits.map(|status| (status.minute_left, status.month_left))
    };
    assert_eq!(left("Bearer junk", Access::AnyToken).await, None);
    assert_eq!(left(&header, READ_CONTACTS).await, Some((2, 9)));
    app.admit(&header).await.unwrap();
    assert_eq!(left(&header, Access::SessionOnly).await, Some((1, 8)));
    app.admit(&header).await.unwrap();
    assert_eq!(left(&header, Access::AnyToken).await, Some((0, 7)));
}

#[tokio::test]
async fn callers_without_a_known_address_share_ten_allowances_and_are_counted() {
    let app = TestApp::new();
    let cold = app.header(app.request()).await;
    let ask = async |header: &str| app.ask(Some(header), Access::AnyToken, None).await;
    for _ in 0..599 {
        assert!(matches!(ask("Bearer junk").await, Err(Denied::TokenInvalid)));
    }
    assert!(ask(&cold).await.is_ok(), "one guesser with the allowance of an address locks no address out");
    assert!(ask(&cold).await.is_ok());
    assert_eq!(app.authenticator.attempts_from_unknown_addresses(), 600, "a cached token is no attempt");
    assert!(matches!(ask("Bearer junk").await, Err(Denied::TokenInvalid)));
    assert!(is_stopped(&ask("Bearer junk").await));
    assert!(is_stopped(&ask(&app.header(app.request()).await).await));
    fail(&app, GUESSER, 60).await;
    assert_eq!(app.authenticator.attempts_from_unknown_addresses(), 603);
}
