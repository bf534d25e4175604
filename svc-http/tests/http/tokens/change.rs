//! What becomes of a token.

use std::time::Duration;

use http::Method;
use serde_json::json;

use super::{created, value, wanted};
use crate::client_area::ClientAreaApp;

#[tokio::test]
async fn a_patch_changes_what_it_names_and_nothing_else() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let answer = created(&area, &ana, &json!({})).await;
    let path = format!("/tokens/{}", answer.id());
    area.whoami(value(&answer)).await.ok(200);
    let change = json!({
        "name": "Till", "permissions": ["sales:full"], "allowedIps": ["192.0.2.0/24"], "personalData": true,
    });
    let changed = ana.patch(&path, &change).await.ok(200);
    let mut expected = answer.json.clone();
    let members = expected.as_object_mut().unwrap();
    members.remove("value");
    members.extend(change.as_object().unwrap().clone());
    members.insert("permissions".to_owned(), json!(["sales:*.*"]));
    members.insert("version".to_owned(), json!(2));
    assert_eq!((&changed.json, changed.header("etag")), (&expected, "\"2\""));
    assert_eq!(ana.get(&path).await.json, expected);
    // The token learns of it at once: it may not be used from here any more.
    assert_eq!(area.whoami(value(&answer)).await.problem(), (403, "ip_not_allowed"));

    let same = ana.patch(&path, &json!({"name": "Till"})).await.ok(200);
    assert_eq!(same.header("etag"), "\"2\"");
    ana.patch(&path, &json!({})).await.ok(200);
}

#[tokio::test]
async fn scope_and_expiry_are_fixed_and_the_rest_is_computed() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let path = format!("/tokens/{}", created(&area, &ana, &json!({})).await.id());
    for (body, code, field, broken) in [
        (json!({"expiresAt": null}), "fixed_at_creation", "expiresAt", "fixed_at_creation"),
        (
            json!({"primaryAccountId": area.beta}),
            "fixed_at_creation",
            "primaryAccountId",
            "fixed_at_creation",
        ),
        (json!({"accountIds": []}), "fixed_at_creation", "accountIds", "fixed_at_creation"),
        (json!({"groupIds": []}), "fixed_at_creation", "groupIds", "fixed_at_creation"),
        (json!({"state": "active"}), "validation_failed", "state", "read_only_field"),
        (json!({"lastUsedAt": null}), "validation_failed", "lastUsedAt", "read_only_field"),
        (json!({"name": null}), "validation_failed", "name", "required"),
        (json!({"permissions": null}), "validation_failed", "permissions", "required"),
        (json!({"permissions": []}), "validation_failed", "permissions", "required"),
        (json!({"personalData": "yes"}), "validation_failed", "personalData", "invalid_type"),
    ] {
        let refused = ana.patch(&path, &body).await;
        assert_eq!((refused.problem(), refused.field()), ((422, code), (field, broken)), "{body}");
    }
    let both = ana.patch(&path, &json!({"expiresAt": null, "state": "active"})).await;
    assert_eq!((both.problem().1, both.json["errors"].as_array().unwrap().len()), ("validation_failed", 2));
    assert_eq!(ana.get(&path).await.json["version"], 1);
}

#[tokio::test]
async fn a_change_meant_for_another_version_is_refused() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let path = format!("/tokens/{}", created(&area, &ana, &json!({})).await.id());
    ana.patch(&path, &json!({"name": "Till"})).await.ok(200);
    let (old, new) = ([("if-match", "\"1\"")], [("if-match", "\"2\"")]);
    let refused = ana.send(Method::PATCH, &path, &old, "{\"name\": \"x\"}").await;
    assert_eq!(refused.problem(), (412, "version_conflict"));
    for step in ["disable", "rotate", "revoke"] {
        let refused = ana.send(Method::POST, &format!("{path}/{step}"), &old, "").await;
        assert_eq!(refused.problem(), (412, "version_conflict"), "{step}");
    }
    assert_eq!(ana.get(&path).await.json["version"], 2);
    let disabled = ana.send(Method::POST, &format!("{path}/disable"), &new, "").await.ok(200);
    assert_eq!(disabled.header("etag"), "\"3\"");
    ana.send(Method::GET, &path, &[("if-none-match", "\"3\"")], "").await.ok(304);
}

