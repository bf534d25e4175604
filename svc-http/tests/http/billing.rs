//! Sales documents by the API, from the draft to the paid, rectified or voided invoice.

mod base_currency;
mod due;
mod forms;
mod list;
pub(crate) mod office;
mod send;

use http::Method;
use serde_json::{Value, json};

use self::office::Office;
use crate::test_app::Want;

const CONSULTING: &str = r#"{"description": "Consulting", "quantity": "10", "unitPrice": "85.50",
    "discountPercent": "10", "withholdingRate": "15"}"#;

fn line(price: &str) -> Value {
    json!({"description": "Work", "unitPrice": price})
}

#[tokio::test]
async fn a_preview_computes_the_worked_example_and_keeps_nothing() {
    let office = Office::new(Want::default()).await;
    let body = json!({"docType": "invoice", "contactId": office.customer, "discount": {"type": "percent", "value": "5"},
    "lines": [
        serde_json::from_str::<Value>(CONSULTING).unwrap(),
        {"description": "Paint", "quantity": "3", "unitPrice": "19.999", "itemType": "good"},
        {"description": "Book", "unitPrice": "12.345", "taxCode": "es_vat_4", "itemType": "good"},
    ]});
    let preview = office.client.post("/billing/preview", &body).await.ok(200).json;
    let totals = &preview["totals"];
    assert_eq!(
        ["linesTotal", "discountTotal", "taxableTotal", "taxTotal", "total", "withholdingTotal", "payable"]
            .map(|name| totals[name].as_str().unwrap()),
        ["841.85", "42.09", "799.76", "165.96", "965.72", "109.65", "856.07"]
    );
    let shares = ["38.47", "3.00", "0.62"];
    for (at, share) in shares.into_iter().enumerate() {
        assert_eq!(preview["lines"][at]["documentDiscountShare"], share);
    }
    assert_eq!(preview["taxes"][1]["base"], "11.73");
    assert_eq!(office.client.get("/billing").await.ok(200).json["total"], 0);
    assert!(office.sales_events().await.is_empty());
}

#[tokio::test]
async fn an_invoice_is_a_draft_until_it_is_issued_with_a_number_a_record_and_an_entry() {
    let office = Office::new(Want::default()).await;
    let draft = office.draft(&[line("1000.00")]).await;
    assert_eq!((&draft["status"], &draft["number"]), (&json!("draft"), &Value::Null));
    assert_eq!(
        (&draft["paymentStatus"], &draft["totals"]["due"]),
        (&json!("not_applicable"), &json!("1210.00"))
    );
    assert_eq!(draft["customer"]["name"], "Ferretería Sol SL");
    let path = Office::path(&draft);
    office.client.patch(&path, &[], &json!({"reference": "PO-1"})).await.ok(200);
    let issued = office.issue(&draft).await;
    assert_eq!((&issued["number"], &issued["sequence"]), (&json!("F2025-00001"), &json!(1)));
    assert_eq!((&issued["issueDate"], &issued["dueDate"]), (&json!("2025-03-01"), &json!("2025-03-31")));
    assert_eq!(issued["paymentStatus"], "unpaid");
    let record = &issued["compliance"]["verifactu"];
    assert_eq!(
        (&record["recordType"], &record["place"], &record["previousHash"]),
        (&json!("F1"), &json!(1), &Value::Null)
    );
    assert!(record["qrUrl"].as_str().unwrap().contains("importe=1210.00"), "{record}");
    let entry = office.entry(&issued["journalEntryId"]).await;
    assert_eq!(
        (&entry["status"], &entry["kind"], &entry["totalDebit"]),
        (&json!("posted"), &json!("sales"), &json!("1210.00"))
    );
    assert_eq!(entry["source"], json!({"type": "invoice", "id": issued["id"], "role": "issue"}));
    let second = office.issued(&[line("100.00")]).await;
    assert_eq!(second["number"], "F2025-00002");
    assert_eq!(second["compliance"]["verifactu"]["previousHash"], record["hash"]);
    let frozen = office.client.patch(&path, &[], &json!({"lines": []})).await;
    assert_eq!(frozen.problem(), (409, "invoice_issued"));
    office.client.patch(&path, &[], &json!({"dueDate": "2025-04-15", "internalNotes": "late"})).await.ok(200);
    assert_eq!(office.client.delete(&path, &[]).await.problem(), (409, "invoice_issued"));
    let again = office.client.post(&format!("{path}/issue"), &json!({})).await;
    assert_eq!(again.problem(), (409, "invoice_issued"));
    let wanted =
        ["create", "update", "issue", "create", "issue", "update"].map(|verb| format!("invoice.{verb}"));
    assert_eq!(office.sales_events().await, wanted);
    let history = office.client.get(&format!("{path}/history")).await.ok(200).json;
    let kinds: Vec<_> = history["items"].as_array().unwrap().iter().map(|one| one["kind"].clone()).collect();
    assert_eq!(kinds, ["created", "updated", "issued", "updated"]);
}

