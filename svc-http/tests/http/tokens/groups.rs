//! Tokens that name whole groups.

use serde_json::{Value, json};
use svc_business::group::{self, AddRequest};
use svc_business::membership;
use svc_core::id::GroupId;
use svc_core::role::Role;
use svc_testkit::business::{sample, verbs};

use super::{created, value, wanted};
use crate::client_area::{Browser, ClientAreaApp, user};

/// A group with Beta at its top and Acme and Gamma below; Gamma is Dora's alone.
async fn family(area: &ClientAreaApp, ana: &Browser) -> String {
    let body = json!({"name": "Beta Group", "parentAccountId": area.beta});
    let id = ana.post("/groups", &body).await.ok(201).id();
    let scope = sample::everything();
    let unit = area.database.business().begin().await.unwrap();
    for account in [area.acme, area.gamma] {
        let request = AddRequest { group: id.parse::<GroupId>().unwrap(), account, ownership_percent: None };
        group::add(unit.as_ref(), area.call(&scope), request).await.unwrap();
    }
    unit.commit().await.unwrap();
    id
}

/// Makes Dora a holder of Beta as well, and ends Ana's membership there.
async fn hand_over_beta(area: &ClientAreaApp) {
    let scope = sample::everything();
    let unit = area.database.business().begin().await.unwrap();
    let (beta, call) = (area.beta, area.call(&scope));
    membership::add(unit.as_ref(), call, Role::Holder, beta, user("dora"), Role::Holder).await.unwrap();
    verbs::end_membership(unit.as_ref(), call, Role::Holder, (beta, user("ana")), None).await.unwrap();
    unit.commit().await.unwrap();
    area.clock.advance(std::time::Duration::from_secs(61));
}

async fn reached(area: &ClientAreaApp, token: &str) -> Vec<Value> {
    let answer = area.whoami(token).await.ok(200);
    answer.json["companies"].as_array().unwrap().iter().map(|company| company["id"].clone()).collect()
}

#[tokio::test]
async fn a_subsidiary_names_no_group_and_its_parent_company_does() {
    let area = ClientAreaApp::new().await;
    let [ana, ben] = [area.browser("ana").await, area.browser("ben").await];
    let group = family(&area, &ana).await;
    let whole = json!({"groupIds": [group]});
    // Ben administers Acme, which is in the group; Gamma and Beta are strangers to him.
    let refused = ben.post("/tokens", &wanted(&area, &whole)).await;
    assert_eq!(refused.problem(), (422, "unknown_reference"));
    assert_eq!(refused.field(), ("groupIds[0]", "unknown_reference"));
    let message = refused.json["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains("parent company") && message.contains("accountIds"), "{message}");

    let token = created(&area, &ana, &whole).await;
    let all = [area.acme, area.beta, area.gamma].map(|company| json!(company));
    assert_eq!(reached(&area, value(&token)).await, all);
    // He stops what reaches further than he does, and learns nothing of it.
    let path = format!("/tokens/{}", token.id());
    let refused = ben.act(&format!("{path}/rotate")).await;
    assert_eq!(refused.problem(), (403, "not_administered"));
    ben.act(&format!("{path}/disable")).await.ok(200);
}

#[tokio::test]
async fn with_the_role_in_the_parent_company_goes_what_the_creator_does_not_hold() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let whole = json!({"groupIds": [family(&area, &ana).await], "permissions": ["full"]});
    let token = created(&area, &ana, &whole).await;
    let bearer = format!("Bearer {}", value(&token));
    let body = json!({"legalName": "Delta", "legalForm": "sl", "parentAccountId": area.gamma}).to_string();
    let made =
        area.send(http::Method::POST, "/accounts", &[("authorization", &bearer)], &body).await.ok(201).id();
    assert_eq!(reached(&area, value(&token)).await.len(), 4);

    hand_over_beta(&area).await;
    // Ana holds the subsidiary that her token made: it stays, and is no tie to the rest of the group.
    assert_eq!(reached(&area, value(&token)).await, [json!(area.acme), json!(made)]);
    let refused = ana.post("/tokens", &wanted(&area, &whole)).await;
    assert_eq!(refused.field(), ("groupIds[0]", "unknown_reference"));
    created(&area, &ana, &json!({"accountIds": [made]})).await;
}

