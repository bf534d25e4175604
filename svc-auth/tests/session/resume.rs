//! A session at each request.

use std::time::Duration;

use svc_auth::ports::Standing;
use svc_auth::session::{Lifetime, SessionValue, SignedIn, resume};
use svc_auth::token::{Pepper, Peppers};
use svc_core::role::Role;
use svc_testkit::fakes::SeededRandom;

use crate::test_app::{EMAIL, TestApp, company};
use crate::watched::Watched;

impl TestApp {
    async fn resume_in(&self, watched: &Watched, value: &str) -> Option<SignedIn> {
        let lifetime = Lifetime::default();
        resume(watched, &self.peppers, lifetime, value, self.now()).await.expect("a store")
    }
}

#[tokio::test]
async fn a_session_is_taken_up_with_the_roles_of_today() {
    let app = TestApp::new();
    let (before, value) = app.sign_in().await;
    assert!(before.administered().contains(app.acme));
    app.storage.put_membership(app.ana, &company(1, "Acme", Role::Employee));
    let mut beta = company(2, "Beta", Role::Accountant);
    beta.membership = Standing::Former;
    app.storage.put_membership(app.ana, &beta);
    let after = app.resume(&value).await.expect("the session goes on");
    assert_eq!(after.administered().companies(), Some(&[].into()));
    assert_eq!(after.reached().companies(), Some(&[app.acme].into()));
    assert_eq!(after.session().id, before.session().id);
}

#[tokio::test]
async fn a_disabled_person_has_no_session_any_more() {
    let app = TestApp::new();
    let (_, value) = app.sign_in().await;
    app.put_person(app.ana, EMAIL, false);
    assert!(app.resume(&value).await.is_none());
    app.put_person(app.ana, EMAIL, true);
    assert!(app.resume(&value).await.is_some());
}

#[tokio::test]
async fn half_an_hour_without_use_ends_a_session_and_use_keeps_it() {
    let app = TestApp::new();
    let (_, value) = app.sign_in().await;
    for _ in 0..4 {
        app.wait(29);
        assert!(app.resume(&value).await.is_some());
    }
    app.wait(30);
    assert!(app.resume(&value).await.is_none());
}

#[tokio::test]
async fn twelve_hours_end_a_session_however_much_it_is_used() {
    let app = TestApp::new();
    let (_, value) = app.sign_in().await;
    for _ in 0..12 * 60 - 1 {
        app.wait(1);
        assert!(app.resume(&value).await.is_some());
    }
    app.clock.advance(Duration::from_mins(1).saturating_sub(Duration::from_micros(1)));
    assert!(app.resume(&value).await.is_some());
    app.clock.advance(Duration::from_micros(1));
    assert!(app.resume(&value).await.is_none());
}

#[tokio::test]
async fn a_use_is_written_at_most_once_a_minute() {
    let app = TestApp::new();
    let (_, value) = app.sign_in().await;
    let watched = Watched::new(&app.storage);
    let mut written = Vec::new();
    for second in 0..=120 {
        app.resume_in(&watched, value.expose()).await.expect("a session");
        if watched.take_calls().contains(&"begin") {
            written.push(second);
        }
        app.clock.advance(Duration::from_secs(1));
    }
    assert_eq!(written, [60, 120]);
    let last = app.now().minus(Duration::from_secs(1));
    assert_eq!(app.storage.every()[0].last_used_at, last);
}

#[tokio::test]
async fn a_store_too_busy_to_write_the_use_does_not_end_the_request() {
    let app = TestApp::new();
    let (_, value) = app.sign_in().await;
    app.wait(2);
    let watched = Watched::new(&app.storage).too_busy_for_units();
    assert!(app.resume_in(&watched, value.expose()).await.is_some());
    assert!(watched.take_calls().contains(&"begin"));
}

#[tokio::test]
async fn what_cannot_be_a_value_asks_the_store_nothing() {
    let app = TestApp::new();
    let (_, value) = app.sign_in().await;
    let watched = Watched::new(&app.storage);
    let longer = format!("{}0", value.expose());
    for text in ["", "0", &longer, &value.expose()[1..], &value.expose().replace(|_| true, "-")] {
        assert!(app.resume_in(&watched, text).await.is_none(), "{text}");
    }
    assert!(watched.take_calls().is_empty());
}

#[tokio::test]
async fn an_unknown_value_finds_nothing_although_the_index_answers() {
    let app = TestApp::new();
    let (signed_in, _) = app.sign_in().await;
    let other = SessionValue::generate(&SeededRandom::new(99));
    assert!(app.resume(&other).await.is_none());
    let watched = Watched::new(&app.storage).always_finding(signed_in.session());
    assert!(app.resume_in(&watched, other.expose()).await.is_none());
}

#[tokio::test]
async fn a_session_outlives_a_new_pepper_until_the_old_one_is_dropped() {
    let app = TestApp::new();
    let (_, value) = app.sign_in().await;
    let (old, new) = (Pepper::new(1, [1; 32]), Pepper::new(2, [2; 32]));
    let rotated = TestApp { peppers: Peppers::new(new.clone(), vec![old]), ..app };
    assert!(rotated.resume(&value).await.is_some());
    let dropped = TestApp { peppers: Peppers::new(new, Vec::new()), ..rotated };
    assert!(dropped.resume(&value).await.is_none());
}

#[tokio::test]
async fn a_clock_that_is_turned_back_neither_ends_a_session_nor_writes() {
    let app = TestApp::new();
    let (signed_in, value) = app.sign_in().await;
    app.clock.set(app.now().minus(Duration::from_hours(1)));
    let watched = Watched::new(&app.storage);
    assert!(app.resume_in(&watched, value.expose()).await.is_some());
    assert_eq!(app.storage.every(), [signed_in.session().clone()]);
    assert!(!watched.take_calls().contains(&"begin"));
}
