//! Signing in with a second factor, and turning it on and off.

use std::time::Duration;

use svc_auth::ports::SessionStorage as _;
use svc_auth::session::{
    CompleteError, EnrolError, Lifetime, ManageError, PasswordText, ProofError, RecoveryCode, RemoveError,
    SessionValue, SignIn, SignInCode, SignInRequest, SignedIn, TotpSecret, complete_sign_in,
    confirm_enrolment, enrol, list_sessions, remove_second_factor, renew_recovery_codes, sign_in,
    turn_off_second_factor,
};
use svc_core::audit::{Action, Actor};
use zeroize::Zeroizing;

use crate::test_app::{EMAIL, PASSWORD, TestApp, user};

impl TestApp {
    async fn enrol(&self, signed_in: &SignedIn, password: &str) -> Result<TotpSecret, EnrolError> {
        let (actor, scope) = (signed_in.actor(None, None), signed_in.reached());
        let (call, password) = (self.call(&scope, &actor), PasswordText::new(password));
        enrol(&self.storage, &self.hasher, &self.peppers, call, signed_in, password).await
    }

    async fn confirm(&self, signed_in: &SignedIn, code: &str) -> Result<Vec<RecoveryCode>, EnrolError> {
        let (actor, scope) = (signed_in.actor(None, None), signed_in.reached());
        confirm_enrolment(&self.storage, &self.peppers, self.call(&scope, &actor), signed_in, code).await
    }

    async fn turn_off(&self, signed_in: &SignedIn, password: &str) -> Result<(), ManageError> {
        let (actor, scope) = (signed_in.actor(None, None), signed_in.reached());
        let (call, password) = (self.call(&scope, &actor), PasswordText::new(password));
        turn_off_second_factor(&self.storage, &self.hasher, &self.peppers, call, signed_in, password).await
    }

    async fn renew(&self, signed_in: &SignedIn) -> Result<Vec<RecoveryCode>, ManageError> {
        let (actor, scope) = (signed_in.actor(None, None), signed_in.reached());
        let (call, password) = (self.call(&scope, &actor), PasswordText::new(PASSWORD));
        renew_recovery_codes(&self.storage, &self.hasher, &self.peppers, call, signed_in, password).await
    }

    /// The second factor is on; the session that turned it on, the secret and the recovery codes.
    async fn with_factor(&self) -> (SignedIn, TotpSecret, Vec<RecoveryCode>) {
        let (here, _) = self.sign_in().await;
        let secret = self.enrol(&here, PASSWORD).await.expect("the right password");
        let codes = self.confirm(&here, &secret.code_at(self.now())).await.expect("the right code");
        self.clock.advance(Duration::from_secs(30));
        (here, secret, codes)
    }

    async fn by_password(&self) -> (SignIn, SessionValue) {
        let request = SignInRequest {
            email: EMAIL.into(),
            password: PasswordText::new(PASSWORD),
            from: None,
            device: None,
        };
        let lifetime = Lifetime::default();
        let came =
            sign_in(&self.storage, &self.hasher, &self.peppers, lifetime, request, self.now(), &self.random);
        came.await.expect("the right password")
    }

    async fn give(
        &self,
        value: &SessionValue,
        code: &str,
    ) -> Result<(SignedIn, SessionValue), CompleteError> {
        let given = SignInCode {
            value: value.expose().to_owned(),
            code: Zeroizing::new(code.to_owned()),
            from: "203.0.113.7".parse().ok(),
            device: None,
        };
        let lifetime = Lifetime::default();
        complete_sign_in(&self.storage, &self.peppers, lifetime, given, self.now(), &self.random).await
    }

    fn actions(&self) -> Vec<Action> {
        self.storage.audit().entries(self.acme).into_iter().map(|entry| entry.action).collect()
    }
}

