//! Movements in another currency than that of the books.

use serde_json::{Value, json};

use super::{ACCOUNTS, Treasury};
use crate::billing::office::Office;

impl Treasury {
    /// An account in dollars.
    async fn dollars(&self) -> Value {
        let dollars = json!({"name": "Dollars", "type": "other", "currency": "USD"});
        self.office.client.post(ACCOUNTS, &dollars).await.ok(201).json
    }
}

#[tokio::test]
async fn a_movement_in_another_currency_is_booked_at_its_rate() {
    let treasury = Treasury::new().await;
    let client = &treasury.office.client;
    let dollars = treasury.dollars().await;
    let movement = treasury.moved(dollars["id"].as_str().unwrap(), "-11.00").await;
    let fee = json!([{"type": "account", "accountCode": "6260000", "amount": "-11.00"}]);
    assert_eq!(treasury.say(&movement, fee.clone()).await.field(), ("fxRate", "required"));
    let body = json!({"allocations": fee, "fxRate": "0.9"});
    let done = client.post(&format!("{movement}/reconcile"), &body).await.ok(200).json;
    let code = dollars["accountCode"].as_str().unwrap();
    assert_eq!(treasury.balances(&[code, "6260000"]).await, ["-9.90", "9.90"]);
    let entry = treasury.office.entry(&done["reconciliation"]["entryId"]).await;
    assert_eq!((&entry["currency"], &entry["lines"][0]["amountCurrency"]), (&json!("USD"), &json!("-11.00")));
}

#[tokio::test]
async fn a_payment_at_another_rate_leaves_nothing_unexplained() {
    let treasury = Treasury::new().await;
    let client = &treasury.office.client;
    let dollars = treasury.dollars().await;
    let code = dollars["accountCode"].as_str().unwrap();
    let body = json!({"docType": "invoice", "contactId": treasury.office.customer, "currency": "USD", "fxRate": "0.8",
        "lines": [{"description": "Work", "unitPrice": "100.00"}], "issue": true});
    let invoice = client.post("/billing", &body).await.ok(201).json;
    let path = format!("{}/payments", Office::path(&invoice));
    let payment = json!({"amount": "121.00", "date": "2025-02-18", "method": "transfer", "fxRate": "0.9"});
    let payment = client.post(&path, &payment).await.ok(201).json;
    let accounts = [code, "5550000", "4300000", "7680000"];
    let before = treasury.balances(&accounts).await;
    assert_eq!(before, ["0.00", "108.90", "0.00", "-12.10"]);
    // What waits is on the account that it was booked on, whatever is named since.
    let named = json!({"defaultAccounts": {"suspense": "5590000"}});
    client.patch(&treasury.office.books(""), &[], &named).await.ok(200);
    let movement = treasury.moved(dollars["id"].as_str().unwrap(), "121.00").await;
    let known = json!([{"type": "payment", "id": payment["id"], "amount": "121.00"}]);
    let body = json!({"allocations": known, "fxRate": "0.92"});
    let done = client.post(&format!("{movement}/reconcile"), &body).await.ok(200).json;
    assert_eq!(treasury.balances(&accounts).await, ["111.32", "0.00", "0.00", "-14.52"]);
    let entry = treasury.office.entry(&done["reconciliation"]["entryId"]).await;
    let lines: Vec<_> = entry["lines"].as_array().unwrap().iter().map(|line| &line["accountCode"]).collect();
    assert_eq!(lines, [code, "7680000", "5550000"]);
    treasury.undo(&movement).await.ok(200);
    assert_eq!(treasury.balances(&accounts).await, before);
}
