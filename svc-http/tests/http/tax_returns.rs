//! Tax returns by the API: computed from the books, filed, refused, filed again. Today is 2025-03-01.

mod corrections;
mod waiting;

use serde_json::{Value, json};

use crate::books::{act, at, kinds, with_books};
use crate::test_app::{Client, TestApp, Want};

const RETURNS: &str = "/tax/returns";

/// Posts a sale of a base and its tax of 21 %, with a customer.
async fn sale(app: &TestApp, client: &Client, date: &str, cents: i64, customer: &str) {
    let euros = |cents: i64| format!("{}.{:02}", cents / 100, cents % 100);
    let (base, quota, total) = (euros(cents), euros(cents * 21 / 100), euros(cents * 121 / 100));
    let entry = json!({"date": date, "description": "Venta", "post": true, "lines": [
        {"accountCode": "4300000", "debit": total, "contactId": customer},
        {"accountCode": "7000000", "credit": base}, {"accountCode": "4770000", "credit": quota},
    ], "taxTags": [{"kind": "vat_output", "taxCode": "es_vat_21", "base": base, "quota": quota, "contactId": customer}]});
    client.post(&at(app, "/journal-entries"), &entry).await.ok(201);
}

/// Posts a purchase of 100.00 and its tax of 21 %.
async fn purchase(app: &TestApp, client: &Client, date: &str, supplier: &str) {
    let entry = json!({"date": date, "description": "Compra", "post": true, "lines": [
        {"accountCode": "6210000", "debit": "100.00"}, {"accountCode": "4720000", "debit": "21.00"},
        {"accountCode": "4100000", "credit": "121.00", "contactId": supplier},
    ], "taxTags": [{"kind": "vat_input", "taxCode": "es_in_21", "base": "100.00", "quota": "21.00", "contactId": supplier}]});
    client.post(&at(app, "/journal-entries"), &entry).await.ok(201);
}

async fn contact(client: &Client, name: &str, tax_id: Option<&str>) -> String {
    let body = json!({"kind": "organization", "legalName": name, "taxId": tax_id,
        "address": {"line1": "Mayor 1", "city": "Madrid", "postalCode": "28001", "country": "ES"}});
    client.post("/contacts", &body).await.ok(201).id()
}

async fn made(client: &Client, model: &str, period: &str) -> String {
    let new = json!({"model": model, "year": 2025, "period": period});
    format!("{RETURNS}/{}", client.post(RETURNS, &new).await.ok(201).id())
}

fn value<'a>(of: &'a Value, code: &str) -> &'a str {
    let boxes = of["boxes"].as_array().expect("boxes");
    boxes.iter().find(|one| one["code"] == code).and_then(|one| one["value"].as_str()).expect("a box")
}

/// A client of a company whose February has a sale of 1,000.00 and a purchase of 100.00, and the path of its return.
async fn with_february(want: Want<'_>) -> (TestApp, Client, String) {
    let (app, client) = with_books(want).await;
    let (customer, supplier) = (
        contact(&client, "Luna SA", Some("A58818501")).await,
        contact(&client, "Papel SL", Some("B12345674")).await,
    );
    sale(&app, &client, "2025-02-10", 100_000, &customer).await;
    purchase(&app, &client, "2025-02-11", &supplier).await;
    let path = made(&client, "303", "02").await;
    (app, client, path)
}

