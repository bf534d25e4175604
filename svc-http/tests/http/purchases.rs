//! Suppliers and the documents that they send, by the API.

pub(crate) mod import;
mod suppliers;

use http::Method;
use serde_json::{Value, json};

use crate::billing::office::Office;
use crate::test_app::Want;

fn paper() -> Value {
    json!({"description": "Paper", "quantity": "10", "unitPrice": "10.00", "itemType": "good"})
}

/// A supplier of the office with a tax id.
async fn supplier(office: &Office) -> String {
    let contact = json!({"kind": "organization", "legalName": "Papelería Mar SL", "taxId": "A58818501",
        "address": {"line1": "Calle Menor 2", "city": "Madrid", "postalCode": "28013", "country": "ES"}});
    let body = json!({"contact": contact, "code": "S-1", "paymentTermDays": 15});
    office.client.post("/suppliers", &body).await.ok(201).id()
}

async fn received(office: &Office, supplier: &str, number: &str) -> Value {
    let body = json!({"docType": "invoice", "supplierId": supplier, "number": number, "issueDate": "2025-02-20",
        "lines": [paper()]});
    office.client.post("/supplier-documents", &body).await.ok(201).json
}

fn path(document: &Value) -> String {
    format!("/supplier-documents/{}", document["id"].as_str().unwrap())
}

async fn approve(office: &Office, document: &Value) -> Value {
    office.client.post(&format!("{}/approve", path(document)), &json!({})).await.ok(200).json
}

#[tokio::test]
async fn the_pro_rata_of_the_company_is_what_can_be_deducted() {
    let office = Office::new(Want::default()).await;
    let supplier = supplier(&office).await;
    office.client.patch("/tax/profile", &[], &json!({"proRataPercent": 50})).await.ok(200);
    let approved = approve(&office, &received(&office, &supplier, "1").await).await;
    let entry = office.entry(&approved["journalEntryId"]).await;
    assert_eq!(
        (office.balance("472").await, office.balance("4000000").await, &entry["totalDebit"]),
        ("10.50".to_owned(), "-121.00".to_owned(), &json!("121.00"))
    );
    // What is approved stays as it was; the next one goes by the profile of its day.
    office.client.patch("/tax/profile", &[], &json!({"proRataPercent": null})).await.ok(200);
    approve(&office, &received(&office, &supplier, "2").await).await;
    assert_eq!(office.balance("472").await, "31.50");
}

#[tokio::test]
async fn a_supplier_is_a_contact_in_a_role() {
    let office = Office::new(Want::default()).await;
    let id = supplier(&office).await;
    let one = office.client.get(&format!("/suppliers/{id}")).await.ok(200).json;
    assert_eq!((&one["name"], &one["taxId"]), (&json!("Papelería Mar SL"), &json!("A58818501")));
    let contact = one["contactId"].as_str().unwrap();
    let contact = office.client.get(&format!("/contacts/{contact}")).await.ok(200).json;
    assert_eq!(contact["roles"], json!(["supplier"]));
    let again = office.client.post("/suppliers", &json!({"contactId": one["contactId"]})).await;
    assert_eq!(again.problem(), (409, "supplier_exists"));
    let same = json!({"contact": {"kind": "organization", "legalName": "Mar", "taxId": "A58818501"}});
    assert_eq!(office.client.post("/suppliers", &same).await.problem(), (409, "supplier_exists"));
    let taken = json!({"contactId": office.customer, "code": "S-1"});
    assert_eq!(office.client.post("/suppliers", &taken).await.problem(), (409, "supplier_code_taken"));
    office.client.post("/suppliers", &json!({"contactId": office.customer})).await.ok(201);
    for (query, wanted) in
        [("q=mar", 1), ("taxId=A58818501", 1), ("code=S-1", 1), ("status=archived", 0), ("", 2)]
    {
        let found = office.client.get(&format!("/suppliers?{query}")).await.ok(200).json;
        assert_eq!((&found["total"], &found["limit"]), (&json!(wanted), &json!(50)), "{query}");
    }
    let change = json!({"contact": {"email": "hola@mar.example"}, "paymentTermDays": 20});
    let changed = office.client.patch(&format!("/suppliers/{id}"), &[], &change).await.ok(200).json;
    assert_eq!((&changed["email"], &changed["paymentTermDays"]), (&json!("hola@mar.example"), &json!(20)));
    office.client.patch(&format!("/suppliers/{id}"), &[], &json!({"status": "archived"})).await.ok(200);
    let contact = office.client.get(&format!("/contacts/{}", contact["id"].as_str().unwrap())).await.ok(200);
    assert_eq!(contact.json["roles"], json!([]));
    let both = json!({"contactId": office.customer, "contact": {"kind": "organization", "legalName": "Luz"}});
    assert_eq!(office.client.post("/suppliers", &both).await.field().0, "contactId");
    let events = office.events("supplier.").await;
    assert_eq!(events, ["supplier.create", "supplier.create"]);
}

