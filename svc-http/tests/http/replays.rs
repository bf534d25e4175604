//! The log of events, replays and bulk redelivery by the API.

use serde_json::{Value, json};
use svc_core::clock::Clock;
use svc_webhooks::delivery::dispatch_once;
use svc_webhooks::replay::replay_once;
use svc_webhooks::retry::RetrySchedule;

use crate::client_area::ClientAreaApp;
use crate::test_app::{Answer, Client};

/// A token of Acme that Ana made.
async fn client(area: &ClientAreaApp, permissions: &[&str], others: &[&str]) -> Client {
    let ana = area.browser("ana").await;
    let body = json!({
        "name": "test", "permissions": permissions, "primaryAccountId": area.acme, "accountIds": others,
    });
    let made = ana.post("/tokens", &body).await.ok(201);
    Client { router: area.router.clone(), token: made.json["value"].as_str().unwrap().to_owned() }
}

async fn contact(client: &Client, company: &str, name: &str) -> String {
    let body = json!({"kind": "organization", "legalName": name, "companyId": company});
    client.post("/contacts", &body).await.ok(201).id()
}

async fn subscribed(client: &Client, events: &[&str]) -> String {
    let body = json!({"name": "Shop", "url": "https://hooks.example.com/svc", "events": events});
    let made = client.post("/webhooks/subscriptions", &body).await.ok(201);
    format!("/webhooks/subscriptions/{}", made.id())
}

fn types(answer: &Answer) -> Vec<&str> {
    let items = answer.json["items"].as_array().unwrap().iter();
    items.map(|item| item["event"]["type"].as_str().unwrap()).collect()
}

/// Everything that is due in the background, but no attempts.
async fn work(area: &ClientAreaApp) {
    let storage = area.database.replays();
    let (now, random) = (area.clock.now(), &*area.random);
    while dispatch_once(&*storage, &RetrySchedule::STANDARD, now, random, 100).await.unwrap().events > 0 {}
    while replay_once(&*storage, &RetrySchedule::STANDARD, now, random).await.unwrap().is_some() {}
}

#[tokio::test]
async fn the_event_log_shows_each_event_as_it_was_notified_and_what_became_of_it() {
    let area = ClientAreaApp::new().await;
    let client = client(&area, &["full"], &[]).await;
    let acme = area.acme.to_string();
    subscribed(&client, &["contact.create"]).await;
    let one = contact(&client, &acme, "Sol SL").await;
    client.patch(&format!("/contacts/{one}"), &[], &json!({"notes": "seen"})).await.ok(200);
    work(&area).await;

    let log = client.get("/webhooks/event-log").await.ok(200);
    assert_eq!(types(&log), ["contact.update", "contact.create"]);
    assert_eq!((&log.json["total"], &log.json["hasMore"]), (&json!(2), &json!(false)));
    let created = &log.json["items"][1];
    assert_eq!(created["companyId"], acme);
    assert_eq!(created["deliveries"], json!({"pending": 1, "retrying": 0, "delivered": 0, "failed": 0}));
    assert_eq!(created["event"]["data"], json!({"object": "contact", "id": one}));
    assert_eq!(created["event"]["account_id"], acme);
    let text = created["event"].to_string();
    assert!(text.contains("evt_") && text.contains("occurred_at"), "{text}");
    let page = client.get("/webhooks/event-log?limit=1&page=2").await.ok(200);
    assert_eq!(types(&page), ["contact.create"]);
}

#[tokio::test]
async fn the_event_log_is_narrowed_by_company_type_resource_and_time() {
    let area = ClientAreaApp::new().await;
    let (acme, beta) = (area.acme.to_string(), area.beta.to_string());
    let client = client(&area, &["full"], &[&beta]).await;
    let ours = contact(&client, &acme, "Sol SL").await;
    contact(&client, &beta, "Luna SL").await;
    client.patch(&format!("/contacts/{ours}"), &[], &json!({"notes": "seen"})).await.ok(200);
    let now = area.clock.now();
    let later = now.plus(std::time::Duration::from_secs(1));
    for (query, expected) in [
        (String::new(), 2),
        (format!("companyId={beta}"), 1),
        ("companyId=all".to_owned(), 3),
        ("type=contact.update".to_owned(), 1),
        ("type=contact.update,%20contact.create".to_owned(), 2),
        ("type=invoice.pay".to_owned(), 0),
        (format!("objectId={ours}"), 2),
        ("objectId=con_x".to_owned(), 0),
        (format!("from={now}&to={now}"), 2),
        (format!("from={later}"), 0),
        (format!("from={0}&to={0}", now.date()), 2),
        ("to=2020-01-01".to_owned(), 0),
    ] {
        let found = client.get(&format!("/webhooks/event-log?{query}")).await.ok(200);
        assert_eq!(found.json["total"], expected, "{query}");
    }
    for query in
        ["type=no.such", "type=webhook.test", "from=x", "to=2025-13-01", "from=2025-02-01&to=2025-01-31"]
    {
        let refused = client.get(&format!("/webhooks/event-log?{query}")).await;
        assert_eq!(refused.problem(), (400, "invalid_parameter"), "{query}");
    }
    let foreign = client.get(&format!("/webhooks/event-log?companyId={}", area.gamma)).await;
    assert_eq!(foreign.problem(), (404, "not_found"));
}