#[tokio::test]
async fn a_month_is_prepared_filed_and_settled() {
    let (app, client, path) = with_february(Want::default()).await;
    let post = async |verb: &str, body: Value| client.post(&format!("{path}/{verb}"), &body).await;
    client.patch(&at(&app, ""), &[], &json!({"automation": {"taxSettlement": "post"}})).await.ok(200);
    let prepared = post("prepare", json!({})).await.ok(200).json;
    assert_eq!(
        (value(&prepared, "09"), value(&prepared, "29"), value(&prepared, "71")),
        ("210.00", "21.00", "189.00")
    );
    let told = |name: &str| prepared[name].clone();
    assert_eq!(
        (told("status"), told("dueDate"), told("isStale"), told("booksVersion"), told("version")),
        (json!("prepared"), json!("2025-03-31"), json!(false), json!("2"), json!(2))
    );
    assert_eq!(prepared["result"], json!({"type": "payable", "amount": "189.00"}));
    // What leads back from a box, and from a formula of boxes.
    let sources = client.get(&format!("{path}/boxes/71/sources")).await.ok(200).json;
    assert_eq!((&sources["total"], &sources["items"][0]["quota"]), (&json!(2), &json!("210.00")));
    assert_eq!(client.get(&format!("{path}/boxes/9999/sources")).await.problem(), (404, "not_found"));
    // What a person says is computed with.
    let said = client.patch(&path, &[], &json!({"boxes": {"43": "-12.50"}})).await.ok(200).json;
    assert_eq!((value(&said, "45"), value(&said, "71")), ("8.50", "201.50"));
    client.patch(&path, &[], &json!({"boxes": {"43": null}})).await.ok(200);
    let filed =
        post("submit", json!({"channel": "manual", "receiptNumber": "2025303123", "csv": "ABCD1234"})).await;
    let filed = filed.ok(200).json;
    assert_eq!((&filed["status"], &filed["submission"]["csv"]), (&json!("submitted"), &json!("ABCD1234")));
    let entry = filed["settlementEntryId"].as_str().expect("a settlement");
    let entry = client.get(&at(&app, &format!("/journal-entries/{entry}"))).await.ok(200).json;
    let lines: Vec<_> = entry["lines"]
        .as_array()
        .expect("lines")
        .iter()
        .map(|line| {
            ["accountCode", "debit", "credit"]
                .map(|name| line[name].as_str().unwrap_or_default().to_owned())
                .join(" ")
        })
        .collect();
    assert_eq!(lines, ["4770000 210.00 0.00", "4720000 0.00 21.00", "4750000 0.00 189.00"]);
    assert_eq!((&entry["date"], &entry["status"]), (&json!("2025-02-28"), &json!("posted")));
    assert_eq!(client.get(&at(&app, "")).await.ok(200).json["taxLockDate"], "2025-02-28");
    assert_eq!(post("prepare", json!({})).await.problem(), (409, "return_filed"));
    assert_eq!(post("submit", json!({"channel": "manual"})).await.problem(), (409, "return_not_prepared"));
    let taken = post("outcome", json!({"outcome": "accepted", "message": "Conforme"})).await.ok(200).json;
    assert_eq!((&taken["status"], &taken["outcome"]["message"]), (&json!("accepted"), &json!("Conforme")));
    assert_eq!(
        post("outcome", json!({"outcome": "rejected"})).await.problem(),
        (409, "return_not_submitted")
    );
    let told: Vec<_> = kinds(&app).await.into_iter().filter(|kind| kind.starts_with("tax_return.")).collect();
    let update = "tax_return.update";
    assert_eq!(told, [update, update, update, "tax_return.submit", update]);
}

#[tokio::test]
async fn a_refused_return_is_taken_back_and_filed_again() {
    let (app, client, path) = with_february(Want::default()).await;
    let post = async |verb: &str, body: Value| client.post(&format!("{path}/{verb}"), &body).await;
    client.patch(&at(&app, ""), &[], &json!({"automation": {"taxSettlement": "post"}})).await.ok(200);
    let lock = async || client.get(&at(&app, "")).await.ok(200).json["taxLockDate"].clone();
    let settled = async || {
        let path = at(&app, "/accounts?prefix=4750000&limit=1");
        client.get(&path).await.ok(200).json["items"][0]["balance"].clone()
    };
    let mut entries = Vec::new();
    for _ in 0..2 {
        post("prepare", json!({})).await.ok(200);
        let filed = post("submit", json!({"channel": "electronic"})).await.ok(200).json;
        entries.push(filed["settlementEntryId"].clone());
        assert_eq!((lock().await, settled().await), (json!("2025-02-28"), json!("-189.00")));
        let refused = post("outcome", json!({"outcome": "rejected", "message": "NIF"})).await.ok(200).json;
        assert_eq!(refused["status"], "rejected");
        assert_eq!((lock().await, settled().await), (Value::Null, json!("0.00")));
    }
    assert_ne!(entries[0], entries[1]);
    // At the end of the period nothing is left of them, whatever day it is today.
    let path = at(&app, "/reports/general-ledger?accountCode=4770000&from=2025-02-01&to=2025-02-28");
    let account = client.get(&path).await.ok(200).json["accounts"][0].clone();
    assert_eq!(account["closingBalance"], "-210.00", "{account}");
}

