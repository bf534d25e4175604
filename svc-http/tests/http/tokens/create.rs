//! What a new token is, and which ones may not be.

use std::time::Duration;
use svc_testkit::catalogue::policy;

use http::Method;
use serde_json::{Value, json};
use svc_auth::token::Policy;

use super::{created, value, wanted};
use crate::client_area::{Chosen, ClientAreaApp, user};

#[tokio::test]
async fn a_created_token_is_answered_whole_with_its_value_this_once() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let members = json!({
        "permissions": ["contacts:contacts.create", "sales:Read", "crm:full", "READ"],
        "allowedIps": ["127.0.0.1", "2001:DB8::/32"],
        "accountIds": [area.beta, area.acme],
        "expiresAt": "2025-06-01T00:00:00Z",
        "personalData": true,
    });
    let answer = created(&area, &ana, &members).await;
    let id = answer.id();
    let mut expected = json!({
        "id": id, "object": "token", "companyId": area.acme, "version": 1, "name": "Shop", "type": "api", "client": null, "role": null,
        "prefix": &value(&answer)[..12],
        "permissions": ["contacts:contacts.create", "sales:*.read", "crm:*.*", "*:*.read"],
        "expiresAt": "2025-06-01T00:00:00.000Z", "allowedIps": ["127.0.0.1", "2001:db8::/32"],
        "primaryAccountId": area.acme, "accountIds": [area.beta], "groupIds": [], "personalData": true,
        "state": "active", "lastUsedAt": null, "lastUsedIp": null,
        "createdBy": user("ana"), "createdAt": "2025-03-01T12:00:00.123Z",
        "value": value(&answer),
    });
    assert_eq!(answer.json, expected);
    assert_eq!(answer.header("location"), format!("/api/v1/tokens/{id}"));
    assert_eq!(answer.header("etag"), "\"1\"");
    let whoami = area.whoami(value(&answer)).await.ok(200);
    assert_eq!(whoami.json["companies"].as_array().unwrap().len(), 2);

    expected.as_object_mut().unwrap().remove("value");
    let seen = ana.get(&format!("/tokens/{id}")).await.ok(200);
    assert_eq!((&seen.json, seen.header("etag")), (&expected, "\"1\""));
    let list = ana.get("/tokens").await.ok(200);
    let whole = json!({"items": [expected], "total": 1, "page": 1, "limit": 50, "hasMore": false});
    assert_eq!(list.json, whole);
    assert!(!list.text.contains(value(&answer)) && !seen.text.contains(value(&answer)));
}

#[tokio::test]
async fn a_repeated_request_creates_one_token_and_shows_its_value_once() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let (key, body) = ([("idempotency-key", "k")], wanted(&area, &json!({})));
    let first = ana.post_with("/tokens", &key, &body).await.ok(201);
    let replay = ana.post_with("/tokens", &key, &body).await.ok(201);
    assert_eq!(replay.header("idempotent-replayed"), "true");
    let mut expected = first.json.clone();
    expected["value"] = Value::Null;
    assert_eq!(replay.json, expected);
    assert_eq!(ana.get("/tokens").await.json["total"], 1);

    let path = format!("/tokens/{}/rotate", first.id());
    let key = [("idempotency-key", "r")];
    let rotated = ana.send(Method::POST, &path, &key, "").await.ok(200);
    let replay = ana.send(Method::POST, &path, &key, "").await.ok(200);
    assert_eq!((&replay.json["value"], replay.header("idempotent-replayed")), (&Value::Null, "true"));
    assert_eq!(
        (&replay.json["version"], replay.json["prefix"].clone()),
        (&json!(2), rotated.json["prefix"].clone())
    );
    area.whoami(value(&rotated)).await.ok(200);
}

#[tokio::test]
async fn the_key_of_a_request_belongs_to_the_session() {
    let area = ClientAreaApp::new().await;
    let key = [("idempotency-key", "k")];
    for _ in 0..2 {
        let ana = area.browser("ana").await;
        ana.post_with("/tokens", &key, &wanted(&area, &json!({}))).await.ok(201);
    }
    let ana = area.browser("ana").await;
    assert_eq!(ana.get("/tokens").await.json["total"], 2);
}

