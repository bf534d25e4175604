//! Reports that show the books line by line, and what is open and taxed.

use http::Method;
use serde_json::{Value, json};

use crate::books::{at, with_books};
use crate::test_app::{Answer, Client, TestApp, Want};

/// An API with a customer and a supplier: two sales, one of them partly paid, and a purchase.
async fn with_trade(want: Want<'_>) -> (TestApp, Client, [String; 2]) {
    let (app, client) = with_books(want).await;
    let full = app.client(Want::default()).await;
    let mut contacts = Vec::new();
    for (name, tax_id) in [("Cliente SL", "B12345674"), ("Proveedor SL", "A58818501")] {
        let body = json!({"kind": "organization", "legalName": name, "taxId": tax_id});
        contacts.push(full.post("/contacts", &body).await.ok(201).id());
    }
    let contacts: [String; 2] = contacts.try_into().unwrap();
    let [customer, supplier] = &contacts;
    for entry in [
        sale("2025-01-10", "2025-01-25", "1000.00", "210.00", customer),
        sale("2025-02-10", "2025-04-10", "100.00", "21.00", customer),
        json!({"date": "2025-02-20", "description": "Cobro", "post": true, "lines": [
            {"accountCode": "5720000", "debit": "210.00"},
            {"accountCode": "4300000", "credit": "210.00", "contactId": customer},
        ]}),
        json!({"date": "2025-02-15", "description": "Compra", "reference": "P-7", "post": true, "lines": [
            {"accountCode": "6210000", "debit": "200.00"},
            {"accountCode": "4720000", "debit": "42.00"},
            {"accountCode": "4000000", "credit": "242.00", "contactId": supplier},
        ], "taxTags": [{"kind": "vat_input", "taxCode": "es_in_21", "base": "200.00", "quota": "42.00",
            "deductibleQuota": "42.00", "contactId": supplier}]}),
    ] {
        full.post(&at(&app, "/journal-entries"), &entry).await.ok(201);
    }
    (app, client, contacts)
}

fn sale(date: &str, due: &str, base: &str, quota: &str, customer: &str) -> Value {
    let total: f64 = base.parse::<f64>().unwrap() + quota.parse::<f64>().unwrap();
    json!({"date": date, "description": "Venta", "reference": format!("F-{date}"), "post": true, "lines": [
        {"accountCode": "4300000", "debit": format!("{total:.2}"), "contactId": customer, "dueDate": due,
            "description": "Factura"},
        {"accountCode": "7000000", "credit": base},
        {"accountCode": "4770000", "credit": quota},
    ], "taxTags": [{"kind": "vat_output", "taxCode": "es_vat_21", "base": base, "quota": quota,
        "contactId": customer}]})
}

async fn table(client: &Client, path: &str) -> Answer {
    let answer = client.send(Method::GET, path, &[("accept", "text/csv")], String::new()).await.ok(200);
    assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8");
    answer
}

#[tokio::test]
async fn a_general_ledger_runs_from_what_was_held_to_what_is_held() {
    let (app, client, [customer, _]) = with_trade(Want::default()).await;
    let report = at(&app, "/reports/general-ledger?from=2025-02-01&to=2025-02-28&accountPrefix=43");
    let shown = client.get(&report).await.ok(200);
    let account = &shown.json["accounts"][0];
    assert_eq!((&account["code"], &account["openingBalance"]), (&json!("4300000"), &json!("1210.00")));
    let lines = account["lines"].as_array().unwrap();
    let told: Vec<_> = lines.iter().map(|line| (&line["description"], &line["balance"])).collect();
    // A line without a text of its own has that of its entry.
    assert_eq!(told, [(&json!("Factura"), &json!("1331.00")), (&json!("Cobro"), &json!("1121.00"))]);
    assert_eq!(
        (&account["closingBalance"], shown.json["accounts"].as_array().unwrap().len()),
        (&json!("1121.00"), 1)
    );
    let of_contact = at(&app, &format!("/reports/general-ledger?from=2025-02-15&contactId={customer}"));
    let of_contact = client.get(&of_contact).await.ok(200);
    assert_eq!(of_contact.json["accounts"][0]["openingBalance"], "1331.00");
    assert_eq!(of_contact.json["accounts"].as_array().unwrap().len(), 1);
    let one = client.get(&at(&app, "/reports/general-ledger?accountCode=5720000")).await.ok(200);
    assert_eq!(one.json["accounts"][0]["lines"][0]["debit"], "210.00");
    let csv = table(&client, &report).await;
    let header =
        "accountCode,accountName,date,entryId,entryNumber,description,contactId,debit,credit,balance\r\n";
    assert!(csv.text.starts_with(header) && csv.text.lines().count() == 3, "{}", csv.text);
    for (query, name) in [
        ("from=2025-03-01&to=2025-02-01", "from"),
        ("from=soon", "from"),
        ("accountCode=x", "accountCode"),
        ("accountPrefix=", "accountPrefix"),
        ("contactId=con_1", "contactId"),
        ("level=1", "level"),
    ] {
        let refused = client.get(&at(&app, &format!("/reports/general-ledger?{query}"))).await;
        assert_eq!(
            (refused.problem(), refused.field().0),
            ((400, "invalid_parameter"), name),
            "{}",
            refused.text
        );
    }
}

