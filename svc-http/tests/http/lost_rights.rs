//! Subscriptions in the hands of a token that may not read what they tell of.

use serde_json::json;
use svc_core::clock::Clock;
use svc_webhooks::delivery::dispatch_once;
use svc_webhooks::retry::RetrySchedule;

use crate::client_area::ClientAreaApp;
use crate::test_app::Client;

async fn client(area: &ClientAreaApp, permissions: &[&str]) -> Client {
    let ana = area.browser("ana").await;
    let body = json!({"name": "test", "permissions": permissions, "primaryAccountId": area.acme});
    let made = ana.post("/tokens", &body).await.ok(201);
    Client { router: area.router.clone(), token: made.json["value"].as_str().unwrap().to_owned() }
}

#[tokio::test]
async fn what_makes_a_subscription_tell_more_needs_the_permissions_of_its_events() {
    let area = ClientAreaApp::new().await;
    let full = client(&area, &["full"]).await;
    let body = json!({"name": "Shop", "url": "https://hooks.example.com/svc", "events": ["contact.create"]});
    let made = full.post("/webhooks/subscriptions", &body).await.ok(201).id();
    let path = format!("/webhooks/subscriptions/{made}");
    let contact = json!({"kind": "organization", "legalName": "Sol SL"});
    full.post("/contacts", &contact).await.ok(201);
    let (storage, now) = (area.database.webhooks(), area.clock.now());
    dispatch_once(&*storage, &RetrySchedule::STANDARD, now, &*area.random, 100).await.unwrap();
    let log = full.get(&format!("{path}/deliveries")).await.ok(200);
    let delivery = format!("/webhooks/deliveries/{}/redeliver", log.json["items"][0]["id"].as_str().unwrap());

    let blind = client(&area, &["developers:*.*"]).await;
    let off = blind.patch(&path, &[], &json!({"active": false})).await;
    assert_eq!(off.ok(200).json["active"], false, "it may be stopped");
    let refused = [
        blind.patch(&path, &[], &json!({"active": true})).await,
        blind.post(&format!("{path}/test"), &json!({})).await,
        blind.post(&format!("{path}/rotate-secret"), &json!({})).await,
        blind.post(&delivery, &json!({})).await,
    ];
    for refused in refused {
        assert_eq!(refused.problem(), (403, "missing_permission"), "{}", refused.text);
        assert_eq!(refused.json["missing_permissions"], json!(["contacts:contacts.read"]));
    }
    let seeing = client(&area, &["developers:*.*", "contacts:contacts.read"]).await;
    seeing.patch(&path, &[], &json!({"active": true})).await.ok(200);
    seeing.post(&format!("{path}/test"), &json!({})).await.ok(200);
    seeing.post(&format!("{path}/rotate-secret"), &json!({})).await.ok(200);
}
