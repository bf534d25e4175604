//! Failures tell nothing: one answer, one price.

use svc_auth::session::SignInError;

use crate::test_app::{EMAIL, PASSWORD, TestApp, user};
use crate::watched::Watched;

/// Each way to fail with the address and the password that does.
const WAYS: [(&str, &str, &str); 6] = [
    ("unknown", "nobody@acme.example", PASSWORD),
    ("wrong", EMAIL, "another password"),
    ("empty", EMAIL, ""),
    ("disabled", "ben@acme.example", PASSWORD),
    ("no password", "cleo@acme.example", PASSWORD),
    ("no address", "", PASSWORD),
];

fn people() -> TestApp {
    let app = TestApp::new();
    app.put_person(user(2), "ben@acme.example", false);
    app.storage.put_password(user(2), app.hasher.stored(PASSWORD), app.now());
    app.put_person(user(3), "cleo@acme.example", true);
    app
}

#[tokio::test]
async fn every_way_to_fail_has_one_answer() {
    for (way, email, password) in WAYS {
        let app = people();
        let answer = app.try_sign_in((email, password), None).await;
        assert!(matches!(answer, Err(SignInError::Refused)), "{way}: {answer:?}");
        assert!(app.storage.every().is_empty(), "{way}");
    }
}

#[tokio::test]
async fn every_way_to_fail_costs_the_same_calls_and_the_same_hash() {
    for (way, email, password) in WAYS {
        let app = people();
        let watched = Watched::new(&app.storage);
        let answer = app.sign_in_to(&watched, (email, password), Some("203.0.113.7")).await;
        assert!(answer.is_err(), "{way}");
        let calls = ["failures", "charge", "charge", "charge", "find person by e-mail", "find password"];
        assert_eq!(watched.take_calls(), calls, "{way}");
        let compared = app.hasher.take_compared();
        let parameters: Vec<_> = compared.iter().map(|hash| hash.as_str().split('$').nth(3)).collect();
        assert_eq!(parameters, [Some("m=8,t=1,p=1")], "{way}");
    }
}

#[tokio::test]
async fn a_failing_store_lets_no_sign_in_succeed() {
    let app = TestApp::new();
    app.storage.set_down(true);
    let answer = app.try_sign_in((EMAIL, PASSWORD), None).await;
    assert!(matches!(answer, Err(SignInError::Store(_))), "{answer:?}");
    app.storage.set_down(false);
    let watched = Watched::new(&app.storage).too_busy_for_units();
    let answer = app.sign_in_to(&watched, (EMAIL, PASSWORD), None).await;
    assert!(matches!(answer, Err(SignInError::Store(_))), "{answer:?}");
}

#[tokio::test]
async fn nothing_that_was_typed_is_printed() {
    let app = TestApp::new();
    let answer = app.try_sign_in((EMAIL, "canary-password"), None).await.expect_err("a wrong password");
    let (signed_in, value) = app.sign_in().await;
    let printed = format!("{answer:?} {answer} {signed_in:?} {value:?} {:?}", app.storage.every());
    for secret in ["canary", EMAIL, "Ana Ruiz", value.expose(), value.csrf().expose()] {
        assert!(!printed.contains(secret), "{secret} in {printed}");
    }
}