#[tokio::test]
async fn a_journal_shows_posted_entries_by_their_dates() {
    let (app, client, _) = with_trade(Want::default()).await;
    let draft = json!({"date": "2025-02-16", "description": "Borrador", "lines": []});
    client.post(&at(&app, "/journal-entries"), &draft).await.ok(201);
    let shown = client.get(&at(&app, "/reports/journal?from=2025-02-01&to=2025-02-28")).await.ok(200);
    let entries = shown.json["entries"].as_array().unwrap();
    let told: Vec<_> = entries.iter().map(|entry| (&entry["date"], &entry["number"])).collect();
    let wanted = [("2025-02-10", 2), ("2025-02-15", 4), ("2025-02-20", 3)]
        .map(|(date, number)| (json!(date), json!(number)));
    assert_eq!(told, wanted.iter().map(|(date, number)| (date, number)).collect::<Vec<_>>());
    assert_eq!((&entries[1]["reference"], &entries[1]["total"]), (&json!("P-7"), &json!("242.00")));
    assert_eq!(entries[1]["lines"][1]["accountCode"], "4720000");
    // The fiscal year of today, when nothing is said.
    let all = client.get(&at(&app, "/reports/journal")).await.ok(200);
    assert_eq!((&all.json["from"], all.json["entries"].as_array().unwrap().len()), (&json!("2025-01-01"), 4));
    let csv = table(&client, &at(&app, "/reports/journal")).await;
    assert!(
        csv.text.starts_with("entryId,entryNumber,date,kind,") && csv.text.lines().count() == 12,
        "{}",
        csv.text
    );
}

#[tokio::test]
async fn amounts_of_any_size_add_up() {
    let (app, client) = with_books(Want::default()).await;
    let most = "9000000000000.00";
    let entry =
        |lines: Value| json!({"date": "2025-01-10", "description": "Venta", "post": true, "lines": lines});
    let one = entry(json!([
        {"accountCode": "5720000", "debit": most}, {"accountCode": "7000000", "credit": most},
    ]));
    for _ in 0..3 {
        client.post(&at(&app, "/journal-entries"), &one).await.ok(201);
    }
    let double = entry(json!([
        {"accountCode": "5720000", "debit": most}, {"accountCode": "5700000", "debit": most},
        {"accountCode": "7000000", "credit": most}, {"accountCode": "7010000", "credit": most},
    ]));
    let refused = client.post(&at(&app, "/journal-entries"), &double).await;
    assert_eq!(refused.field(), ("lines", "out_of_range"));
    let report = client.get(&at(&app, "/reports/trial-balance?from=2025-01-01&to=2025-12-31")).await.ok(200);
    assert!(report.text.contains("27000000000000.00"), "{}", report.text);
    for report in ["profit-and-loss?from=2025-01-01&to=2025-12-31", "balance-sheet?asOf=2025-12-31"] {
        client.get(&at(&app, &format!("/reports/{report}"))).await.ok(200);
    }
    let ledger = client.get(&at(&app, "/reports/general-ledger?from=2025-01-01&to=2025-12-31")).await.ok(200);
    assert!(ledger.text.contains("27000000000000.00"), "{}", ledger.text);
}