#[tokio::test]
async fn who_administers_one_company_need_not_name_it() {
    let area = ClientAreaApp::new().await;
    let body = json!({"name": "Shop", "permissions": ["read"]});
    let ben = area.browser("ben").await;
    assert_eq!(ben.post("/tokens", &body).await.ok(201).json["primaryAccountId"], json!(area.acme));
    let refused = area.browser("ana").await.post("/tokens", &body).await;
    assert_eq!(
        (refused.problem(), refused.field()),
        ((422, "validation_failed"), ("primaryAccountId", "required"))
    );
}

#[tokio::test]
async fn a_token_that_may_not_be_is_refused_by_the_member_that_is_wrong() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let nobody = "acc_7zzzzzzzzzzzzzzzzzzzzzzzzz";
    let group = "grp_7zzzzzzzzzzzzzzzzzzzzzzzzz";
    let long = "x".repeat(101);
    for (members, code, field, broken) in [
        (json!({"name": ""}), "validation_failed", "name", "required"),
        (json!({"name": long}), "validation_failed", "name", "out_of_range"),
        (json!({"name": null}), "validation_failed", "name", "invalid_type"),
        (json!({"permissions": []}), "validation_failed", "permissions", "required"),
        (
            json!({"permissions": ["read", "write"]}),
            "validation_failed",
            "permissions[1]",
            "unknown_permission",
        ),
        (
            json!({"permissions": ["nothing:read"]}),
            "validation_failed",
            "permissions[0]",
            "unknown_permission",
        ),
        (json!({"allowedIps": ["::1", "300.1.1.1"]}), "validation_failed", "allowedIps[1]", "invalid_ip"),
        (json!({"expiresAt": "2025-03-01T12:00:00Z"}), "validation_failed", "expiresAt", "out_of_range"),
        (json!({"expiresAt": "tomorrow"}), "validation_failed", "expiresAt", "invalid_value"),
        (json!({"primaryAccountId": nobody}), "unknown_reference", "primaryAccountId", "unknown_reference"),
        (
            json!({"primaryAccountId": area.gamma}),
            "unknown_reference",
            "primaryAccountId",
            "unknown_reference",
        ),
        (
            json!({"accountIds": [area.beta, area.gamma]}),
            "unknown_reference",
            "accountIds[1]",
            "unknown_reference",
        ),
        (json!({"accountIds": ["x"]}), "validation_failed", "accountIds[0]", "invalid_value"),
        (json!({"groupIds": [group]}), "unknown_reference", "groupIds[0]", "unknown_reference"),
        (json!({"value": "svc_live_x"}), "validation_failed", "value", "read_only_field"),
        (json!({"state": "active"}), "validation_failed", "state", "read_only_field"),
        (json!({"creator": "x"}), "validation_failed", "creator", "unknown_field"),
    ] {
        let refused = ana.post("/tokens", &wanted(&area, &members)).await;
        assert_eq!((refused.problem(), refused.field()), ((422, code), (field, broken)), "{members}");
    }
    let many: Vec<String> = (0..101).map(|n| format!("10.0.0.{n}")).collect();
    let refused = ana.post("/tokens", &wanted(&area, &json!({"allowedIps": many}))).await;
    assert_eq!(refused.field(), ("allowedIps", "out_of_range"));
    for member in ["accountIds", "groupIds"] {
        let id = if member == "accountIds" { json!(area.beta) } else { json!(group) };
        let refused = ana.post("/tokens", &wanted(&area, &json!({member: vec![id; 501]}))).await;
        assert_eq!(refused.field(), (member, "out_of_range"));
    }
    assert_eq!(ana.get("/tokens").await.json["total"], 0, "nothing was created");
}

#[tokio::test]
async fn the_operator_may_set_a_longest_life() {
    let policy = Policy { longest_life: Some(Duration::from_hours(90 * 24)), ..policy() };
    let area = ClientAreaApp::with(Chosen { policy, ..Chosen::default() }).await;
    let ana = area.browser("ana").await;
    for expiry in [Value::Null, json!("2025-06-01T00:00:00Z")] {
        let refused = ana.post("/tokens", &wanted(&area, &json!({"expiresAt": expiry}))).await;
        assert_eq!((refused.problem().0, refused.field()), (422, ("expiresAt", "out_of_range")));
    }
    created(&area, &ana, &json!({"expiresAt": "2025-05-30T00:00:00Z"})).await;
}
