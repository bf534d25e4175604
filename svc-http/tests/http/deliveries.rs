//! The delivery log by the API: what it tells of attempts, and how it is narrowed.

use std::time::Duration;

use serde_json::{Value, json};
use svc_auth::limit::Limits;
use svc_http::Settings;
use svc_testkit::fakes::FakeSender;
use svc_webhooks::ports::{Answer, Exchange, Failure, SendError, Timings};

use crate::test_app::{Client, TestApp, Want};

async fn app(sender: FakeSender) -> TestApp {
    TestApp::with(sender, Limits { per_minute: 1_000, per_month: 1_000 }, Settings::default()).await
}

/// A subscription, by its path.
async fn subscribed(client: &Client) -> String {
    let wish = json!({"name": "Shop", "url": "https://hooks.example.com/svc", "events": ["contact.create"]});
    format!("/webhooks/subscriptions/{}", client.post("/webhooks/subscriptions", &wish).await.ok(201).id())
}

/// Sends a test event; answers the path of its delivery.
async fn tested(client: &Client, subscription: &str) -> String {
    let report = client.post(&format!("{subscription}/test"), &json!({})).await.ok(200);
    format!("/webhooks/deliveries/{}", report.json["deliveryId"].as_str().unwrap())
}

fn micros(number: u64) -> Duration {
    Duration::from_micros(number)
}

fn told() -> Exchange {
    let mut answer = Answer { body: "<script>alert(\"señor\")</script>".into(), ..Answer::bare(503) };
    for (name, value) in [("server", "Acme\u{1}"), ("set-cookie", "id=let-me-in"), ("x-a", "1")] {
        answer.headers.push(name, value.as_bytes());
    }
    Exchange {
        result: Ok(answer),
        timings: Timings {
            dns: Some(micros(1_500)),
            connect: Some(micros(250)),
            tls: Some(micros(3_001)),
            first_byte: Some(micros(20_000)),
            total: micros(20_125),
        },
        peer: Some("203.0.113.7:443".parse().unwrap()),
    }
}

#[tokio::test]
async fn a_delivery_shows_all_that_is_known_of_its_attempt() {
    let app = app(FakeSender::new().then_exchanging(told())).await;
    let client = app.client(Want::default()).await;
    let subscription = subscribed(&client).await;
    let path = tested(&client, &subscription).await;

    let found = client.get(&path).await.ok(200);

    assert!(!found.text.contains("let-me-in"));
    let mut attempt = found.json["attemptLog"][0].clone();
    assert!(attempt["at"].take().is_string());
    assert_eq!(
        attempt,
        json!({
            "at": null,
            "statusCode": 503,
            "error": "answered 503",
            "errorClass": "status",
            "durationMs": 20,
            "timings": {
                "dnsMs": 1.5, "connectMs": 0.25, "tlsMs": 3.001, "firstByteMs": 20.0, "totalMs": 20.125
            },
            "remoteAddress": "203.0.113.7:443",
            "response": {
                "headers": [
                    {"name": "server", "value": "Acme\u{1}"},
                    {"name": "set-cookie", "value": "***"},
                    {"name": "x-a", "value": "1"}
                ],
                "headersTruncated": false,
                "body": "<script>alert(\"señor\")</script>",
                "bodyEncoding": "utf-8",
                "bodyTruncated": false
            }
        })
    );
    assert_eq!(found.header("x-content-type-options"), "nosniff");
    assert!(found.header("content-type").starts_with("application/json"));
}

#[tokio::test]
async fn the_log_leaves_answers_out_and_is_the_same_otherwise() {
    let app = app(FakeSender::new().then_exchanging(told())).await;
    let client = app.client(Want::default()).await;
    let subscription = subscribed(&client).await;
    let mut whole = client.get(&tested(&client, &subscription).await).await.ok(200).json;

    let log = client.get(&format!("{subscription}/deliveries")).await.ok(200);

    let response = whole["attemptLog"][0].as_object_mut().unwrap().remove("response");
    assert!(response.is_some_and(|response| response.is_object()));
    assert_eq!(log.json["items"], json!([whole]));
    assert_eq!(
        log.json.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["hasMore", "items", "limit", "page", "total"]
    );
}

#[tokio::test]
async fn bytes_that_are_no_text_are_shown_in_base64() {
    let answer = Answer { body: vec![0x1f, 0x8b, 0].into(), truncated: true, ..Answer::bare(500) };
    let sender = FakeSender::new().then_exchanging(Exchange::ended(Ok(answer)));
    let app = app(sender).await;
    let client = app.client(Want::default()).await;
    let subscription = subscribed(&client).await;

    let found = client.get(&tested(&client, &subscription).await).await.ok(200);

    let response = &found.json["attemptLog"][0]["response"];
    assert_eq!(
        (&response["body"], &response["bodyEncoding"], &response["bodyTruncated"]),
        (&json!("H4sA"), &json!("base64"), &json!(true))
    );
}

