//! What a return says of what its period lacks.

use serde_json::{Value, json};

use super::with_february;
use crate::test_app::Want;

/// What the warnings of a return count by a code.
fn counted(of: &Value, code: &str) -> Option<u64> {
    let warnings = of["warnings"].as_array().expect("warnings");
    let found = warnings.iter().find(|one| one["code"] == code)?;
    assert_eq!(found["blocking"], false, "{found}");
    found["count"].as_u64()
}

#[tokio::test]
async fn a_return_warns_of_what_waits_in_its_period() {
    let (_app, client, path) = with_february(Want::default()).await;
    let prepared = async || {
        let prepared = client.post(&format!("{path}/prepare"), &json!({})).await.ok(200).json;
        ["unapproved_in_period", "unreconciled_in_period"].map(|code| counted(&prepared, code))
    };
    assert_eq!(prepared().await, [None, None]);
    let mut documents = Vec::new();
    for (number, received, accounting) in [
        ("P-1", "2025-02-11", None),
        ("P-2", "2025-02-12", Some("2025-02-28")),
        // Both are deducted in other periods: that of the plan, and that of the reception.
        ("P-3", "2025-02-13", Some("2025-03-01")),
        ("P-4", "2025-03-01", None),
    ] {
        let document = json!({"docType": "invoice", "number": number, "issueDate": "2025-02-10",
            "receivedDate": received, "accountingDate": accounting,
            "lines": [{"description": "Papel", "unitPrice": "10.00", "taxCode": "es_in_21"}]});
        documents.push(client.post("/supplier-documents", &document).await.ok(201).id());
    }
    let bank = json!({"name": "Caja", "type": "cash"});
    let bank = client.post("/treasury/bank-accounts", &bank).await.ok(201).id();
    let moved = |day: &str| json!({"bookingDate": day, "amount": "12.50", "description": "Cobro"});
    let moved = json!([moved("2025-02-01"), moved("2025-02-28"), moved("2025-03-01")]);
    let body = json!({"bankAccountId": bank, "movements": moved});
    client.post("/treasury/bank-movements", &body).await.ok(201);
    assert_eq!(prepared().await, [Some(2), Some(2)]);
    let list = client.get("/treasury/bank-movements?sort=bookingDate").await.ok(200).json;
    let first = list["items"][0]["id"].as_str().expect("a movement");
    client
        .patch(&format!("/treasury/bank-movements/{first}"), &[], &json!({"status": "ignored"}))
        .await
        .ok(200);
    let first = documents.first().expect("a document");
    client
        .post(&format!("/supplier-documents/{first}/reject"), &json!({"reason": "Otra empresa"}))
        .await
        .ok(200);
    assert_eq!(prepared().await, [Some(1), Some(1)]);
}
