//! The `OpenAPI` document and its page.

mod schemas;

use std::collections::{BTreeMap, BTreeSet};
use svc_testkit::catalogue::events;

use axum::body::Body;
use http::Request;
use serde_json::{Value, json};

use crate::test_app::{TestApp, answer};

fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    let all = paths.iter().flat_map(|(path, methods)| {
        methods
            .as_object()
            .unwrap()
            .iter()
            .map(move |(method, operation)| (format!("{method} {path}"), operation))
    });
    all.collect()
}

#[test]
fn every_operation_says_who_may_call_it() {
    let document = svc_http::openapi("https://api.example.com", events());
    let mut open: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut either = BTreeSet::new();
    for (name, operation) in operations(&document) {
        let access = operation["x-access"].as_str().unwrap();
        let scheme = match access {
            "token" => {
                assert!(operation["x-required-permission"].as_str().unwrap().contains(':'), "{name}");
                assert_eq!(operation["security"], json!([{ "bearer": [] }]), "{name}");
                continue;
            }
            "token_or_administrator" => {
                assert!(operation["x-required-permission"].as_str().unwrap().contains(':'), "{name}");
                assert_eq!(operation["security"], json!([{ "bearer": [] }, { "session": [] }]), "{name}");
                either.insert(name);
                continue;
            }
            "any_token" => json!([{ "bearer": [] }]),
            "person" | "administrator" => json!([{ "session": [] }]),
            "report" => json!([{ "scanner": [] }]),
            "anyone" => json!([]),
            other => panic!("{name}: {other}"),
        };
        assert_eq!(operation["security"], scheme, "{name}");
        assert!(operation["x-required-permission"].is_null(), "{name}");
        open.entry(access).or_default().insert(name);
    }
    let set = |names: &[&str]| names.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    assert_eq!(either, set(&["get /accounts/{id}/members", "get /groups", "get /groups/{id}"]));
    assert_eq!(open["any_token"], set(&["get /auth/whoami", "post /contacts/bulk"]));
    assert_eq!(open["anyone"], set(&["post /session", "post /session/code"]));
    assert_eq!(open["report"], set(&["post /secret-scanning/reports"]));
    let everybody = [
        "delete /session",
        "get /session",
        "get /session/invitations",
        "post /session/invitations/{membershipId}/accept",
        "post /session/invitations/{membershipId}/decline",
        "post /session/password",
    ];
    assert_eq!(open["person"], set(&everybody));
    let administrators = [
        "delete /accounts/{id}/members/{memberId}",
        "delete /groups/{id}",
        "delete /groups/{id}/members/{accountId}",
        "get /audit-log",
        "get /tokens",
        "get /tokens/{id}",
        "patch /accounts/{id}/members/{memberId}",
        "patch /groups/{id}",
        "patch /tokens/{id}",
        "post /accounts/{id}/members",
        "post /groups",
        "post /groups/{id}/members",
        "post /tax/notices/{id}/access",
        "post /tax/notices/{id}/reject",
        "post /tokens",
        "post /tokens/{id}/disable",
        "post /tokens/{id}/enable",
        "post /tokens/{id}/revoke",
        "post /tokens/{id}/rotate",
    ];
    assert_eq!(open["administrator"], set(&administrators));
}

#[test]
fn what_a_session_changes_needs_the_csrf_token_and_what_holds_a_password_no_key() {
    let document = svc_http::openapi("https://api.example.com", events());
    let names = |method: &str, path: &str| -> BTreeSet<String> {
        let all = document["paths"][path][method]["parameters"].as_array().unwrap();
        all.iter().map(|param| param["name"].as_str().unwrap().to_owned()).collect()
    };
    let has = |method: &str, path: &str, name: &str| names(method, path).contains(name);
    assert!(has("post", "/tokens", "X-CSRF-Token") && has("post", "/tokens", "Idempotency-Key"));
    assert!(has("patch", "/tokens/{id}", "X-CSRF-Token") && has("patch", "/tokens/{id}", "If-Match"));
    assert!(!has("get", "/tokens", "X-CSRF-Token"));
    assert!(!has("post", "/contacts", "X-CSRF-Token"));
    for path in ["/session", "/session/password"] {
        assert!(!has("post", path, "Idempotency-Key"), "{path}");
    }
    assert!(has("post", "/session/password", "X-CSRF-Token") && !has("post", "/session", "X-CSRF-Token"));
}

