//! Subscriptions and deliveries by the API.

mod catalogue;

use http::Method;
use serde_json::{Value, json};
use svc_auth::limit::Limits;
use svc_http::Settings;
use svc_testkit::fakes::FakeSender;
use svc_webhooks::ports::{Answer, Exchange, Refusal};
use svc_webhooks::subscription::HeaderSecret;

use crate::test_app::{Client, TestApp, Want};

const SUBSCRIPTIONS: &str = "/webhooks/subscriptions";

fn wish() -> Value {
    json!({"name": "Shop", "url": "https://hooks.example.com/svc", "events": ["contact.create", "account.update"]})
}

async fn app(sender: FakeSender) -> TestApp {
    TestApp::with(sender, Limits { per_minute: 1_000, per_month: 1_000 }, Settings::default()).await
}

async fn subscribed(client: &Client) -> String {
    client.post(SUBSCRIPTIONS, &wish()).await.ok(201).id()
}

fn members(json: &Value) -> Vec<&str> {
    json.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn creation_answers_the_six_members_of_the_specification_and_no_answer_shows_the_secret_again() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let made = client.post(SUBSCRIPTIONS, &wish()).await.ok(201);
    assert_eq!(members(&made.json), ["events", "id", "message", "name", "secret", "url"]);
    assert!(made.json["secret"].as_str().unwrap().starts_with("whsec_"));
    assert!(made.id().starts_with("whs_"));
    let path = format!("{SUBSCRIPTIONS}/{}", made.id());
    for answer in [client.get(&path).await.ok(200), client.get(SUBSCRIPTIONS).await.ok(200)] {
        assert!(!answer.text.contains("whsec_") && !answer.text.contains("secret"));
    }
    assert_eq!(client.get(&path).await.json["active"], true);
}

#[tokio::test]
async fn a_subscription_is_made_with_its_own_number_of_attempts_under_way() {
    let client = TestApp::new().await.client(Want::default()).await;
    let asking = |number: i64| {
        let mut asking = wish();
        asking["maxInFlight"] = json!(number);
        asking
    };
    for number in [0, 257] {
        let refused = client.post(SUBSCRIPTIONS, &asking(number)).await;
        assert_eq!((refused.problem(), refused.field().0), ((422, "validation_failed"), "maxInFlight"));
    }
    let made = client.post(SUBSCRIPTIONS, &asking(4)).await.ok(201);
    let shown = client.get(&format!("{SUBSCRIPTIONS}/{}", made.id())).await.ok(200);
    assert_eq!(shown.json["maxInFlight"], 4);
}

#[tokio::test]
async fn a_subscription_needs_the_read_permission_of_each_event() {
    let app = TestApp::new().await;
    let permissions = &["developers:webhooks.create", "contacts:accounts.read"];
    let client = app.client(Want { permissions, ..Want::default() }).await;
    let refused = client.post(SUBSCRIPTIONS, &wish()).await;
    assert_eq!(refused.problem(), (403, "missing_permission"));
    assert_eq!(refused.json["missing_permissions"], json!(["contacts:contacts.read"]));
    let reader = app.client(Want { permissions: &["read"], ..Want::default() }).await;
    let refused = reader.post(SUBSCRIPTIONS, &wish()).await;
    assert_eq!(refused.problem(), (403, "missing_permission"));
    assert_eq!(refused.json["required_permission"], "developers:webhooks.create");
    assert_eq!(refused.json["missing_permissions"], json!(["developers:webhooks.create"]));
}