#[tokio::test]
async fn what_is_missing_for_an_issue_is_named_at_once_and_uses_no_number() {
    let office = Office::new(Want::default()).await;
    let nameless = json!({"kind": "organization", "legalName": "Luna SL"});
    let nameless = office.client.post("/contacts", &nameless).await.ok(201).id();
    let body = json!({"docType": "invoice", "contactId": nameless, "lines": [line("10.00")]});
    let draft = office.client.post("/billing", &body).await.ok(201).json;
    let path = Office::path(&draft);
    let refused = office.client.post(&format!("{path}/issue"), &json!({"issueDate": "2025-03-02"})).await;
    assert_eq!(refused.problem(), (422, "validation_failed"), "{}", refused.text);
    for field in ["issueDate", "customer.taxId", "customer.address"] {
        assert!(refused.text.contains(&format!("\"{field}\"")), "{field}: {}", refused.text);
    }
    assert_eq!(office.issued(&[line("10.00")]).await["number"], "F2025-00001");
    let early = office.draft(&[line("10.00")]).await;
    let early = format!("{}/issue", Office::path(&early));
    let refused = office.client.post(&early, &json!({"issueDate": "2025-02-28"})).await;
    assert_eq!(refused.field(), ("issueDate", "issue_date_not_monotonic"));
}

#[tokio::test]
async fn a_locked_period_refuses_the_issue_and_nothing_is_half_done() {
    let office = Office::new(Want::default()).await;
    office.client.patch(&office.books(""), &[], &json!({"lockDate": "2025-02-28"})).await.ok(200);
    let draft = office.draft(&[line("10.00")]).await;
    let path = Office::path(&draft);
    let refused = office.client.post(&format!("{path}/issue"), &json!({"issueDate": "2025-02-20"})).await;
    assert_eq!(refused.problem(), (409, "period_locked"));
    let still = office.client.get(&path).await.ok(200).json;
    assert_eq!((&still["status"], &still["version"]), (&json!("draft"), &json!(1)));
    assert_eq!(office.client.get(&office.books("/journal-entries")).await.ok(200).json["total"], 0);
    assert_eq!(office.issue(&draft).await["number"], "F2025-00001");
}

#[tokio::test]
async fn payments_add_up_to_what_is_due_and_are_taken_back() {
    let office = Office::new(Want::default()).await;
    let issued = office.issued(&[line("100.00")]).await;
    let path = format!("{}/payments", Office::path(&issued));
    let pay = |amount: &str| json!({"amount": amount, "date": "2025-03-01", "method": "cash"});
    let first = office.client.post(&path, &pay("21.00")).await.ok(201).json;
    let more = office.client.post(&path, &pay("100.01")).await;
    assert_eq!(more.field(), ("amount", "payment_exceeds_due"));
    assert_eq!(office.client.post(&path, &pay("-1.00")).await.field(), ("amount", "payment_exceeds_due"));
    office.client.post(&path, &pay("100.00")).await.ok(201);
    let paid = office.client.get(&Office::path(&issued)).await.ok(200).json;
    assert_eq!((&paid["paymentStatus"], &paid["totals"]["due"]), (&json!("paid"), &json!("0.00")));
    assert!(paid["paidAt"].is_string());
    assert_eq!(office.balance("5700000").await, "121.00");
    assert_eq!(office.balance("4300000").await, "0.00");
    let void = format!("{}/void", Office::path(&issued));
    let refused = office.client.post(&void, &json!({"reason": "Mistake"})).await;
    assert_eq!(refused.problem(), (409, "invoice_has_payments"));
    let one = format!("{path}/{}", first["id"].as_str().unwrap());
    let after = office.client.delete(&one, &[]).await.ok(200).json;
    assert_eq!(
        (&after["paymentStatus"], &after["totals"]["due"]),
        (&json!("partially_paid"), &json!("21.00"))
    );
    assert_eq!(office.client.delete(&one, &[]).await.problem(), (404, "not_found"));
    assert_eq!(office.balance("5700000").await, "100.00");
    let wanted = ["create", "issue", "pay", "pay", "update"].map(|verb| format!("invoice.{verb}"));
    assert_eq!(office.sales_events().await, wanted);
    let account = json!({"amount": "21.00", "date": "2025-03-01", "method": "transfer",
        "bankAccountId": "bka_01jjxvfvr4f16pz7s9h7p4hsqk"});
    assert_eq!(office.client.post(&path, &account).await.field(), ("bankAccountId", "unknown_reference"));
}