#[tokio::test]
async fn what_is_open_is_told_by_its_age() {
    let (app, client, [customer, supplier]) = with_trade(Want::default()).await;
    let aged = client.get(&at(&app, "/reports/aged-receivables?asOf=2025-03-01&buckets=30,60")).await.ok(200);
    assert_eq!(
        aged.json["buckets"],
        json!([{"from": 1, "to": 30}, {"from": 31, "to": 60}, {"from": 61, "to": null}])
    );
    // What was paid settled the sale that was due first.
    let one = json!({
        "contactId": customer, "contactName": "Cliente SL", "notDue": "121.00",
        "overdue": ["0.00", "1000.00", "0.00"], "total": "1121.00",
    });
    assert_eq!(aged.json["contacts"], json!([one]));
    let early = client.get(&at(&app, "/reports/aged-receivables?asOf=2025-01-31")).await.ok(200);
    assert_eq!(early.json["totals"]["overdue"], json!(["1210.00", "0.00", "0.00", "0.00"]));
    let owed = client.get(&at(&app, "/reports/aged-payables?asOf=2025-03-01")).await.ok(200);
    assert_eq!(
        (&owed.json["contacts"][0]["contactId"], &owed.json["totals"]["total"]),
        (&json!(supplier), &json!("242.00"))
    );
    let csv = table(&client, &at(&app, "/reports/aged-payables?asOf=2025-03-01&buckets=30")).await;
    assert!(
        csv.text.starts_with("contactId,contactName,notDue,overdue1to30,overdueFrom31,total\r\n"),
        "{}",
        csv.text
    );
    for buckets in ["60,30", "0", "x", "1,2,3,4,5,6,7,8,9,10,11,12,13"] {
        let refused = client.get(&at(&app, &format!("/reports/aged-payables?buckets={buckets}"))).await;
        assert_eq!((refused.problem().0, refused.field().0), (400, "buckets"), "{}", refused.text);
    }
}

#[tokio::test]
async fn a_vat_register_has_a_row_for_each_tax_and_masks_tax_ids() {
    let masked = Want { permissions: &["accounting:reports.read"], personal_data: false, ..Want::default() };
    let (app, client, [customer, _]) = with_trade(masked).await;
    let shown = client.get(&at(&app, "/reports/vat-register?from=2025-01-01&to=2025-03-31")).await.ok(200);
    assert_eq!(shown.header("x-personal-data"), "masked");
    let row = &shown.json["rows"][0];
    assert_eq!((&row["registerNumber"], &row["documentNumber"]), (&json!(1), &json!("F-2025-01-10")));
    assert_eq!((&row["contactId"], &row["contactName"]), (&json!(customer), &json!("Cliente SL")));
    assert_eq!(
        (&row["taxId"], &row["rate"], &row["quota"]),
        (&json!("B******74"), &json!("21"), &json!("210.00"))
    );
    assert_eq!(
        (&shown.json["totals"]["base"], &shown.json["rates"][0]["quota"]),
        (&json!("1100.00"), &json!("231.00"))
    );
    let input = at(&app, "/reports/vat-register?side=input");
    let csv = table(&client, &input).await;
    assert_eq!(csv.header("x-personal-data"), "masked");
    assert!(csv.text.contains(",A******01,es_in_21,21,200.00,42.00,0.00,42.00"), "{}", csv.text);
    let full = app.client(Want::default()).await;
    let csv = table(&full, &input).await;
    assert_eq!(csv.header("x-personal-data"), "full");
    assert!(csv.text.contains(",A58818501,"), "{}", csv.text);
    let refused = client.get(&at(&app, "/reports/vat-register?side=both")).await;
    assert_eq!((refused.problem().0, refused.field().0), (400, "side"));
    let other = app.client(Want { permissions: &["accounting:journal.read"], ..Want::default() }).await;
    assert_eq!(other.get(&input).await.problem(), (403, "missing_permission"));
}
