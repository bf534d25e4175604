//! Tokens that name whole groups.

use serde_json::{Value, json};
use svc_business::group::{self, AddRequest};
use svc_business::membership;
use svc_core::id::GroupId;
use svc_core::role::Role;
use svc_testkit::business::sample;

use super::{created, value, wanted};
use crate::office::{Browser, Office, user};

/// A group with Beta at its top and Acme and Gamma below; Gamma is Dora's alone.
async fn family(office: &Office, ana: &Browser) -> String {
    let body = json!({"name": "Beta Group", "parentAccountId": office.beta});
    let id = ana.post("/groups", &body).await.ok(201).id();
    let scope = sample::everything();
    let unit = office.database.business().begin().await.unwrap();
    for account in [office.acme, office.gamma] {
        let request = AddRequest { group: id.parse::<GroupId>().unwrap(), account, ownership_percent: None };
        group::add(unit.as_ref(), office.call(&scope), request).await.unwrap();
    }
    unit.commit().await.unwrap();
    id
}

/// Makes Dora a holder of Beta as well, and Ana nobody there.
async fn hand_over_beta(office: &Office) {
    let scope = sample::everything();
    let unit = office.database.business().begin().await.unwrap();
    let (beta, call) = (office.beta, office.call(&scope));
    membership::add(unit.as_ref(), call, Role::Holder, beta, user("dora"), Role::Holder).await.unwrap();
    membership::end(unit.as_ref(), call, Role::Holder, beta, user("ana"), None).await.unwrap();
    unit.commit().await.unwrap();
    office.clock.advance(std::time::Duration::from_secs(61));
}

async fn reached(office: &Office, token: &str) -> Vec<Value> {
    let answer = office.whoami(token).await.ok(200);
    answer.json["companies"].as_array().unwrap().iter().map(|company| company["id"].clone()).collect()
}

#[tokio::test]
async fn a_subsidiary_names_no_group_and_its_parent_company_does() {
    let office = Office::new().await;
    let [ana, ben] = [office.browser("ana").await, office.browser("ben").await];
    let group = family(&office, &ana).await;
    let whole = json!({"groupIds": [group]});
    // Ben administers Acme, which is in the group; Gamma and Beta are strangers to him.
    let refused = ben.post("/tokens", &wanted(&office, &whole)).await;
    assert_eq!(refused.problem(), (422, "unknown_reference"));
    assert_eq!(refused.field(), ("groupIds[0]", "unknown_reference"));
    let message = refused.json["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains("parent company") && message.contains("accountIds"), "{message}");

    let token = created(&office, &ana, &whole).await;
    let all = [office.acme, office.beta, office.gamma].map(|company| json!(company));
    assert_eq!(reached(&office, value(&token)).await, all);
    // He stops what reaches further than he does, and learns nothing of it.
    let path = format!("/tokens/{}", token.id());
    let refused = ben.act(&format!("{path}/rotate")).await;
    assert_eq!(refused.problem(), (403, "not_administered"));
    ben.act(&format!("{path}/disable")).await.ok(200);
}

#[tokio::test]
async fn the_group_goes_with_the_role_in_its_parent_company_although_the_token_made_a_subsidiary() {
    let office = Office::new().await;
    let ana = office.browser("ana").await;
    let whole = json!({"groupIds": [family(&office, &ana).await], "permissions": ["full"]});
    let token = created(&office, &ana, &whole).await;
    let bearer = format!("Bearer {}", value(&token));
    let body = json!({"legalName": "Delta", "legalForm": "sl", "parentAccountId": office.gamma}).to_string();
    let made =
        office.send(http::Method::POST, "/accounts", &[("authorization", &bearer)], &body).await.ok(201).id();
    assert_eq!(reached(&office, value(&token)).await.len(), 4);

    hand_over_beta(&office).await;
    assert_eq!(reached(&office, value(&token)).await, [json!(office.acme)]);
    // Ana holds the subsidiary that her token made: that is no tie to the rest of the group.
    let refused = ana.post("/tokens", &wanted(&office, &whole)).await;
    assert_eq!(refused.field(), ("groupIds[0]", "unknown_reference"));
    created(&office, &ana, &json!({"accountIds": [made]})).await;
}

#[tokio::test]
async fn the_log_of_the_parent_company_tells_its_administrators_of_the_token() {
    let office = Office::new().await;
    let ana = office.browser("ana").await;
    let token = created(&office, &ana, &json!({"groupIds": [family(&office, &ana).await]})).await;
    ana.act(&format!("/tokens/{}/disable", token.id())).await.ok(200);
    hand_over_beta(&office).await;
    let dora = office.browser("dora").await;
    let told = async |company| -> Vec<Value> {
        let log = dora.get(&format!("/audit-log?companyId={company}")).await.ok(200);
        let entries = log.json["items"].as_array().unwrap().clone();
        let of_token = entries.into_iter().filter(|entry| entry["subject"] == json!(token.id()));
        of_token.map(|entry| entry["action"].clone()).collect()
    };
    assert_eq!(told(office.beta).await, ["token.disable", "token.create"]);
    assert_eq!(told(office.gamma).await, [Value::Null; 0]);
}

#[tokio::test]
async fn no_token_is_made_that_reaches_a_company_without_api_access_through_its_group() {
    let office = Office::new().await;
    let ana = office.browser("ana").await;
    let whole = json!({"groupIds": [family(&office, &ana).await]});
    let token = created(&office, &ana, &whole).await;
    office.set_api_access(office.gamma, false).await;

    let refused = ana.post("/tokens", &wanted(&office, &whole)).await;
    assert_eq!(refused.problem(), (409, "api_access_off"));
    assert_eq!(refused.field(), ("groupIds", "api_access_off"));
    let message = refused.json["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains(&office.gamma.to_string()) && message.contains("leave out"), "{message}");
    let path = format!("/tokens/{}", token.id());
    let edited = ana.patch(&path, &json!({"name": "Other"})).await;
    for refused in [&refused, &edited, &ana.act(&format!("{path}/rotate")).await] {
        assert_eq!(refused.problem(), (409, "api_access_off"));
        let detail = refused.json["detail"].as_str().unwrap();
        assert!(detail.contains(&office.gamma.to_string()), "{detail}");
        assert!(detail.contains("can be switched off and revoked"), "{detail}");
    }
    assert_eq!(reached(&office, value(&token)).await.len(), 3, "the one that is there goes on");
    assert_eq!(ana.get("/tokens").await.json["total"], 1);
    ana.act(&format!("{path}/disable")).await.ok(200);
    ana.act(&format!("{path}/revoke")).await.ok(200);
}
