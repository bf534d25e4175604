//! API access of companies.

use svc_business::account;
use svc_core::audit::Action;

use crate::audited::test_app::{Case, TestApp, case};

pub(super) async fn api_access(app: &TestApp) -> Vec<Case> {
    let expected = [(app.acme, Action::ApiAccess)];
    let off = case!(
        app,
        "account::set_api_access off",
        |unit, call| account::set_api_access(&*unit, call, app.acme, false),
        expected
    );
    let on = case!(
        app,
        "account::set_api_access on",
        |unit, call| account::set_api_access(&*unit, call, app.acme, true),
        expected
    );
    vec![off, on]
}

pub(super) async fn without_change(app: &TestApp) -> Vec<Case> {
    vec![case!(
        app,
        "account::set_api_access on while it is on",
        |unit, call| account::set_api_access(&*unit, call, app.acme, true),
        []
    )]
}
