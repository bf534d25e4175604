//! What a person gets who signs in.

use std::time::Duration;

use svc_auth::ports::SessionStorage;
use svc_auth::session::{Argon2id, ChangePasswordError, PasswordHash, ProofError, SignInError, sign_out};
use svc_core::audit::Who;
use svc_core::role::Role;
use svc_testkit::fakes::CheapHasher;

use crate::test_app::{EMAIL, PASSWORD, TestApp, company, user};
use crate::watched::Watched;

#[tokio::test]
async fn a_person_who_signs_in_gets_a_session_with_their_companies() {
    let app = TestApp::new();
    let (signed_in, value) =
        app.try_sign_in((EMAIL, PASSWORD), Some("203.0.113.7")).await.expect("Ana may sign in");
    assert_eq!(signed_in.person().email, EMAIL);
    let names: Vec<_> = signed_in.companies().iter().map(|company| company.legal_name.as_str()).collect();
    assert_eq!(names, ["Acme", "Beta"]);

    let session = signed_in.session();
    assert_eq!(app.storage.every().as_slice(), std::slice::from_ref(session));
    assert_eq!(session.user, app.ana);
    assert_eq!(session.fingerprint, app.peppers.fingerprint(&value));
    assert_eq!((session.created_at, session.last_used_at), (app.now(), app.now()));
    assert_eq!(session.expires_at, app.now().plus(Duration::from_hours(12)));
    assert_eq!(session.from, "203.0.113.7".parse().ok());
}

#[tokio::test]
async fn only_holders_and_administrators_administer_and_every_member_reaches() {
    let app = TestApp::new();
    app.storage.put_membership(app.ana, &company(3, "Gamma", Role::Administrator));
    let (signed_in, _) = app.sign_in().await;
    let gamma = company(3, "Gamma", Role::Administrator).id;
    let administered = signed_in.administered();
    assert_eq!(administered.companies(), Some(&[app.acme, gamma].into()));
    assert_eq!(signed_in.reached().companies(), Some(&[app.acme, app.beta, gamma].into()));
}

#[tokio::test]
async fn the_audit_log_names_the_person_and_the_session() {
    let app = TestApp::new();
    let (signed_in, _) = app.sign_in().await;
    let actor = signed_in.actor("203.0.113.7".parse().ok(), None);
    assert_eq!(actor.who, Who::Person { user: app.ana, session: signed_in.session().id });
    assert_eq!(actor.from, "203.0.113.7".parse().ok());
}

#[tokio::test]
async fn no_password_fits_a_stored_one_that_cannot_be_read() {
    let app = TestApp::new();
    let (signed_in, _) = app.sign_in().await;
    for broken in
        ["", "hunter2", "$argon2id$v=19$m=8", "$argon2id$v=19$m=1,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNo"]
    {
        app.storage.put_password(app.ana, PasswordHash::from_stored(broken.to_owned()), app.now());
        let refused = app.try_sign_in((EMAIL, PASSWORD), None).await;
        assert!(matches!(refused, Err(SignInError::Refused)), "{refused:?}");
        let refused = app.change_password(&signed_in, PASSWORD, "another horse battery").await;
        assert!(matches!(refused, Err(ChangePasswordError::Proof(ProofError::WrongPassword))), "{refused:?}");
        app.wait(60);
    }
}

#[tokio::test]
async fn the_address_is_taken_in_any_case_and_the_password_in_any_spelling_of_its_signs() {
    let app = TestApp::new();
    app.try_sign_in(("  ANA@Acme.Example ", PASSWORD), None).await.expect("the same address");
    app.storage.put_password(app.ana, app.hasher.stored("caf\u{e9} caf\u{e9} caf\u{e9}"), app.now());
    let typed = "cafe\u{301} cafe\u{301} cafe\u{301}";
    app.try_sign_in((EMAIL, typed), None).await.expect("the same letters");
}

#[tokio::test]
async fn two_sessions_of_one_person_have_nothing_in_common_and_end_apart() {
    let app = TestApp::new();
    let ((first, one), (second, two)) = (app.sign_in().await, app.sign_in().await);
    assert_ne!(one, two);
    assert_ne!(first.session().id, second.session().id);
    assert!(!one.csrf().matches(two.csrf().expose()));
    sign_out(&app.storage, &first).await.expect("a store");
    assert!(app.resume(&one).await.is_none());
    assert!(app.resume(&two).await.is_some());
    sign_out(&app.storage, &first).await.expect("signing out twice is no error");
}

#[tokio::test]
async fn a_weaker_hash_becomes_a_stronger_one_of_the_same_password() {
    let app = TestApp::new();
    let weaker = app.storage.passwords().find(app.ana).await.expect("a store").expect("a password");
    let strong = TestApp { hasher: CheapHasher::with(Argon2id::new(16, 2, 1).expect("valid")), ..app };
    assert!(strong.try_sign_in((EMAIL, "another password"), None).await.is_err());
    let kept = strong.storage.passwords().find(strong.ana).await.expect("a store");
    assert_eq!(kept.as_ref(), Some(&weaker), "a wrong password changes nothing");

    strong.wait(1);
    strong.sign_in().await;
    let stronger = strong.storage.passwords().find(strong.ana).await.expect("a store").expect("a password");
    assert!(stronger.hash.as_str().starts_with("$argon2id$v=19$m=16,t=2,p=1$"));
    assert_eq!((stronger.version, stronger.set_at), (weaker.version, weaker.set_at));
    assert!(strong.storage.audit().entries(strong.acme).is_empty());

    strong.sign_in().await;
    let again = strong.storage.passwords().find(strong.ana).await.expect("a store").expect("a password");
    assert_eq!(again, stronger, "a hash that is strong enough is left alone");
}

#[tokio::test]
async fn a_password_that_changes_while_it_is_compared_opens_nothing() {
    let app = TestApp::new();
    let change = || {
        let (storage, hash) = (app.storage.clone(), app.hasher.stored("another one"));
        let (ana, now) = (app.ana, app.now());
        move || storage.put_password(ana, hash, now)
    };
    let watched = Watched::new(&app.storage);
    // Once before the unit begins, once where only its commit can tell.
    for watched in [watched.ahead(change()), Watched::new(&app.storage).behind(change())] {
        app.storage.put_password(app.ana, app.hasher.stored(PASSWORD), app.now());
        let answer = app.sign_in_to(&watched, (EMAIL, PASSWORD), None).await;
        assert!(matches!(answer, Err(SignInError::Refused)), "{answer:?}");
        assert!(app.storage.every().is_empty());
    }
}

#[tokio::test]
async fn a_person_of_no_company_may_sign_in_and_reaches_nothing() {
    let app = TestApp::new();
    app.put_person(user(2), "ben@acme.example", true);
    app.storage.put_password(user(2), app.hasher.stored(PASSWORD), app.now());
    let (signed_in, _) =
        app.try_sign_in(("ben@acme.example", PASSWORD), None).await.expect("Ben may sign in");
    assert!(signed_in.companies().is_empty());
    assert_eq!(signed_in.reached().companies(), Some(&[].into()));
}