#[tokio::test]
async fn what_was_posted_since_must_be_looked_at() {
    let (app, client, path) = with_february(Want::default()).await;
    let other = made(&client, "111", "02").await;
    for path in [&path, &other] {
        client.post(&format!("{path}/prepare"), &json!({})).await.ok(200);
    }
    let customer = contact(&client, "Nube SA", Some("A28015865")).await;
    sale(&app, &client, "2025-01-31", 100, &customer).await;
    assert_eq!(client.get(&path).await.ok(200).json["isStale"], false, "it is of another month");
    sale(&app, &client, "2025-02-28", 100, &customer).await;
    assert_eq!(client.get(&path).await.ok(200).json["isStale"], true);
    let list =
        client.get(&format!("{RETURNS}?model=303&year=2025&period=02&status=prepared")).await.ok(200).json;
    assert_eq!((&list["total"], &list["items"][0]["isStale"]), (&json!(1), &json!(true)));
    let stale = client.post(&format!("{path}/submit"), &json!({"channel": "manual"})).await;
    assert_eq!(stale.problem(), (409, "return_stale"));
    client.post(&format!("{path}/prepare"), &json!({})).await.ok(200);
    client.post(&format!("{path}/submit"), &json!({"channel": "manual"})).await.ok(200);
    // The tags of a filed period stay as they are.
    let late = json!({"date": "2025-02-28", "description": "Venta", "post": true, "lines": [
        {"accountCode": "5700000", "debit": "12.10"}, {"accountCode": "7000000", "credit": "10.00"},
        {"accountCode": "4770000", "credit": "2.10"},
    ], "taxTags": [{"kind": "vat_output", "taxCode": "es_vat_21", "base": "10.00", "quota": "2.10"}]});
    let late = client.post(&at(&app, "/journal-entries"), &late).await;
    assert_eq!(late.problem(), (409, "tax_period_submitted"));
}

