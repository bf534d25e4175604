//! Bad input of every kind: always 4xx, always a name for what is wrong.

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use http::{Method, Request};
use serde_json::json;
use svc_http::Settings;
use svc_testkit::fakes::FakeSender;

use crate::test_app::{Client, TestApp, Want, answer};

async fn client() -> Client {
    TestApp::new().await.client(Want::default()).await
}

async fn raw(client: &Client, body: impl Into<String>) -> crate::test_app::Answer {
    client.send(Method::POST, "/contacts", &[], body.into()).await
}

#[tokio::test]
async fn broken_json_tells_where_it_breaks() {
    let client = client().await;
    for body in
        ["{", "{\"kind\":}", "nonsense", "{} {}", "\u{feff}{}", "{\"a\":1e999}", "{\"a\":\"\\ud800\"}"]
    {
        let refused = raw(&client, body).await;
        assert_eq!(refused.problem(), (400, "malformed_json"), "{body}");
        assert!(refused.text.contains("line 1, column"), "{body}");
    }
    let bytes = Request::post("/api/v1/contacts")
        .header("authorization", format!("Bearer {}", client.token))
        .header("content-type", "application/json")
        .body(Body::from(vec![b'{', b'"', 0xff, b'"', b'}']));
    assert_eq!(answer(&client.router, bytes.unwrap()).await.problem(), (400, "malformed_json"));
    assert_eq!(
        client
            .send(Method::POST, "/contacts", &[("content-type", "application/json")], String::new())
            .await
            .problem(),
        (400, "malformed_json")
    );
}

#[tokio::test]
async fn deep_nesting_is_refused_and_does_no_harm() {
    let client = client().await;
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let body = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        assert_eq!(raw(&client, body).await.problem(), (400, "malformed_json"));
    }
}

#[tokio::test]
async fn a_body_that_does_not_fit_names_the_member() {
    let client = client().await;
    let long = "x".repeat(300_000);
    for body in [json!([]), json!("text")] {
        let refused = client.post("/contacts", &body).await;
        assert_eq!(
            (refused.problem(), refused.field()),
            ((422, "validation_failed"), ("body", "invalid_type"))
        );
    }
    for (wrong, field, code) in [
        (json!({"kind": 5}), "kind", "invalid_type"),
        (json!({"kind": "robot"}), "kind", "invalid_value"),
        (json!({"colour": "red"}), "colour", "unknown_field"),
        (json!({"address": {"planet": "Mars"}}), "address.planet", "unknown_field"),
        (json!({"address": {"city": 5}}), "address.city", "invalid_type"),
        (json!({"address": "Madrid"}), "address", "invalid_type"),
        (json!({"roles": ["customer", "king"]}), "roles[1]", "invalid_value"),
        (json!({"roles": "customer"}), "roles", "invalid_type"),
        (json!({"paymentTermDays": "30"}), "paymentTermDays", "invalid_type"),
        (json!({"paymentTermDays": 1.5}), "paymentTermDays", "invalid_type"),
        (json!({"paymentTermDays": true}), "paymentTermDays", "invalid_type"),
        (json!({"parentContactId": "acc_1"}), "parentContactId", "invalid_value"),
        (json!({"companyId": "x"}), "companyId", "invalid_value"),
        (json!({"metadata": {"a": 1}}), "metadata.a", "invalid_type"),
        (json!({"consent": {}}), "consent.marketing", "required"),
        (json!({"id": "con_x"}), "id", "read_only_field"),
        (json!({"version": 1}), "version", "read_only_field"),
        (json!({"status": "active"}), "status", "read_only_field"),
        (json!({"notes": "a\u{0}b"}), "notes", "invalid_value"),
        (json!({"metadata": {"a\u{0}": "b"}}), "metadata.a\u{fffd}", "invalid_value"),
        (json!({"kind": long}), "kind", "invalid_value"),
    ] {
        let mut body = json!({"kind": "organization", "legalName": "Sol SL"});
        body.as_object_mut().unwrap().extend(wrong.as_object().unwrap().clone());
        let refused = client.post("/contacts", &body).await;
        assert_eq!(refused.problem(), (422, "validation_failed"), "{field}");
        assert_eq!(refused.field(), (field, code));
        assert!(refused.text.len() < 3_000, "the answer must not carry the input back");
    }
}

#[tokio::test]
async fn a_bad_name_is_answered_with_the_right_ones() {
    let refused = client().await.post("/contacts", &json!({"kind": "robot"})).await;
    assert!(refused.json["errors"][0]["message"].as_str().unwrap().contains("person or organization"));
}

