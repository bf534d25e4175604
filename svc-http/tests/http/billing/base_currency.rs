//! The currency in which the books count: drafts follow it, and what is issued keeps it.

use serde_json::json;

use super::office::Office;
use crate::test_app::Want;

#[tokio::test]
async fn drafts_follow_the_base_currency_which_stays_once_one_is_issued() {
    let office = Office::new(Want::default()).await;
    let client = &office.client;
    let unbooked = json!({"automation": {"sales": "off"}});
    client.patch(&office.books(""), &[], &unbooked).await.ok(200);
    let count_in = async |currency: &str| {
        let company = format!("/accounts/{}", office.app.ours);
        client.patch(&company, &[], &json!({ "baseCurrency": currency })).await
    };
    let line = json!({"description": "Work", "unitPrice": "100.00"});
    let body = json!({"docType": "invoice", "contactId": office.customer, "currency": "GBP", "fxRate": "1.17",
        "lines": [line]});
    let draft = client.post("/billing", &body).await.ok(201).json;
    assert_eq!((&draft["baseCurrency"], &draft["fxRate"]), (&json!("EUR"), &json!("1.17")));

    // The rate into the former currency is gone with it; what changes nothing else is no change.
    count_in("USD").await.ok(200);
    let same = client.patch(&Office::path(&draft), &[], &json!({})).await.ok(200).json;
    assert_eq!((&same["version"], &same["baseCurrency"]), (&draft["version"], &json!("EUR")));
    let issue = format!("{}/issue", Office::path(&draft));
    assert_eq!(client.post(&issue, &json!({})).await.field(), ("fxRate", "required"));
    let patched = client.patch(&Office::path(&draft), &[], &json!({"fxRate": "1.31"})).await.ok(200).json;
    assert_eq!((&patched["baseCurrency"], &patched["fxRate"]), (&json!("USD"), &json!("1.31")));
    let copy = client.post(&format!("{}/duplicate", Office::path(&draft)), &json!({})).await.ok(201).json;
    assert_eq!(copy["baseCurrency"], "USD");

    count_in("EUR").await.ok(200);
    let copied = client.post(&format!("{}/duplicate", Office::path(&copy)), &json!({})).await.ok(201).json;
    assert_eq!(copied["baseCurrency"], "EUR");
    client.patch(&Office::path(&draft), &[], &json!({"fxRate": "1.17"})).await.ok(200);
    client.post(&issue, &json!({})).await.ok(200);
    assert_eq!(count_in("USD").await.problem(), (409, "base_currency_frozen"));
}
