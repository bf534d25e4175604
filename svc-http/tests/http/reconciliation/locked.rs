//! Reconciliations of periods that are done with: nothing of the period changes, and the money can be accounted for still.

use serde_json::{Value, json};

use super::{MOVEMENTS, Treasury};
use crate::billing::office::Office;

/// An invoice that a movement of February paid, with February locked for good: both by their paths.
async fn paid_in_february(treasury: &Treasury) -> (Value, String) {
    let invoice = treasury.invoice().await;
    let movement = treasury.moved(&treasury.bank, "121.00").await;
    let allocations = json!([{"type": "invoice", "id": invoice["id"], "amount": "121.00"}]);
    treasury.say(&movement, allocations.clone()).await.ok(200);
    let client = &treasury.office.client;
    client.patch(&treasury.office.books(""), &[], &json!({"hardLockDate": "2025-02-28"})).await.ok(200);
    treasury.undo(&movement).await.ok(200);
    assert_eq!(treasury.due(&Office::path(&invoice)).await, "121.00");
    assert_eq!(treasury.balances(&["5720001", "4300000"]).await, ["0.00", "121.00"]);
    // February says what it said.
    let february = "/reports/general-ledger?accountCode=5720001&from=2025-02-01&to=2025-02-28";
    let account = client.get(&treasury.office.books(february)).await.ok(200).json["accounts"][0].clone();
    assert_eq!(account["closingBalance"], "121.00", "{account}");
    assert_eq!(treasury.say(&movement, allocations).await.problem(), (409, "period_locked"));
    (invoice, movement)
}

async fn holds(treasury: &Treasury) -> bool {
    let told = treasury.office.client.get(&treasury.office.books("/verification")).await.ok(200).json;
    told["holds"] == true
}

#[tokio::test]
async fn what_was_undone_in_a_locked_period_is_said_by_a_payment_of_today() {
    let treasury = Treasury::new().await;
    let (invoice, movement) = paid_in_february(&treasury).await;
    let path = Office::path(&invoice);
    let payment = json!({"amount": "121.00", "date": "2025-03-01", "method": "transfer",
        "bankAccountId": treasury.bank});
    let payment = treasury.office.client.post(&format!("{path}/payments"), &payment).await.ok(201).json;
    let known = json!([{"type": "payment", "id": payment["id"], "amount": "121.00"}]);
    treasury.say(&movement, known).await.ok(200);
    assert_eq!(treasury.due(&path).await, "0.00");
    assert_eq!(treasury.balances(&["5720001", "4300000"]).await, ["121.00", "0.00"]);
    assert!(holds(&treasury).await);
}

#[tokio::test]
async fn a_direct_debit_that_comes_back_after_the_period_is_matched_with_its_reversal() {
    let treasury = Treasury::new().await;
    let (invoice, movement) = paid_in_february(&treasury).await;
    let client = &treasury.office.client;
    let back = json!({"bookingDate": "2025-03-01", "amount": "-121.00", "description": "Devolución"});
    let body = json!({"bankAccountId": treasury.bank, "movements": [back]});
    let import = client.post(MOVEMENTS, &body).await.ok(201).id();
    let list = client.get(&format!("{MOVEMENTS}?importId={import}")).await.ok(200).json;
    let back = format!("{MOVEMENTS}/{}", list["items"][0]["id"].as_str().unwrap());
    let lines = "/journal-lines?accountCode=5720001&from=2025-03-01";
    let lines = client.get(&treasury.office.books(lines)).await.ok(200).json;
    assert_eq!((&lines["total"], &lines["items"][0]["credit"]), (&json!(1), &json!("121.00")));
    let known = json!([{"type": "journal_line", "id": lines["items"][0]["id"], "amount": "-121.00"}]);
    treasury.say(&back, known).await.ok(200);
    client.patch(&movement, &[], &json!({"status": "ignored"})).await.ok(200);
    assert_eq!(treasury.due(&Office::path(&invoice)).await, "121.00");
    assert_eq!(treasury.balances(&["5720001", "4300000"]).await, ["0.00", "121.00"]);
    assert!(holds(&treasury).await);
}
