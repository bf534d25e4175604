//! A session at each request.

use std::time::Duration;

use svc_auth::ports::Standing;
use svc_auth::session::{Lifetime, SessionValue, SignedIn, resume};
use svc_auth::token::{Pepper, Peppers};
use svc_core::role::Role;
use svc_testkit::fakes::SeededRandom;

use crate::watched::Watched;
use crate::world::{EMAIL, World, company};

impl World {
    async fn resume_in(&self, watched: &Watched, value: &str) -> Option<SignedIn> {
        let lifetime = Lifetime::default();
        resume(watched, &self.peppers, lifetime, value, self.now()).await.expect("a store")
    }
}

#[tokio::test]
async fn a_session_is_taken_up_with_the_roles_of_today() {
    let world = World::new();
    let (before, value) = world.sign_in().await;
    assert!(before.administered().contains(world.acme));
    world.storage.put_membership(world.ana, &company(1, "Acme", Role::Employee));
    let mut beta = company(2, "Beta", Role::Accountant);
    beta.membership = Standing::Former;
    world.storage.put_membership(world.ana, &beta);
    let after = world.resume(&value).await.expect("the session goes on");
    assert_eq!(after.administered().companies(), Some(&[].into()));
    assert_eq!(after.reached().companies(), Some(&[world.acme].into()));
    assert_eq!(after.session().id, before.session().id);
}

#[tokio::test]
async fn a_disabled_person_has_no_session_any_more() {
    let world = World::new();
    let (_, value) = world.sign_in().await;
    world.put_person(world.ana, EMAIL, false);
    assert!(world.resume(&value).await.is_none());
    world.put_person(world.ana, EMAIL, true);
    assert!(world.resume(&value).await.is_some());
}

#[tokio::test]
async fn half_an_hour_without_use_ends_a_session_and_use_keeps_it() {
    let world = World::new();
    let (_, value) = world.sign_in().await;
    for _ in 0..4 {
        world.wait(29);
        assert!(world.resume(&value).await.is_some());
    }
    world.wait(30);
    assert!(world.resume(&value).await.is_none());
}

#[tokio::test]
async fn twelve_hours_end_a_session_however_much_it_is_used() {
    let world = World::new();
    let (_, value) = world.sign_in().await;
    for _ in 0..12 * 60 - 1 {
        world.wait(1);
        assert!(world.resume(&value).await.is_some());
    }
    world.clock.advance(Duration::from_mins(1).saturating_sub(Duration::from_micros(1)));
    assert!(world.resume(&value).await.is_some());
    world.clock.advance(Duration::from_micros(1));
    assert!(world.resume(&value).await.is_none());
}

#[tokio::test]
async fn a_use_is_written_at_most_once_a_minute() {
    let world = World::new();
    let (_, value) = world.sign_in().await;
    let watched = Watched::new(&world.storage);
    let mut written = Vec::new();
    for second in 0..=120 {
        world.resume_in(&watched, value.expose()).await.expect("a session");
        if watched.take_calls().contains(&"begin") {
            written.push(second);
        }
        world.clock.advance(Duration::from_secs(1));
    }
    assert_eq!(written, [60, 120]);
    let last = world.now().minus(Duration::from_secs(1));
    assert_eq!(world.storage.every()[0].last_used_at, last);
}

#[tokio::test]
async fn a_store_too_busy_to_write_the_use_does_not_end_the_request() {
    let world = World::new();
    let (_, value) = world.sign_in().await;
    world.wait(2);
    let watched = Watched::new(&world.storage).too_busy_for_units();
    assert!(world.resume_in(&watched, value.expose()).await.is_some());
    assert!(watched.take_calls().contains(&"begin"));
}

#[tokio::test]
async fn what_cannot_be_a_value_asks_the_store_nothing() {
    let world = World::new();
    let (_, value) = world.sign_in().await;
    let watched = Watched::new(&world.storage);
    let longer = format!("{}0", value.expose());
    for text in ["", "0", &longer, &value.expose()[1..], &value.expose().replace(|_| true, "-")] {
        assert!(world.resume_in(&watched, text).await.is_none(), "{text}");
    }
    assert!(watched.take_calls().is_empty());
}

#[tokio::test]
async fn an_unknown_value_finds_nothing_although_the_index_answers() {
    let world = World::new();
    let (signed_in, _) = world.sign_in().await;
    let other = SessionValue::generate(&SeededRandom::new(99));
    assert!(world.resume(&other).await.is_none());
    let watched = Watched::new(&world.storage).always_finding(signed_in.session());
    assert!(world.resume_in(&watched, other.expose()).await.is_none());
}

#[tokio::test]
async fn a_session_outlives_a_new_pepper_until_the_old_one_is_dropped() {
    let world = World::new();
    let (_, value) = world.sign_in().await;
    let (old, new) = (Pepper::new(1, [1; 32]), Pepper::new(2, [2; 32]));
    let rotated = World { peppers: Peppers::new(new.clone(), vec![old]), ..world };
    assert!(rotated.resume(&value).await.is_some());
    let dropped = World { peppers: Peppers::new(new, Vec::new()), ..rotated };
    assert!(dropped.resume(&value).await.is_none());
}

#[tokio::test]
async fn a_clock_that_is_turned_back_neither_ends_a_session_nor_writes() {
    let world = World::new();
    let (signed_in, value) = world.sign_in().await;
    world.clock.set(world.now().minus(Duration::from_hours(1)));
    let watched = Watched::new(&world.storage);
    assert!(world.resume_in(&watched, value.expose()).await.is_some());
    assert_eq!(world.storage.every(), [signed_in.session().clone()]);
    assert!(!watched.take_calls().contains(&"begin"));
}