#[tokio::test]
async fn a_document_is_approved_with_a_register_number_and_an_entry() {
    let office = Office::new(Want::default()).await;
    let supplier = supplier(&office).await;
    let document = received(&office, &supplier, "2025/0815").await;
    assert_eq!(
        (&document["status"], &document["paymentStatus"]),
        (&json!("received"), &json!("not_applicable"))
    );
    let twice = json!({"docType": "invoice", "supplierId": supplier, "number": " 2025/0815 ", "issueDate": "2025-01-05",
        "lines": [paper()]});
    assert_eq!(
        office.client.post("/supplier-documents", &twice).await.problem(),
        (409, "duplicate_document")
    );
    let approved = approve(&office, &document).await;
    assert_eq!((&approved["status"], &approved["registerNumber"]), (&json!("approved"), &json!(1)));
    assert_eq!((&approved["dueDate"], &approved["totals"]["due"]), (&json!("2025-03-07"), &json!("121.00")));
    let entry = office.entry(&approved["journalEntryId"]).await;
    assert_eq!(
        (&entry["kind"], &entry["status"], &entry["totalDebit"]),
        (&json!("purchase"), &json!("posted"), &json!("121.00"))
    );
    assert_eq!(
        (office.balance("4000000").await, office.balance("472").await),
        ("-121.00".to_owned(), "21.00".to_owned())
    );
    let second = received(&office, &supplier, "2025/0816").await;
    assert_eq!(approve(&office, &second).await["registerNumber"], 2);
    let again = office.client.post(&format!("{}/approve", path(&document)), &json!({})).await;
    assert_eq!(again.problem(), (409, "document_approved"));
    let frozen = office.client.patch(&path(&document), &[], &json!({"lines": []})).await;
    assert_eq!(frozen.problem(), (409, "document_approved"));
    office.client.patch(&path(&document), &[], &json!({"notes": "late"})).await.ok(200);
    let nameless = json!({"docType": "invoice", "issueDate": "2025-02-20"});
    let nameless = office.client.post("/supplier-documents", &nameless).await.ok(201).json;
    let refused = office.client.post(&format!("{}/approve", path(&nameless)), &json!({})).await;
    for field in ["supplierId", "number", "lines"] {
        assert!(refused.text.contains(&format!("\"{field}\"")), "{}", refused.text);
    }
    for (query, wanted) in [
        ("status=approved", 2),
        ("number=2025/0815", 1),
        ("q=papel", 2),
        ("overdue=true", 0),
        ("paymentStatus=unpaid&sort=registerNumber", 2),
        ("to=2025-02-19", 0),
        ("", 3),
    ] {
        let found = office.client.get(&format!("/supplier-documents?{query}")).await.ok(200).json;
        assert_eq!(found["total"], wanted, "{query}");
    }
}

#[tokio::test]
async fn the_register_of_received_documents_has_their_numbers_and_days_of_issue() {
    let office = Office::new(Want::default()).await;
    let supplier = supplier(&office).await;
    let mut documents = Vec::new();
    for number in ["A-1", "A-2"] {
        documents.push(approve(&office, &received(&office, &supplier, number).await).await);
    }
    let rows = async |from: &str| {
        let path = office.books(&format!("/reports/vat-register?side=input&from={from}&to=2025-12-31"));
        let register = office.client.get(&path).await.ok(200).json;
        let row = |row: &Value| {
            let number = row["registerNumber"].as_u64();
            let text = |member: &str| row[member].as_str().unwrap().to_owned();
            (number, text("documentNumber"), text("issueDate"))
        };
        register["rows"].as_array().unwrap().iter().map(row).collect::<Vec<_>>()
    };
    let row = |number: u64, document: &str| (Some(number), document.to_owned(), "2025-02-20".to_owned());
    assert_eq!(rows("2025-01-01").await, [row(1, "A-1"), row(2, "A-2")]);
    // What undoes a document has its number; what is typed by hand has none.
    office.client.post(&format!("{}/void", path(&documents[1])), &json!({"reason": "Twice"})).await.ok(200);
    let by_hand = json!({"date": "2025-03-01", "description": "Petty cash", "post": true, "lines": [
        {"accountCode": "6290000", "debit": "100.00"},
        {"accountCode": "4720000", "debit": "21.00"},
        {"accountCode": "5720000", "credit": "121.00"}],
        "taxTags": [{"kind": "vat_input", "taxCode": "es_in_21", "base": "100.00", "quota": "21.00"}]});
    office.client.post(&office.books("/journal-entries"), &by_hand).await.ok(201);
    let mut numbers: Vec<_> = rows("2025-01-01").await.into_iter().map(|(number, ..)| number).collect();
    numbers.sort();
    assert_eq!(numbers, [None, Some(1), Some(2), Some(2)]);
}

