//! Changing a password, and setting one for another person.

use std::time::Duration;

use svc_auth::ports::SessionStorage;
use svc_auth::session::{ChangePasswordError, ProofError, SetPasswordError, SignInError, set_password};
use svc_core::audit::{Action, Actor, Entry};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId, UserId};
use svc_core::pii::PiiAccess;
use svc_core::unit::CallContext;
use svc_testkit::business::sample::everything;

use crate::test_app::{EMAIL, PASSWORD, TestApp, user};
use crate::watched::Watched;

const NEW: &str = "a better one than before";

impl TestApp {
    /// The operator sets a password.
    async fn set(&self, user: UserId, password: &str) -> Result<(), SetPasswordError> {
        let scope = everything();
        let (actor, now, random) = (&Actor::OPERATOR, self.now(), &self.random);
        let unit = self.storage.begin().await.expect("a store");
        let call = CallContext { scope: &scope, access: PiiAccess::Masked, actor, now, random };
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
    let app = TestApp::new();
    let ((here, own), (_, other)) = (app.sign_in().await, app.sign_in().await);
    app.change_password(&here, PASSWORD, NEW).await.expect("the right password");
    assert!(app.resume(&own).await.is_some());
    assert!(app.resume(&other).await.is_none());
    let answer = app.try_sign_in((EMAIL, PASSWORD), None).await;
    assert!(matches!(answer, Err(SignInError::Refused)));
    app.try_sign_in((EMAIL, NEW), None).await.expect("the new password");
}

#[tokio::test]
async fn each_company_of_the_person_has_it_in_its_log_with_session_address_and_request() {
    let app = TestApp::new();
    let (here, _) = app.sign_in().await;
    app.clock.advance(Duration::from_mins(1));
    let actor = here.actor("203.0.113.7".parse().ok(), Some(TypedId::from_uuid(uuid::Uuid::from_u128(1))));
    assert!(actor.from.is_some() && actor.request.is_some());
    app.change_password_as(&actor, &here, (PASSWORD, NEW)).await.expect("the right password");
    for account in [app.acme, app.beta] {
        let expected = Entry {
            account,
            at: app.now(),
            actor: actor.clone(),
            action: Action::PasswordSet,
            subject: app.ana.to_string(),
            before: None,
            after: None,
        };
        assert_eq!(app.entry(account), expected);
    }
}

#[tokio::test]
async fn a_wrong_present_password_changes_nothing_and_the_sixth_one_waits() {
    let app = TestApp::new();
    let ((here, _), (_, other)) = (app.sign_in().await, app.sign_in().await);
    for _ in 0..5 {
        let answer = app.change_password(&here, "not the password", NEW).await;
        assert!(matches!(answer, Err(ChangePasswordError::Proof(ProofError::WrongPassword))), "{answer:?}");
    }
    let answer = app.change_password(&here, PASSWORD, NEW).await;
    let minute = Duration::from_mins(1);
    assert!(
        matches!(answer, Err(ChangePasswordError::Proof(ProofError::Throttled { retry_after })) if retry_after == minute)
    );
    assert!(app.resume(&other).await.is_some());
    assert!(app.storage.audit().entries(app.acme).is_empty());
    app.wait(1);
    app.change_password(&here, PASSWORD, NEW).await.expect("the wait is over");
    for _ in 0..5 {
        let answer = app.change_password(&here, PASSWORD, NEW).await;
        assert!(
            matches!(answer, Err(ChangePasswordError::Proof(ProofError::WrongPassword))),
            "forgotten: {answer:?}"
        );
    }
}

#[tokio::test]
async fn wrong_passwords_in_one_session_delay_no_other_session_of_the_person() {
    let app = TestApp::new();
    let ((stolen, _), (own, _)) = (app.sign_in().await, app.sign_in().await);
    for _ in 0..5 {
        let answer = app.change_password(&stolen, "not the password", NEW).await;
        assert!(matches!(answer, Err(ChangePasswordError::Proof(ProofError::WrongPassword))), "{answer:?}");
    }
    let answer = app.change_password(&stolen, PASSWORD, NEW).await;
    assert!(matches!(answer, Err(ChangePasswordError::Proof(ProofError::Throttled { .. }))), "{answer:?}");
    app.change_password(&own, PASSWORD, NEW).await.expect("another session");
}

#[tokio::test]
async fn the_tenth_wrong_password_in_a_row_ends_its_session_and_no_other_however_slowly_they_come() {
    let app = TestApp::new();
    let ((stolen, stolen_value), (_, own)) = (app.sign_in().await, app.sign_in().await);
    for wrong in 0..10 {
        assert!(app.resume(&stolen_value).await.is_some(), "{wrong} were wrong");
        let answer = app.change_password(&stolen, "not the password", NEW).await;
        assert!(matches!(answer, Err(ChangePasswordError::Proof(ProofError::WrongPassword))), "{answer:?}");
        app.wait(16);
        assert!(app.resume(&own).await.is_some());
    }
    assert!(app.resume(&stolen_value).await.is_none());
    assert!(app.resume(&own).await.is_some());
}

#[tokio::test]
async fn neither_does_guessing_in_a_session_stop_signing_in_nor_the_other_way_round() {
    let app = TestApp::new();
    let (here, _) = app.sign_in().await;
    let guess = async || app.change_password(&here, "not the password", NEW).await;
    for _ in 0..5 {
        assert!(matches!(guess().await, Err(ChangePasswordError::Proof(ProofError::WrongPassword))));
    }
    assert!(matches!(guess().await, Err(ChangePasswordError::Proof(ProofError::Throttled { .. }))));
    app.sign_in().await;

    app.wait(16);
    for _ in 0..5 {
        let answer = app.try_sign_in((EMAIL, "not the password"), None).await;
        assert!(matches!(answer, Err(SignInError::Refused)), "{answer:?}");
    }
    let answer = app.try_sign_in((EMAIL, PASSWORD), None).await;
    assert!(matches!(answer, Err(SignInError::Throttled { .. })), "{answer:?}");
    app.change_password(&here, PASSWORD, NEW).await.expect("counted apart");
}

#[tokio::test]
async fn a_new_password_that_breaks_a_rule_is_refused_before_anything_is_looked_at() {
    let app = TestApp::new();
    let (here, _) = app.sign_in().await;
    assert_eq!(app.hasher.take_compared().len(), 1);
    let watched = Watched::new(&app.storage);
    for new in ["too short", EMAIL] {
        let answer = app.change_password_in(&watched, &here, (PASSWORD, new)).await;
        let Err(ChangePasswordError::Invalid(invalid)) = answer else { panic!("{answer:?}") };
        assert_eq!(invalid.0[0].field, "newPassword");
    }
    assert!(watched.take_calls().is_empty() && app.hasher.take_compared().is_empty());
}

#[tokio::test]
async fn of_two_changes_at_once_the_later_one_is_a_conflict() {
    let app = TestApp::new();
    let (here, _) = app.sign_in().await;
    let (storage, hash, now) = (app.storage.clone(), app.hasher.stored("another one"), app.now());
    let ana = app.ana;
    let watched = Watched::new(&app.storage).behind(move || storage.put_password(ana, hash, now));
    let answer = app.change_password_in(&watched, &here, (PASSWORD, NEW)).await;
    assert!(matches!(answer, Err(ChangePasswordError::Store(StoreError::Conflict))), "{answer:?}");
    assert!(app.storage.audit().entries(app.acme).is_empty());
    app.try_sign_in((EMAIL, "another one"), None).await.expect("the first change stands");
}

#[tokio::test]
async fn the_operator_sets_a_first_password_and_a_next_one_and_ends_every_session() {
    let app = TestApp::new();
    let (_, value) = app.sign_in().await;
    app.set(app.ana, NEW).await.expect("Ana exists");
    assert!(app.resume(&value).await.is_none());
    let entry = app.entry(app.acme);
    assert_eq!((entry.actor, entry.subject), (Actor::OPERATOR, app.ana.to_string()));
    app.try_sign_in((EMAIL, NEW), None).await.expect("the new password");

    app.put_person(user(2), "ben@acme.example", true);
    app.set(user(2), NEW).await.expect("Ben, a member of no company, gets his first one");
    app.try_sign_in(("ben@acme.example", NEW), None).await.expect("the first password");
}

#[tokio::test]
async fn an_unknown_person_gets_no_password() {
    let app = TestApp::new();
    let answer = app.set(user(9), NEW).await;
    assert!(matches!(answer, Err(SetPasswordError::UnknownPerson)), "{answer:?}");
    assert_eq!(app.storage.passwords().find(user(9)).await.expect("a store"), None);
}
