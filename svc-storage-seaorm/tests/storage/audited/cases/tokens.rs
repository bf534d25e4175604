//! Tokens: what happens to one is told in the log of each company that it names.

use svc_auth::token::{self, ExposureSource, UpdateRequest, report_exposed};
use svc_core::audit::Action;
use svc_core::id::AccountId;
use svc_testkit::auth::verbs;
use svc_testkit::catalogue::policy;

use crate::audited::test_app::{Case, TestApp, case, told};
use crate::fresh::keys;

fn both(app: &TestApp, action: Action) -> [(AccountId, Action); 2] {
    [app.acme, app.beta].map(|company| (company, action))
}

fn rename(name: &str) -> UpdateRequest {
    UpdateRequest { name: Some(name.to_owned()), ..UpdateRequest::default() }
}

pub(super) async fn created(app: &TestApp) -> Vec<Case> {
    let (request, peppers) = (app.token_request(), keys().peppers());
    let created = case!(
        app,
        "token::create",
        |unit, call| token::create(&*unit, call, request, &peppers, &policy()),
        both(app, Action::TokenCreate)
    );
    vec![created]
}

pub(super) async fn updated(app: &TestApp) -> Vec<Case> {
    let id = app.token().await.id;
    let updated = case!(
        app,
        "token::update",
        |unit, call| verbs::update(&*unit, call, id, None, rename("another")),
        both(app, Action::TokenUpdate)
    );
    vec![updated]
}

pub(super) async fn disabled(app: &TestApp) -> Vec<Case> {
    let id = app.token().await.id;
    let expected = both(app, Action::TokenDisable);
    vec![case!(app, "token::disable", |unit, call| verbs::disable(&*unit, call, id), expected)]
}

pub(super) async fn enabled(app: &TestApp) -> Vec<Case> {
    let id = app.token().await.id;
    told!(app, |unit, call| verbs::disable(&*unit, call, id));
    let expected = both(app, Action::TokenEnable);
    vec![case!(app, "token::enable", |unit, call| verbs::enable(&*unit, call, id), expected)]
}

pub(super) async fn rotated(app: &TestApp) -> Vec<Case> {
    let (id, peppers) = (app.token().await.id, keys().peppers());
    let expected = both(app, Action::TokenRotate);
    vec![case!(app, "token::rotate", |unit, call| verbs::rotate(&*unit, call, id, &peppers), expected)]
}

pub(super) async fn revoked(app: &TestApp) -> Vec<Case> {
    let id = app.token().await.id;
    let expected = both(app, Action::TokenRevoke);
    let revoked = case!(app, "token::revoke", |unit, call| verbs::revoke(&*unit, call, id), expected);
    let (value, peppers) = (app.valued_token().await.1, keys().peppers());
    let place = ExposureSource::default();
    let exposed = case!(
        app,
        "token::report_exposed",
        |unit, call| report_exposed(&*unit, call, value.expose(), &peppers, &place),
        expected
    );
    vec![revoked, exposed]
}

pub(super) async fn without_change(app: &TestApp) -> Vec<Case> {
    let token = app.token().await;
    let same = rename(&token.name);
    let renamed = case!(
        app,
        "token::update to the same name",
        |unit, call| verbs::update(&*unit, call, token.id, None, same),
        []
    );
    let (token, value) = app.valued_token().await;
    told!(app, |unit, call| verbs::revoke(&*unit, call, token.id));
    let (peppers, place) = (keys().peppers(), ExposureSource::default());
    let exposed = case!(
        app,
        "token::report_exposed of a revoked token",
        |unit, call| report_exposed(&*unit, call, value.expose(), &peppers, &place),
        []
    );
    vec![renamed, exposed]
}
