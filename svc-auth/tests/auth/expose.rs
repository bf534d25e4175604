//! Tokens that were found in public.

use std::time::Duration;

use async_trait::async_trait;
use svc_auth::ports::{AccountDirectory, AuthStorage, AuthUnit, Standing, TokenStore};
use svc_auth::token::{
    CreateRequest, Exposure, ExposureSource, Pepper, Peppers, Status, TokenValue, report_exposed,
};
use svc_core::audit::{Action, Actor, AuditLog, Who};
use svc_core::error::StoreError;
use svc_core::id::{RequestId, TypedId};
use svc_core::role::Role;
use svc_core::unit::{CallContext, UnitOfWork};
use svc_testkit::auth::verbs::{disable, revoke, rotate};
use svc_testkit::fakes::SeededRandom;
use uuid::Uuid;

use crate::test_app::{TestApp, account};

fn commit() -> ExposureSource {
    let url = "https://ana:hunter2@git.example/acme/shop/commit/4f95e21?line=svc_live_0#canary".into();
    ExposureSource { url, kind: "commit".into() }
}

impl TestApp {
    async fn report(&self, presented: &str, source: &ExposureSource) -> Exposure {
        let unit = self.unit().await;
        let exposure = report_exposed(&*unit, self.call(), presented, &self.peppers, source).await.unwrap();
        unit.commit().await.unwrap();
        exposure
    }
}

#[tokio::test]
async fn a_working_token_that_is_found_is_revoked() {
    let app = TestApp::new();
    let (token, value) = app.create(app.request()).await;
    let header = format!("Bearer {}", value.expose());
    app.admit(&header).await.unwrap();
    let exposure = app.report(&format!(" {}\n", value.expose()), &commit()).await;
    let Exposure::Revoked(after) = exposure else { panic!("{exposure:?}") };
    assert_eq!((after.id, after.status(app.now())), (token.id, Status::Revoked));
    assert_eq!(app.storage.tokens().find(token.id).await.unwrap(), Some(after));
    app.authenticator.forget();
    assert!(app.admit(&header).await.is_err());
}

#[tokio::test]
async fn a_token_that_is_switched_off_is_revoked_too() {
    let app = TestApp::new();
    let (token, value) = app.create(app.request()).await;
    let unit = app.unit().await;
    disable(&*unit, app.call(), token.id).await.unwrap();
    unit.commit().await.unwrap();
    assert!(matches!(app.report(value.expose(), &commit()).await, Exposure::Revoked(_)));
}

#[tokio::test]
async fn a_dead_token_stays_as_it_is_and_nothing_is_written_down() {
    let app = TestApp::new();
    let (gone, value) = app.create(app.request()).await;
    let expiry = Some(app.now().plus(Duration::from_secs(1)));
    let (expired, late) = app.create(CreateRequest { expires_at: expiry, ..app.request() }).await;
    let unit = app.unit().await;
    let gone = revoke(&*unit, app.call(), gone.id).await.unwrap();
    unit.commit().await.unwrap();
    app.clock.advance(Duration::from_secs(1));
    let entries = app.storage.audit().entries(app.acme);
    assert_eq!(app.report(value.expose(), &commit()).await, Exposure::AlreadyDead(gone));
    assert_eq!(app.report(late.expose(), &commit()).await, Exposure::AlreadyDead(expired));
    assert_eq!(app.storage.audit().entries(app.acme), entries);
}

#[tokio::test]
async fn an_unknown_value_and_one_that_was_replaced_are_not_ours() {
    let app = TestApp::new();
    let (token, old) = app.create(app.request()).await;
    let unit = app.unit().await;
    let (_, new) = rotate(&*unit, app.call(), token.id, &app.peppers).await.unwrap();
    unit.commit().await.unwrap();
    let stranger = TokenValue::generate(&SeededRandom::new(9));
    for value in [stranger, old] {
        assert_eq!(app.report(value.expose(), &commit()).await, Exposure::NotOurs);
    }
    assert!(matches!(app.report(new.expose(), &commit()).await, Exposure::Revoked(_)));
}

