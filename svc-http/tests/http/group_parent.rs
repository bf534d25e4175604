//! The company at the top of a group decides about it, and no other one takes its place unseen.

use http::Method;
use serde_json::{Value, json};
use svc_business::account::{AccountInput, LegalForm};
use svc_business::founding::create_subsidiary;
use svc_business::group::{self, AddRequest};
use svc_core::id::{AccountId, GroupId};
use svc_core::patch::Patch;
use svc_testkit::business::sample;
use svc_testkit::business::verbs;

use crate::client_area::{Browser, ClientAreaApp, user};

/// A group with Beta at its top, and Gamma, which is Dora's alone, below it.
async fn with_gamma(area: &ClientAreaApp, ana: &Browser) -> GroupId {
    let body = json!({"name": "Beta Group", "parentAccountId": area.beta});
    let id: GroupId = ana.post("/groups", &body).await.ok(201).id().parse().unwrap();
    let scope = sample::everything();
    let unit = area.database.business().begin().await.unwrap();
    let request = AddRequest { group: id, account: area.gamma, ownership_percent: None };
    group::add(unit.as_ref(), area.call(&scope), request).await.unwrap();
    unit.commit().await.unwrap();
    id
}

/// The headers of a new token that may do everything.
async fn bearer(browser: &Browser, companies: &[AccountId]) -> String {
    let [primary, others @ ..] = companies else { panic!("a token has a primary account") };
    let body = json!({
        "name": "Shop", "permissions": ["full"], "primaryAccountId": primary, "accountIds": others,
    });
    format!("Bearer {}", browser.post("/tokens", &body).await.ok(201).json["value"].as_str().unwrap())
}

/// A company below Gamma, which Dora holds.
async fn subsidiary_of_gamma(area: &ClientAreaApp) -> AccountId {
    let input = AccountInput {
        legal_name: Patch::Value("Delta".to_owned()),
        legal_form: Patch::Value(LegalForm::Sl),
        parent: Patch::Value(area.gamma),
        ..AccountInput::default()
    };
    let scope = sample::everything();
    let unit = area.database.business().begin().await.unwrap();
    let made = create_subsidiary(unit.as_ref(), area.call(&scope), input, user("dora")).await.unwrap();
    unit.commit().await.unwrap();
    made.id
}

#[tokio::test]
async fn a_subsidiary_does_not_leave_its_place_below_the_parent_and_stay_in_the_group() {
    let area = ClientAreaApp::new().await;
    let [ana, dora] = [area.browser("ana").await, area.browser("dora").await];
    let group = with_gamma(&area, &ana).await;
    let bearer = bearer(&dora, &[area.gamma]).await;
    let path = format!("/accounts/{}", area.gamma);
    let body = json!({"parentAccountId": null}).to_string();
    let refused = area.send(Method::PATCH, &path, &[("authorization", &bearer)], &body).await;
    assert_eq!(refused.problem(), (422, "validation_failed"));
    assert_eq!(refused.field(), ("parentAccountId", "required"));
    let message = refused.json["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains(&format!("DELETE /groups/{group}/members/")), "{message}");
    // What it says helps.
    dora.delete(&format!("/groups/{group}/members/{}", area.gamma)).await.ok(204);
    let alone = area.send(Method::GET, &path, &[("authorization", &bearer)], "").await.ok(200);
    assert_eq!((&alone.json["groupId"], &alone.json["parentAccountId"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn a_groups_parent_is_not_merged_away_and_hands_the_group_to_no_other_company() {
    let area = ClientAreaApp::new().await;
    let [ana, dora] = [area.browser("ana").await, area.browser("dora").await];
    let group = with_gamma(&area, &ana).await;
    let bearer = bearer(&ana, &[area.acme, area.beta]).await;
    let merge = async || {
        let body = json!({"mergedId": area.beta}).to_string();
        let path = format!("/accounts/{}/merge", area.acme);
        area.send(Method::POST, &path, &[("authorization", &bearer)], &body).await
    };
    assert_eq!(merge().await.problem(), (409, "active_subsidiary"));
    let scope = sample::everything();
    let unit = area.database.business().begin().await.unwrap();
    let (gamma, call) = (area.gamma, area.call(&scope));
    verbs::deactivate_account(unit.as_ref(), call, gamma, None, area.acme).await.unwrap();
    unit.commit().await.unwrap();
    assert_eq!(merge().await.problem(), (409, "parent_account_stays"));
    let own = json!({
        "name": "Mine", "permissions": ["read"], "primaryAccountId": area.gamma, "groupIds": [group],
    });
    assert_eq!(dora.post("/tokens", &own).await.field(), ("groupIds[0]", "unknown_reference"));
    dora.delete(&format!("/groups/{group}/members/{gamma}")).await.ok(204);
    merge().await.ok(200);
    assert_eq!(ana.delete(&format!("/groups/{group}")).await.problem(), (404, "not_found"));
}

#[tokio::test]
async fn who_administers_the_parent_reads_of_a_subsidiary_that_joined_without_them() {
    let area = ClientAreaApp::new().await;
    let [ana, dora] = [area.browser("ana").await, area.browser("dora").await];
    let group = with_gamma(&area, &ana).await;
    let delta = subsidiary_of_gamma(&area).await.to_string();
    ana.patch(&format!("/groups/{group}"), &json!({"name": "New"})).await.ok(200);
    let told = async |browser: &Browser, company: &str| -> Vec<(Value, Value)> {
        let log = browser.get(&format!("/audit-log?companyId={company}&subject={group}")).await.ok(200);
        let entries = log.json["items"].as_array().unwrap().clone();
        let company = |entry: &Value| entry["after"]["accountId"].clone();
        entries.iter().map(|entry| (entry["action"].clone(), company(entry))).collect()
    };
    let [beta, gamma] = [area.beta.to_string(), area.gamma.to_string()];
    let entry = |action: &str, company: &str| (json!(action), json!(company));
    let expected = [
        entry("group.update", &beta),
        entry("group.join", &delta),
        entry("group.join", &gamma),
        entry("group.join", &beta),
    ];
    assert_eq!(told(&ana, &beta).await, expected);
    let expected = [entry("group.update", &gamma), entry("group.join", &gamma)];
    assert_eq!(told(&dora, &gamma).await, expected);
    let expected = [entry("group.update", &delta), entry("group.join", &delta)];
    assert_eq!(told(&dora, &delta).await, expected);
}
