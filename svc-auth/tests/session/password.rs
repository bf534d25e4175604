//! Changing a password, and setting one for somebody.

use std::time::Duration;

use svc_auth::ports::SessionStorage;
use svc_auth::session::{ChangePasswordError, SetPasswordError, SignInError, set_password};
use svc_core::audit::{Action, Actor, Entry};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId, UserId};
use svc_core::pii::Sight;
use svc_core::unit::Call;
use svc_testkit::business::sample::everything;

use crate::watched::Watched;
use crate::world::{EMAIL, PASSWORD, World, user};

const NEW: &str = "a better one than before";

impl World {
    /// The operator sets a password.
    async fn set(&self, user: UserId, password: &str) -> Result<(), SetPasswordError> {
        let scope = everything();
        let (actor, now, random) = (&Actor::OPERATOR, self.now(), &self.random);
        let unit = self.storage.begin().await.expect("a store");
        let call = Call { scope: &scope, sight: Sight::Masked, actor, now, random };
        set_password(&*unit, call, user, self.hasher.stored(password)).await?;
        Ok(unit.commit().await?)
    }

    fn entry(&self, account: AccountId) -> Entry {
        let entries = self.storage.audit().entries(account);
        let [entry] = entries.try_into().expect("one entry");
        entry
    }
}

#[tokio::test]
async fn a_changed_password_is_the_one_to_sign_in_with_and_ends_all_other_sessions() {
    let world = World::new();
    let ((here, own), (_, other)) = (world.sign_in().await, world.sign_in().await);
    world.change_password(&here, PASSWORD, NEW).await.expect("the right password");
    assert!(world.resume(&own).await.is_some());
    assert!(world.resume(&other).await.is_none());
    let answer = world.try_sign_in((EMAIL, PASSWORD), None).await;
    assert!(matches!(answer, Err(SignInError::Refused)));
    world.try_sign_in((EMAIL, NEW), None).await.expect("the new password");
}

#[tokio::test]
async fn each_company_of_the_person_has_it_in_its_log_with_session_address_and_request() {
    let world = World::new();
    let (here, _) = world.sign_in().await;
    world.clock.advance(Duration::from_mins(1));
    let actor = here.actor("203.0.113.7".parse().ok(), Some(TypedId::from_uuid(uuid::Uuid::from_u128(1))));
    assert!(actor.from.is_some() && actor.request.is_some());
    world.change_password_as(&actor, &here, (PASSWORD, NEW)).await.expect("the right password");
    for account in [world.acme, world.beta] {
        let expected = Entry {
            account,
            at: world.now(),
            actor: actor.clone(),
            action: Action::PasswordSet,
            subject: world.ana.to_string(),
            before: None,
            after: None,
        };
        assert_eq!(world.entry(account), expected);
    }
}

#[tokio::test]
async fn a_wrong_present_password_changes_nothing_and_the_sixth_one_waits() {
    let world = World::new();
    let ((here, _), (_, other)) = (world.sign_in().await, world.sign_in().await);
    for _ in 0..5 {
        let answer = world.change_password(&here, "not the password", NEW).await;
        assert!(matches!(answer, Err(ChangePasswordError::WrongPassword)), "{answer:?}");
    }
    let answer = world.change_password(&here, PASSWORD, NEW).await;
    let minute = Duration::from_mins(1);
    assert!(matches!(answer, Err(ChangePasswordError::Throttled { retry_after }) if retry_after == minute));
    assert!(world.resume(&other).await.is_some());
    assert!(world.storage.audit().entries(world.acme).is_empty());
    world.wait(1);
    world.change_password(&here, PASSWORD, NEW).await.expect("the wait is over");
    for _ in 0..5 {
        let answer = world.change_password(&here, PASSWORD, NEW).await;
        assert!(matches!(answer, Err(ChangePasswordError::WrongPassword)), "forgotten: {answer:?}");
    }
}

#[tokio::test]
async fn wrong_passwords_in_one_session_delay_no_other_session_of_the_person() {
    let world = World::new();
    let ((stolen, _), (own, _)) = (world.sign_in().await, world.sign_in().await);
    for _ in 0..5 {
        let answer = world.change_password(&stolen, "not the password", NEW).await;
        assert!(matches!(answer, Err(ChangePasswordError::WrongPassword)), "{answer:?}");
    }
    let answer = world.change_password(&stolen, PASSWORD, NEW).await;
    assert!(matches!(answer, Err(ChangePasswordError::Throttled { .. })), "{answer:?}");
    world.change_password(&own, PASSWORD, NEW).await.expect("another session");
}