#[tokio::test]
async fn the_event_log_hides_events_whose_resource_the_token_may_not_read() {
    let area = ClientAreaApp::new().await;
    let full = client(&area, &["full"], &[]).await;
    let path = subscribed(&full, &["contact.create"]).await;
    full.post(&format!("{path}/test"), &json!({})).await.ok(200);
    contact(&full, &area.acme.to_string(), "Sol SL").await;
    assert_eq!(types(&full.get("/webhooks/event-log").await.ok(200)), ["contact.create"], "and no test");
    let blind = client(&area, &["developers:webhooks.read", "crm:*.read"], &[]).await;
    for query in ["", "?type=contact.create"] {
        let log = blind.get(&format!("/webhooks/event-log{query}")).await.ok(200);
        assert_eq!(log.json["total"], 0, "{query}");
    }
}

#[tokio::test]
async fn a_replay_is_counted_started_followed_and_done() {
    let area = ClientAreaApp::new().await;
    let client = client(&area, &["full"], &[]).await;
    let acme = area.acme.to_string();
    let created = contact(&client, &acme, "Sol SL").await;
    client.patch(&format!("/contacts/{created}"), &[], &json!({"notes": "seen"})).await.ok(200);
    work(&area).await;
    let path = subscribed(&client, &["contact.create", "contact.update"]).await;
    area.clock.advance(std::time::Duration::from_secs(10));

    let dry = json!({"from": "2020-01-01", "dryRun": true});
    let counted = client.post(&format!("{path}/replay"), &dry).await.ok(200);
    assert_eq!((&counted.json["dryRun"], &counted.json["matched"]), (&json!(true), &json!(2)));
    assert_eq!(client.get(&format!("{path}/replays")).await.ok(200).json["total"], 0);

    let wish = json!({"from": "2020-01-01", "eventTypes": ["contact.create"]});
    let started = client.post(&format!("{path}/replay"), &wish).await.ok(202);
    assert_eq!((&started.json["status"], &started.json["matched"]), (&json!("running"), &json!(1)));
    assert_eq!(started.json["from"], "2020-01-01T00:00:00.000Z");
    let at = started.header("location").strip_prefix("/api/v1").unwrap().to_owned();
    assert_eq!(client.get(&at).await.ok(200).json, started.json);
    area.clock.advance(std::time::Duration::from_secs(10));
    work(&area).await;
    let done = client.get(&at).await.ok(200);
    assert_eq!((&done.json["status"], &done.json["sent"]), (&json!("completed"), &json!(1)));
    assert!(done.json["finishedAt"].is_string() && done.json["cancelReason"].is_null());
    assert_eq!(client.get(&format!("{path}/replays")).await.ok(200).json["items"], json!([done.json]));
    let log = client.get(&format!("{path}/deliveries")).await.ok(200);
    assert_eq!(log.json["total"], 1, "{}", log.text);
    let first = client.get("/webhooks/event-log?type=contact.create").await.ok(200);
    assert_eq!(log.json["items"][0]["eventId"], first.json["items"][0]["event"]["id"]);
    let refused = client.post(&format!("{at}/cancel"), &json!({})).await;
    assert_eq!(
        (refused.problem(), &refused.json["currentState"]),
        ((409, "replay_ended"), &json!("completed"))
    );
}

#[tokio::test]
async fn open_replays_can_be_cancelled_and_are_few() {
    let area = ClientAreaApp::new().await;
    let client = client(&area, &["full"], &[]).await;
    let path = subscribed(&client, &["contact.create"]).await;
    let replay = format!("{path}/replay");
    let wish = json!({"from": "2020-01-01"});
    let first = client.post(&replay, &wish).await.ok(202).id();
    for _ in 0..2 {
        client.post(&replay, &wish).await.ok(202);
    }
    assert_eq!(client.post(&replay, &wish).await.problem(), (409, "too_many_replays"));
    let cancelled = client.post(&format!("/webhooks/replays/{first}/cancel"), &json!({})).await.ok(200);
    let state = (&cancelled.json["status"], &cancelled.json["cancelReason"]);
    assert_eq!(state, (&json!("cancelled"), &json!("asked")));
    client.post(&replay, &wish).await.ok(202);
    client.patch(&path, &[], &json!({"active": false})).await.ok(200);
    assert_eq!(client.post(&replay, &wish).await.problem(), (409, "subscription_inactive"));
    client.delete(&path, &[]).await.ok(204);
    assert_eq!(client.get(&format!("/webhooks/replays/{first}")).await.problem(), (404, "not_found"));
}

