//! Guessing is slow, and no other client suffers from it.

use std::time::Duration;

use futures_util::future::join_all;
use proptest::prelude::*;
use svc_auth::ports::HasherError;
use svc_auth::session::{ChangePasswordError, ProofError, SignInError, Throttle};
use svc_testkit::property;

use crate::test_app::{EMAIL, PASSWORD, TestApp, user};
use crate::watched::Watched;

const WRONG: (&str, &str) = (EMAIL, "another password");
const RIGHT: (&str, &str) = (EMAIL, PASSWORD);
const HERE: Option<&str> = Some("203.0.113.7");
const ELSEWHERE: Option<&str> = Some("198.51.100.4");

impl TestApp {
    async fn refuse(&self, times: u32, who: (&str, &str), from: Option<&str>) {
        for attempt in 0..times {
            let answer = self.try_sign_in(who, from).await;
            assert!(matches!(answer, Err(SignInError::Refused)), "attempt {attempt}: {answer:?}");
        }
    }

    /// How long the next attempt has to wait; `None` when it is looked at.
    async fn wait_of(&self, who: (&str, &str), from: Option<&str>) -> Option<Duration> {
        match self.try_sign_in(who, from).await {
            Err(SignInError::Throttled { retry_after }) => Some(retry_after),
            Ok(_) | Err(SignInError::Refused) => None,
            Err(error) => panic!("{error:?}"),
        }
    }
}

#[tokio::test]
async fn after_five_failures_even_the_right_password_waits_and_then_passes() {
    let app = TestApp::new();
    app.refuse(5, WRONG, None).await;
    let compared = app.hasher.take_compared().len();
    assert_eq!(compared, 5);
    assert_eq!(app.wait_of(RIGHT, None).await, Some(Duration::from_mins(1)));
    assert!(app.hasher.take_compared().is_empty(), "an early attempt costs no hash");
    app.clock.advance(Duration::from_secs(59));
    assert_eq!(app.wait_of(RIGHT, None).await, Some(Duration::from_secs(1)));
    app.clock.advance(Duration::from_secs(1));
    app.sign_in().await;
    app.refuse(5, WRONG, None).await;
}

#[tokio::test]
async fn waits_double_to_a_quarter_of_an_hour_and_a_day_of_silence_forgets() {
    let app = TestApp::new();
    app.refuse(5, WRONG, None).await;
    for minutes in [1, 2, 4, 8, 15, 15] {
        assert_eq!(app.wait_of(WRONG, None).await, Some(Duration::from_mins(minutes)));
        app.wait(minutes);
        app.refuse(1, WRONG, None).await;
    }
    app.wait(24 * 60);
    app.refuse(1, WRONG, None).await;
    assert_eq!(app.wait_of(WRONG, None).await, Some(Duration::from_mins(15)), "a day is not over a day");
    app.wait(24 * 60);
    app.clock.advance(Duration::from_micros(1));
    app.refuse(5, WRONG, None).await;
    assert_eq!(app.wait_of(WRONG, None).await, Some(Duration::from_mins(1)));
}

#[tokio::test]
async fn an_early_attempt_is_neither_counted_nor_written() {
    let app = TestApp::new();
    app.refuse(5, WRONG, None).await;
    let watched = Watched::new(&app.storage);
    for _ in 0..50 {
        let answer = app.sign_in_to(&watched, WRONG, None).await;
        assert!(matches!(answer, Err(SignInError::Throttled { .. })));
    }
    assert!(watched.take_calls().iter().all(|call| *call == "failures"));
    app.wait(1);
    app.sign_in().await;
}

#[tokio::test]
async fn unknown_addresses_are_throttled_as_known_ones_in_any_case() {
    let app = TestApp::new();
    app.refuse(3, ("nobody@acme.example", PASSWORD), None).await;
    app.refuse(2, (" NOBODY@Acme.example", PASSWORD), None).await;
    let wait = app.wait_of(("nobody@acme.example", PASSWORD), None).await;
    assert_eq!(wait, Some(Duration::from_mins(1)));
    assert_eq!(app.wait_of(RIGHT, None).await, None, "others are not");
}

#[tokio::test]
async fn a_guesser_in_one_network_delays_no_other_network() {
    let app = TestApp::new();
    app.refuse(5, WRONG, HERE).await;
    assert_eq!(app.wait_of(RIGHT, HERE).await, Some(Duration::from_mins(1)));
    app.try_sign_in(RIGHT, ELSEWHERE).await.expect("another network");
    app.try_sign_in(RIGHT, None).await.expect("no known network");
    assert_eq!(
        app.wait_of(RIGHT, HERE).await,
        Some(Duration::from_mins(1)),
        "success elsewhere frees no other pair"
    );
}

