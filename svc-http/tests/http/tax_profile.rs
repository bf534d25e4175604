//! The tax profile of a company, what it owes by it, and the rates of taxes.

use serde_json::{Value, json};

use crate::books::with_books;
use crate::test_app::Want;

const PROFILE: &str = "/tax/profile";

/// Models and periods of the obligations, with the days on which they are due.
fn owed(profile: &Value) -> Vec<String> {
    let text = |one: &Value, name: &str| one[name].as_str().expect("a text").to_owned();
    let obligations = profile["obligations"].as_array().expect("obligations").iter();
    obligations.map(|one| ["model", "period", "dueDate"].map(|name| text(one, name)).join(" ")).collect()
}

#[tokio::test]
async fn a_company_begins_with_what_its_legal_form_suggests() {
    let (_app, client) = with_books(Want::default()).await;
    let profile = client.get(PROFILE).await.ok(200).json;
    let told = |name: &str| profile[name].clone();
    assert_eq!(
        (told("object"), told("legalForm"), told("incomeTax"), told("vatPeriod"), told("version")),
        (json!("tax_profile"), json!("community_of_property"), json!("none"), json!("quarterly"), json!(1))
    );
    let owed = owed(&profile);
    for one in ["303 1T 2025-04-21", "303 4T 2026-01-30", "390 0A 2026-01-30", "347 0A 2026-03-02"] {
        assert!(owed.iter().any(|owes| owes == one), "{one} is not among {owed:?}");
    }
    assert!(!owed.iter().any(|owes| owes.starts_with("111") || owes.starts_with("130")), "{owed:?}");
    let named = format!("{PROFILE}?companyId={}", profile["companyId"].as_str().expect("an id"));
    assert_eq!(client.get(&named).await.ok(200).json["id"], profile["id"]);
}

#[tokio::test]
async fn what_a_company_owes_follows_its_profile() {
    let (app, client) = with_books(Want::default()).await;
    let before = client.get(PROFILE).await.ok(200);
    let withholding = json!({"withholds": ["rent", "professionals"], "intraCommunity": "quarterly"});
    let after = client.patch(PROFILE, &[], &withholding).await.ok(200).json;
    assert_eq!((&after["withholds"], &after["version"]), (&json!(["professionals", "rent"]), &json!(2)));
    for one in ["111 2T 2025-07-21", "190 0A 2026-02-02", "115 2T 2025-07-21", "349 1T 2025-04-21"] {
        assert!(owed(&after).iter().any(|owes| owes == one), "{one} is not among {:?}", owed(&after));
    }
    let same = client.patch(PROFILE, &[], &withholding).await.ok(200).json;
    assert_eq!(same["version"], json!(2));
    let stale = client.patch(PROFILE, &[("if-match", before.header("etag"))], &json!({"sii": true})).await;
    assert_eq!(stale.problem(), (412, "version_conflict"));
    let monthly = client.patch(PROFILE, &[], &json!({"sii": true})).await.ok(200).json;
    assert_eq!(monthly["vatPeriod"], "monthly");
    let due = owed(&monthly);
    assert!(due.contains(&"303 01 2025-02-28".to_owned()), "{due:?}");
    // Who keeps the registers at the agency declares neither the summary of the year nor third parties.
    assert!(!due.iter().any(|owes| owes.starts_with("390") || owes.starts_with("347")), "{due:?}");
    let company = client.patch(PROFILE, &[], &json!({"incomeTax": "corporate"})).await.ok(200).json;
    assert_eq!(company["corporateTaxRate"], "25");
    assert!(owed(&company).contains(&"200 0A 2026-07-27".to_owned()), "{:?}", owed(&company));
    let person = json!({"incomeTax": "personal_direct", "sii": false});
    let person = client.patch(PROFILE, &[], &person).await.ok(200).json;
    assert_eq!(person["corporateTaxRate"], Value::Null);
    assert!(owed(&person).contains(&"130 1T 2025-04-21".to_owned()), "{:?}", owed(&person));
    let events = app.events().await;
    let told = events.iter().filter(|event| event.kind.name() == "tax_profile.update").count();
    assert_eq!(told, 4);
}