#[tokio::test]
async fn a_token_without_the_routes_permission_hears_of_those_of_the_events_too() {
    let app = TestApp::new().await;
    let permissions = &["developers:webhooks.read", "contacts:accounts.read"];
    let client = app.client(Want { permissions, ..Want::default() }).await;
    let events = ["invoice.issue", "account.create", "contact.create", "contact.update", "no.event"];
    let all = json!(["developers:webhooks.create", "contacts:contacts.read", "sales:invoices.read"]);
    for (body, missing) in [
        (json!({"name": "Shop", "url": "https://hooks.example.com", "events": events}), &all),
        // Whatever else is wrong with it.
        (json!({"events": events, "colour": "red"}), &all),
        (json!([]), &json!(["developers:webhooks.create"])),
    ] {
        let refused = client.post(SUBSCRIPTIONS, &body).await;
        assert_eq!(refused.problem(), (403, "missing_permission"));
        assert_eq!(refused.json["required_permission"], "developers:webhooks.create");
        assert_eq!(refused.json["missing_permissions"], *missing, "{body}");
    }
    let huge = " ".repeat(1024 * 1024 + 1);
    let refused = client.send(Method::POST, SUBSCRIPTIONS, &[], huge).await;
    assert_eq!(refused.json["missing_permissions"], json!(["developers:webhooks.create"]));
    let elsewhere = Want { permissions, allowed_ips: &["203.0.113.9"], ..Want::default() };
    let refused = app.client(elsewhere).await.post(SUBSCRIPTIONS, &json!({ "events": events })).await;
    assert_eq!(refused.problem(), (403, "missing_permission"));
    assert_eq!(refused.json["missing_permissions"], json!(["developers:webhooks.create"]));
}

#[tokio::test]
async fn pointing_a_subscription_elsewhere_needs_the_read_permission_of_each_event() {
    let app = TestApp::new().await;
    let made = app.client(Want::default()).await.post(SUBSCRIPTIONS, &wish()).await.ok(201);
    let path = format!("{SUBSCRIPTIONS}/{}", made.id());
    let permissions = &["developers:webhooks.read", "developers:webhooks.update", "contacts:accounts.read"];
    let client = app.client(Want { permissions, ..Want::default() }).await;
    let elsewhere = json!({"name": "Elsewhere", "url": "https://elsewhere.example.com/"});
    let refused = client.patch(&path, &[], &elsewhere).await;
    assert_eq!(refused.problem(), (403, "missing_permission"));
    assert_eq!(refused.json["missing_permissions"], json!(["contacts:contacts.read"]));
    let unchanged = client.get(&path).await.ok(200);
    assert_eq!((&unchanged.json["name"], &unchanged.json["url"]), (&made.json["name"], &made.json["url"]));
    let stays = json!({"name": "Here", "url": made.json["url"], "active": false});
    assert_eq!(client.patch(&path, &[], &stays).await.ok(200).json["name"], "Here");
}

#[tokio::test]
async fn a_url_that_must_not_be_reached_is_refused_with_the_reason() {
    let address = "169.254.169.254".parse().unwrap();
    for (refusal, reason, told) in [
        (Refusal::NotHttps, "not_https", "https://"),
        (Refusal::InternalName("localhost".to_owned()), "internal_name", "localhost"),
        (Refusal::Unresolvable("gone.example".to_owned()), "unresolvable", "gone.example"),
        (Refusal::NotPublic { address, reason: "link-local" }, "not_public", "not public"),
        (Refusal::Port(22), "port_not_allowed", "22"),
    ] {
        let app = app(FakeSender::new().refusing(refusal)).await;
        let refused = app.client(Want::default()).await.post(SUBSCRIPTIONS, &wish()).await;
        assert_eq!(refused.problem(), (422, "webhook_url_not_allowed"));
        assert_eq!(refused.field(), ("url", reason));
        assert!(refused.text.contains(told), "{}", refused.text);
        assert!(
            !refused.text.contains("169.254") && !refused.text.contains("link-local"),
            "{}",
            refused.text
        );
    }
    let client = TestApp::new().await.client(Want::default()).await;
    let long = format!("https://x.example/{}", "a".repeat(2048));
    for (url, reason) in [
        ("ftp://x.example", "not_https"),
        ("https://a:b@x.example", "credentials"),
        ("not a url", "malformed"),
        ("https://x.example/#f", "fragment"),
        (&long, "too_long"),
    ] {
        let refused =
            client.post(SUBSCRIPTIONS, &json!({"name": "a", "url": url, "events": ["contact.create"]})).await;
        assert_eq!((refused.problem(), refused.field()), ((422, "webhook_url_not_allowed"), ("url", reason)));
    }
}

