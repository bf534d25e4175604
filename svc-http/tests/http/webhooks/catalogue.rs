//! What there is to subscribe to, with a sample and a schema of each type.

use serde_json::json;
use svc_testkit::catalogue::{event, events};

use crate::test_app::{TestApp, Want};

#[tokio::test]
async fn the_catalogue_shows_what_the_token_may_subscribe_to() {
    let app = TestApp::new().await;
    let all = app.client(Want::default()).await.get("/webhooks/events").await.ok(200);
    assert_eq!(all.json["items"].as_array().unwrap().len(), 44);
    let permissions = &["developers:webhooks.read", "crm:*.read"];
    let some = app.client(Want { permissions, ..Want::default() }).await;
    let found = some.get("/webhooks/events?lang=es").await.ok(200);
    assert_eq!(
        found.json["items"][0],
        json!({"type": "case.create", "area": "crm", "object": "case", "description": "expediente abierto",
               "requiredPermission": "crm:cases.read", "route": "/cases/{id}",
               "schema": "/webhooks/events/case.create/schema",
               "sample": {"id": "evt_01jjxt8rh0fh59pvhx467gb8dj", "type": "case.create",
                          "occurred_at": "2025-01-31T09:15:00.000Z",
                          "account_id": "acc_01jjxt8rh0fh59pvhx467gb8dh",
                          "data": {"object": "case", "id": "cas_01jjxt8rh0fh59pvhx467gb8dk"}}})
    );
    assert_eq!(found.json["items"].as_array().unwrap().len(), 2);
    assert_eq!(some.get("/webhooks/events?lang=fr").await.problem(), (400, "invalid_parameter"));
}

#[tokio::test]
async fn each_type_shows_the_bytes_of_a_notification_and_its_schema() {
    let client = TestApp::new().await.client(Want::default()).await;
    let catalogue = client.get("/webhooks/events").await.ok(200);
    for declared in events().all() {
        let body = String::from_utf8(declared.example().body()).unwrap();
        assert!(catalogue.text.contains(&format!("\"sample\":{body}}}")), "{declared:?}");
    }
    let mut links: Vec<_> = catalogue.json["items"].as_array().unwrap().iter().collect();
    let test = json!({"type": "webhook.test", "schema": "/webhooks/events/webhook.test/schema"});
    links.push(&test);
    for entry in links {
        let path = entry["schema"].as_str().unwrap();
        let found = client.get(path).await.ok(200);
        assert_eq!(found.header("content-type"), "application/schema+json");
        assert_eq!(found.json["$id"], format!("http://127.0.0.1:8080/api/v1{path}"));
        assert_eq!(found.json["properties"]["type"]["const"], entry["type"]);
        let mut plain = found.json;
        plain.as_object_mut().unwrap().remove("$id");
        assert_eq!(plain, event(entry["type"].as_str().unwrap()).schema());
    }
    let unknown = client.get("/webhooks/events/contact.created/schema").await;
    assert_eq!(unknown.problem(), (404, "not_found"));
}
