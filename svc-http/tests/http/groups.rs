//! Groups of companies, changed in the client area (specification, domain part 2.2).

use http::Method;
use serde_json::{Value, json};

use crate::client_area::{Browser, ClientAreaApp};

async fn created(area: &ClientAreaApp, browser: &Browser) -> String {
    let body = json!({"name": "Holding", "parentAccountId": area.acme});
    format!("/groups/{}", browser.post("/groups", &body).await.ok(201).id())
}

fn members(group: &Value) -> Vec<&str> {
    group["members"].as_array().unwrap().iter().map(|member| member["accountId"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_group_is_created_renamed_and_dissolved() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let body = json!({"name": " Holding ", "parentAccountId": area.acme});
    let group = ana.post("/groups", &body).await.ok(201);
    let expected = json!({
        "id": group.id(), "object": "group", "version": 1, "name": "Holding", "parentAccountId": area.acme,
        "members": [{"accountId": area.acme, "ownershipPercent": null, "since": "2025-03-01T12:00:00.123Z"}],
        "createdAt": "2025-03-01T12:00:00.123Z", "updatedAt": "2025-03-01T12:00:00.123Z",
    });
    assert_eq!(group.json, expected);
    let path = format!("/groups/{}", group.id());
    assert_eq!(group.header("location"), format!("/api/v1{path}"));
    let renamed = ana.patch(&path, &json!({"name": "Acme Group"})).await.ok(200);
    assert_eq!((&renamed.json["name"], renamed.header("etag")), (&json!("Acme Group"), "\"2\""));
    let stale = ana.send(Method::DELETE, &path, &[("if-match", "\"1\"")], "").await;
    assert_eq!(stale.problem(), (412, "version_conflict"));
    ana.delete(&path).await.ok(204);
    assert_eq!(ana.delete(&path).await.problem(), (404, "not_found"));
    created(&area, &ana).await;
}

#[tokio::test]
async fn a_token_of_the_group_gains_and_loses_a_company_at_once() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let path = created(&area, &ana).await;
    let group = path.strip_prefix("/groups/").unwrap();
    let body = json!({
        "name": "Shop", "permissions": ["read"], "primaryAccountId": area.acme, "groupIds": [group],
    });
    let token = ana.post("/tokens", &body).await.ok(201);
    assert_eq!(token.json["groupIds"], json!([group]));
    let token = token.json["value"].as_str().unwrap();
    let reached = async || area.whoami(token).await.ok(200).json["companies"].as_array().unwrap().len();
    assert_eq!(reached().await, 1);
    let joined = json!({"accountId": area.beta, "ownershipPercent": "51.50"});
    let joined = ana.post(&format!("{path}/members"), &joined).await.ok(200);
    assert_eq!(members(&joined.json), [area.acme.to_string(), area.beta.to_string()]);
    assert_eq!(
        (&joined.json["members"][1]["ownershipPercent"], &joined.json["version"]),
        (&json!("51.5"), &json!(2))
    );
    assert_eq!(reached().await, 2);
    ana.delete(&format!("{path}/members/{}", area.beta)).await.ok(204);
    assert_eq!(reached().await, 1);
    ana.post(&format!("{path}/members"), &json!({"accountId": area.beta})).await.ok(200);
    assert_eq!(reached().await, 2);
    ana.delete(&path).await.ok(204);
    assert_eq!(reached().await, 1);
}

#[tokio::test]
async fn what_cannot_be_done_to_a_group_is_refused_with_its_reason() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let path = created(&area, &ana).await;
    let into = format!("{path}/members");
    for (body, status, code, field) in [
        (json!({"name": "", "parentAccountId": area.beta}), 422, "validation_failed", "name"),
        (json!({"name": "X", "parentAccountId": area.gamma}), 422, "unknown_reference", "parentAccountId"),
        (json!({"name": "X", "parentAccountId": area.acme}), 409, "account_in_group", "parentAccountId"),
        (json!({"name": "X"}), 422, "validation_failed", "parentAccountId"),
    ] {
        let refused = ana.post("/groups", &body).await;
        assert_eq!((refused.problem(), refused.field().0), ((status, code), field), "{body}");
    }
    for (body, status, code, field) in [
        (json!({"accountId": area.gamma}), 422, "unknown_reference", "accountId"),
        (json!({"accountId": area.acme}), 409, "account_in_group", "accountId"),
        (
            json!({"accountId": area.beta, "ownershipPercent": "101"}),
            422,
            "validation_failed",
            "ownershipPercent",
        ),
    ] {
        let refused = ana.post(&into, &body).await;
        assert_eq!((refused.problem(), refused.field().0), ((status, code), field), "{body}");
    }
    let fixed = ana.patch(&path, &json!({"parentAccountId": area.beta})).await;
    assert_eq!((fixed.problem(), fixed.field().0), ((422, "fixed_at_creation"), "parentAccountId"));
    let beta = json!({"accountId": area.beta});
    let stale = ana.post_with(&into, &[("if-match", "\"7\"")], &beta).await;
    assert_eq!(stale.problem(), (412, "version_conflict"));
    let absent = ana.delete(&format!("{into}/{}", area.beta)).await;
    assert_eq!(absent.problem(), (404, "not_found"));
    ana.post(&into, &json!({"accountId": area.beta})).await.ok(200);
    let parent = ana.delete(&format!("{into}/{}", area.acme)).await;
    assert_eq!(parent.problem(), (409, "parent_account_stays"));
}

#[tokio::test]
async fn strangers_do_not_know_a_group_and_members_without_its_top_do_not_decide() {
    let area = ClientAreaApp::new().await;
    let [ana, ben, dora] = [area.browser("ana").await, area.browser("ben").await, area.browser("dora").await];
    let body = json!({"name": "Beta Group", "parentAccountId": area.beta});
    let path = format!("/groups/{}", ana.post("/groups", &body).await.ok(201).id());
    ana.post(&format!("{path}/members"), &json!({"accountId": area.acme})).await.ok(200);
    let rename = json!({"name": "Mine"});
    assert_eq!(dora.patch(&path, &rename).await.problem(), (404, "not_found"));
    assert_eq!(dora.delete(&path).await.problem(), (404, "not_found"));
    let join = dora.post(&format!("{path}/members"), &json!({"accountId": area.gamma})).await;
    assert_eq!(join.problem(), (404, "not_found"));
    // Ben administers Acme, which is in the group, but not Beta, which is at its top.
    assert_eq!(ben.patch(&path, &rename).await.problem(), (403, "role_required"));
    assert_eq!(ben.delete(&path).await.problem(), (403, "role_required"));
    assert_eq!(ben.delete(&format!("{path}/members/{}", area.beta)).await.problem(), (403, "role_required"));
    // His own company may go.
    ben.delete(&format!("{path}/members/{}", area.acme)).await.ok(204);
    assert_eq!(ben.patch(&path, &rename).await.problem(), (404, "not_found"));
}

#[tokio::test]
async fn a_companys_place_in_a_group_is_shown_to_those_who_administer_it_only() {
    let area = ClientAreaApp::new().await;
    let [ana, ben] = [area.browser("ana").await, area.browser("ben").await];
    let path = created(&area, &ana).await;
    ana.post(&format!("{path}/members"), &json!({"accountId": area.beta})).await.ok(200);
    let seen = ben.patch(&path, &json!({"name": "Acme Group"})).await.ok(200);
    assert_eq!(members(&seen.json), [area.acme.to_string()]);
    assert!(!seen.text.contains(&area.beta.to_string()));
}