#[tokio::test]
async fn a_rectifying_document_takes_back_what_it_names_and_can_be_offset() {
    let office = Office::new(Want::default()).await;
    let issued = office.issued(&[line("100.00"), line("50.00")]).await;
    let path = Office::path(&issued);
    let how = json!({"method": "differences", "reasonCode": "R1", "reason": "Goods came back", "full": true});
    let credit = office.client.post(&format!("{path}/rectify"), &how).await.ok(201).json;
    assert_eq!((&credit["docType"], &credit["totals"]["total"]), (&json!("rectifying"), &json!("-181.50")));
    let twice = office.client.post(&format!("{path}/rectify"), &how).await.ok(201).json;
    let credit = office.issue(&credit).await;
    assert_eq!(
        (&credit["number"], &credit["compliance"]["verifactu"]["recordType"]),
        (&json!("R2025-00001"), &json!("R1"))
    );
    let refused = office.client.post(&format!("{}/issue", Office::path(&twice)), &json!({})).await;
    assert_eq!(refused.problem(), (409, "over_rectified"));
    let original = office.client.get(&path).await.ok(200).json;
    assert_eq!(
        (&original["rectificationStatus"], &original["rectifiedByIds"]),
        (&json!("full"), &json!([credit["id"]]))
    );
    assert_eq!(office.balance("4300000").await, "0.00");
    let refused = office.client.post(&format!("{path}/void"), &json!({"reason": "Mistake"})).await;
    assert_eq!(refused.problem(), (409, "invoice_rectified"));
    let offset = json!({"amount": "181.50", "date": "2025-03-01", "method": "offset", "offsetDocumentId": credit["id"]});
    let payment = office.client.post(&format!("{path}/payments"), &offset).await.ok(201).json;
    for document in [&issued, &credit] {
        let now = office.client.get(&Office::path(document)).await.ok(200).json;
        assert_eq!((&now["paymentStatus"], &now["totals"]["due"]), (&json!("paid"), &json!("0.00")));
    }
    let one = format!("{path}/payments/{}", payment["id"].as_str().unwrap());
    office.client.delete(&one, &[]).await.ok(200);
    let now = office.client.get(&Office::path(&credit)).await.ok(200).json;
    assert_eq!((&now["paymentStatus"], &now["totals"]["due"]), (&json!("unpaid"), &json!("-181.50")));
    let voided = office
        .client
        .post(&format!("{}/void", Office::path(&credit)), &json!({"reason": "Kept"}))
        .await
        .ok(200);
    assert_eq!((&voided.json["status"], &voided.json["voidReason"]), (&json!("voided"), &json!("Kept")));
    let original = office.client.get(&path).await.ok(200).json;
    assert_eq!(original["rectificationStatus"], "none");
    assert_eq!(office.balance("4300000").await, "181.50");
}

#[tokio::test]
async fn a_substitution_moves_the_debt_over() {
    let office = Office::new(Want::default()).await;
    let issued = office.issued(&[line("100.00")]).await;
    let path = Office::path(&issued);
    let pay = json!({"amount": "21.00", "date": "2025-03-01", "method": "cash"});
    office.client.post(&format!("{path}/payments"), &pay).await.ok(201);
    let how = json!({"method": "substitution", "reasonCode": "R1", "reason": "Wrong price", "lines": [line("80.00")]});
    let new = office.client.post(&format!("{path}/rectify"), &how).await.ok(201).json;
    let new = office.issue(&new).await;
    assert_eq!((&new["totals"]["payable"], &new["totals"]["due"]), (&json!("96.80"), &json!("75.80")));
    assert_eq!(new["rectifies"]["replaced"]["base"], "100.00");
    let old = office.client.get(&path).await.ok(200).json;
    assert_eq!((&old["paymentStatus"], &old["rectificationStatus"]), (&json!("paid"), &json!("full")));
    assert_eq!(office.balance("4300000").await, "75.80");
    let automatic = format!("{path}/payments/{}", old["payments"][1]["id"].as_str().unwrap());
    assert_eq!(office.client.delete(&automatic, &[]).await.problem(), (409, "payment_automatic"));
}