#[tokio::test]
async fn bad_subscriptions_name_the_member() {
    let client = TestApp::new().await.client(Want::default()).await;
    for (body, field) in [
        (json!({"name": "a", "url": "https://x.example"}), "events"),
        (json!({"name": 1, "url": "https://x.example", "events": []}), "name"),
        (json!({"name": "a", "url": "https://x.example", "events": ["contact.create", 5]}), "events[1]"),
        (json!({"name": "a", "url": "https://x.example", "events": ["webhook.test"]}), "events[0]"),
        (json!({"name": "a", "url": "https://x.example", "events": ["no.such"]}), "events[0]"),
        (json!({"name": "a", "url": "https://x.example", "events": []}), "events"),
        (json!({"name": "", "url": "https://x.example", "events": ["contact.create"]}), "name"),
        (json!({"name": "a", "url": "https://x.example", "events": [], "active": true}), "active"),
    ] {
        let refused = client.post(SUBSCRIPTIONS, &body).await;
        assert_eq!(refused.problem(), (422, "validation_failed"), "{body}");
        assert_eq!(refused.field().0, field, "{body}");
    }
}

#[tokio::test]
async fn an_account_has_at_most_twenty_subscriptions() {
    let client = TestApp::new().await.client(Want::default()).await;
    for _ in 0..20 {
        subscribed(&client).await;
    }
    assert_eq!(client.post(SUBSCRIPTIONS, &wish()).await.problem(), (409, "subscription_limit_reached"));
    let page = client.get(&format!("{SUBSCRIPTIONS}?limit=15")).await.ok(200);
    assert_eq!(members(&page.json), ["hasMore", "items", "limit", "page", "total"]);
    assert_eq!((&page.json["total"], &page.json["hasMore"]), (&json!(20), &json!(true)));
}

#[tokio::test]
async fn a_subscription_is_changed_switched_off_and_deleted() {
    let client = TestApp::new().await.client(Want::default()).await;
    let path = format!("{SUBSCRIPTIONS}/{}", subscribed(&client).await);
    let changed =
        client.patch(&path, &[("if-match", "\"1\"")], &json!({"active": false, "name": "Off"})).await.ok(200);
    assert_eq!((&changed.json["active"], &changed.json["name"]), (&json!(false), &json!("Off")));
    assert_eq!(client.patch(&path, &[("if-match", "\"1\"")], &json!({})).await.problem().0, 412);
    assert_eq!(changed.json["maxInFlight"], 32);
    let wide = client.patch(&path, &[], &json!({"maxInFlight": 256})).await.ok(200);
    assert_eq!(wide.json["maxInFlight"], 256);
    for (body, field) in [
        (json!({"name": null}), "name"),
        (json!({"active": "no"}), "active"),
        (json!({"id": "x"}), "id"),
        (json!({"maxInFlight": 0}), "maxInFlight"),
        (json!({"maxInFlight": 257}), "maxInFlight"),
        (json!({"maxInFlight": null}), "maxInFlight"),
    ] {
        let refused = client.patch(&path, &[], &body).await;
        assert_eq!((refused.problem(), refused.field().0), ((422, "validation_failed"), field));
    }
    let refused = client.post(&format!("{path}/test"), &json!({})).await;
    assert_eq!(
        (refused.problem(), &refused.json["currentState"]),
        ((409, "subscription_inactive"), &json!("inactive"))
    );
    client.delete(&path, &[]).await.ok(204);
    assert_eq!(client.get(&path).await.problem(), (404, "not_found"));
    assert_eq!(client.patch(&path, &[], &json!({"name": "x"})).await.problem(), (404, "not_found"));
}

