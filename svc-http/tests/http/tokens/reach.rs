//! Whose tokens they are.

use std::time::Duration;

use serde_json::json;

use super::{created, wanted};
use crate::client_area::ClientAreaApp;

#[tokio::test]
async fn an_administrator_stops_a_token_that_reaches_further_but_cannot_take_it_over() {
    let area = ClientAreaApp::new().await;
    let [ana, ben] = [area.browser("ana").await, area.browser("ben").await];
    let answer = created(&area, &ana, &json!({"accountIds": [area.beta]})).await;
    let path = format!("/tokens/{}", answer.id());
    ben.get(&path).await.ok(200);
    assert_eq!(
        ben.patch(&path, &json!({"permissions": ["full"]})).await.problem(),
        (403, "not_administered")
    );
    assert_eq!(ben.act(&format!("{path}/rotate")).await.problem(), (403, "not_administered"));
    for step in ["disable", "enable"] {
        ben.act(&format!("{path}/{step}")).await.ok(200);
    }
    ana.act(&format!("{path}/rotate")).await.ok(200);
    ben.act(&format!("{path}/revoke")).await.ok(200);
}

#[tokio::test]
async fn tokens_of_other_companies_are_unknown() {
    let area = ClientAreaApp::new().await;
    let [ana, dora] = [area.browser("ana").await, area.browser("dora").await];
    let id = created(&area, &ana, &json!({})).await.id();
    let one = format!("/tokens/{id}");
    assert_eq!(dora.get(&one).await.problem(), (404, "not_found"));
    assert_eq!(dora.patch(&one, &json!({"name": "x"})).await.problem(), (404, "not_found"));
    for step in ["disable", "enable", "rotate", "revoke"] {
        assert_eq!(dora.act(&format!("{one}/{step}")).await.problem(), (404, "not_found"), "{step}");
    }
    assert_eq!(dora.get("/tokens").await.json["total"], 0);
    assert_eq!(ana.get("/tokens/tok_7zzzzzzzzzzzzzzzzzzzzzzzzz").await.problem(), (404, "not_found"));
    assert_eq!(ana.get("/tokens/junk").await.problem(), (404, "not_found"));
    assert_eq!(ana.get(&one).await.json["version"], 1);
}

#[tokio::test]
async fn the_list_takes_companies_that_the_person_administers() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    for (name, company) in [("A", area.acme), ("B", area.beta), ("C", area.acme)] {
        created(&area, &ana, &json!({"name": name, "primaryAccountId": company})).await;
        area.clock.advance(Duration::from_secs(1));
    }
    let names = async |query: &str| -> Vec<String> {
        let list = ana.get(&format!("/tokens{query}")).await.ok(200);
        list.json["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let [acme, beta] = [area.acme, area.beta];
    assert_eq!(names("").await, ["A", "B", "C"]);
    assert_eq!(names("?companyId=all").await, ["A", "B", "C"]);
    assert_eq!(names(&format!("?companyId={acme}")).await, ["A", "C"]);
    assert_eq!(names(&format!("?companyId={acme},%20{beta}")).await, ["A", "B", "C"]);
    let page = ana.get("/tokens?page=2&limit=2").await.ok(200);
    assert_eq!((&page.json["hasMore"], &page.json["items"][0]["name"]), (&json!(false), &json!("C")));
    for query in [format!("?companyId={}", area.gamma), format!("?companyId={acme},x")] {
        assert_eq!(ana.get(&format!("/tokens{query}")).await.problem(), (404, "not_found"), "{query}");
    }
    assert_eq!(ana.get("/tokens?state=active").await.problem(), (400, "invalid_parameter"));
}

#[tokio::test]
async fn a_member_who_administers_another_company_is_no_administrator_here() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    // Dora, who holds Gamma, becomes an employee of Acme.
    area.join(&ana, area.acme, "dora", "employee").await;
    let dora = area.browser("dora").await;
    let query = format!("/tokens?companyId={}", area.acme);
    assert_eq!(dora.get(&query).await.problem(), (403, "role_required"));
    let refused = dora.post("/tokens", &wanted(&area, &json!({}))).await;
    assert_eq!((refused.problem(), refused.field().0), ((422, "unknown_reference"), "primaryAccountId"));
    let id = created(&area, &ana, &json!({})).await.id();
    assert_eq!(dora.get(&format!("/tokens/{id}")).await.problem(), (404, "not_found"));
}
