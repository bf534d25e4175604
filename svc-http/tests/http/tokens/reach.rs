//! Whose tokens they are.

use std::time::Duration;

use serde_json::json;

use super::{created, wanted};
use crate::office::Office;

#[tokio::test]
async fn an_administrator_stops_a_token_that_reaches_further_but_cannot_take_it_over() {
    let office = Office::new().await;
    let [ana, ben] = [office.browser("ana").await, office.browser("ben").await];
    let answer = created(&office, &ana, &json!({"accountIds": [office.beta]})).await;
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
    let office = Office::new().await;
    let [ana, dora] = [office.browser("ana").await, office.browser("dora").await];
    let id = created(&office, &ana, &json!({})).await.id();
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
    let office = Office::new().await;
    let ana = office.browser("ana").await;
    for (name, company) in [("A", office.acme), ("B", office.beta), ("C", office.acme)] {
        created(&office, &ana, &json!({"name": name, "primaryAccountId": company})).await;
        office.clock.advance(Duration::from_secs(1));
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
    let [acme, beta] = [office.acme, office.beta];
    assert_eq!(names("").await, ["A", "B", "C"]);
    assert_eq!(names("?companyId=all").await, ["A", "B", "C"]);
    assert_eq!(names(&format!("?companyId={acme}")).await, ["A", "C"]);
    assert_eq!(names(&format!("?companyId={acme},%20{beta}")).await, ["A", "B", "C"]);
    let page = ana.get("/tokens?page=2&limit=2").await.ok(200);
    assert_eq!((&page.json["hasMore"], &page.json["items"][0]["name"]), (&json!(false), &json!("C")));
    for query in [format!("?companyId={}", office.gamma), format!("?companyId={acme},x")] {
        assert_eq!(ana.get(&format!("/tokens{query}")).await.problem(), (404, "not_found"), "{query}");
    }
    assert_eq!(ana.get("/tokens?state=active").await.problem(), (400, "invalid_parameter"));
}

#[tokio::test]
async fn a_member_who_administers_another_company_is_no_administrator_here() {
    let office = Office::new().await;
    let ana = office.browser("ana").await;
    // Dora, who holds Gamma, becomes an employee of Acme.
    office.join(&ana, office.acme, "dora", "employee").await;
    let dora = office.browser("dora").await;
    let query = format!("/tokens?companyId={}", office.acme);
    assert_eq!(dora.get(&query).await.problem(), (403, "role_required"));
    let refused = dora.post("/tokens", &wanted(&office, &json!({}))).await;
    assert_eq!((refused.problem(), refused.field().0), ((422, "unknown_reference"), "primaryAccountId"));
    let id = created(&office, &ana, &json!({})).await.id();
    assert_eq!(dora.get(&format!("/tokens/{id}")).await.problem(), (404, "not_found"));
}
