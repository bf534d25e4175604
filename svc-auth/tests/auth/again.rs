//! A request that is admitted a second time, because its body took long to arrive.

use std::collections::BTreeSet;

use svc_auth::authenticate::Access;
use svc_auth::token::CreateRequest;
use svc_core::permission::Permission;
use svc_testkit::auth::verbs::disable;

use crate::test_app::{READ_CONTACTS, TestApp, bearer};

#[tokio::test]
async fn a_request_that_is_admitted_again_costs_no_budget_and_is_no_use() {
    let app = TestApp::new();
    let (_, value) = app.create(app.request()).await;
    let first = app.admit(&bearer(&value)).await.unwrap();
    assert_eq!(app.authenticator.take_uses().len(), 1);
    for _ in 0..3 {
        let again = app.authenticator.admit_again(Some(&bearer(&value)), READ_CONTACTS, None).await;
        assert_eq!(again.unwrap().token, first.principal.token);
    }
    assert_eq!(app.authenticator.take_uses(), []);
    let next = app.admit(&bearer(&value)).await.unwrap();
    assert_eq!(next.limits.minute_left, first.limits.minute_left - 1);
}

#[tokio::test]
async fn a_request_that_is_admitted_again_gets_the_answers_of_the_start() {
    let app = TestApp::new();
    let request = CreateRequest {
        permissions: vec!["contacts:contacts.read".into()],
        allowed_ips: vec!["203.0.113.0/24".into()],
        ..app.request()
    };
    let (token, value) = app.create(request).await;
    let (header, inside) = (bearer(&value), Some("203.0.113.9"));
    let write = Access::Permission(Permission::of("contacts:contacts.create"));
    let cases = [
        (None, READ_CONTACTS, inside),
        (Some("Bearer junk"), READ_CONTACTS, inside),
        (Some(&*header), Access::SessionOnly, inside),
        (Some(&*header), write, inside),
        (Some(&*header), READ_CONTACTS, Some("198.51.100.1")),
    ];
    let refused = async |header: Option<&str>, access, source: Option<&str>| {
        let source = source.map(|source| source.parse().unwrap());
        let again = app.authenticator.admit_again(header, access, source).await.unwrap_err();
        let at_first = app.authenticator.admit(header, access, source).await.unwrap_err();
        assert_eq!(again.limits, at_first.limits);
        assert_eq!(again.to_string(), at_first.to_string());
        again.to_string()
    };
    let mut told = BTreeSet::new();
    for (header, access, source) in cases {
        told.insert(refused(header, access, source).await);
    }
    let unit = app.unit().await;
    disable(&*unit, app.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
    app.authenticator.forget();
    told.insert(refused(Some(&*header), READ_CONTACTS, inside).await);
    assert_eq!(told.len(), 6, "{told:?}");
}
