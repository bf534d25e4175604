//! Headers that a subscription adds to its notifications.

use std::collections::BTreeMap;

use futures_util::FutureExt as _;
use proptest::prelude::*;
use svc_core::error::ValidationErrors;
use svc_core::event::Event;
use svc_core::permission::Grants;
use svc_core::refused::Refused;
use svc_testkit::catalogue::subscribable;
use svc_testkit::fakes::FakeSender;
use svc_testkit::property::cases;
use svc_testkit::webhooks::verbs::update;
use svc_webhooks::subscription::{
    Change, ChangeError, CreateRequest, CustomHeaders, Draft, HeaderChanges, HeaderSecret, MAX_HEADERS,
    Subscription, UpdateRequest, create,
};

use crate::test_app::{TestApp, commit, silence};

type Given<'a> = &'a [(&'a str, &'a str)];

fn held() -> Grants {
    "read".parse().expect("valid")
}

fn request(headers: impl IntoIterator<Item = (String, String)>) -> CreateRequest {
    CreateRequest {
        name: "ERP".to_owned(),
        url: "https://hooks.example.com/svc".to_owned(),
        events: vec!["contact.create".to_owned()],
        headers: headers.into_iter().map(|(name, value)| (name, value.into())).collect(),
        in_flight: None,
    }
}