#[tokio::test]
async fn a_replay_that_cannot_be_names_what_is_wrong() {
    let area = ClientAreaApp::new().await;
    let full = client(&area, &["full"], &[]).await;
    let path = subscribed(&full, &["contact.create"]).await;
    let deliveries = "deliveries/redeliver";
    for (route, body, field) in [
        ("replay", json!({}), "from"),
        ("replay", json!({"from": "yesterday"}), "from"),
        ("replay", json!({"from": "9999-01-01"}), "from"),
        ("replay", json!({"from": "2025-02-01", "to": "2025-01-31"}), "from"),
        ("replay", json!({"from": "2025-01-01", "to": "x"}), "to"),
        ("replay", json!({"from": "2025-01-01", "eventTypes": ["contact.delete"]}), "eventTypes[0]"),
        ("replay", json!({"from": "2025-01-01", "eventTypes": []}), "eventTypes"),
        ("replay", json!({"from": "2025-01-01", "until": "x"}), "until"),
        (deliveries, json!({"status": "pending"}), "status"),
        (deliveries, json!({"eventType": "webhook.test"}), "eventType"),
        (deliveries, json!({"eventId": "x"}), "eventId"),
        (deliveries, json!({"to": 5}), "to"),
    ] {
        let refused = full.post(&format!("{path}/{route}"), &body).await;
        assert_eq!(refused.problem(), (422, "validation_failed"), "{body}: {}", refused.text);
        assert_eq!(refused.field().0, field, "{body}");
    }
    let blind = client(&area, &["developers:*.*"], &[]).await;
    for (route, body) in [("replay", json!({"from": "2025-01-01"})), (deliveries, json!({"dryRun": true}))] {
        let refused = blind.post(&format!("{path}/{route}"), &body).await;
        assert_eq!(refused.problem(), (403, "missing_permission"), "{body}");
        assert_eq!(refused.json["missing_permissions"], json!(["contacts:contacts.read"]));
    }
}

#[tokio::test]
async fn ended_deliveries_are_sent_once_more_by_what_is_asked() {
    let area = ClientAreaApp::new().await;
    let client = client(&area, &["full"], &[]).await;
    let path = subscribed(&client, &["contact.create"]).await;
    for name in ["Sol SL", "Luna SL"] {
        contact(&client, &area.acme.to_string(), name).await;
    }
    work(&area).await;
    let log = client.get(&format!("{path}/deliveries")).await.ok(200);
    let event = log.json["items"][0]["eventId"].as_str().unwrap().to_owned();
    fail_all(&area).await;

    let all = format!("{path}/deliveries/redeliver");
    let count = |body: Value| {
        let (client, all) = (&client, &all);
        async move { client.post(all, &body).await.ok(200).json["matched"].clone() }
    };
    assert_eq!(count(json!({"dryRun": true})).await, 2);
    assert_eq!(count(json!({"dryRun": true, "status": "delivered"})).await, 0);
    assert_eq!(count(json!({"dryRun": true, "eventId": event})).await, 1);
    assert_eq!(count(json!({"dryRun": true, "to": "2020-01-01"})).await, 0);
    let started = client.post(&all, &json!({"eventId": event})).await.ok(202);
    let members = ["source", "deliveryStatus", "eventId"].map(|name| &started.json[name]);
    assert_eq!(members, [&json!("deliveries"), &json!("failed"), &json!(event)]);
    work(&area).await;
    let log = client.get(&format!("{path}/deliveries?status=pending")).await.ok(200);
    assert_eq!((&log.json["total"], &log.json["items"][0]["eventId"]), (&json!(1), &json!(event)));
    assert_eq!(count(json!({"dryRun": true})).await, 1, "the other one is under way");
}

/// Ends everything that waits as failed.
async fn fail_all(area: &ClientAreaApp) {
    let (storage, now) = (area.database.webhooks(), area.clock.now());
    let wish = svc_webhooks::ports::ClaimRequest::any(100);
    let lease = std::time::Duration::from_secs(30);
    let leased = storage.queue().claim(&wish, now, lease).await.unwrap().leased;
    assert!(!leased.is_empty());
    let settlements: Vec<_> = leased
        .into_iter()
        .map(|leased| svc_webhooks::ports::Settlement {
            lease: leased.lease,
            delivery: leased.delivery.cancel(now, "given up").unwrap(),
            asked_until: None,
            attempt: None,
        })
        .collect();
    storage.queue().settle(&settlements).await.unwrap();
    area.clock.advance(std::time::Duration::from_secs(1));
}
