//! Requests sent twice.

use std::time::Duration;

use serde_json::{Value, json};

use crate::test_app::{TestApp, Want};

fn company() -> Value {
    json!({"kind": "organization", "legalName": "Sol SL", "taxId": "B12345674"})
}

#[tokio::test]
async fn a_repeated_request_takes_effect_once_and_is_answered_the_same() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let key = [("idempotency-key", "order 1")];
    let first = client.post_with("/contacts", &key, &company()).await.ok(201);
    let second = client.post_with("/contacts", &key, &company()).await.ok(201);
    assert_eq!(second.json, first.json);
    for name in ["location", "etag", "x-personal-data", "content-type"] {
        assert_eq!(second.header(name), first.header(name), "{name}");
    }
    assert_eq!((first.header("idempotent-replayed"), second.header("idempotent-replayed")), ("", "true"));
    assert_eq!(app.events().await.len(), 1);
    let other = client.post_with("/contacts", &key, &json!({"kind": "person"})).await;
    assert_eq!(other.problem(), (422, "idempotency_key_reused"));
    let elsewhere = client.post_with("/contacts/bulk", &key, &company()).await;
    assert_eq!(elsewhere.problem(), (422, "idempotency_key_reused"));
}

#[tokio::test]
async fn the_key_belongs_to_the_token() {
    let app = TestApp::new().await;
    let key = [("idempotency-key", "k")];
    let named = |name: &str| json!({"kind": "organization", "legalName": name});
    let [one, two] = [app.client(Want::default()).await, app.client(Want::default()).await];
    one.post_with("/contacts", &key, &named("One")).await.ok(201);
    assert_eq!(two.post_with("/contacts", &key, &named("Two")).await.ok(201).json["legalName"], "Two");
}

#[tokio::test]
async fn a_refusal_is_kept_and_given_again() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let key = [("idempotency-key", "k")];
    let wrong = json!({"kind": "organization", "legalName": "Sol SL", "externalId": "x"});
    client.post("/contacts", &wrong).await.ok(201);
    let first = client.post_with("/contacts", &key, &wrong).await;
    assert_eq!(first.problem(), (409, "external_id_taken"));
    let second = client.post_with("/contacts", &key, &wrong).await;
    assert_eq!(
        (second.problem(), second.header("idempotent-replayed")),
        ((409, "external_id_taken"), "true")
    );
    assert_eq!(second.text, first.text);
}

#[tokio::test]
async fn a_stale_version_is_not_kept_so_the_key_serves_once_the_record_was_read_again() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let made = client.post("/contacts", &company()).await.ok(201);
    let path = format!("/contacts/{}/anonymize", made.id());
    let send = async |tag: &str| {
        let headers = [("idempotency-key", "k"), ("if-match", tag)];
        client.send(http::Method::POST, &path, &headers, String::new()).await
    };
    let stale = send("\"7\"").await;
    assert_eq!((stale.problem(), stale.header("etag")), ((412, "version_conflict"), "\"1\""));
    let done = send(stale.header("etag")).await.ok(200);
    assert_eq!((done.header("etag"), done.header("idempotent-replayed")), ("\"2\"", ""));
}

#[tokio::test]
async fn a_second_request_waits_for_the_first_to_end() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    app.hold("busy");
    let refused = client.post_with("/contacts", &[("idempotency-key", "busy")], &company()).await;
    assert_eq!(refused.problem(), (409, "idempotency_in_progress"));
    assert!(app.events().await.is_empty());
}

#[tokio::test]
async fn items_of_a_run_that_did_not_end_are_created_once() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let named = |name: &str| json!({"kind": "organization", "legalName": name});
    let items = json!({"items": [named("One SL"), {"kind": "robot"}, named("Two SL")]});
    app.overtake("k");
    let key = [("idempotency-key", "k")];
    let lost = client.post_with("/contacts/bulk", &key, &items).await;
    assert_eq!(lost.problem(), (409, "idempotency_in_progress"));
    let made = client.get("/contacts").await.ok(200).json;
    assert_eq!(made["total"], 2);
    app.clock.advance(Duration::from_mins(4));
    let again = client.post_with("/contacts/bulk", &key, &items).await.ok(200).json;
    let told = |at: usize| (&again["items"][at]["status"], &again["items"][at]["id"]);
    let ids: Vec<_> = made["contacts"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
    assert!(ids.contains(&told(0).1) && ids.contains(&told(2).1) && told(0).1 != told(2).1, "{again}");
    assert_eq!([told(0).0, told(1).0, told(2).0], [&json!(201), &json!(422), &json!(201)]);
    assert_eq!(client.get("/contacts").await.ok(200).json["total"], 2);
    let created = app.events().await.into_iter().filter(|event| event.kind.name() == "contact.create");
    assert_eq!(created.count(), 2);
    let replayed = client.post_with("/contacts/bulk", &key, &items).await.ok(200);
    assert_eq!((replayed.header("idempotent-replayed"), &replayed.json), ("true", &again));
}