#[tokio::test]
async fn with_a_second_factor_the_password_alone_opens_nothing() {
    let app = TestApp::new();
    let (here, secret, _) = app.with_factor().await;
    let (came, half) = app.by_password().await;
    assert!(matches!(came, SignIn::AwaitsCode(_)), "{came:?}");
    assert!(app.resume(&half).await.is_none());
    let lifetime = Lifetime::default();
    let listed = list_sessions(&app.storage, lifetime, &here, app.now()).await.expect("a store");
    assert_eq!(listed.len(), 1, "what awaits a code is no session of a person yet");

    let (there, whole) = app.give(&half, &secret.code_at(app.now())).await.expect("the right code");
    assert_eq!(app.resume(&whole).await.map(|here| here.session().id), Some(there.session().id));
    assert_ne!(whole.expose(), half.expose(), "who saw the first value does not have the session");
    assert!(app.resume(&half).await.is_none());
    assert_eq!(there.session().from, "203.0.113.7".parse().ok());
    let again = app.give(&half, &secret.code_at(app.now())).await;
    assert!(matches!(again, Err(CompleteError::Ended)), "{again:?}");
    let whole_one = app.give(&whole, &secret.code_at(app.now())).await;
    assert!(matches!(whole_one, Err(CompleteError::Ended)), "{whole_one:?}");
}

#[tokio::test]
async fn a_code_counts_once_even_in_another_sign_in() {
    let app = TestApp::new();
    let (_, secret, _) = app.with_factor().await;
    let code = secret.code_at(app.now());
    let ((_, one), (_, two)) = (app.by_password().await, app.by_password().await);
    app.give(&one, &code).await.expect("the right code");
    let again = app.give(&two, &code).await;
    assert!(matches!(again, Err(CompleteError::WrongCode)), "{again:?}");
    app.clock.advance(Duration::from_secs(30));
    app.give(&two, &secret.code_at(app.now())).await.expect("the next code");
}

#[tokio::test]
async fn ten_minutes_end_a_sign_in_that_waits_for_its_code() {
    let app = TestApp::new();
    let (_, secret, _) = app.with_factor().await;
    let (_, half) = app.by_password().await;
    app.wait(10);
    let late = app.give(&half, &secret.code_at(app.now())).await;
    assert!(matches!(late, Err(CompleteError::Ended)), "{late:?}");
    let none = app.give(&SessionValue::generate(&app.random), "123456").await;
    assert!(matches!(none, Err(CompleteError::Ended)), "{none:?}");
}

#[tokio::test]
async fn a_recovery_code_signs_in_once_and_new_ones_make_the_old_worthless() {
    let app = TestApp::new();
    let (here, _, codes) = app.with_factor().await;
    assert_eq!(codes.len(), 10);
    let [first, second, ..] = codes.as_slice() else { panic!("ten codes") };
    let give = async |code: &RecoveryCode| {
        let (_, half) = app.by_password().await;
        app.give(&half, &code.shown().to_uppercase()).await
    };
    give(first).await.expect("a recovery code");
    assert!(matches!(give(first).await, Err(CompleteError::WrongCode)), "a second time");
    let renewed = app.renew(&here).await.expect("the right password");
    assert!(matches!(give(second).await, Err(CompleteError::WrongCode)), "an old one");
    give(renewed.first().expect("ten codes")).await.expect("a new one");
    assert_eq!(app.actions(), [Action::SecondFactorOn, Action::SecondFactorCodes]);
}

#[tokio::test]
async fn wrong_codes_wait_and_the_right_one_waits_with_them() {
    let app = TestApp::new();
    let (_, secret, _) = app.with_factor().await;
    let (_, half) = app.by_password().await;
    for _ in 0..5 {
        let wrong = app.give(&half, "000000").await;
        assert!(matches!(wrong, Err(CompleteError::WrongCode)), "{wrong:?}");
    }
    let early = app.give(&half, &secret.code_at(app.now())).await;
    assert!(matches!(early, Err(CompleteError::Throttled { .. })), "{early:?}");
    app.wait(1);
    app.give(&half, &secret.code_at(app.now())).await.expect("the wait is over");
}

