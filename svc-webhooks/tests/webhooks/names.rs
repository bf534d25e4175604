//! A service with names of its own, from the subscription to the receiver's verdict.

use std::collections::BTreeMap;

use svc_core::refused::Refused;
use svc_core::resource::Expected;
use svc_testkit::catalogue::subscribable;
use svc_testkit::fakes::FakeSender;
use svc_webhooks::delivery::Product;
use svc_webhooks::names::{HeaderPrefix, Mark, Names};
use svc_webhooks::signature::{SecretError, Verifier, VerifyError};
use svc_webhooks::subscription::{
    Change, CreateRequest, Draft, HeaderChanges, HeaderSecret, UpdateRequest, create, open, rotate_secret,
};

use crate::test_app::{TestApp, commit};

const SHOP: Names = Names::new(HeaderPrefix::of("X-Shop"), Mark::of("shopsec_"));

fn app() -> TestApp {
    let mut app = TestApp::new();
    app.config.names = SHOP;
    app.config.user_agent = app.config.user_agent.with_product(Product::of("Shop-Webhooks/2.1"));
    app
}

fn request(header: &str) -> CreateRequest {
    CreateRequest {
        name: "ERP".to_owned(),
        url: "https://hooks.example.com/".to_owned(),
        events: vec!["contact.create".to_owned()],
        headers: [(header.to_owned(), HeaderSecret::from("v".to_owned()))].into(),
        in_flight: None,
    }
}

async fn refusals(name: &str) -> Vec<(String, String)> {
    let held = "read".parse().expect("valid");
    let subscribable = subscribable(&held).named(&SHOP);
    let draft = Draft::check(request(name), subscribable, &FakeSender::new()).await.err();
    let headers: BTreeMap<_, _> = [(name.to_owned(), Some(HeaderSecret::from("v".to_owned())))].into();
    let update = UpdateRequest { headers: Some(HeaderChanges::Merge(headers)), ..UpdateRequest::default() };
    let change = Change::check(update, subscribable, &FakeSender::new()).await.err();
    let errors = [draft, change].into_iter().flatten().flat_map(|refused| {
        let Refused::Invalid(invalid) = refused else { panic!("{refused:?}") };
        invalid.0
    });
    errors.map(|error| (error.code.to_owned(), error.message.into_owned())).collect()
}

#[tokio::test]
async fn what_is_sent_and_verified_is_called_as_the_service_says() {
    let app = app();
    let held = "read".parse().expect("valid");
    let draft = Draft::check(request("X-Key"), subscribable(&held).named(&SHOP), &FakeSender::new()).await;
    let unit = app.begin().await;
    let made = create(&*unit, app.call(), app.account, draft.expect("valid")).await;
    let first = made.expect("made").secret;
    commit(unit).await;
    app.happen().await;
    app.dispatch().await;
    let receiver = FakeSender::new();
    app.attempt(&receiver).await;

    let sent = receiver.sent().remove(0);
    let names: Vec<_> = sent.headers.iter().map(|(name, _)| name.as_str()).collect();
    let own = ["Event", "Id", "Delivery", "Date", "Account-Id", "Version", "Signature"];
    assert_eq!(names[..2], ["Content-Type", "User-Agent"]);
    assert_eq!(names[2..], own.map(|rest| format!("X-Shop-Webhook-{rest}")));
    assert_eq!(sent.headers[1].1, "Shop-Webhooks/2.1 (+https://svc.example/webhooks)");

    let headers = || sent.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let verifier = Verifier::named(&SHOP, [first.expose()]).expect("a whole secret");
    let genuine = verifier.verify(headers(), &sent.body, app.samples.now()).expect("genuine");
    assert!(genuine.delivery.is_some() && genuine.attempted_at.is_some(), "both are in headers");
    let secret = first.expose().replace("shopsec_", "whsec_");
    let standard = Verifier::new([secret]).expect("a whole secret");
    let missing = standard.verify(headers(), &sent.body, app.samples.now());
    assert_eq!(missing, Err(VerifyError::MissingHeader(Names::STANDARD.signature)));
}

#[tokio::test]
async fn a_new_secret_has_the_mark_and_a_receiver_takes_no_other() {
    let app = app();
    let before = app.subscribed().await;
    let unit = app.begin().await;
    let opened = open(&*unit, app.call(), before.id, &Expected::Any).await.expect("opened");
    let after = rotate_secret(opened, &SHOP).await.expect("rotated");
    assert_eq!(after.secret.expose().len(), "shopsec_".len() + 43);
    assert!(Verifier::named(&SHOP, [after.secret.expose()]).is_ok());
    let refused = Verifier::named(&SHOP, [before.secret.expose()]).expect_err("the standard mark");
    assert_eq!(refused, SecretError::Malformed { place: 1, mark: SHOP.secret });
    assert!(refused.to_string().contains("is not shopsec_ followed by"), "{refused}");
}

#[tokio::test]
async fn no_header_of_a_subscription_begins_like_those_of_the_service_or_the_standard_ones() {
    for name in ["X-Shop-Webhook-Id", "x-shop-anything", "X-SVC-Webhook-Id", "X-Shop-"] {
        let found = refusals(name).await;
        assert_eq!(found.len(), 2, "{name}: on creation and in a change");
        for (code, message) in found {
            assert_eq!(code, "header_not_allowed", "{name}");
            assert!(message.contains("not with `X-SVC-` or `X-Shop-`"), "{message}");
        }
    }
    for name in ["X-Shop", "X-Shopper-Id", "X-Key", "Authorization"] {
        assert_eq!(refusals(name).await, [], "{name}");
    }
}