#[tokio::test]
async fn a_token_is_found_under_an_older_pepper() {
    let mut app = TestApp::new();
    let (_, value) = app.create(app.request()).await;
    app.peppers = Peppers::new(Pepper::new(2, [2; 32]), vec![Pepper::new(1, [1; 32])]);
    assert!(matches!(app.report(value.expose(), &commit()).await, Exposure::Revoked(_)));
}

#[tokio::test]
async fn every_company_of_the_token_learns_that_the_service_did_it_and_the_host_only() {
    let app = TestApp::new();
    let beta = account(2);
    app.storage.put_company(beta, "Beta", None);
    let holder = Standing::Member(Role::Holder);
    app.storage.put_standing(app.ada, beta, holder);
    let request = CreateRequest { companies: vec![beta], ..app.request() };
    let (token, value) = app.create(request).await;

    let reporter = Actor {
        from: "203.0.113.7".parse().ok(),
        request: Some(RequestId::from_uuid(Uuid::from_u128(7))),
        ..Actor::OPERATOR
    };
    let unit = app.unit().await;
    let call = CallContext { actor: &reporter, ..app.call() };
    report_exposed(&*unit, call, value.expose(), &app.peppers, &commit()).await.unwrap();
    unit.commit().await.unwrap();

    for company in [app.acme, beta] {
        let entry = app.storage.audit().entries(company).pop().unwrap();
        assert_eq!((entry.action, entry.subject), (Action::TokenRevoke, token.id.to_string()));
        assert_eq!(entry.actor.who, Who::Service("secret scanning".into()));
        assert_eq!((entry.actor.from, entry.actor.request), (reporter.from, reporter.request));
        let (before, after) = (entry.before.unwrap(), entry.after.unwrap());
        assert!(before.as_str().contains(r#""state":"active""#), "{before:?}");
        assert!(!before.as_str().contains("exposure"), "{before:?}");
        let said = r#""state":"revoked","exposure":{"reportedAt":"2026-01-01T00:00:00.000Z","host":"git.example","kind":"commit"}}"#;
        assert!(after.as_str().ends_with(said), "{after:?}");
        assert!(!after.as_str().contains(value.expose()), "{after:?}");
    }
}

#[tokio::test]
async fn a_place_that_is_no_address_and_a_kind_that_is_no_word_are_left_out() {
    let app = TestApp::new();
    for (url, kind) in
        [("svc_live_canary", "Issue by Ana"), ("", ""), ("mailto:ana@acme.example", &*"a".repeat(41))]
    {
        let (_, value) = app.create(app.request()).await;
        let source = ExposureSource { url: url.into(), kind: kind.into() };
        assert!(matches!(app.report(value.expose(), &source).await, Exposure::Revoked(_)));
        let after = app.storage.audit().entries(app.acme).pop().unwrap().after.unwrap();
        assert!(after.as_str().ends_with(r#","host":null,"kind":null}}"#), "{after:?}");
    }
}

/// A unit that must not be asked for anything.
struct Untouched;

#[async_trait]
impl UnitOfWork for Untouched {
    fn audit(&self) -> &dyn AuditLog {
        panic!("junk is written nowhere")
    }

    async fn commit(self: Box<Self>) -> Result<(), StoreError> {
        Ok(())
    }
}

impl AuthUnit for Untouched {
    fn tokens(&self) -> &dyn TokenStore {
        panic!("junk is looked up nowhere")
    }

    fn directory(&self) -> &dyn AccountDirectory {
        panic!("junk names no company")
    }
}

#[tokio::test]
async fn junk_is_not_ours_without_a_look_up() {
    let app = TestApp::new();
    let (_, value) = app.create(app.request()).await;
    let changed = format!("{}0", &value.expose()[..value.expose().len() - 1]);
    let embedded = format!("token={}", value.expose());
    for text in ["", "svc_live_", "ghp_0123456789", &changed, &embedded] {
        let call = app.call();
        let exposure = report_exposed(&Untouched, call, text, &app.peppers, &commit()).await.unwrap();
        assert_eq!(exposure, Exposure::NotOurs, "{text}");
    }
}