#[tokio::test]
async fn turning_it_on_asks_for_password_and_code_and_ends_the_other_sessions() {
    let app = TestApp::new();
    let ((here, one), (_, two)) = (app.sign_in().await, app.sign_in().await);
    let refused = app.confirm(&here, "123456").await;
    assert!(matches!(refused, Err(EnrolError::NotBegun)), "{refused:?}");
    let refused = app.enrol(&here, "another password").await;
    assert!(matches!(refused, Err(EnrolError::Proof(ProofError::WrongPassword))), "{refused:?}");
    let forgotten = app.enrol(&here, PASSWORD).await.expect("the right password");
    let secret = app.enrol(&here, PASSWORD).await.expect("once more");
    let old = app.confirm(&here, &forgotten.code_at(app.now())).await;
    assert!(matches!(old, Err(EnrolError::WrongCode)), "{old:?}");
    // Until the first code was right nothing is asked for.
    assert!(app.by_password().await.0.complete().is_some() && app.actions().is_empty());
    app.confirm(&here, &secret.code_at(app.now())).await.expect("the right code");
    assert!(app.resume(&one).await.is_some() && app.resume(&two).await.is_none());
    assert_eq!(app.actions(), [Action::SecondFactorOn]);
    for refused in [app.enrol(&here, PASSWORD).await.map(|_| ()), app.confirm(&here, "1").await.map(|_| ())] {
        assert!(matches!(refused, Err(EnrolError::AlreadyOn)), "{refused:?}");
    }
}

#[tokio::test]
async fn the_first_code_is_not_guessed_in_a_stolen_session() {
    let app = TestApp::new();
    let (here, _) = app.sign_in().await;
    let secret = app.enrol(&here, PASSWORD).await.expect("the right password");
    for _ in 0..5 {
        let wrong = app.confirm(&here, "000000").await;
        assert!(matches!(wrong, Err(EnrolError::WrongCode)), "{wrong:?}");
    }
    let early = app.confirm(&here, &secret.code_at(app.now())).await;
    assert!(matches!(early, Err(EnrolError::Proof(ProofError::Throttled { .. }))), "{early:?}");
    app.wait(1);
    app.confirm(&here, &secret.code_at(app.now())).await.expect("the wait is over");
}

#[tokio::test]
async fn turning_it_off_asks_for_the_password_and_leaves_the_password_alone() {
    let app = TestApp::new();
    let (here, _, _) = app.with_factor().await;
    let refused = app.turn_off(&here, "another password").await;
    assert!(matches!(refused, Err(ManageError::Proof(ProofError::WrongPassword))), "{refused:?}");
    app.turn_off(&here, PASSWORD).await.expect("the right password");
    assert!(app.by_password().await.0.complete().is_some());
    assert_eq!(app.actions(), [Action::SecondFactorOn, Action::SecondFactorOff]);
    let again = app.turn_off(&here, PASSWORD).await;
    assert!(matches!(again, Err(ManageError::NotOn)), "{again:?}");
    assert!(matches!(app.renew(&here).await, Err(ManageError::NotOn)));
}

#[tokio::test]
async fn the_operator_removes_it_and_ends_the_sessions() {
    let app = TestApp::new();
    let (here, _, _) = app.with_factor().await;
    let remove = async |whose| {
        let unit = app.storage.begin().await.expect("a unit");
        let scope = here.reached();
        remove_second_factor(&*unit, app.call(&scope, &Actor::OPERATOR), whose).await?;
        unit.commit().await.map_err(RemoveError::from)
    };
    assert!(matches!(remove(user(9)).await, Err(RemoveError::UnknownPerson)));
    remove(app.ana).await.expect("it was on");
    assert!(app.storage.every().is_empty());
    assert!(matches!(remove(app.ana).await, Err(RemoveError::NotOn)));
    assert!(app.by_password().await.0.complete().is_some());
}