#[tokio::test]
async fn a_replay_is_masked_by_what_the_token_may_see_now() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let key = [("idempotency-key", "k")];
    let first = client.post_with("/contacts", &key, &company()).await.ok(201);
    assert_eq!(first.json["taxId"], "B12345674");
    app.change_tokens(|token| token.personal_data = false).await;
    let replay = client.post_with("/contacts", &key, &company()).await.ok(201);
    assert_eq!((replay.header("x-personal-data"), &replay.json["taxId"]), ("masked", &json!("B******74")));
    assert!(!replay.text.contains("B12345674"));
}

#[tokio::test]
async fn a_token_that_lost_the_company_gets_no_replay() {
    let app = TestApp::new().await;
    let client = app.client(Want { companies: &[app.other], ..Want::default() }).await;
    let key = [("idempotency-key", "k")];
    let body = json!({"kind": "organization", "legalName": "Luna SL", "companyId": app.other.to_string()});
    client.post_with("/contacts", &key, &body).await.ok(201);
    let other = app.other;
    app.change_tokens(|token| token.companies.clear()).await;
    assert_eq!(client.post_with("/contacts", &key, &body).await.problem(), (404, "not_found"));
    app.change_tokens(|token| assert!(token.companies.insert(other))).await;
    let replay = client.post_with("/contacts", &key, &body).await.ok(201);
    assert_eq!(replay.header("idempotent-replayed"), "true", "the refusal was not kept in its place");
}

#[tokio::test]
async fn a_bulk_request_and_a_test_run_once_too() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let items = json!({"items": [{"kind": "organization", "legalName": "A"}]});
    for _ in 0..2 {
        client.post_with("/contacts/bulk", &[("idempotency-key", "b")], &items).await.ok(200);
    }
    assert_eq!(client.get("/contacts").await.json["total"], 1);
    let body = json!({"name": "Shop", "url": "https://hooks.example.com", "events": ["contact.create"]});
    let id = client.post("/webhooks/subscriptions", &body).await.ok(201).id();
    for _ in 0..2 {
        let path = format!("/webhooks/subscriptions/{id}/test");
        client.post_with(&path, &[("idempotency-key", "t")], &json!({})).await.ok(200);
    }
    assert_eq!(app.sender.sent().len(), 1);
}

#[tokio::test]
async fn a_key_is_short_printable_text() {
    let client = TestApp::new().await.client(Want::default()).await;
    let long = "k".repeat(256);
    for key in [long.as_str(), "é", ""] {
        let refused = client.post_with("/contacts", &[("idempotency-key", key)], &company()).await;
        assert_eq!((refused.problem(), refused.field().0), ((400, "invalid_parameter"), "Idempotency-Key"));
    }
}

#[tokio::test]
async fn a_replay_shows_no_webhook_secret() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let wish = json!({"name": "Shop", "url": "https://hooks.example.com/svc", "events": ["contact.create"]});
    let made = client.post_with("/webhooks/subscriptions", &[("idempotency-key", "a")], &wish).await.ok(201);
    let rotate = format!("/webhooks/subscriptions/{}/rotate-secret", made.id());
    let rotated = client.post_with(&rotate, &[("idempotency-key", "b")], &json!({})).await.ok(200);
    let mut replays = vec![
        client.post_with("/webhooks/subscriptions", &[("idempotency-key", "a")], &wish).await.ok(201),
        client.post_with(&rotate, &[("idempotency-key", "b")], &json!({})).await.ok(200),
    ];
    client.delete(&format!("/webhooks/subscriptions/{}", made.id()), &[]).await.ok(204);
    replays.push(client.post_with(&rotate, &[("idempotency-key", "b")], &json!({})).await.ok(200));
    for replay in replays {
        assert_eq!((replay.header("idempotent-replayed"), &replay.json["secret"]), ("true", &Value::Null));
        assert_eq!(replay.id(), made.id());
        assert!(!replay.text.contains("whsec_"), "{}", replay.text);
    }
    for first in [made, rotated] {
        assert!(first.json["secret"].as_str().is_some_and(|secret| secret.starts_with("whsec_")));
    }
}