#[tokio::test]
async fn a_declaration_names_its_parties_to_who_may_see_them() {
    let (app, client) = with_books(Want::default()).await;
    let (known, unknown) =
        (contact(&client, "Luna SA", Some("A58818501")).await, contact(&client, "Sombra SL", None).await);
    sale(&app, &client, "2025-02-10", 400_000, &known).await;
    sale(&app, &client, "2025-02-11", 300_000, &unknown).await;
    let path = made(&client, "347", "0A").await;
    let post = async |verb: &str, body: Value| client.post(&format!("{path}/{verb}"), &body).await;
    assert_eq!(post("prepare", json!({})).await.problem(), (409, "period_not_over"));
    let export = async |client: &Client, format: &str| client.get(&format!("{path}/export?{format}")).await;
    assert_eq!(export(&client, "format=csv").await.problem(), (409, "return_not_prepared"));
    let prepared = post("prepare", json!({"allowEarly": true})).await.ok(200).json;
    assert_eq!((&prepared["partyCount"], &prepared["result"]["type"]), (&json!(2), &json!("informative")));
    let missing = json!({"code": "no_tax_id", "count": 1, "blocking": true});
    assert!(
        prepared["warnings"].as_array().expect("warnings").contains(&missing),
        "{}",
        prepared["warnings"]
    );
    assert_eq!(post("submit", json!({"channel": "manual"})).await.problem(), (409, "return_incomplete"));
    let masked = app.client(Want { personal_data: false, ..Want::default() }).await;
    let rows = |answer: Value| answer["items"].as_array().expect("items").clone();
    let parties = rows(client.get(&format!("{path}/parties")).await.ok(200).json);
    let luna = parties.iter().find(|row| row["name"] == "Luna SA").expect("Luna");
    assert_eq!(
        (&luna["taxId"], &luna["key"], &luna["amounts"]["amount"]),
        (&json!("A58818501"), &json!("B"), &json!("4840.00"))
    );
    let parties = rows(masked.get(&format!("{path}/parties?limit=1&page=1")).await.ok(200).json);
    assert!(parties.iter().all(|row| row["taxId"] != "A58818501"), "{parties:?}");
    assert_eq!(export(&masked, "format=parties").await.problem(), (403, "personal_data_withheld"));
    assert!(export(&client, "format=parties").await.ok(200).text.contains("A58818501,Luna SA,B"));
    assert!(export(&masked, "lang=en").await.ok(200).text.starts_with("code,label,amount\r\n"));
    for (wrong, parameter) in [("", "declarationNumber"), ("&declarationNumber=3470000000001", "contactName")]
    {
        let refused = export(&client, &format!("format=aeat{wrong}")).await;
        assert_eq!((refused.problem(), refused.field().0), ((400, "invalid_parameter"), parameter));
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_return_is_told_by_its_member() {
    let (_app, client, path) = with_february(Want::default()).await;
    let unknown = format!("txr_{}", "0".repeat(26));
    for (body, field, code) in [
        (json!({"model": "303", "year": 2025, "period": "5T"}), "period", "invalid_period"),
        (json!({"model": "303", "year": 1800, "period": "1T"}), "year", "out_of_range"),
        (json!({"model": "390", "year": 2025, "period": "1T"}), "period", "unknown_form"),
        (json!({"model": "303", "year": 2010, "period": "1T"}), "period", "unknown_form"),
        (
            json!({"model": "303", "year": 2025, "period": "02", "correctsId": unknown}),
            "correctsId",
            "not_allowed",
        ),
        (
            json!({"model": "303", "year": 2025, "period": "02", "kind": "rectifying"}),
            "correctsId",
            "required",
        ),
        (
            json!({"model": "303", "year": 2025, "period": "02", "kind": "rectifying", "correctsId": unknown}),
            "correctsId",
            "unknown_reference",
        ),
    ] {
        let refused = client.post(RETURNS, &body).await;
        assert_eq!(refused.field(), (field, code), "{body}");
    }
    let again = client.post(RETURNS, &json!({"model": "303", "year": 2025, "period": "02"})).await;
    assert_eq!(
        (again.problem(), again.json["errors"][0]["field"].clone()),
        ((409, "already_exists"), json!("period"))
    );
    let corrects = path.trim_start_matches("/tax/returns/");
    let open =
        json!({"model": "303", "year": 2025, "period": "02", "kind": "substitute", "correctsId": corrects});
    assert_eq!(client.post(RETURNS, &open).await.field(), ("correctsId", "not_filed"));
    for (boxes, field, code) in [
        (json!({"9999": "1"}), "boxes.9999", "unknown_box"),
        (json!({"43": "1.234"}), "boxes.43", "invalid_value"),
        (json!({"27": "1.00"}), "boxes.27", "computed_box"),
        (json!({"44": "1.00"}), "boxes.44", "not_of_period"),
        (json!({"65": "101"}), "boxes.65", "out_of_range"),
    ] {
        let refused = client.patch(&path, &[], &json!({"boxes": boxes})).await;
        assert_eq!(refused.field(), (field, code));
    }
    assert_eq!(client.patch(&path, &[], &json!({"status": "accepted"})).await.field().1, "read_only_field");
    client.post(&format!("{path}/prepare"), &json!({})).await.ok(200);
    for (body, field, code) in [
        (json!({"channel": "manual", "receiptNumber": " "}), "receiptNumber", "required"),
        (json!({"channel": "manual", "csv": "a b"}), "csv", "invalid_value"),
        (json!({"channel": "manual", "submittedAt": "2999-01-01T00:00:00Z"}), "submittedAt", "out_of_range"),
    ] {
        let refused = client.post(&format!("{path}/submit"), &body).await;
        assert_eq!(refused.field(), (field, code), "{body}");
    }
    let stale = client.patch(&path, &[("if-match", "\"1\"")], &json!({"refund": true})).await;
    assert_eq!(stale.problem(), (412, "version_conflict"));
    assert_eq!(act(&client, &format!("{RETURNS}/{unknown}/prepare")).await.problem(), (404, "not_found"));
}

#[tokio::test]
async fn tickets_are_no_part_of_a_declaration_of_parties() {
    let (app, client) = with_books(Want::default()).await;
    let known = contact(&client, "Luna SA", Some("A58818501")).await;
    sale(&app, &client, "2025-02-10", 400_000, &known).await;
    let ticket = json!({"date": "2025-02-11", "description": "Tique", "post": true, "lines": [
        {"accountCode": "5700000", "debit": "60.50"}, {"accountCode": "7000000", "credit": "50.00"},
        {"accountCode": "4770000", "credit": "10.50"},
    ], "taxTags": [{"kind": "vat_output", "taxCode": "es_vat_21", "base": "50.00", "quota": "10.50"}]});
    client.post(&at(&app, "/journal-entries"), &ticket).await.ok(201);
    let path = made(&client, "347", "0A").await;
    let prepared = client.post(&format!("{path}/prepare"), &json!({"allowEarly": true})).await.ok(200).json;
    let told = json!({"code": "no_party", "count": 1, "blocking": false});
    assert!(prepared["warnings"].as_array().expect("warnings").contains(&told), "{}", prepared["warnings"]);
    assert_eq!(prepared["partyCount"], 1);
    client.post(&format!("{path}/submit"), &json!({"channel": "manual"})).await.ok(200);
}

/// What an account holds at the end of the year.
async fn balance(app: &TestApp, client: &Client, code: &str) -> Value {
    let path = at(app, "/reports/trial-balance?from=2025-01-01&to=2025-12-31");
    let answer = client.get(&path).await.ok(200).json;
    let rows = answer["rows"].as_array().expect("rows");
    rows.iter().find(|row| row["code"] == code).expect("an account")["closingBalance"].clone()
}

/// I-18: four quarters declare what the year does, and their settlements leave nothing on the accounts of VAT.
#[tokio::test]
async fn four_quarters_sum_to_the_year() {
    let (app, client) = with_books(Want::default()).await;
    client.patch(&at(&app, ""), &[], &json!({"automation": {"taxSettlement": "post"}})).await.ok(200);
    let (customer, supplier) = (
        contact(&client, "Luna SA", Some("A58818501")).await,
        contact(&client, "Papel SL", Some("B12345674")).await,
    );
    // In the second quarter more is deducted than charged, and the third offsets it.
    for (month, sales, purchases) in [(1, 3, 1), (3, 2, 0), (5, 0, 4), (8, 2, 1), (9, 1, 0), (12, 4, 2)] {
        for number in 0..sales {
            sale(
                &app,
                &client,
                &format!("2025-{month:02}-{:02}", 10 + number),
                10_000 * (1 + number),
                &customer,
            )
            .await;
        }
        for number in 0..purchases {
            purchase(&app, &client, &format!("2025-{month:02}-{:02}", 20 + number), &supplier).await;
        }
    }
    let cents = |text: &str| text.replace('.', "").parse::<i64>().expect("an amount");
    let (mut charged, mut deducted, mut owed, mut results) = (0, 0, 0, Vec::new());
    for quarter in 1..=4 {
        let path = made(&client, "303", &format!("{quarter}T")).await;
        let prepared =
            client.post(&format!("{path}/prepare"), &json!({"allowEarly": true})).await.ok(200).json;
        charged += cents(value(&prepared, "27"));
        deducted += cents(value(&prepared, "45"));
        owed += cents(value(&prepared, "46"));
        results.push(prepared["result"]["type"].as_str().expect("a result").to_owned());
        client.post(&format!("{path}/submit"), &json!({"channel": "manual"})).await.ok(200);
    }
    assert_eq!(results, ["payable", "to_offset", "zero", "payable"]);
    let path = made(&client, "390", "0A").await;
    let year = client.post(&format!("{path}/prepare"), &json!({"allowEarly": true})).await.ok(200).json;
    let of_year = ["47", "64", "65"].map(|code| cents(value(&year, code)));
    assert_eq!(of_year, [charged, deducted, owed]);
    for code in ["4770000", "4720000"] {
        assert_eq!(balance(&app, &client, code).await, "0.00", "{code}");
    }
}