#[tokio::test]
async fn every_step_counts_at_once_and_illegal_ones_name_the_state() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let answer = created(&area, &ana, &json!({})).await;
    let token = value(&answer).to_owned();
    let step = async |step: &str| ana.act(&format!("/tokens/{}/{step}", answer.id())).await;
    let refused = async |name: &str, code: &str, state: &str| {
        let answer = step(name).await;
        assert_eq!((answer.problem(), &answer.json["currentState"]), ((409, code), &json!(state)), "{name}");
    };
    area.whoami(&token).await.ok(200);
    refused("enable", "token_active", "active").await;

    assert_eq!(step("disable").await.ok(200).json["state"], "disabled");
    assert_eq!(area.whoami(&token).await.problem(), (401, "token_disabled"));
    refused("disable", "token_not_active", "disabled").await;
    refused("rotate", "token_not_active", "disabled").await;

    assert_eq!(step("enable").await.ok(200).json["state"], "active");
    area.whoami(&token).await.ok(200);

    let rotated = step("rotate").await.ok(200);
    assert_eq!(area.whoami(&token).await.problem(), (401, "token_invalid"));
    area.whoami(value(&rotated)).await.ok(200);

    assert_eq!(step("revoke").await.ok(200).json["state"], "revoked");
    assert_eq!(area.whoami(value(&rotated)).await.problem(), (401, "token_revoked"));
    for name in ["enable", "disable", "rotate", "revoke"] {
        refused(name, "token_not_active", "revoked").await;
    }
    let edited = ana.patch(&format!("/tokens/{}", answer.id()), &json!({"name": "x"})).await;
    assert_eq!(
        (edited.problem(), &edited.json["currentState"]),
        ((409, "token_not_active"), &json!("revoked"))
    );
}

#[tokio::test]
async fn a_token_past_its_expiry_date_takes_no_step() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let answer = created(&area, &ana, &json!({"expiresAt": "2025-03-01T12:10:00Z"})).await;
    area.clock.advance(Duration::from_mins(10));
    assert_eq!(area.whoami(value(&answer)).await.problem(), (401, "token_expired"));
    assert_eq!(ana.get(&format!("/tokens/{}", answer.id())).await.json["state"], "expired");
    for step in ["disable", "enable", "rotate", "revoke"] {
        let refused = ana.act(&format!("/tokens/{}/{step}", answer.id())).await;
        assert_eq!(
            (refused.problem(), &refused.json["currentState"]),
            ((409, "token_not_active"), &json!("expired"))
        );
    }
}

#[tokio::test]
async fn without_api_access_tokens_are_neither_created_nor_edited_nor_rotated_but_can_be_stopped() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let answer = created(&area, &ana, &json!({})).await;
    let path = format!("/tokens/{}", answer.id());
    area.set_api_access(area.acme, false).await;
    let creation = ana.post("/tokens", &wanted(&area, &json!({}))).await;
    assert_eq!((creation.problem(), creation.field().0), ((409, "api_access_off"), "primaryAccountId"));
    let named = json!({"primaryAccountId": area.beta, "accountIds": [area.acme]});
    let creation = ana.post("/tokens", &wanted(&area, &named)).await;
    assert_eq!((creation.problem(), creation.field().0), ((409, "api_access_off"), "accountIds[0]"));
    assert_eq!(ana.patch(&path, &json!({"name": "x"})).await.problem(), (409, "api_access_off"));
    assert_eq!(ana.act(&format!("{path}/rotate")).await.problem(), (409, "api_access_off"));
    area.whoami(value(&answer)).await.ok(200);
    for step in ["disable", "enable", "revoke"] {
        ana.act(&format!("{path}/{step}")).await.ok(200);
    }
}
