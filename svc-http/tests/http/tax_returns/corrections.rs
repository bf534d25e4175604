//! Returns that were filed: what corrects them, and what they hold in the books until they are refused.

use serde_json::{Value, json};

use super::{RETURNS, made, value, with_february};
use crate::books::{act, at, with_books};
use crate::test_app::Want;

#[tokio::test]
async fn a_filed_return_is_corrected_by_another_one() {
    let (app, client, path) = with_february(Want::default()).await;
    client.post(&format!("{path}/prepare"), &json!({})).await.ok(200);
    client.post(&format!("{path}/submit"), &json!({"channel": "manual"})).await.ok(200);
    let corrects = path.trim_start_matches("/tax/returns/");
    let new =
        json!({"model": "303", "year": 2025, "period": "02", "kind": "rectifying", "correctsId": corrects});
    let second = client.post(RETURNS, &new).await.ok(201);
    assert_eq!((&second.json["correctsId"], &second.json["status"]), (&json!(corrects), &json!("pending")));
    let second = format!("{RETURNS}/{}", second.id());
    let prepared = client.post(&format!("{second}/prepare"), &json!({})).await.ok(200).json;
    assert_eq!(value(&prepared, "71"), "189.00");
    // Drafts of a settlement are the company's own to post.
    let entry = client.get(&path).await.ok(200).json["settlementEntryId"].clone();
    let entry = at(&app, &format!("/journal-entries/{}", entry.as_str().expect("a draft")));
    assert_eq!(client.get(&entry).await.ok(200).json["status"], "draft");
}

#[tokio::test]
async fn a_correction_settles_what_it_changes() {
    let (app, client, path) = with_february(Want::default()).await;
    client.patch(&at(&app, ""), &[], &json!({"automation": {"taxSettlement": "post"}})).await.ok(200);
    let post = async |path: &str, verb: &str, body: Value| {
        client.post(&format!("{path}/{verb}"), &body).await.ok(200)
    };
    let held = async || {
        let mut held = Vec::new();
        for code in ["4770000", "4720000", "4750000"] {
            let path = at(&app, &format!("/accounts?prefix={code}&limit=1"));
            let told = client.get(&path).await.ok(200).json;
            held.push(told["items"][0]["balance"].as_str().expect("a balance").to_owned());
        }
        held
    };
    let lock = async || client.get(&at(&app, "")).await.ok(200).json["taxLockDate"].clone();
    post(&path, "prepare", json!({})).await;
    post(&path, "submit", json!({"channel": "manual"})).await;
    assert_eq!(held().await, ["0.00", "0.00", "-189.00"]);
    let new = json!({"model": "303", "year": 2025, "period": "02", "kind": "rectifying",
        "correctsId": path.trim_start_matches("/tax/returns/")});
    let second = format!("{RETURNS}/{}", client.post(RETURNS, &new).await.ok(201).id());
    let said = json!({"boxes": {"43": "-12.50", "70": "189.00"}});
    client.patch(&second, &[], &said).await.ok(200);
    let prepared = post(&second, "prepare", json!({})).await.json;
    assert_eq!(value(&prepared, "71"), "12.50");
    post(&second, "submit", json!({"channel": "manual"})).await;
    assert_eq!(held().await, ["0.00", "12.50", "-201.50"]);
    // Refused, it leaves what it corrected as it was.
    post(&second, "outcome", json!({"outcome": "rejected"})).await;
    assert_eq!(
        (held().await, lock().await),
        (["0.00", "0.00", "-189.00"].map(str::to_owned).into(), json!("2025-02-28"))
    );
}

#[tokio::test]
async fn books_stay_locked_up_to_the_last_return_that_stays_filed() {
    let (app, client, february) = with_february(Want::default()).await;
    let january = made(&client, "303", "01").await;
    let lock = async || client.get(&at(&app, "")).await.ok(200).json["taxLockDate"].clone();
    for path in [&february, &january] {
        client.post(&format!("{path}/prepare"), &json!({})).await.ok(200);
        client.post(&format!("{path}/submit"), &json!({"channel": "manual"})).await.ok(200);
    }
    assert_eq!(lock().await, "2025-02-28");
    for (path, left) in [(&february, json!("2025-01-31")), (&january, Value::Null)] {
        client.post(&format!("{path}/outcome"), &json!({"outcome": "rejected"})).await.ok(200);
        assert_eq!(lock().await, left);
    }
}

#[tokio::test]
async fn corporate_tax_has_the_rate_of_the_company_unless_a_person_says_another() {
    let (_app, client) = with_books(Want::default()).await;
    client
        .patch("/tax/profile", &[], &json!({"incomeTax": "corporate", "corporateTaxRate": "23"}))
        .await
        .ok(200);
    let refused = client.patch("/tax/profile", &[], &json!({"corporateTaxRate": "23.125"})).await;
    assert_eq!(refused.field(), ("corporateTaxRate", "invalid_rate"));
    let path = made(&client, "200", "0A").await;
    let prepare = async || {
        let body = json!({"allowEarly": true});
        client.post(&format!("{path}/prepare"), &body).await.ok(200).json
    };
    assert_eq!(value(&prepare().await, "00558"), "23.00");
    client.patch(&path, &[], &json!({"boxes": {"00558": "15"}})).await.ok(200);
    assert_eq!(value(&prepare().await, "00558"), "15.00");
    client.patch(&path, &[], &json!({"boxes": {"00558": null}})).await.ok(200);
    assert_eq!(value(&prepare().await, "00558"), "23.00");
}