#[test]
fn the_webhook_routes_ask_for_the_permissions_of_the_specification() {
    let document = svc_http::openapi("https://api.example.com", events());
    for (method, path, action) in [
        ("get", "/webhooks/events", "read"),
        ("get", "/webhooks/events/{type}/schema", "read"),
        ("get", "/webhooks/subscriptions", "read"),
        ("post", "/webhooks/subscriptions", "create"),
        ("get", "/webhooks/subscriptions/{id}", "read"),
        ("patch", "/webhooks/subscriptions/{id}", "update"),
        ("delete", "/webhooks/subscriptions/{id}", "delete"),
        ("post", "/webhooks/subscriptions/{id}/test", "test"),
        ("post", "/webhooks/subscriptions/{id}/rotate-secret", "update"),
        ("get", "/webhooks/subscriptions/{id}/deliveries", "read"),
        ("get", "/webhooks/deliveries/{id}", "read"),
        ("post", "/webhooks/deliveries/{id}/redeliver", "update"),
    ] {
        let permission = &document["paths"][path][method]["x-required-permission"];
        assert_eq!(permission, &format!("developers:webhooks.{action}"), "{method} {path}");
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_name_is_used_once() {
    let document = svc_http::openapi("https://api.example.com", events());
    let text = document.to_string();
    let mut references = 0;
    for part in text.split("\"$ref\":\"#").skip(1) {
        let pointer = part.split('"').next().unwrap();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
        references += 1;
    }
    assert!(references > 100);
    let ids: Vec<_> =
        operations(&document).iter().map(|(_, operation)| operation["operationId"].to_string()).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["servers"][0]["url"], "https://api.example.com/api/v1");
}

#[test]
fn the_webhooks_section_has_the_whole_catalogue() {
    let document = svc_http::openapi("https://api.example.com", events());
    let webhooks = document["webhooks"].as_object().unwrap();
    assert_eq!(webhooks.len(), 45);
    for declared in events().all() {
        let content = &webhooks[declared.name()]["post"]["requestBody"]["content"]["application/json"];
        assert_eq!(content["schema"], declared.schema());
        let example: Value = serde_json::from_slice(&declared.example().body()).unwrap();
        assert_eq!(content["example"], example);
    }
    assert!(webhooks.contains_key("webhook.test"));
}

#[test]
fn bodies_name_what_they_need_and_nothing_that_the_service_computes() {
    let document = svc_http::openapi("https://api.example.com", events());
    let schemas = &document["components"]["schemas"];
    assert_eq!(schemas["SubscriptionCreate"]["required"], serde_json::json!(["name", "url", "events"]));
    assert!(schemas["ContactCreate"]["properties"]["companyId"].is_object());
    assert!(schemas["ContactUpdate"]["properties"].get("companyId").is_none());
    assert!(schemas["ContactCreate"]["properties"].get("id").is_none());
    assert_eq!(schemas["ContactCreate"]["additionalProperties"], false);
}

#[test]
fn each_list_has_a_schema_of_its_own() {
    let document = svc_http::openapi("https://api.example.com", events());
    for name in ["Account", "AuditEntry", "Delivery", "Group", "Member", "Subscription", "Token"] {
        let list = &document["components"]["schemas"][format!("{name}List")];
        assert_eq!(list["properties"]["items"]["items"]["$ref"], format!("#/components/schemas/{name}"));
    }
}

async fn open(app: &TestApp, path: &str) -> crate::test_app::Answer {
    answer(&app.router, Request::get(path).body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn the_document_and_its_page_need_no_token_and_no_other_site() {
    let app = TestApp::new().await;
    let document = open(&app, "/api/v1/openapi.json").await.ok(200);
    assert_eq!(document.json["openapi"], "3.1.0");
    assert_eq!(open(&app, "/docs").await.ok(308).header("location"), "docs/");
    let page = open(&app, "/docs/").await.ok(200);
    assert!(page.header("content-type").starts_with("text/html"));
    let policy = page.header("content-security-policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"));
    assert!(!page.text.contains("https://") && !page.text.contains("http://"), "{}", page.text);
    for file in page.text.split(['"', '\'']).filter(|text| text.starts_with("./")) {
        open(&app, &format!("/docs/{}", file.trim_start_matches("./"))).await.ok(200);
    }
    let initializer = open(&app, "/docs/swagger-initializer.js").await.ok(200);
    assert!(initializer.text.contains("/api/v1/openapi.json"));
    assert!(!initializer.text.contains("http"), "{}", initializer.text);
    assert_eq!(open(&app, "/docs/nothing.js").await.problem(), (404, "not_found"));
}

#[tokio::test]
async fn who_knows_the_address_alone_is_led_to_the_documentation() {
    let app = TestApp::new().await;
    for path in ["/", "/api/v1", "/api/v1/"] {
        let led = open(&app, path).await.ok(307);
        assert_eq!(led.header("location"), "/docs/", "{path}");
        let document = "<http://127.0.0.1:8080/api/v1/openapi.json>; rel=\"service-desc\"";
        assert!(led.header("link").starts_with(document), "{path}: {}", led.header("link"));
        assert!(led.text.contains("http://127.0.0.1:8080/docs/"), "{path}: {}", led.text);
        open(&app, led.header("location")).await.ok(200);
    }
    let other = Request::post("/").body(Body::empty()).unwrap();
    assert_eq!(answer(&app.router, other).await.problem(), (404, "not_found"));
}

#[tokio::test]
async fn the_type_of_a_problem_leads_to_its_explanation() {
    let app = TestApp::new().await;
    let refused = open(&app, "/api/v1/contacts").await;
    let page = refused.json["type"].as_str().unwrap().strip_prefix("http://127.0.0.1:8080").unwrap();
    let text = open(&app, page).await.ok(200).text;
    for part in
        ["No token", "token_missing (401", "Cause: The request has no", "Cure: Send `Authorization: Bearer`"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}
