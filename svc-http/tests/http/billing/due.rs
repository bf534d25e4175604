//! A document that is due on another day than it was is so in the books too.

use serde_json::{Value, json};

use super::office::Office;
use crate::test_app::Want;

async fn is_due_later(office: &Office, path: &str, side: &str, key: &str) {
    let report = office.books(&format!("/reports/aged-{side}?asOf=2025-12-31&buckets=30"));
    let overdue = async || office.client.get(&report).await.ok(200).json["contacts"][0]["overdue"].clone();
    let before = office.client.get(path).await.ok(200).json;
    assert_eq!(overdue().await, json!(["0.00", "121.00"]), "{before}");
    let since = office.events("").await.len();
    let later = json!({"dueDate": "2025-12-15"});
    let after = office.client.patch(path, &[], &later).await.ok(200).json;
    assert_eq!(overdue().await, json!(["121.00", "0.00"]));
    assert_eq!(office.events("").await.split_off(since), ["journal_entry.update", key]);
    let entry = office.entry(&after["journalEntryId"]).await;
    let due = |line: &Value| !line["dueDate"].is_null();
    let dated: Vec<_> = entry["lines"].as_array().unwrap().iter().filter(|line| due(line)).collect();
    assert_eq!((dated.len(), &dated[0]["dueDate"]), (1, &json!("2025-12-15")));
    office.client.patch(path, &[], &later).await.ok(200);
    assert_eq!(office.events("").await.len(), since + 2);
    assert_eq!(office.client.get(&office.books("/verification")).await.ok(200).json["holds"], true);
}

#[tokio::test]
async fn what_is_open_is_as_old_as_the_document_says() {
    let office = Office::new(Want::default()).await;
    let invoice = office.issued(&[json!({"description": "Work", "unitPrice": "100.00"})]).await;
    is_due_later(&office, &Office::path(&invoice), "receivables", "invoice.update").await;
    let contact = json!({"kind": "organization", "legalName": "Papelería Mar SL",
        "address": {"line1": "Calle Menor 2", "city": "Madrid", "postalCode": "28013", "country": "ES"}});
    let supplier = office.client.post("/suppliers", &json!({ "contact": contact })).await.ok(201).id();
    let bought = json!({"docType": "invoice", "supplierId": supplier, "number": "1", "issueDate": "2025-02-10",
        "lines": [{"description": "Paper", "unitPrice": "100.00"}]});
    let bought = office.client.post("/supplier-documents", &bought).await.ok(201).id();
    let path = format!("/supplier-documents/{bought}");
    office.client.post(&format!("{path}/approve"), &json!({})).await.ok(200);
    is_due_later(&office, &path, "payables", "supplier_document.update").await;
}
