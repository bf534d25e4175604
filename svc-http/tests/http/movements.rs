//! Statements of banks by the API, and the movements that come with them.

mod overlap;
mod statement;

use std::time::Duration;

use serde_json::{Value, json};
use svc_business::bank::import::{proceed, waiting};
use svc_business::job::JobKind;
use svc_core::audit::Actor;
use svc_core::pii::PiiAccess;
use svc_core::unit::CallContext;
use svc_testkit::business::sample;
use svc_testkit::fakes::SeededRandom;

use self::statement::{IBAN, N43, many, table};
use crate::books::{kinds, with_books};
use crate::multipart::Part;
use crate::test_app::{Answer, Client, TestApp, Want};

const ACCOUNTS: &str = "/treasury/bank-accounts";
const MOVEMENTS: &str = "/treasury/bank-movements";

async fn account(client: &Client) -> String {
    let bank = json!({"name": "Cuenta principal", "type": "bank", "iban": IBAN});
    client.post(ACCOUNTS, &bank).await.ok(201).id()
}

fn part(name: &str, content: impl Into<Vec<u8>>) -> Part {
    (name.to_owned(), content.into())
}

/// Sends a file. The next request is a millisecond later, as lists tell imports by.
async fn send(app: &TestApp, client: &Client, account: &str, file: impl Into<Vec<u8>>) -> Answer {
    let path = format!("{ACCOUNTS}/{account}/imports");
    let answer = client.send_parts(&path, &[], &[part("file", file)]).await;
    app.clock.advance(Duration::from_millis(1));
    answer
}

async fn listed(client: &Client, query: &str) -> Value {
    client.get(&format!("{MOVEMENTS}{query}")).await.ok(200).json
}

/// The amounts of a list, in its order.
async fn amounts(client: &Client, query: &str) -> Vec<String> {
    let list = listed(client, query).await;
    let items = list["items"].as_array().unwrap();
    assert_eq!(list["total"], items.len());
    items.iter().map(|item| item["amount"].as_str().unwrap().to_owned()).collect()
}

async fn told(app: &TestApp) -> usize {
    kinds(app).await.iter().filter(|kind| *kind == "bank_movement.create").count()
}