#[tokio::test]
async fn a_failure_names_its_class_and_shows_what_came_before_it() {
    let failure = Failure { error: SendError::Timeout, answer: Some(Answer::bare(200)) };
    let late = Exchange { result: Err(failure), ..Exchange::ended(Err(SendError::Timeout)) };
    let app = app(FakeSender::new().then_exchanging(late).then_failing(SendError::Dns)).await;
    let client = app.client(Want::default()).await;
    let subscription = subscribed(&client).await;

    let mut attempts = Vec::new();
    for _ in 0..2 {
        let found = client.get(&tested(&client, &subscription).await).await.ok(200);
        attempts.push(found.json["attemptLog"][0].clone());
    }

    let told =
        |attempt: &Value| ["errorClass", "statusCode", "remoteAddress"].map(|member| attempt[member].clone());
    assert_eq!(told(&attempts[0]), [json!("timeout"), json!(200), Value::Null]);
    assert!(attempts[0]["response"].is_object());
    assert_eq!(told(&attempts[1]), [json!("dns"), Value::Null, Value::Null]);
    assert_eq!(attempts[1].get("response"), None, "nothing came");
    assert_eq!(attempts[1]["timings"]["firstByteMs"], Value::Null);
}

#[tokio::test]
async fn the_log_is_narrowed_by_status_type_event_and_time() {
    let app = app(FakeSender::new().then(200).then(500)).await;
    let client = app.client(Want::default()).await;
    let subscription = subscribed(&client).await;
    let first = client.get(&tested(&client, &subscription).await).await.ok(200).json;
    app.clock.advance(Duration::from_hours(1));
    let second = client.get(&tested(&client, &subscription).await).await.ok(200).json;
    let (one, two) = (first["createdAt"].as_str().unwrap(), second["createdAt"].as_str().unwrap());
    let event = second["eventId"].as_str().unwrap();

    for (query, expected) in [
        (String::new(), vec![&second, &first]),
        ("status=delivered".to_owned(), vec![&first]),
        ("status=failed&eventType=webhook.test".to_owned(), vec![&second]),
        ("eventType=contact.create".to_owned(), vec![]),
        (format!("eventId={event}"), vec![&second]),
        (format!("from={two}"), vec![&second]),
        (format!("from={one}&to={two}"), vec![&second, &first]),
        (format!("to={one}"), vec![&first]),
        (format!("from={}", two.split_once('T').unwrap().0), vec![&second, &first]),
        ("to=2020-01-01".to_owned(), vec![]),
    ] {
        let found = client.get(&format!("{subscription}/deliveries?{query}")).await.ok(200);
        let ids = found.json["items"].as_array().unwrap().iter().map(|item| &item["id"]);
        let expected: Vec<_> = expected.into_iter().map(|delivery| &delivery["id"]).collect();
        assert_eq!(ids.collect::<Vec<_>>(), expected, "{query}");
        assert_eq!(found.json["total"], expected.len(), "{query}");
    }
}

#[tokio::test]
async fn a_filter_that_is_wrong_is_named() {
    let client = TestApp::new().await.client(Want::default()).await;
    let subscription = subscribed(&client).await;
    for (query, field) in [
        ("status=gone", "status"),
        ("eventType=no.such", "eventType"),
        ("eventId=dlv_1", "eventId"),
        ("from=yesterday", "from"),
        ("from=2025-02-30", "from"),
        ("to=2025-01-31T25:00:00Z", "to"),
        ("from=2025-02-01&to=2025-01-31", "from"),
        ("from=2025-01-31T09:15:00.001Z&to=2025-01-31T09:15:00Z", "from"),
    ] {
        let refused = client.get(&format!("{subscription}/deliveries?{query}")).await;
        assert_eq!((refused.problem(), refused.field().0), ((400, "invalid_parameter"), field), "{query}");
    }
}

#[tokio::test]
async fn a_delivery_needs_the_permission_to_read_and_an_id_that_there_is() {
    let app = TestApp::new().await;
    let ours = app.client(Want::default()).await;
    let path = tested(&ours, &subscribed(&ours).await).await;

    let unknown = ours.get("/webhooks/deliveries/dlv_00000000000000000000000000").await;
    let blind = app.client(Want { permissions: &["contacts:*.read"], ..Want::default() }).await;
    let refused = blind.get(&path).await;

    assert_eq!(unknown.problem(), (404, "not_found"));
    assert_eq!(refused.problem(), (403, "missing_permission"));
    assert_eq!(refused.json["required_permission"], "developers:webhooks.read");
}