#[tokio::test]
async fn a_document_is_paid_and_its_payment_taken_back() {
    let office = Office::new(Want::default()).await;
    let supplier = supplier(&office).await;
    let document = received(&office, &supplier, "1").await;
    let pay = json!({"amount": "121.00", "date": "2025-03-01", "method": "cash"});
    let payments = format!("{}/payments", path(&document));
    assert_eq!(office.client.post(&payments, &pay).await.problem(), (409, "not_approved"));
    approve(&office, &document).await;
    let payment = office.client.post(&payments, &pay).await.ok(201).json;
    assert_eq!(
        (office.balance("4000000").await, office.balance("570").await),
        ("0.00".to_owned(), "-121.00".to_owned())
    );
    let void = format!("{}/void", path(&document));
    let refused = office.client.post(&void, &json!({"reason": "Twice"})).await;
    assert_eq!(refused.problem(), (409, "document_has_payments"));
    let one = format!("{payments}/{}", payment["id"].as_str().unwrap());
    let after = office.client.delete(&one, &[]).await.ok(200).json;
    assert_eq!((&after["paymentStatus"], &after["totals"]["due"]), (&json!("unpaid"), &json!("121.00")));
    let voided = office.client.post(&void, &json!({"reason": "Twice"})).await.ok(200).json;
    assert_eq!((&voided["status"], &voided["registerNumber"]), (&json!("voided"), &json!(1)));
    assert_eq!(
        (office.balance("4000000").await, office.balance("472").await),
        ("0.00".to_owned(), "0.00".to_owned())
    );
    let events = office.events("supplier_document.").await;
    assert_eq!(events.len(), 5, "{events:?}");
}

#[tokio::test]
async fn a_document_is_rejected_and_taken_up_again() {
    let office = Office::new(Want::default()).await;
    let supplier = supplier(&office).await;
    let document = received(&office, &supplier, "1").await;
    let reject = format!("{}/reject", path(&document));
    let rejected = office.client.post(&reject, &json!({"reason": "Never ordered"})).await.ok(200).json;
    assert_eq!(
        (&rejected["status"], &rejected["rejectionReason"]),
        (&json!("rejected"), &json!("Never ordered"))
    );
    let other = received(&office, &supplier, "1").await;
    let reopen = format!("{}/reopen", path(&document));
    let taken = office.client.send(Method::POST, &reopen, &[], String::new()).await;
    assert_eq!(taken.problem(), (409, "duplicate_document"));
    office.client.post(&format!("{}/reject", path(&other)), &json!({"reason": "Twice"})).await.ok(200);
    let reopened = office.client.send(Method::POST, &reopen, &[], String::new()).await.ok(200);
    assert_eq!(reopened.json["status"], "received");
}

#[tokio::test]
async fn a_line_with_an_asset_class_becomes_a_draft_of_an_asset() {
    let office = Office::new(Want::default()).await;
    let supplier = supplier(&office).await;
    let body = json!({"docType": "invoice", "supplierId": supplier, "number": "9", "issueDate": "2025-02-20",
        "lines": [{"description": "Van", "unitPrice": "20000.00", "assetClass": "vehicles"}]});
    let document = office.client.post("/supplier-documents", &body).await.ok(201).json;
    let approved = approve(&office, &document).await;
    let asset = approved["assetIds"][0].as_str().unwrap().to_owned();
    let asset_path = office.books(&format!("/fixed-assets/{asset}"));
    let asset = office.client.get(&asset_path).await.ok(200).json;
    assert_eq!((&asset["status"], &asset["cost"]), (&json!("draft"), &json!("20000.00")));
    office.client.post(&format!("{}/void", path(&document)), &json!({"reason": "Wrong"})).await.ok(200);
    assert_eq!(office.client.get(&asset_path).await.problem(), (404, "not_found"));
}