#[tokio::test]
async fn a_statement_brings_its_movements_once() {
    let (app, client) = with_books(Want::default()).await;
    let id = account(&client).await;
    let january = N43 { opening: 100_000, ..N43::default() };
    let first = [("250105", 121_000, "TRANSFERENCIA ABETO"), ("250110", -8_010, "RECIBO LUZ")];
    let import = send(&app, &client, &id, january.with(&first)).await.ok(201);
    assert_eq!(import.header("location"), format!("/api/v1/treasury/imports/{}", import.id()));
    for (member, value) in [
        ("object", json!("bank_movement_import")),
        ("bankAccountId", json!(id)),
        ("format", json!("n43")),
        ("fileName", json!("invoice.xml")),
        ("status", json!("completed")),
        ("from", json!("2025-01-01")),
        ("to", json!("2025-01-31")),
        ("currency", json!("EUR")),
        ("openingBalance", json!("1000.00")),
        ("closingBalance", json!("2129.90")),
        ("lines", json!(2)),
        ("created", json!(2)),
        ("duplicates", json!(0)),
        ("warnings", json!([])),
    ] {
        assert_eq!(import.json[member], value, "{member}");
    }
    assert_eq!(import.json["sha256"].as_str().unwrap().len(), 64);
    let seen = client.get(&format!("{ACCOUNTS}/{id}")).await.ok(200).json;
    assert_eq!(
        (&seen["statementBalance"], &seen["statementDate"], &seen["unreconciledCount"]),
        (&json!("2129.90"), &json!("2025-01-31"), &json!(2))
    );
    let list = listed(&client, "").await;
    for (member, value) in [
        ("bankAccountId", json!(id)),
        ("importId", json!(import.id())),
        ("bookingDate", json!("2025-01-05")),
        ("valueDate", json!("2025-01-05")),
        ("amount", json!("1210.00")),
        ("description", json!("TRANSFERENCIA ABETO")),
        ("bankCode", json!("04-205")),
        ("status", json!("pending")),
        ("notes", Value::Null),
    ] {
        assert_eq!(list["items"][0][member], value, "{member}");
    }
    let event = app.events().await.pop().unwrap();
    assert_eq!(event.kind.name(), "bank_movement.create");
    assert_eq!((&*event.object, event.object_id), ("bank_movement_import", import.id()));
    assert_eq!(serde_json::to_value(&event.data).unwrap()["movement_count"], 2);

    let again = send(&app, &client, &id, january.with(&first)).await.ok(200);
    assert_eq!(again.json, import.json);
    // One that overlaps adds what is new; two equal movements of a day are two.
    let coffee = ("250120", -180, "CAFE");
    let both = [first[0], first[1], coffee, coffee];
    let longer = send(&app, &client, &id, january.with(&both)).await.ok(201);
    assert_eq!((&longer.json["created"], &longer.json["duplicates"]), (&json!(2), &json!(2)));
    assert_eq!(amounts(&client, "").await, ["1210.00", "-80.10", "-1.80", "-1.80"]);
    // One with nothing new is an import, and no event.
    let part = N43 { to: "250120", ..january };
    let shorter = send(&app, &client, &id, part.with(&both[..3])).await.ok(201);
    assert_eq!((&shorter.json["created"], &shorter.json["duplicates"]), (&json!(0), &json!(3)));
    assert_eq!(told(&app).await, 2);
    // The next month begins with what this one ended with, or something is missing.
    let next = N43 { opening: 212_630, from: "250201", to: "250228" };
    let good = send(&app, &client, &id, next.with(&[("250203", 1_000, "ABONO")])).await.ok(201);
    assert_eq!(good.json["warnings"], json!([]));
    let march = N43 { opening: 212_000, from: "250301", to: "250331" };
    let gap = send(&app, &client, &id, march.with(&[("250303", 1_000, "ABONO")])).await.ok(201);
    assert_eq!(gap.json["warnings"][0]["code"], "gap");
    let imports =
        client.get("/treasury/imports?status=completed&format=n43&sort=-updatedAt").await.ok(200).json;
    assert_eq!((&imports["total"], &imports["items"][0]["id"]), (&json!(5), &json!(gap.id())));
}

#[tokio::test]
async fn every_filter_and_order_of_movements_is_taken() {
    let (app, client) = with_books(Want::default()).await;
    let id = account(&client).await;
    let lines = [
        ("15/01/2025", "Recibo luz", "-84,20"),
        ("16/01/2025", "Nómina", "1.500,00"),
        ("17/01/2025", "Café", "-1,80"),
    ];
    let import = send(&app, &client, &id, table(&lines)).await.ok(201);
    let till = client.post(ACCOUNTS, &json!({"name": "Caja", "type": "cash"})).await.ok(201).id();
    let own = json!({"bookingDate": "2025-01-18", "amount": "12.50", "description": "Sellos"});
    client.post(MOVEMENTS, &json!({"bankAccountId": till, "movements": [own]})).await.ok(201);
    for (query, expected) in [
        (String::new(), vec!["-84.20", "1500.00", "-1.80", "12.50"]),
        (format!("?bankAccountId={till}"), vec!["12.50"]),
        (format!("?importId={}", import.id()), vec!["-84.20", "1500.00", "-1.80"]),
        ("?direction=in".to_owned(), vec!["1500.00", "12.50"]),
        ("?direction=out&maxAmount=10".to_owned(), vec!["-1.80"]),
        ("?minAmount=84.20".to_owned(), vec!["-84.20", "1500.00"]),
        ("?from=2025-01-16&to=2025-01-17".to_owned(), vec!["1500.00", "-1.80"]),
        ("?q=nomi".to_owned(), vec!["1500.00"]),
        ("?status=ignored".to_owned(), vec![]),
        ("?sort=amount".to_owned(), vec!["-84.20", "-1.80", "12.50", "1500.00"]),
        ("?sort=-bookingDate".to_owned(), vec!["12.50", "-1.80", "1500.00", "-84.20"]),
    ] {
        assert_eq!(amounts(&client, &query).await, expected, "{query}");
    }
    let wrong = client.get(&format!("{MOVEMENTS}?minAmount=lots")).await;
    assert_eq!(wrong.problem(), (400, "invalid_parameter"));
}