fn owned(headers: Given<'_>) -> Vec<(String, String)> {
    headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

async fn created(app: &TestApp, headers: Given<'_>) -> Subscription {
    let draft = Draft::check(request(owned(headers)), subscribable(&held()), &FakeSender::new())
        .await
        .expect("valid");
    let unit = app.begin().await;
    let subscription = create(&*unit, app.call(), app.account, draft).await.expect("create");
    commit(unit).await;
    subscription
}

async fn refused(headers: impl IntoIterator<Item = (String, String)>) -> Vec<(String, &'static str)> {
    match Draft::check(request(headers), subscribable(&held()), &silence()).await {
        Err(Refused::Invalid(invalid)) => findings(invalid),
        other => panic!("expected a refusal, found {other:?}"),
    }
}

fn findings(invalid: ValidationErrors) -> Vec<(String, &'static str)> {
    invalid.0.into_iter().map(|error| (error.field, error.code)).collect()
}

async fn changed(
    app: &TestApp,
    subscription: &Subscription,
    request: UpdateRequest,
) -> Result<Subscription, Refused<ChangeError>> {
    let change = Change::check(request, subscribable(&held()), &FakeSender::new()).await?;
    let unit = app.begin().await;
    let after = update(&*unit, app.call(), subscription.id, None, change).await?;
    commit(unit).await;
    Ok(after)
}

fn changes(headers: &[(&str, Option<&str>)]) -> UpdateRequest {
    let value = |text: &str| HeaderSecret::from(text.to_owned());
    let changes = headers.iter().map(|(name, text)| ((*name).to_owned(), text.map(value)));
    UpdateRequest { headers: Some(HeaderChanges::Merge(changes.collect())), ..UpdateRequest::default() }
}

fn shown(headers: &CustomHeaders) -> Vec<(&str, &str)> {
    headers.iter().map(|(name, value)| (name, value.expose())).collect()
}

#[tokio::test]
async fn names_that_frame_steer_or_pretend_are_refused_by_rule() {
    for name in [
        "Host",
        "Content-Type",
        "Content-Length",
        "Transfer-Encoding",
        "Connection",
        "TE",
        "Upgrade",
        "Expect",
        "User-Agent",
        "Cookie",
        "Proxy-Authorization",
        "Accept-Encoding",
        "X-SVC-Webhook-Signature",
        "x-svc-anything",
        "X-",
        "X",
        "Xyz",
    ] {
        let found = refused(owned(&[(name, "v")])).await;
        assert_eq!(found, [(format!("headers.{name}"), "header_not_allowed")]);
    }
    let long = format!("X-{}", "a".repeat(99));
    for name in ["", "X-A:", "X_A", "X-A b", "X-Ñ", "X-A\r\nHost", long.as_str()] {
        let found = refused(owned(&[(name, "v")])).await;
        assert_eq!(found, [("headers".to_owned(), "header_not_allowed")], "{name:?} is not said back");
    }
}

#[tokio::test]
async fn values_are_visible_ascii_of_some_length_and_never_the_mask() {
    let long = "v".repeat(1_001);
    for value in ["", " v", "v ", "a\r\nb", "a\tb", "ñ", "\u{7f}", long.as_str()] {
        let found = refused(owned(&[("X-Key", value)])).await;
        assert_eq!(found, [("headers.X-Key".to_owned(), "invalid_value")], "{value:?}");
    }
    assert_eq!(refused(owned(&[("X-Key", "***")])).await, [("headers.X-Key".to_owned(), "masked_value")]);
    let found = refused(owned(&[("X-Key", "a"), ("x-key", "b")])).await;
    assert_eq!(found, [("headers.x-key".to_owned(), "repeated")]);
    let many = (0..=MAX_HEADERS).map(|number| (format!("X-{number}"), "v".to_owned()));
    assert_eq!(refused(many).await, [("headers".to_owned(), "too_many")]);

    let app = TestApp::new();
    let longest = "v".repeat(1_000);
    let made = created(&app, &[("X-Key", &longest), ("authorization", "Bearer a.b~c")]).await;
    assert_eq!(shown(&made.headers), [("authorization", "Bearer a.b~c"), ("X-Key", &longest)]);
}

#[tokio::test]
async fn a_change_sets_drops_and_keeps_headers_by_name_in_any_case() {
    let app = TestApp::new();
    let before = created(&app, &[("X-A", "1"), ("X-B", "2"), ("X-C", "3")]).await;
    let after = changed(&app, &before, changes(&[("x-a", Some("9")), ("X-B", None), ("X-D", Some("4"))]));
    let after = after.await.expect("changed");
    assert_eq!(shown(&after.headers), [("x-a", "9"), ("X-C", "3"), ("X-D", "4")]);

    let kept = changes(&[("X-A", Some("***")), ("X-C", Some("***"))]);
    let same = changed(&app, &after, kept).await.expect("changed");
    assert_eq!(same, after, "the mask keeps what is there");
    let unknown = changed(&app, &after, changes(&[("X-New", Some("***"))])).await;
    assert!(matches!(unknown, Err(Refused::Invalid(found))
        if findings(found.clone()) == [("headers.X-New".to_owned(), "masked_value")]));

    let clear = UpdateRequest { headers: Some(HeaderChanges::Clear), ..UpdateRequest::default() };
    assert!(changed(&app, &after, clear).await.expect("changed").headers.is_empty());
}

#[tokio::test]
async fn no_value_follows_the_url_elsewhere() {
    let app = TestApp::new();
    let before = created(&app, &[("X-A", "1"), ("X-B", "2")]).await;
    let to = |url: &str, request| UpdateRequest { url: Some(url.to_owned()), ..request };
    for url in [
        "https://other.example.com/svc",
        "http://hooks.example.com/svc",
        "https://hooks.example.com:8443/",
        "https://hooks.example.com/other",
        "https://hooks.example.com/svc?to=other",
    ] {
        for request in [
            changes(&[]),
            changes(&[("X-A", Some("1"))]),
            changes(&[("X-A", Some("1")), ("X-B", Some("***"))]),
            UpdateRequest::default(),
        ] {
            let outcome = changed(&app, &before, to(url, request)).await;
            assert!(
                matches!(&outcome, Err(Refused::Invalid(found))
                    if findings(found.clone()) == [("headers".to_owned(), "required")]),
                "{outcome:?}"
            );
        }
    }
    let same = changed(&app, &before, to(before.endpoint.as_str(), changes(&[]))).await;
    assert_eq!(same.expect("the same URL").headers, before.headers);
    let given = to("https://other.example.com/", changes(&[("X-A", Some("3")), ("X-B", None)]));
    let moved = changed(&app, &before, given).await.expect("given anew");
    assert_eq!(shown(&moved.headers), [("X-A", "3")]);
    let clear = UpdateRequest { headers: Some(HeaderChanges::Clear), ..UpdateRequest::default() };
    let cleared = changed(&app, &moved, to("https://third.example.com/", clear)).await.expect("dropped");
    assert!(cleared.headers.is_empty());
}

#[tokio::test]
async fn values_are_sent_beside_the_nine_headers_and_shown_by_no_debug() {
    let app = TestApp::new();
    let subscription = created(&app, &[("X-Api-Key", "kanari"), ("Authorization", "Bearer kanari")]).await;
    let event: Event = app.happen().await;
    app.dispatch().await;
    let receiver = FakeSender::new();
    app.attempt(&receiver).await;
    let sent = receiver.sent().remove(0);
    assert_eq!(sent.body, event.body());
    assert_eq!(sent.headers.len(), 9);
    assert_eq!(shown(&sent.custom), [("Authorization", "Bearer kanari"), ("X-Api-Key", "kanari")]);

    let draft =
        Draft::check(request(owned(&[("X-Api-Key", "kanari")])), subscribable(&held()), &receiver).await;
    let change =
        Change::check(changes(&[("X-Api-Key", Some("kanari"))]), subscribable(&held()), &receiver).await;
    for text in [
        format!("{subscription:?}"),
        format!("{sent:?}"),
        format!("{draft:?} {change:?}"),
        format!("{:?}", request(owned(&[("X-Api-Key", "kanari")]))),
        format!("{:?}", app.storage.audit().entries(app.account)),
    ] {
        assert!(!text.contains("kanari"), "{text}");
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn accepted_headers_keep_to_the_rule(
        given in proptest::collection::btree_map("(?i)(x-(svc-)?[a-z0-9-]{0,3}|authorization|host|te|[ -~]{0,5})", "[ -~é]{0,4}", 0..4)
    ) {
        let headers: BTreeMap<String, HeaderSecret> =
            given.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
        let mut request = request([]);
        request.headers = headers;
        let sender = FakeSender::new();
        let outcome = Draft::check(request, subscribable(&held()), &sender).now_or_never().expect("nothing waits");
        if outcome.is_ok() {
            for (name, value) in &given {
                let lower = name.to_ascii_lowercase();
                prop_assert!(lower == "authorization" || lower.starts_with("x-") && !lower.starts_with("x-svc-"));
                prop_assert!(name.bytes().all(|sign| sign.is_ascii_alphanumeric() || sign == b'-'));
                prop_assert!(!value.is_empty() && value.is_ascii() && value.trim() == value);
            }
        }
    }
}