#[tokio::test]
async fn a_member_that_comes_twice_is_refused_wherever_it_is() {
    let client = client().await;
    let refused = raw(&client, r#"{"kind":"person","kind":"person"}"#).await;
    assert_eq!((refused.problem(), refused.field()), ((422, "validation_failed"), ("kind", "duplicate_key")));
    let refused = raw(&client, r#"{"address":{"city":"a","city":"b"}}"#).await;
    assert_eq!(refused.field(), ("address.city", "duplicate_key"));
}

/// The members that a refusal names, each with its code, in the order of their names.
fn named(refused: &crate::test_app::Answer) -> Vec<(&str, &str)> {
    assert_eq!(refused.problem(), (422, "validation_failed"), "{}", refused.text);
    let errors = refused.json["errors"].as_array().unwrap().iter();
    let mut named: Vec<_> =
        errors.map(|error| (error["field"].as_str().unwrap(), error["code"].as_str().unwrap())).collect();
    named.sort_unstable();
    named
}

#[tokio::test]
async fn every_member_that_is_missing_mistyped_unknown_or_computed_is_named_at_once() {
    let client = client().await;
    let wrong = json!({
        "email": 5, "paymentTermDays": "30", "colour": "red", "version": 1, "companyId": "x",
        "address": {"city": 5, "planet": "Mars", "line1": "Calle Mayor 1"},
        "consent": {"at": 5}, "roles": ["customer", "king", 5], "notes": "fine",
    });
    let expected = [
        ("address.city", "invalid_type"),
        ("address.planet", "unknown_field"),
        ("colour", "unknown_field"),
        ("companyId", "invalid_value"),
        ("consent.at", "invalid_type"),
        ("email", "invalid_type"),
        ("kind", "required"),
        ("paymentTermDays", "invalid_type"),
        ("roles[1]", "invalid_value"),
        ("version", "read_only_field"),
    ];
    assert_eq!(named(&client.post("/contacts", &wrong).await), expected);
    let empty = client.post("/webhooks/subscriptions", &json!({})).await;
    assert_eq!(named(&empty), [("events", "required"), ("name", "required"), ("url", "required")]);
    let partly = json!({"name": 5, "events": "contact.create", "maxInFlight": "many", "id": "whs_x"});
    let expected = [
        ("events", "invalid_type"),
        ("id", "read_only_field"),
        ("maxInFlight", "invalid_type"),
        ("name", "invalid_type"),
        ("url", "required"),
    ];
    assert_eq!(named(&client.post("/webhooks/subscriptions", &partly).await), expected);
}

#[tokio::test]
async fn no_more_members_are_named_than_a_person_reads() {
    let many: serde_json::Map<_, _> = (0..500).map(|number| (format!("m{number}"), json!(1))).collect();
    let refused = client().await.post("/contacts", &many.into()).await;
    assert_eq!(named(&refused).len(), 20);
}

#[tokio::test]
async fn every_broken_rule_of_the_domain_is_named_at_once() {
    let body = json!({"kind": "organization", "legalName": "", "email": "no", "paymentTermDays": 366});
    let refused = client().await.post("/contacts", &body).await;
    assert_eq!(refused.problem(), (422, "validation_failed"));
    let errors = refused.json["errors"].as_array().unwrap();
    let fields: Vec<_> = errors.iter().map(|error| error["field"].as_str().unwrap()).collect();
    for field in ["legalName", "email", "paymentTermDays"] {
        assert!(fields.contains(&field), "{fields:?}");
    }
}

#[tokio::test]
async fn only_json_is_taken() {
    let client = client().await;
    for media in
        ["text/plain", "application/x-www-form-urlencoded", "application/merge-patch+json", "", "json"]
    {
        let refused =
            client.send(Method::POST, "/contacts", &[("content-type", media)], "{}".to_owned()).await;
        assert_eq!(refused.problem(), (415, "unsupported_media_type"), "{media}");
    }
    let taken = [("content-type", "Application/JSON; charset=utf-8")];
    let body = json!({"kind": "organization", "legalName": "Sol SL"}).to_string();
    client.send(Method::POST, "/contacts", &taken, body).await.ok(201);
}

#[tokio::test]
async fn a_huge_body_is_refused_whether_or_not_it_tells_its_size() {
    let settings = Settings::default().max_json_bytes(1_000);
    let limits = svc_auth::limit::Limits { per_minute: 100, per_month: 100 };
    let app = TestApp::with(FakeSender::new(), limits, settings).await;
    let token = app.token(Want::default()).await;
    let request = |body: Body| {
        Request::post("/api/v1/contacts")
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json")
            .body(body)
            .unwrap()
    };
    let chunks = stream::iter((0..50).map(|_| Ok::<_, std::io::Error>(Bytes::from_static(&[b' '; 100]))));
    for body in [Body::from(vec![b' '; 1_001]), Body::from_stream(chunks)] {
        assert_eq!(answer(&app.router, request(body)).await.problem(), (413, "payload_too_large"));
    }
}

#[tokio::test]
async fn query_parameters_are_known_single_and_valid() {
    let client = client().await;
    for (query, field) in [
        ("colour=red", "colour"),
        ("page=0", "page"),
        ("page=-1", "page"),
        ("page=one", "page"),
        ("page=", "page"),
        ("limit=0", "limit"),
        ("limit=1.5", "limit"),
        ("page=1&page=2", "page"),
        ("sort=colour", "sort"),
        ("sort=name,createdAt", "sort"),
        ("sort=--name", "sort"),
        ("role=king", "role"),
        ("kind=robot", "kind"),
        ("status=gone", "status"),
        ("updatedSince=yesterday", "updatedSince"),
        ("from=2025-13-01", "from"),
        ("from=2025-02-02&to=2025-02-01", "from"),
        ("parentContactId=x", "parentContactId"),
        ("q=%00", "q"),
        ("q=%20%C3%A9%20", "q"),
    ] {
        let refused = client.get(&format!("/contacts?{query}")).await;
        assert_eq!(refused.problem(), (400, "invalid_parameter"), "{query}");
        assert_eq!(refused.field().0, field, "{query}");
    }
}

#[tokio::test]
async fn a_parameter_with_names_takes_no_other_and_lists_them() {
    let client = client().await;
    for (path, names) in [
        ("/contacts?role=king", "customer, supplier, worker, lead, other"),
        ("/contacts?kind=robot", "person or organization"),
        ("/accounts?status=gone", "active, deactivated, merged"),
        ("/webhooks/events?lang=fr", "en or es"),
    ] {
        let refused = client.get(path).await;
        assert_eq!(refused.problem(), (400, "invalid_parameter"), "{path}");
        assert!(refused.json["errors"][0]["message"].as_str().unwrap().contains(names), "{path}");
    }
}

#[tokio::test]
async fn an_unknown_member_is_answered_with_those_that_the_request_may_have() {
    let client = client().await;
    let created = client.post("/contacts", &json!({"kind": "organization", "legalName": "Sol SL"})).await;
    let path = format!("/contacts/{}", created.json["id"].as_str().unwrap());
    for (refused, has_company) in [
        (client.post("/contacts", &json!({"kind": "organization", "colour": "red"})).await, true),
        (client.patch(&path, &[], &json!({"colour": "red"})).await, false),
    ] {
        assert_eq!(refused.field(), ("colour", "unknown_field"));
        let message = refused.json["errors"][0]["message"].as_str().unwrap();
        assert!(
            message.contains("`givenName`") && message.contains("`companyId`") == has_company,
            "{message}"
        );
    }
}

#[tokio::test]
async fn a_limit_beyond_any_number_is_capped_and_a_page_beyond_any_number_is_refused() {
    let client = client().await;
    let page = client.get("/contacts?page=4000000000&limit=99999999999999999999").await.ok(200);
    assert_eq!((&page.json["limit"], &page.json["contacts"]), (&json!(200), &json!([])));
    let refused = client.get("/contacts?page=99999999999999999999").await;
    assert_eq!((refused.problem(), refused.field().0), ((400, "invalid_parameter"), "page"));
    let refused = client.get("/contacts?q=%ff").await;
    assert_eq!((refused.problem(), refused.field().0), ((400, "invalid_parameter"), "q"));
}

#[tokio::test]
async fn an_id_of_another_form_is_unknown() {
    let client = client().await;
    for id in
        ["x", "acc_01jd3k8z6qw2x4v5b6n7m8p9qr", "%00", "%ff", "..", "con_", "con_zzzzzzzzzzzzzzzzzzzzzzzzzz"]
    {
        assert_eq!(client.get(&format!("/contacts/{id}")).await.problem(), (404, "not_found"), "{id}");
    }
}

#[tokio::test]
async fn names_have_no_characters_that_cannot_be_seen() {
    let client = client().await;
    for hidden in ['\u{1b}', '\u{202e}', '\u{200b}', '\u{feff}'] {
        let name = format!("Sol{hidden} SL");
        let contact = json!({"kind": "organization", "legalName": name});
        assert_eq!(client.post("/contacts", &contact).await.field(), ("legalName", "invalid_characters"));
        let subscription =
            json!({"name": name, "url": "https://hooks.example.com/svc", "events": ["contact.create"]});
        let refused = client.post("/webhooks/subscriptions", &subscription).await;
        assert_eq!(refused.field(), ("name", "invalid_characters"));
    }
}

#[tokio::test]
async fn an_action_without_input_takes_none() {
    let client = client().await;
    let made =
        client.post("/contacts", &json!({"kind": "organization", "legalName": "Sol SL"})).await.ok(201);
    let path = format!("/contacts/{}/anonymize", made.id());
    let refused = client.post(&path, &json!({"force": true})).await;
    assert_eq!(
        (refused.problem(), refused.field()),
        ((422, "validation_failed"), ("force", "unknown_field"))
    );
    client.send(Method::POST, &path, &[], String::new()).await.ok(200);
}