#[tokio::test]
async fn many_guesses_at_once_from_one_network_delay_no_other_network() {
    let app = TestApp::new();
    let watched = Watched::new(&app.storage);
    let answers = join_all((0..400).map(|_| app.sign_in_to(&watched, WRONG, HERE))).await;
    let refused = answers.iter().filter(|answer| matches!(answer, Err(SignInError::Refused))).count();
    assert_eq!(refused, 5);
    app.try_sign_in(RIGHT, ELSEWHERE).await.expect("another network");
    let neighbour = app.wait_of(("ben@acme.example", PASSWORD), HERE).await;
    assert_eq!(neighbour, None, "those who came too early are not counted by network either");
}

#[tokio::test]
async fn a_hundred_failures_from_many_networks_stop_an_address_everywhere() {
    let app = TestApp::new();
    for network in 0..25 {
        app.refuse(4, WRONG, Some(&format!("203.0.113.{network}"))).await;
    }
    assert_eq!(app.wait_of(RIGHT, ELSEWHERE).await, Some(Duration::from_mins(1)));
    assert_eq!(app.wait_of(("ben@acme.example", PASSWORD), ELSEWHERE).await, None, "others are not");
    app.wait(1);
    app.try_sign_in(RIGHT, ELSEWHERE).await.expect("the wait is over");
    app.wait(1);
    app.refuse(1, WRONG, Some("203.0.113.200")).await;
    let doubled = Some(Duration::from_mins(2));
    assert_eq!(app.wait_of(RIGHT, ELSEWHERE).await, doubled, "one success does not wash an address clean");
}

#[tokio::test]
async fn twenty_networks_that_guess_all_day_compare_two_hundred_passwords_of_a_person() {
    let app = TestApp::new();
    let networks: Vec<_> = (0..20).map(|network| format!("203.0.113.{network}")).collect();
    for _ in 0..24 * 60 {
        for network in &networks {
            app.wait_of(WRONG, Some(network)).await;
        }
        app.wait(1);
    }
    let compared = app.hasher.take_compared().len();
    assert!((190..=200).contains(&compared), "{compared}");
}

#[tokio::test]
async fn one_network_that_guesses_for_twenty_two_hours_delays_no_other_network() {
    let app = TestApp::new();
    for minute in 0..22 * 60 {
        app.wait_of(WRONG, HERE).await;
        if minute % 60 == 0 {
            app.try_sign_in(RIGHT, ELSEWHERE).await.expect("another network");
        }
        app.wait(1);
    }
    assert!(app.wait_of(RIGHT, HERE).await.is_some(), "it has been guessing indeed");
}

#[tokio::test]
async fn sixty_failures_of_one_48_stop_it_and_no_other() {
    let app = TestApp::new();
    for guess in 0..60 {
        let (email, host) = (format!("guess{guess}@acme.example"), format!("2001:db8:1:{guess:x}::1"));
        app.refuse(1, (&email, "123456"), Some(&host)).await;
    }
    assert_eq!(app.wait_of(RIGHT, Some("2001:db8:1:ffff::1")).await, Some(Duration::from_mins(1)));
    assert_eq!(app.wait_of(RIGHT, Some("2001:db8:2::1")).await, None);
    assert_eq!(app.wait_of(RIGHT, HERE).await, None);
}

#[tokio::test]
async fn twenty_failures_of_one_network_stop_it_and_no_other() {
    let app = TestApp::new();
    for guess in 0..20 {
        let (email, host) = (format!("guess{guess}@acme.example"), format!("2001:db8:1:2::{guess:x}"));
        app.refuse(1, (&email, "123456"), Some(&host)).await;
    }
    assert_eq!(app.wait_of(RIGHT, Some("2001:db8:1:2:ffff::1")).await, Some(Duration::from_mins(1)));
    assert_eq!(app.wait_of(RIGHT, Some("2001:db8:1:3::1")).await, None);
    assert_eq!(app.wait_of(RIGHT, None).await, None);
}

#[tokio::test]
async fn two_hundred_failures_of_unknown_sources_stop_them_and_no_known_one() {
    let app = TestApp::new();
    for guess in 0..200 {
        app.refuse(1, (&format!("guess{guess}@acme.example"), "123456"), None).await;
    }
    assert_eq!(app.wait_of(RIGHT, None).await, Some(Duration::from_mins(1)));
    assert_eq!(app.wait_of(RIGHT, HERE).await, None);
}

#[tokio::test]
async fn an_office_signs_in_through_one_address_without_being_throttled() {
    let app = TestApp::new();
    for _ in 0..60 {
        app.try_sign_in(RIGHT, Some("203.0.113.7")).await.expect("no failure among them");
    }
}