#[tokio::test]
async fn headers_are_sent_and_shown_by_name_alone() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let mut wish = wish();
    wish["headers"] = json!({"X-Api-Key": "kanari", "Authorization": "Bearer kanari"});
    let made = client.post(SUBSCRIPTIONS, &wish).await.ok(201);
    let masked = json!({"X-Api-Key": "***", "Authorization": "***"});
    assert_eq!(made.json["headers"], masked);
    let path = format!("{SUBSCRIPTIONS}/{}", made.id());
    client.post(&format!("{path}/test"), &json!({})).await.ok(200);
    let sent: Vec<_> = app.sender.sent().remove(0).custom.iter().map(|(_, value)| value.clone()).collect();
    assert_eq!(sent.iter().map(HeaderSecret::expose).collect::<Vec<_>>(), ["Bearer kanari", "kanari"]);

    let one = client.get(&path).await.ok(200);
    assert_eq!(one.json["headers"], masked);
    let back = client.patch(&path, &[], &json!({"headers": one.json["headers"]})).await.ok(200);
    assert_eq!(back.json["version"], 1, "what was shown can be written back");
    let changed = json!({"headers": {"x-api-key": "kanari 2", "Authorization": null}});
    let changed = client.patch(&path, &[], &changed).await.ok(200);
    assert_eq!(changed.json["headers"], json!({"x-api-key": "***"}));
    let moved = client.patch(&path, &[], &json!({"url": "https://other.example.com/"})).await;
    assert_eq!((moved.problem(), moved.field()), ((422, "validation_failed"), ("headers", "required")));
    for (headers, field) in [
        (json!({"Host": "kanari"}), "headers.Host"),
        (json!({"X-Svc-Event": "kanari"}), "headers.X-Svc-Event"),
        (json!({"X-A": " kanari"}), "headers.X-A"),
        (json!({"X-A": 5}), "headers.X-A"),
        (json!(["X-A"]), "headers"),
    ] {
        let refused = client.patch(&path, &[], &json!({"headers": headers})).await;
        assert_eq!((refused.problem(), refused.field().0), ((422, "validation_failed"), field), "{headers}");
        assert!(!refused.text.contains("kanari"), "{}", refused.text);
    }
    let none = client.patch(&path, &[], &json!({"headers": null})).await.ok(200);
    assert_eq!(none.json["headers"], json!({}));
    for answer in [made, one, changed, client.get(SUBSCRIPTIONS).await] {
        assert!(!answer.text.contains("kanari"), "{}", answer.text);
    }
}

#[tokio::test]
async fn the_view_tells_how_the_receiver_answers() {
    let mut asks = Answer::bare(503);
    asks.headers.push("retry-after", b"30");
    let asking = Exchange::ended(Ok(asks));
    let sender = FakeSender::new().then(200).then(500).then_exchanging(asking).then(204);
    let app = app(sender).await;
    let client = app.client(Want::default()).await;
    let path = format!("{SUBSCRIPTIONS}/{}", subscribed(&client).await);
    let health = async || {
        let one = client.get(&path).await.ok(200).json["health"].clone();
        let list = client.get(SUBSCRIPTIONS).await.ok(200).json["items"][0]["health"].clone();
        assert_eq!(one, list);
        one
    };
    let fresh = health().await;
    assert_eq!(
        members(&fresh),
        [
            "attempts",
            "consecutiveFailures",
            "lastError",
            "lastFailureAt",
            "lastSuccessAt",
            "pausedUntil",
            "since",
            "status",
            "successRate"
        ]
    );
    let told = |health: &Value| {
        let part = |name: &str| health[name].clone();
        json!([part("status"), part("attempts"), part("successRate"), part("consecutiveFailures")])
    };
    assert_eq!(told(&fresh), json!(["unknown", 0, null, 0]));
    for expected in [
        json!(["healthy", 1, 1.0, 0]),
        json!(["failing", 2, 0.5, 1]),
        // A test has no next attempt that would bound what it asks for.
        json!(["failing", 3, 0.3333, 2]),
        json!(["healthy", 4, 0.5, 0]),
    ] {
        app.clock.advance(std::time::Duration::from_millis(1));
        client.post(&format!("{path}/test"), &json!({})).await.ok(200);
        assert_eq!(told(&health().await), expected);
    }
    let known = client.get(&path).await.ok(200);
    assert_eq!(known.json["health"]["lastError"], "answered 503");
    assert!(known.json["health"]["lastSuccessAt"].is_string());
    let etag = known.header("etag").to_owned();
    let whole = client.send(Method::GET, &path, &[("if-none-match", &etag)], String::new()).await;
    assert_eq!(whole.ok(200).json["health"], known.json["health"], "the version tells nothing of the health");

    let moved = client.patch(&path, &[], &json!({"url": "https://other.example.com/"})).await.ok(200);
    assert_eq!(told(&moved.json["health"]), json!(["unknown", 0, null, 0]));
}

