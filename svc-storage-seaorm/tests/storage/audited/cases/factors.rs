//! Second factors.

use svc_auth::session::{
    PasswordText, confirm_enrolment, enrol, remove_second_factor, renew_recovery_codes,
    turn_off_second_factor,
};
use svc_core::audit::Action;

use crate::audited::test_app::{Case, PASSWORD, TestApp, case};
use crate::fresh::{NOW, keys};

/// It is turned on, gets new recovery codes, and is turned off by its person or by the operator.
pub(super) async fn changed(app: &TestApp, action: Action) -> Vec<Case> {
    let everywhere = [app.acme, app.beta].map(|company| (company, action));
    let (signed_in, sessions, peppers) = (app.signed_in().await, app.database.sessions(), keys().peppers());
    let typed = || PasswordText::new(PASSWORD);
    let turn_on = async || {
        let secret = enrol(&*sessions, &app.hasher, &peppers, app.call(), &signed_in, typed()).await;
        let code = secret.expect("the right password").code_at(NOW);
        confirm_enrolment(&*sessions, &peppers, app.call(), &signed_in, &code).await.expect("the right code");
    };
    let before = app.heads().await;
    turn_on().await;
    if action == Action::SecondFactorOn {
        return vec![Case::new("session::confirm_enrolment", app.since(&before).await, everywhere)];
    }
    let before = app.heads().await;
    if action == Action::SecondFactorCodes {
        let renewed =
            renew_recovery_codes(&*sessions, &app.hasher, &peppers, app.call(), &signed_in, typed()).await;
        assert_eq!(renewed.expect("the right password").len(), 10);
        return vec![Case::new("session::renew_recovery_codes", app.since(&before).await, everywhere)];
    }
    let off =
        turn_off_second_factor(&*sessions, &app.hasher, &peppers, app.call(), &signed_in, typed()).await;
    off.expect("the right password");
    let by_person = Case::new("session::turn_off_second_factor", app.since(&before).await, everywhere);
    turn_on().await;
    let by_operator = case!(
        app,
        "session::remove_second_factor",
        |unit, call| remove_second_factor(&*unit, call, app.ana),
        everywhere
    );
    vec![by_person, by_operator]
}