#[tokio::test]
async fn a_token_that_sees_numbers_masked_imports_none_that_names_them() {
    let (app, client) = with_books(Want::default()).await;
    let id = account(&client).await;
    let masked = app.client(Want { personal_data: false, ..Want::default() }).await;
    let whole = N43::default().with(&[("250105", 100, "DE ES7921000813610123456789 ABETO")]);
    // Right or wrong, the number is not compared.
    for file in [whole.clone(), whole.replace("0200051332", "0200051339")] {
        assert_eq!(send(&app, &masked, &id, file).await.problem(), (403, "personal_data_withheld"));
    }
    send(&app, &client, &id, whole).await.ok(201);
    send(&app, &masked, &id, table(&[("15/01/2025", "Café", "-1,80")])).await.ok(201);
    let own = json!({"bookingDate": "2025-01-18", "amount": "12.50", "description": "Renta", "references": ["R-7"],
        "counterpartyName": "Ana Ruiz", "counterpartyIban": "ES7921000813610123456789"});
    masked.post(MOVEMENTS, &json!({"bankAccountId": id, "movements": [own]})).await.ok(201);
    let number = "ES79****************6789";
    for (client, description, iban) in [
        (&client, "DE ES7921000813610123456789 ABETO", "ES7921000813610123456789"),
        (&masked, &*format!("DE {number} ABETO"), number),
    ] {
        let list = listed(client, "").await;
        assert_eq!(list["items"][0]["description"], description);
        let by_hand = &list["items"][2];
        assert_eq!((&by_hand["counterpartyIban"], &by_hand["references"]), (&json!(iban), &json!(["R-7"])));
        assert_eq!(listed(client, "?q=2100081361").await["total"], 0);
        assert_eq!(listed(client, "?q=abeto").await["total"], 1);
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_statement_is_told_by_its_part() {
    let (app, client) = with_books(Want::default()).await;
    let id = account(&client).await;
    let path = format!("{ACCOUNTS}/{id}/imports");
    let whole = N43::default().with(&[("250105", 100, "ABONO")]);
    let good = || part("file", whole.clone());
    let tabular = || part("file", table(&[("15/01/2025", "Café", "-1,80")]));
    let named = r#"{"bookingDate": "Fecha", "amount": "Importe"}"#;
    for (parts, wanted) in [
        (vec![part("format", "n43")], "file: required"),
        (vec![part("file", "no statement")], "file: unsupported_format"),
        (vec![good(), part("format", "xml")], "format: invalid_value"),
        (vec![good(), part("format", "camt053")], "file: malformed_statement"),
        (vec![good(), part("mapping", named)], "mapping: not_allowed"),
        (vec![tabular(), part("mapping", "{")], "mapping: malformed_json"),
        (vec![tabular(), part("mapping", "[]")], "mapping: invalid_type"),
        (vec![tabular(), part("mapping", r#"{"bookingDate": "Fecha"}"#)], "mapping.amount: required"),
        (
            vec![tabular(), part("mapping", r#"{"bookingDate": 0, "amount": 3}"#)],
            "mapping.bookingDate: invalid_value",
        ),
        (vec![tabular(), part("mapping", r#"{"bookingDate": "Day", "amount": 3}"#)], "file: column_missing"),
        (vec![part("file", whole.replace("0200051332", "0200051339"))], "file: wrong_account"),
        (
            vec![part("file", whole.replace("200000000000100978", "200000000000200978"))],
            "file: statement_inconsistent",
        ),
        (vec![good(), part("companyId", "acc_1")], "companyId: unknown_field"),
    ] {
        let answer = client.send_parts(&path, &[], &parts).await;
        assert_eq!(answer.status, 422, "{wanted}: {}", answer.text);
        let (field, code) = answer.field();
        assert_eq!(format!("{field}: {code}"), wanted);
    }
    let large = send(&app, &client, &id, vec![b' '; 25 * 1024 * 1024]).await;
    assert_eq!(large.problem(), (413, "payload_too_large"));
    assert_eq!(listed(&client, "").await["total"], 0);
    assert_eq!(client.get("/treasury/imports").await.ok(200).json["total"], 0);
    assert_eq!(told(&app).await, 0);
    // A table in an unusual form is read by its mapping.
    let odd = "when|what|out|in\r\n12/31/2024|Coffee|1.80|\r\n01/15/2025|Rent||500.00\r\n";
    let mapping = json!({"separator": "|", "bookingDate": 1, "debit": "out", "credit": 4, "description": ["what"],
        "dateOrder": "month_first", "decimal": "point"});
    let parts = [part("file", odd), part("format", "csv"), part("mapping", mapping.to_string())];
    client.send_parts(&path, &[], &parts).await.ok(201);
    assert_eq!(amounts(&client, "").await, ["-1.80", "500.00"]);
}

#[tokio::test]
async fn movements_are_written_by_hand() {
    let (app, client) = with_books(Want::default()).await;
    let id = client.post(ACCOUNTS, &json!({"name": "Caja", "type": "cash"})).await.ok(201).id();
    let coffee = json!({"bookingDate": "2025-01-18", "amount": "-1.80", "description": "Café"});
    let rent = json!({"bookingDate": "2025-01-19", "valueDate": "2025-01-20", "amount": "500.00", "description": "Renta",
        "counterpartyName": "Abeto SL", "references": ["R-7", "R-8"]});
    let write = async |movements: Value| {
        app.clock.advance(Duration::from_millis(1));
        client.post(MOVEMENTS, &json!({"bankAccountId": id, "movements": movements})).await
    };
    let import = write(json!([coffee, rent])).await.ok(201);
    assert_eq!(
        (&import.json["format"], &import.json["created"], &import.json["to"], &import.json["sha256"]),
        (&json!("manual"), &json!(2), &json!("2025-01-19"), &Value::Null)
    );
    // The same again is meant.
    write(json!([coffee])).await.ok(201);
    assert_eq!(amounts(&client, "").await, ["-1.80", "500.00", "-1.80"]);
    assert_eq!(told(&app).await, 2);
    let with = |member: &str, value: Value| {
        let mut body = rent.clone();
        body[member] = value;
        json!([coffee, body])
    };
    for (movements, told) in [
        (json!([]), ("movements", "too_many")),
        (json!(vec![&coffee; 101]), ("movements", "too_many")),
        (with("bookingDate", json!("2025-02-30")), ("movements[1].bookingDate", "invalid_date")),
        (with("amount", json!("1.234")), ("movements[1].amount", "invalid_amount")),
        (with("amount", json!("0.00")), ("movements[1].amount", "out_of_range")),
        (with("description", json!("")), ("movements[1].description", "required")),
        (with("counterpartyIban", json!("ES12")), ("movements[1].counterpartyIban", "invalid_iban")),
        (with("references", json!(vec!["x"; 9])), ("movements[1].references", "too_many")),
        (with("balanceAfter", json!("1.00")), ("movements[1].balanceAfter", "unknown_field")),
    ] {
        assert_eq!(write(movements.clone()).await.field(), told, "{movements}");
    }
    let unknown = json!({"bankAccountId": format!("bka_{}", "0".repeat(26)), "movements": [coffee]});
    assert_eq!(client.post(MOVEMENTS, &unknown).await.field(), ("bankAccountId", "unknown_reference"));
}

#[tokio::test]
async fn movements_are_ignored_until_none_keeps_its_account_open() {
    let (app, client) = with_books(Want::default()).await;
    let id = account(&client).await;
    send(&app, &client, &id, table(&[("15/01/2025", "Café", "-1,80")])).await.ok(201);
    let movement = listed(&client, "").await["items"][0]["id"].as_str().unwrap().to_owned();
    let one = format!("{MOVEMENTS}/{movement}");
    let before = app.events().await.len();
    let archive = json!({"status": "archived"});
    let open = format!("{ACCOUNTS}/{id}");
    assert_eq!(client.patch(&open, &[], &archive).await.field(), ("status", "movements_pending"));
    for (patch, told) in [
        (json!({"status": "reconciled"}), ("status", "not_allowed")),
        (json!({"status": null}), ("status", "required")),
        (json!({"amount": "1.00"}), ("amount", "read_only_field")),
        (json!({"notes": "x".repeat(10_001)}), ("notes", "too_long")),
    ] {
        assert_eq!(client.patch(&one, &[], &patch).await.field(), told, "{patch}");
    }
    let ignored = client.patch(&one, &[], &json!({"status": "ignored", "notes": "Privado"})).await.ok(200);
    assert_eq!(
        (&ignored.json["status"], &ignored.json["notes"], &ignored.json["version"]),
        (&json!("ignored"), &json!("Privado"), &json!(2))
    );
    let stale = client.patch(&one, &[("if-match", "\"1\"")], &json!({"notes": null})).await;
    assert_eq!(stale.problem(), (412, "version_conflict"));
    assert_eq!(client.get(&open).await.ok(200).json["unreconciledCount"], 0);
    // Nothing of this is an event.
    assert_eq!(app.events().await.len(), before);
    client.patch(&open, &[], &archive).await.ok(200);
    let late = send(&app, &client, &id, table(&[("16/01/2025", "Té", "-1,50")])).await;
    assert_eq!(late.problem(), (409, "bank_account_archived"));
    let own = json!({"bookingDate": "2025-01-18", "amount": "-1.80", "description": "Café"});
    let late = client.post(MOVEMENTS, &json!({"bankAccountId": id, "movements": [own]})).await;
    assert_eq!(late.problem(), (409, "bank_account_archived"));
}

#[tokio::test]
async fn a_large_statement_is_taken_by_a_job() {
    let (app, client) = with_books(Want::default()).await;
    let id = account(&client).await;
    let import = send(&app, &client, &id, many(4_500, 0)).await.ok(202);
    assert_eq!(
        (&import.json["status"], &import.json["lines"], &import.json["created"], &import.json["duplicates"]),
        (&json!("processing"), &json!(4_500), &json!(0), &Value::Null)
    );
    assert_eq!(send(&app, &client, &id, many(4_500, 0)).await.ok(200).id(), import.id());
    for number in 1..10 {
        send(&app, &client, &id, many(2_001, number)).await.ok(202);
    }
    assert_eq!(send(&app, &client, &id, many(2_001, 10)).await.problem(), (409, "too_many_imports"));
    assert_eq!(told(&app).await, 0);

    let (business, scope) = (app.database.business(), sample::everything());
    let (actor, random) = (Actor::service("test"), SeededRandom::new(3));
    let now = sample::at(1);
    let call = CallContext { scope: &scope, access: PiiAccess::Masked, actor: &actor, now, random: &random };
    let unit = business.begin().await.unwrap();
    let jobs = unit.jobs().claim(JobKind::BankImport, now, sample::at(300), 1).await.unwrap();
    unit.commit().await.unwrap();
    let read = || async { waiting(&*business, &jobs[0]).await.unwrap() };
    let waiting = read().await.expect("the file is kept").read().unwrap();
    // Twice, as after the death of a server that had not written down that it was done.
    for _ in 0..2 {
        let done = proceed(&*business, call, &waiting).await.unwrap();
        assert_eq!((done.created, done.duplicates()), (4_500, Some(0)));
    }
    assert!(read().await.is_none());
    assert_eq!(told(&app).await, 1);
    let done = client.get(&format!("/treasury/imports/{}", import.id())).await.ok(200).json;
    assert_eq!((&done["status"], &done["created"]), (&json!("completed"), &json!(4_500)));
    assert_eq!(listed(&client, "?limit=1").await["total"], 4_500);
}