#[tokio::test]
async fn voiding_undoes_an_entry_that_people_undid_and_did_again() {
    let office = Office::new(Want::default()).await;
    let issued = office.issued(&[json!({"description": "Work", "unitPrice": "100.00"})]).await;
    let mut entry = issued["journalEntryId"].clone();
    for _ in 0..2 {
        let path = office.books(&format!("/journal-entries/{}/reverse", entry.as_str().unwrap()));
        entry = office.client.post(&path, &json!({})).await.ok(201).json["id"].clone();
    }
    assert_eq!(office.balance("4300000").await, "121.00");
    let path = format!("{}/void", Office::path(&issued));
    office.client.post(&path, &json!({"reason": "Mistake"})).await.ok(200);
    assert_eq!(
        (office.balance("4300000").await, office.balance("477").await),
        ("0.00".into(), "0.00".into())
    );
}

#[tokio::test]
async fn a_voided_document_keeps_its_number_and_its_entry_is_reversed() {
    let office = Office::new(Want::default()).await;
    let issued = office.issued(&[line("100.00")]).await;
    let path = Office::path(&issued);
    let missing = office.client.post(&format!("{path}/void"), &json!({"reason": " "})).await;
    assert_eq!(missing.field().0, "reason");
    let voided =
        office.client.post(&format!("{path}/void"), &json!({"reason": "Wrong customer"})).await.ok(200).json;
    assert_eq!((&voided["status"], &voided["number"]), (&json!("voided"), &json!("F2025-00001")));
    assert_eq!(office.balance("4300000").await, "0.00");
    assert_eq!(office.entry(&issued["journalEntryId"]).await["status"], "reversed");
    assert_eq!(office.issued(&[line("1.00")]).await["number"], "F2025-00002");
    let again = office.client.post(&format!("{path}/void"), &json!({"reason": "Again"})).await;
    assert_eq!(again.problem(), (409, "invoice_voided"));
    let wanted = ["create", "issue", "void", "create", "issue"].map(|verb| format!("invoice.{verb}"));
    assert_eq!(office.sales_events().await, wanted);
}

#[tokio::test]
async fn a_quote_is_accepted_and_becomes_an_invoice() {
    let office = Office::new(Want::default()).await;
    let body =
        json!({"docType": "quote", "contactId": office.customer, "lines": [line("100.00")], "issue": true});
    let quote = office.client.post("/billing", &body).await.ok(201).json;
    assert_eq!((&quote["number"], &quote["acceptance"]), (&json!("Q2025-00001"), &json!("pending")));
    assert_eq!((&quote["journalEntryId"], &quote["compliance"]), (&Value::Null, &Value::Null));
    let path = Office::path(&quote);
    let accepted =
        office.client.send(Method::POST, &format!("{path}/accept"), &[], String::new()).await.ok(200);
    assert_eq!(accepted.json["acceptance"], "accepted");
    let again = office.client.send(Method::POST, &format!("{path}/reject"), &[], String::new()).await;
    assert_eq!(again.problem(), (409, "quote_accepted"));
    let pay = json!({"amount": "1.00", "date": "2025-03-01", "method": "cash"});
    assert_eq!(office.client.post(&format!("{path}/payments"), &pay).await.problem(), (409, "not_payable"));
    let invoice =
        office.client.post(&format!("{path}/convert"), &json!({"docType": "invoice"})).await.ok(201).json;
    assert_eq!((&invoice["sourceId"], &invoice["status"]), (&quote["id"], &json!("draft")));
    assert_eq!(office.client.get(&path).await.ok(200).json["derivedIds"], json!([invoice["id"]]));
    assert_eq!(office.issue(&invoice).await["number"], "F2025-00001");
    let back = office.client.post(&format!("{path}/convert"), &json!({"docType": "quote"})).await;
    assert_eq!(back.problem(), (409, "not_convertible"));
}