#[tokio::test]
async fn an_own_password_does_not_wash_an_address_clean() {
    let app = TestApp::new();
    for guess in 0..20 {
        let email = format!("guess{guess}@acme.example");
        app.refuse(1, (&email, "123456"), Some("203.0.113.7")).await;
        if guess < 19 {
            app.try_sign_in(RIGHT, Some("203.0.113.7")).await.expect("not throttled yet");
        }
    }
    assert_eq!(app.wait_of(RIGHT, Some("203.0.113.7")).await, Some(Duration::from_mins(1)));
}

#[tokio::test]
async fn of_many_attempts_at_once_only_the_free_ones_are_looked_at() {
    let app = TestApp::new();
    let watched = Watched::new(&app.storage);
    let answers = join_all((0..40).map(|_| app.sign_in_to(&watched, WRONG, None))).await;
    let refused = answers.iter().filter(|answer| matches!(answer, Err(SignInError::Refused))).count();
    let throttled = answers.iter().filter(|answer| matches!(answer, Err(SignInError::Throttled { .. })));
    assert_eq!((refused, throttled.count()), (5, 35));
    assert_eq!(app.hasher.take_compared().len(), 5);
}

#[tokio::test]
async fn failures_of_one_person_do_not_stop_another() {
    let app = TestApp::new();
    app.put_person(user(2), "ben@acme.example", true);
    app.storage.put_password(user(2), app.hasher.stored(PASSWORD), app.now());
    app.refuse(5, WRONG, None).await;
    app.try_sign_in(("ben@acme.example", PASSWORD), None).await.expect("Ben did nothing");
}

#[tokio::test]
async fn an_attempt_that_the_hasher_is_too_busy_for_is_no_failure() {
    let app = TestApp::new();
    let (here, _) = app.sign_in().await;
    app.refuse(2, WRONG, HERE).await;
    app.hasher.set_busy(true);
    for _ in 0..30 {
        let answer = app.try_sign_in(RIGHT, HERE).await;
        assert!(matches!(answer, Err(SignInError::Hasher(HasherError::Busy))), "{answer:?}");
        let answer = app.change_password(&here, PASSWORD, "a better one than before").await;
        assert!(
            matches!(answer, Err(ChangePasswordError::Proof(ProofError::Hasher(HasherError::Busy)))),
            "{answer:?}"
        );
    }
    app.hasher.set_busy(false);
    app.refuse(3, WRONG, HERE).await;
    assert_eq!(app.wait_of(RIGHT, HERE).await, Some(Duration::from_mins(1)));
    app.change_password(&here, PASSWORD, "a better one than before").await.expect("no failure was counted");
}

/// What happens at one moment of [`a_person_elsewhere_never_waits_for_a_guesser_in_one_network`].
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// This many seconds pass.
    Later(u16),
    /// This many guesses at Ana's password, at once, from one network.
    Guesses(u8),
    /// A guess at the password of this stranger, from the same network.
    Stranger(u8),
    /// Ana signs in from another network; from which of them.
    Ana(u8),
}

fn moments() -> impl Strategy<Value = Vec<Moment>> {
    let moment = prop_oneof![
        3 => (0_u16..=1_000).prop_map(Moment::Later),
        1 => Just(Moment::Later(900)),
        4 => (1_u8..=255).prop_map(Moment::Guesses),
        1 => any::<u8>().prop_map(Moment::Stranger),
        3 => any::<u8>().prop_map(Moment::Ana),
    ];
    prop::collection::vec(moment, 1..80)
}

#[tokio::test]
async fn a_person_elsewhere_never_waits_for_a_guesser_in_one_network() {
    let (cases, _seed) = property::values(&moments(), 64);
    for case in cases {
        let app = TestApp::new();
        let watched = Watched::new(&app.storage);
        let mut failed = 0;
        for moment in &case {
            match moment {
                Moment::Later(seconds) => app.clock.advance(Duration::from_secs((*seconds).into())),
                Moment::Guesses(many) => {
                    let guesses = (0..*many).map(|_| app.sign_in_to(&watched, WRONG, HERE));
                    let answers = join_all(guesses).await;
                    failed +=
                        answers.iter().filter(|answer| matches!(answer, Err(SignInError::Refused))).count();
                }
                Moment::Stranger(number) => {
                    app.wait_of((&format!("guess{number}@acme.example"), "123456"), HERE).await;
                }
                Moment::Ana(network) => {
                    // The hundredth failure may be felt everywhere; nothing before it.
                    if failed < Throttle::EMAIL.free as usize {
                        let from = format!("2001:db8:0:{network:x}::1");
                        let answer = app.try_sign_in(RIGHT, Some(&from)).await;
                        assert!(answer.is_ok(), "after {failed} failures: {answer:?} in {case:?}");
                    }
                }
            }
        }
    }
}