#[tokio::test]
async fn a_rotated_secret_is_new_and_shown_once() {
    let client = TestApp::new().await.client(Want::default()).await;
    let made = client.post(SUBSCRIPTIONS, &wish()).await.ok(201);
    let rotated =
        client.post(&format!("{SUBSCRIPTIONS}/{}/rotate-secret", made.id()), &json!({})).await.ok(200);
    assert_eq!(members(&rotated.json), ["id", "message", "secret"]);
    assert_ne!(rotated.json["secret"], made.json["secret"]);
}

#[tokio::test]
async fn a_test_is_sent_once_and_its_result_reported_and_logged() {
    let app = app(FakeSender::new().always(500)).await;
    let client = app.client(Want::default()).await;
    let path = format!("{SUBSCRIPTIONS}/{}", subscribed(&client).await);
    let report = client.post(&format!("{path}/test"), &json!({})).await.ok(200);
    assert_eq!(
        members(&report.json),
        ["delivered", "deliveryId", "durationMs", "error", "eventId", "statusCode"]
    );
    assert_eq!((&report.json["delivered"], &report.json["statusCode"]), (&json!(false), &json!(500)));
    assert_eq!(app.sender.sent().len(), 1);
    let log = client.get(&format!("{path}/deliveries?status=failed&eventType=webhook.test")).await.ok(200);
    let entry = &log.json["items"][0];
    assert_eq!((&entry["id"], &entry["attempts"]), (&report.json["deliveryId"], &json!(1)));
    assert_eq!(entry["attemptLog"][0]["statusCode"], 500);
    assert_eq!(client.get(&format!("{path}/deliveries?status=delivered")).await.json["total"], 0);
    assert_eq!(client.get(&format!("{path}/deliveries?to=2020-01-01")).await.json["total"], 0);
    assert_eq!(client.get(&format!("{path}/deliveries?to=9999-12-31")).await.json["total"], 1);
    for query in ["status=gone", "eventType=no.such", "eventId=x", "from=x"] {
        assert_eq!(
            client.get(&format!("{path}/deliveries?{query}")).await.problem(),
            (400, "invalid_parameter")
        );
    }
    let path_again = format!("/webhooks/deliveries/{}/redeliver", entry["id"].as_str().unwrap());
    let again = client.post(&path_again, &json!({})).await.ok(202);
    assert_ne!(again.json["id"], entry["id"]);
    assert_eq!((&again.json["eventId"], &again.json["status"]), (&entry["eventId"], &json!("pending")));
    let found = client.get(again.header("location").strip_prefix("/api/v1").unwrap()).await.ok(200);
    assert_eq!(found.json, again.json);
    assert_eq!(client.get(&format!("{path}/deliveries")).await.json["total"], 2);
    let early = client.post(&format!("/webhooks/deliveries/{}/redeliver", again.id()), &json!({})).await;
    assert_eq!(
        (early.problem(), &early.json["currentState"]),
        ((409, "delivery_not_ended"), &json!("pending"))
    );
}

#[tokio::test]
async fn a_subscription_belongs_to_the_primary_account_of_its_token() {
    let app = TestApp::new().await;
    let client = app.client(Want { companies: &[app.other], ..Want::default() }).await;
    let id = subscribed(&client).await;
    let read = client.get(&format!("{SUBSCRIPTIONS}/{id}")).await.ok(200);
    assert_eq!(read.json["companyId"], app.ours.to_string());
}