#[tokio::test]
async fn what_is_wrong_with_a_profile_is_told_by_its_member() {
    let (_app, client) = with_books(Want::default()).await;
    let main = |main: bool| json!({"description": "Publicidad", "main": main});
    for (field, code, body) in [
        ("vatRegime", "required", json!({"vatRegime": null})),
        ("vatPeriod", "not_allowed", json!({"sii": true, "vatPeriod": "quarterly"})),
        ("proRataPercent", "out_of_range", json!({"proRataPercent": 101})),
        ("corporateTaxRate", "not_allowed", json!({"incomeTax": "none", "corporateTaxRate": "25"})),
        (
            "corporateTaxRate",
            "invalid_rate",
            json!({"incomeTax": "corporate", "corporateTaxRate": "a quarter"}),
        ),
        ("withholds", "duplicate", json!({"withholds": ["rent", "rent"]})),
        ("activities", "not_allowed", json!({"activities": [main(true), main(true)]})),
        ("activities", "not_allowed", json!({"activities": [main(false), main(false)]})),
        ("activities", "too_many", json!({"activities": vec![main(false); 21]})),
        ("activities[0].iae", "invalid_value", json!({"activities": [{"iae": "844", "description": "x"}]})),
        ("activities[0].cnae", "invalid_value", json!({"activities": [{"cnae": "M7", "description": "x"}]})),
        ("fiscalYearEnd", "invalid_value", json!({"fiscalYearEnd": "02-29"})),
        ("fiscalYearEnd", "required", json!({"fiscalYearEnd": null})),
        ("refundIban", "invalid_iban", json!({"refundIban": "ES00"})),
        ("refundIban", "masked_value_rejected", json!({"refundIban": "ES91****************1332"})),
        ("representative.taxId", "invalid_tax_id", json!({"representative": {"name": "Sol", "taxId": "B0"}})),
        ("obligations", "read_only_field", json!({"obligations": []})),
        ("taxId", "read_only_field", json!({"taxId": "B12345674"})),
    ] {
        let refused = client.patch(PROFILE, &[], &body).await;
        let first = &refused.json["errors"][0];
        assert_eq!(
            (refused.status.as_u16(), &first["field"], &first["code"]),
            (422, &json!(field), &json!(code)),
            "{body}: {}",
            refused.json
        );
    }
    let untouched = client.get(PROFILE).await.ok(200).json;
    assert_eq!(untouched["version"], json!(1));
    let stranger = format!("{PROFILE}?companyId=acc_{}", "0".repeat(26));
    assert_eq!(client.get(&stranger).await.problem().0, 404);
    assert_eq!(client.get(&format!("{PROFILE}?companyId=all")).await.problem(), (400, "invalid_parameter"));
}

#[tokio::test]
async fn a_profile_is_masked_where_personal_data_is_not_seen() {
    let (app, client) = with_books(Want::default()).await;
    let body = json!({"refundIban": "ES9121000418450200051332",
        "representative": {"name": "Gestoría Sol SL", "taxId": "A58818501"}});
    let seen = client.patch(PROFILE, &[], &body).await.ok(200).json;
    assert_eq!(seen["refundIban"], "ES9121000418450200051332");
    let masked = app.client(Want { personal_data: false, ..Want::default() }).await;
    let told = masked.get(PROFILE).await.ok(200).json;
    assert_eq!(
        (&told["refundIban"], &told["representative"]["taxId"], &told["fiscalAddress"]),
        (&json!("ES91****************1332"), &json!("A******01"), &Value::Null)
    );
    // The version does not tell whether what is masked was guessed.
    for iban in ["ES9121000418450200051332", "ES7921000813610123456789"] {
        let before = masked.get(PROFILE).await.ok(200).json["version"].as_i64().expect("a number");
        let after = masked.patch(PROFILE, &[], &json!({"refundIban": iban})).await.ok(200).json;
        assert_eq!(after["version"], json!(before + 1), "{iban}");
    }
}

#[tokio::test]
async fn rates_are_those_of_a_day_and_a_side() {
    let (_app, client) = with_books(Want::default()).await;
    let every = client.get("/tax/rates").await.ok(200).json["items"].as_array().expect("items").len();
    let on = |day: &str| format!("/tax/rates?side=sales&on={day}");
    let codes = async |day: &str| {
        let items = client.get(&on(day)).await.ok(200).json["items"].clone();
        let items = items.as_array().expect("items").clone();
        assert!(items.iter().all(|item| item["side"] != "purchases"));
        items.iter().map(|item| (item["code"].clone(), item["rate"].clone())).collect::<Vec<_>>()
    };
    let now = codes("2025-03-01").await;
    assert!(now.contains(&(json!("es_vat_21"), json!("21"))), "{now:?}");
    assert!(now.len() < every);
    // A code has one rate on a day.
    let mut names: Vec<_> = now.iter().map(|(code, _)| code.to_string()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), now.len());
    assert_eq!(client.get("/tax/rates?on=yesterday").await.problem(), (400, "invalid_parameter"));
}