#[tokio::test]
async fn drafts_are_issued_together_in_the_order_of_their_days() {
    let office = Office::new(Want::default()).await;
    let late = office.draft(&[line("1.00")]).await;
    let early = office.draft(&[line("2.00")]).await;
    office.client.patch(&Office::path(&early), &[], &json!({"issueDate": "2025-02-27"})).await.ok(200);
    let empty = office.draft(&[]).await;
    let ids = json!({"ids": [late["id"], empty["id"], early["id"]]});
    let report = office.client.post("/billing/bulk-issue", &ids).await.ok(200).json;
    assert_eq!((&report["succeeded"], &report["failed"]), (&json!(2), &json!(1)));
    let numbers: Vec<_> =
        report["items"].as_array().unwrap().iter().map(|item| item["number"].clone()).collect();
    assert_eq!(numbers, [json!("F2025-00002"), Value::Null, json!("F2025-00001")]);
    assert_eq!(report["items"][1]["error"]["code"], "validation_failed");
}

#[tokio::test]
async fn a_series_runs_on_from_another_program() {
    let office = Office::new(Want::default()).await;
    let listed = office.client.get("/billing/series").await.ok(200).json;
    assert_eq!(listed["total"], 5);
    let new = json!({"code": "WEB", "docTypes": ["invoice"], "pattern": "{series}-{yy}-{seq:4}", "firstSequence": 42});
    let series = office.client.post("/billing/series", &new).await.ok(201).json;
    assert_eq!(series["nextSequence"], 42);
    assert_eq!(office.client.post("/billing/series", &new).await.problem(), (409, "series_code_taken"));
    let mixed = json!({"code": "M", "docTypes": ["invoice", "quote"]});
    assert_eq!(office.client.post("/billing/series", &mixed).await.field(), ("docTypes", "mixed_series"));
    let draft = office.draft(&[line("1.00")]).await;
    let issue = format!("{}/issue", Office::path(&draft));
    let issued = office.client.post(&issue, &json!({"seriesId": series["id"]})).await.ok(200).json;
    assert_eq!((&issued["number"], &issued["seriesId"]), (&json!("WEB-25-0042"), &series["id"]));
    let path = format!("/billing/series/{}", series["id"].as_str().unwrap());
    let now = office.client.get(&path).await.ok(200).json;
    assert_eq!((&now["nextSequence"], &now["version"]), (&json!(43), &json!(1)));
    let frozen = office.client.patch(&path, &[], &json!({"pattern": "{yyyy}{seq:4}"})).await;
    assert_eq!(frozen.field(), ("pattern", "series_in_use"));
    office.client.patch(&path, &[], &json!({"active": false})).await.ok(200);
    let draft = office.draft(&[line("1.00")]).await;
    let issue = format!("{}/issue", Office::path(&draft));
    let refused = office.client.post(&issue, &json!({"seriesId": series["id"]})).await;
    assert_eq!(refused.field(), ("seriesId", "series_inactive"));
}

#[tokio::test]
async fn the_parties_are_masked_for_a_token_that_does_not_see_personal_data() {
    let office = Office::new(Want { personal_data: false, ..Want::default() }).await;
    let issued = office.issued(&[line("1.00")]).await;
    assert_eq!(issued["customer"]["taxId"], "B******74");
    assert_eq!((&issued["customer"]["address"], &issued["issuer"]["address"]), (&Value::Null, &Value::Null));
    assert_eq!(issued["compliance"]["verifactu"]["qrUrl"], Value::Null);
    assert_eq!(issued["customerName"], "Ferretería Sol SL");
}

#[tokio::test]
async fn a_simplified_invoice_names_no_customer_and_has_a_limit() {
    let office = Office::new(Want::default()).await;
    let body = |price: &str| json!({"docType": "simplified_invoice", "lines": [line(price)], "issue": true});
    let issued = office.client.post("/billing", &body("100.00")).await.ok(201).json;
    assert_eq!((&issued["number"], &issued["customer"]), (&json!("S2025-00001"), &Value::Null));
    assert_eq!(office.balance("4300000").await, "121.00");
    let refused = office.client.post("/billing", &body("400.00")).await;
    assert_eq!(refused.field(), ("docType", "simplified_limit_exceeded"));
    assert_eq!(office.client.get("/billing").await.ok(200).json["total"], 1);
    // In some sectors it may come to 3,000 euros.
    office.client.patch("/tax/profile", &[], &json!({"extendedSimplifiedInvoices": true})).await.ok(200);
    office.client.post("/billing", &body("400.00")).await.ok(201);
    let refused = office.client.post("/billing", &body("2500.00")).await;
    assert_eq!(refused.field(), ("docType", "simplified_limit_exceeded"));
}