#[tokio::test]
async fn a_settlement_of_a_locked_period_is_reversed_today() {
    let (app, client, path) = with_february(Want::default()).await;
    let books = async |change: Value| client.patch(&at(&app, ""), &[], &change).await.ok(200);
    let post = async |verb: &str, body: Value| client.post(&format!("{path}/{verb}"), &body).await;
    books(json!({"automation": {"taxSettlement": "post"}})).await;
    post("prepare", json!({})).await.ok(200);
    post("submit", json!({"channel": "manual"})).await.ok(200);
    books(json!({"hardLockDate": "2025-02-28"})).await;
    post("outcome", json!({"outcome": "rejected"})).await.ok(200);
    for (days, left) in
        [("from=2025-02-01&to=2025-02-28", "0.00"), ("from=2025-03-01&to=2025-03-31", "-210.00")]
    {
        let path = at(&app, &format!("/reports/general-ledger?accountCode=4770000&{days}"));
        let account = client.get(&path).await.ok(200).json["accounts"][0].clone();
        assert_eq!(account["closingBalance"], left, "{account}");
    }
    // To settle it again would change the period.
    post("prepare", json!({})).await.ok(200);
    assert_eq!(post("submit", json!({"channel": "manual"})).await.problem(), (409, "period_locked"));
    books(json!({"automation": {"taxSettlement": "off"}})).await;
    post("submit", json!({"channel": "manual"})).await.ok(200);
}

#[tokio::test]
async fn another_rate_of_the_company_makes_a_return_stale_and_leaves_corrections_alone() {
    let (_app, client) = with_books(Want::default()).await;
    let rate = async |rate: &str| {
        let profile = json!({"incomeTax": "corporate", "corporateTaxRate": rate});
        client.patch("/tax/profile", &[], &profile).await.ok(200);
    };
    let post =
        async |path: &str, verb: &str, body: Value| client.post(&format!("{path}/{verb}"), &body).await;
    let early = json!({"allowEarly": true});
    let manual = json!({"channel": "manual"});
    rate("23").await;
    let path = made(&client, "200", "0A").await;
    post(&path, "prepare", early.clone()).await.ok(200);
    rate("15").await;
    assert_eq!(client.get(&path).await.ok(200).json["isStale"], true);
    assert_eq!(post(&path, "submit", manual.clone()).await.problem(), (409, "return_stale"));
    let prepared = post(&path, "prepare", early.clone()).await.ok(200).json;
    assert_eq!((&prepared["isStale"], value(&prepared, "00558")), (&json!(false), "15.00"));
    post(&path, "submit", manual).await.ok(200);
    // What was filed is not prepared again, and what corrects it begins with its rate.
    rate("25").await;
    assert_eq!(client.get(&path).await.ok(200).json["isStale"], false);
    let corrects = path.trim_start_matches("/tax/returns/");
    let new = json!({"model": "200", "year": 2025, "period": "0A", "kind": "complementary", "correctsId": corrects});
    let second = format!("{RETURNS}/{}", client.post(RETURNS, &new).await.ok(201).id());
    let prepared = post(&second, "prepare", early).await.ok(200).json;
    assert_eq!((&prepared["isStale"], value(&prepared, "00558")), (&json!(false), "15.00"));
}

#[tokio::test]
async fn the_tax_year_is_that_of_the_profile_wherever_it_is_declared() {
    let (_app, client) = with_books(Want::default()).await;
    let profile = json!({"incomeTax": "corporate", "territory": "navarra", "fiscalYearEnd": "06-30"});
    let profile = client.patch("/tax/profile", &[], &profile).await.ok(200).json;
    assert_eq!(profile["obligations"], json!([]));
    let new = json!({"model": "200", "year": 2024, "period": "0A"});
    let made = client.post(RETURNS, &new).await.ok(201).json;
    assert_eq!((&made["from"], &made["to"]), (&json!("2024-07-01"), &json!("2025-06-30")));
}

#[tokio::test]
async fn a_year_whose_result_was_declared_stays_closed() {
    let (app, client) = with_books(Want::default()).await;
    let year = client.get(&at(&app, "/fiscal-years")).await.ok(200).json["items"][0]["id"].clone();
    let year = at(&app, &format!("/fiscal-years/{}", year.as_str().expect("an id")));
    client.post(&format!("{year}/close"), &json!({})).await.ok(200);
    let path = made(&client, "200", "0A").await;
    let post = async |verb: &str, body: Value| client.post(&format!("{path}/{verb}"), &body).await.ok(200);
    post("prepare", json!({"allowEarly": true})).await;
    post("submit", json!({"channel": "electronic"})).await;
    let reopen = async || act(&client, &format!("{year}/reopen")).await;
    assert_eq!(reopen().await.problem(), (409, "tax_period_submitted"));
    post("outcome", json!({"outcome": "rejected", "message": "NIF"})).await;
    assert_eq!(reopen().await.ok(200).json["status"], "open");
    assert_eq!(reopen().await.problem(), (409, "fiscal_year_open"));
}