#[tokio::test]
async fn the_tenth_wrong_password_in_a_row_ends_its_session_and_no_other_however_slowly_they_come() {
    let world = World::new();
    let ((stolen, stolen_value), (_, own)) = (world.sign_in().await, world.sign_in().await);
    for wrong in 0..10 {
        assert!(world.resume(&stolen_value).await.is_some(), "{wrong} were wrong");
        let answer = world.change_password(&stolen, "not the password", NEW).await;
        assert!(matches!(answer, Err(ChangePasswordError::WrongPassword)), "{answer:?}");
        world.wait(16);
        assert!(world.resume(&own).await.is_some());
    }
    assert!(world.resume(&stolen_value).await.is_none());
    assert!(world.resume(&own).await.is_some());
}

#[tokio::test]
async fn neither_does_guessing_in_a_session_stop_signing_in_nor_the_other_way_round() {
    let world = World::new();
    let (here, _) = world.sign_in().await;
    let guess = async || world.change_password(&here, "not the password", NEW).await;
    for _ in 0..5 {
        assert!(matches!(guess().await, Err(ChangePasswordError::WrongPassword)));
    }
    assert!(matches!(guess().await, Err(ChangePasswordError::Throttled { .. })));
    world.sign_in().await;

    world.wait(16);
    for _ in 0..5 {
        let answer = world.try_sign_in((EMAIL, "not the password"), None).await;
        assert!(matches!(answer, Err(SignInError::Refused)), "{answer:?}");
    }
    let answer = world.try_sign_in((EMAIL, PASSWORD), None).await;
    assert!(matches!(answer, Err(SignInError::Throttled { .. })), "{answer:?}");
    world.change_password(&here, PASSWORD, NEW).await.expect("counted apart");
}

#[tokio::test]
async fn a_new_password_that_breaks_a_rule_is_refused_before_anything_is_looked_at() {
    let world = World::new();
    let (here, _) = world.sign_in().await;
    assert_eq!(world.hasher.take_compared().len(), 1);
    let watched = Watched::new(&world.storage);
    for new in ["too short", EMAIL] {
        let answer = world.change_password_in(&watched, &here, (PASSWORD, new)).await;
        let Err(ChangePasswordError::Invalid(invalid)) = answer else { panic!("{answer:?}") };
        assert_eq!(invalid.0[0].field, "newPassword");
    }
    assert!(watched.take_calls().is_empty() && world.hasher.take_compared().is_empty());
}

#[tokio::test]
async fn of_two_changes_at_once_the_later_one_is_a_conflict() {
    let world = World::new();
    let (here, _) = world.sign_in().await;
    let (storage, hash, now) = (world.storage.clone(), world.hasher.stored("another one"), world.now());
    let ana = world.ana;
    let watched = Watched::new(&world.storage).behind(move || storage.put_password(ana, hash, now));
    let answer = world.change_password_in(&watched, &here, (PASSWORD, NEW)).await;
    assert!(matches!(answer, Err(ChangePasswordError::Store(StoreError::Conflict))), "{answer:?}");
    assert!(world.storage.audit().entries(world.acme).is_empty());
    world.try_sign_in((EMAIL, "another one"), None).await.expect("the first change stands");
}

#[tokio::test]
async fn the_operator_sets_a_first_password_and_a_next_one_and_ends_every_session() {
    let world = World::new();
    let (_, value) = world.sign_in().await;
    world.set(world.ana, NEW).await.expect("Ana exists");
    assert!(world.resume(&value).await.is_none());
    let entry = world.entry(world.acme);
    assert_eq!((entry.actor, entry.subject), (Actor::OPERATOR, world.ana.to_string()));
    world.try_sign_in((EMAIL, NEW), None).await.expect("the new password");

    world.put_person(user(2), "ben@acme.example", true);
    world.set(user(2), NEW).await.expect("Ben, who is a member of no company, gets his first one");
    world.try_sign_in(("ben@acme.example", NEW), None).await.expect("the first password");
}

#[tokio::test]
async fn nobody_gets_a_password_who_does_not_exist() {
    let world = World::new();
    let answer = world.set(user(9), NEW).await;
    assert!(matches!(answer, Err(SetPasswordError::UnknownPerson)), "{answer:?}");
    assert_eq!(world.storage.passwords().find(user(9)).await.expect("a store"), None);
}