#[tokio::test]
async fn the_log_of_the_parent_company_tells_its_administrators_of_the_token() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let token = created(&area, &ana, &json!({"groupIds": [family(&area, &ana).await]})).await;
    ana.act(&format!("/tokens/{}/disable", token.id())).await.ok(200);
    hand_over_beta(&area).await;
    let dora = area.browser("dora").await;
    let told = async |company| -> Vec<Value> {
        let log = dora.get(&format!("/audit-log?companyId={company}")).await.ok(200);
        let entries = log.json["items"].as_array().unwrap().clone();
        let of_token = entries.into_iter().filter(|entry| entry["subject"] == json!(token.id()));
        of_token.map(|entry| entry["action"].clone()).collect()
    };
    assert_eq!(told(area.beta).await, ["token.disable", "token.create"]);
    assert_eq!(told(area.gamma).await, [Value::Null; 0]);
}

#[tokio::test]
async fn no_token_is_made_that_reaches_a_company_without_api_access_through_its_group() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let whole = json!({"groupIds": [family(&area, &ana).await]});
    let token = created(&area, &ana, &whole).await;
    area.set_api_access(area.gamma, false).await;

    let refused = ana.post("/tokens", &wanted(&area, &whole)).await;
    assert_eq!(refused.problem(), (409, "api_access_off"));
    assert_eq!(refused.field(), ("groupIds", "api_access_off"));
    let message = refused.json["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains(&area.gamma.to_string()) && message.contains("leave out"), "{message}");
    let path = format!("/tokens/{}", token.id());
    let edited = ana.patch(&path, &json!({"name": "Other"})).await;
    for refused in [&refused, &edited, &ana.act(&format!("{path}/rotate")).await] {
        assert_eq!(refused.problem(), (409, "api_access_off"));
        let detail = refused.json["detail"].as_str().unwrap();
        assert!(detail.contains(&area.gamma.to_string()), "{detail}");
        assert!(detail.contains("can be switched off and revoked"), "{detail}");
    }
    assert_eq!(reached(&area, value(&token)).await.len(), 3, "the one that is there goes on");
    assert_eq!(ana.get("/tokens").await.json["total"], 1);
    ana.act(&format!("{path}/disable")).await.ok(200);
    ana.act(&format!("{path}/revoke")).await.ok(200);
}

#[tokio::test]
async fn a_token_makes_a_subsidiary_where_it_reaches_it_afterwards_and_nowhere_else() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let group = family(&area, &ana).await;
    let create = async |changes: &Value, parent: svc_core::id::AccountId| {
        let token = created(&area, &ana, changes).await;
        let bearer = format!("Bearer {}", value(&token));
        let body = json!({"legalName": "Delta", "legalForm": "sl", "parentAccountId": parent}).to_string();
        (area.send(http::Method::POST, "/accounts", &[("authorization", &bearer)], &body).await, bearer)
    };
    let whole = json!({"groupIds": [group], "permissions": ["full"]});
    let (answer, bearer) = create(&whole, area.beta).await;
    let made = answer.ok(201);
    let path = made.header("location").strip_prefix("/api/v1").unwrap().to_owned();
    let read = area.send(http::Method::GET, &path, &[("authorization", &bearer)], "").await.ok(200);
    assert_eq!((read.id(), read.header("etag")), (made.id(), made.header("etag")));

    let single = json!({"accountIds": [area.beta], "permissions": ["full"]});
    let (refused, bearer) = create(&single, area.beta).await;
    assert_eq!(refused.problem(), (403, "subsidiary_out_of_reach"));
    assert_eq!(refused.field().0, "parentAccountId");
    let group =
        area.send(http::Method::GET, &format!("/groups/{group}"), &[("authorization", &bearer)], "").await;
    assert_eq!(group.ok(200).header("etag"), "\"4\"", "nothing joined it");
}
