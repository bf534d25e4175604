//! Bank accounts by the API: their ledger, the default, numbers that are had once, and payments through them.

use std::time::Duration;

use serde_json::{Value, json};

use crate::billing::office::Office;
use crate::books::{at, kinds, with_books};
use crate::test_app::{Answer, Client, Want};

const ACCOUNTS: &str = "/treasury/bank-accounts";
const IBAN: &str = "ES9121000418450200051332";
const OTHER: &str = "ES7921000813610123456789";

fn bank(iban: &str) -> Value {
    json!({"name": "Cuenta principal", "type": "bank", "iban": iban})
}

async fn made(client: &Client, body: &Value) -> Answer {
    client.post(ACCOUNTS, body).await.ok(201)
}

fn one(account: &Answer) -> String {
    format!("{ACCOUNTS}/{}", account.id())
}

#[tokio::test]
async fn a_bank_account_gets_an_account_of_the_ledger() {
    let (app, client) = with_books(Want::default()).await;
    let first = made(&client, &bank("ES91 2100 0418 4502 0005 1332")).await;
    assert_eq!(first.header("location"), format!("/api/v1{}", one(&first)));
    for (member, value) in [
        ("object", json!("bank_account")),
        ("iban", json!(IBAN)),
        ("bankName", json!("CaixaBank")),
        ("currency", json!("EUR")),
        ("accountCode", json!("5720001")),
        ("status", json!("active")),
        ("isDefault", json!(true)),
        ("bookBalance", json!("0.00")),
        ("openingBalance", Value::Null),
    ] {
        assert_eq!(first.json[member], value, "{member}");
    }
    let till = made(&client, &json!({"name": "Caja", "type": "cash"})).await;
    let card = made(&client, &json!({"name": "Visa", "type": "card", "accountCode": "5200000"})).await;
    let named = made(&client, &json!({"name": "Otro", "type": "other", "accountCode": "5720000"})).await;
    let codes = [&till, &card, &named].map(|account| account.json["accountCode"].as_str().unwrap());
    assert_eq!(codes, ["5700001", "5200000", "5720000"]);
    let ledger = client.get(&at(&app, "/accounts?prefix=5720001")).await.ok(200);
    let account = &ledger.json["items"][0];
    assert_eq!((&account["name"], &account["postable"]), (&json!("Cuenta principal"), &json!(true)));
    let counting = at(&app, &format!("/accounts/{}", account["id"].as_str().unwrap()));
    assert_eq!(client.delete(&counting, &[]).await.problem(), (409, "account_in_use"));
    let moved = client.patch(&counting, &[], &json!({"code": "5720009"})).await;
    assert_eq!(moved.problem(), (409, "account_in_use"));
    let moved = client.patch(&one(&first), &[], &json!({"accountCode": "5720002"})).await;
    assert_eq!(moved.field(), ("accountCode", "unknown_reference"));
    let entry = json!({"date": "2025-02-01", "description": "Aportación", "post": true, "lines": [
        {"accountCode": "5720001", "debit": "300.00"}, {"accountCode": "1000000", "credit": "300.00"},
    ]});
    client.post(&at(&app, "/journal-entries"), &entry).await.ok(201);
    assert_eq!(client.get(&one(&first)).await.ok(200).json["bookBalance"], "300.00");
    let listed = client.get(&format!("{ACCOUNTS}?type=bank")).await.ok(200);
    assert_eq!(
        (&listed.json["total"], &listed.json["items"][0]["bookBalance"]),
        (&json!(1), &json!("300.00"))
    );
    let events = kinds(&app).await;
    assert_eq!(events.iter().filter(|kind| *kind == "bank_account.create").count(), 4);
    assert!(!events.iter().any(|kind| kind == "bank_account.update"));
}

#[tokio::test]
async fn one_account_is_the_default() {
    let (app, client) = with_books(Want::default()).await;
    let first = made(&client, &bank(IBAN)).await;
    let second = made(&client, &json!({"name": "Caja", "type": "cash"})).await;
    assert_eq!(second.json["isDefault"], false);
    client.patch(&one(&second), &[], &json!({"isDefault": true})).await.ok(200);
    let former = client.get(&one(&first)).await.ok(200);
    assert_eq!((&former.json["isDefault"], &former.json["version"]), (&json!(false), &json!(2)));
    let changed = kinds(&app).await.into_iter().filter(|kind| kind == "bank_account.update").count();
    assert_eq!(changed, 2);
    let refused = client.patch(&one(&second), &[], &json!({"isDefault": false})).await;
    assert_eq!(refused.field(), ("isDefault", "not_allowed"));
    let archived = client.patch(&one(&second), &[], &json!({"status": "archived"})).await.ok(200);
    assert_eq!(archived.json["isDefault"], false);
    let refused = client.patch(&one(&second), &[], &json!({"isDefault": true})).await;
    assert_eq!(refused.field(), ("isDefault", "not_allowed"));
    // A patch that changes nothing is none.
    let same = client.patch(&one(&first), &[], &json!({"name": "Cuenta principal"})).await.ok(200);
    assert_eq!(same.json["version"], 2);
}

#[tokio::test]
async fn a_number_is_that_of_one_active_account() {
    let (_app, client) = with_books(Want::default()).await;
    let first = made(&client, &bank(IBAN)).await;
    assert_eq!(client.post(ACCOUNTS, &bank(IBAN)).await.problem(), (409, "already_exists"));
    client.patch(&one(&first), &[], &json!({"status": "archived"})).await.ok(200);
    let second = made(&client, &bank(IBAN)).await;
    let back = client.patch(&one(&first), &[], &json!({"status": "active"})).await;
    assert_eq!(back.problem(), (409, "already_exists"));
    client.patch(&one(&second), &[], &json!({"iban": OTHER})).await.ok(200);
    client.patch(&one(&first), &[], &json!({"status": "active"})).await.ok(200);
    let found = client.get(&format!("{ACCOUNTS}?iban=ES91%202100%200418%204502%200005%201332")).await.ok(200);
    assert_eq!((&found.json["total"], &found.json["items"][0]["id"]), (&json!(1), &json!(first.id())));
}

#[tokio::test]
async fn a_token_that_sees_numbers_masked_learns_none() {
    let (app, client) = with_books(Want::default()).await;
    let known = made(&client, &bank(IBAN)).await;
    let masked = app.client(Want { personal_data: false, ..Want::default() }).await;
    let seen = masked.get(&one(&known)).await.ok(200);
    assert_eq!(
        (&seen.json["iban"], &seen.json["bankName"]),
        (&json!("ES91****************1332"), &Value::Null)
    );
    let filtered = masked.get(&format!("{ACCOUNTS}?iban={IBAN}")).await;
    assert_eq!(filtered.problem(), (400, "personal_data_required"));
    // The number that another account has, and one that none has, are taken alike.
    let mut answers = Vec::new();
    for iban in [IBAN, OTHER] {
        let made = made(&masked, &bank(iban)).await;
        let again = masked.patch(&one(&made), &[], &json!({"iban": iban})).await.ok(200);
        answers.push((made.status, again.json["version"].clone()));
    }
    assert_eq!(answers[0], answers[1]);
    let refused = masked.patch(&one(&known), &[], &json!({"iban": "ES91****************1332"})).await;
    assert_eq!(refused.field(), ("iban", "masked_value_rejected"));
}

#[tokio::test]
async fn what_is_wrong_with_a_bank_account_is_told_by_its_member() {
    let (app, client) = with_books(Want::default()).await;
    client.post(&at(&app, "/accounts"), &json!({"code": "572", "name": "Bancos"})).await.ok(201);
    let with = |member: &str, value: Value| {
        let mut body = bank(IBAN);
        body[member] = value;
        body
    };
    for (body, told) in [
        (json!({"type": "cash"}), ("name", "required")),
        (json!({"name": "x"}), ("type", "required")),
        (json!({"name": "x", "type": "bank"}), ("iban", "required")),
        (with("iban", json!("ES9121000418450200051333")), ("iban", "invalid_iban")),
        (with("bic", json!("CAIX")), ("bic", "invalid_bic")),
        (with("currency", json!("ZZZ")), ("currency", "invalid_currency")),
        (with("accountCode", json!("4300000")), ("accountCode", "invalid_account_code")),
        (with("accountCode", json!("572")), ("accountCode", "not_postable")),
        (with("accountCode", json!("5729999")), ("accountCode", "unknown_reference")),
        (with("openingBalance", json!("10.00")), ("openingDate", "required")),
        (with("openingDate", json!("2025-01-01")), ("openingBalance", "required")),
        (with("bookBalance", json!("1.00")), ("bookBalance", "read_only_field")),
        (with("status", json!("archived")), ("status", "read_only_field")),
    ] {
        assert_eq!(client.post(ACCOUNTS, &body).await.field(), told, "{body}");
    }
    let future = json!({"name": "x", "type": "cash", "openingBalance": "1.00", "openingDate": "2025-03-02"});
    assert_eq!(client.post(ACCOUNTS, &future).await.field(), ("openingDate", "out_of_range"));
    let first = made(&client, &bank(IBAN)).await;
    let same = json!({"name": "x", "type": "cash", "accountCode": "5720001"});
    assert_eq!(client.post(ACCOUNTS, &same).await.field(), ("accountCode", "already_used"));
    for (patch, told) in [
        (json!({"type": "cash"}), ("type", "not_allowed")),
        (json!({"currency": "USD"}), ("currency", "not_allowed")),
        (json!({"iban": null}), ("iban", "required")),
        (json!({"accountCode": null}), ("accountCode", "required")),
    ] {
        assert_eq!(client.patch(&one(&first), &[], &patch).await.field(), told, "{patch}");
    }
}

#[tokio::test]
async fn a_payment_through_a_bank_account_moves_its_account_of_the_ledger() {
    let office = Office::new(Want::default()).await;
    let account = made(&office.client, &bank(IBAN)).await;
    let draft = office.draft(&[json!({"description": "Work", "unitPrice": "100.00"})]).await;
    let path = format!("{}/payments", Office::path(&office.issue(&draft).await));
    let pay = |amount: &str, method: &str, bank: &Value| json!({"amount": amount, "date": "2025-03-01", "method": method, "bankAccountId": bank});
    let id = json!(account.id());
    let paid = office.client.post(&path, &pay("100.00", "transfer", &id)).await.ok(201);
    assert_eq!(paid.json["bankAccountId"], id);
    assert_eq!(office.balance("5720001").await, "100.00");
    let till = made(&office.client, &json!({"name": "Caja", "type": "cash"})).await;
    office.client.post(&path, &pay("20.00", "cash", &json!(till.id()))).await.ok(201);
    assert_eq!(
        (office.balance("5700001").await, office.balance("5700000").await),
        ("20.00".into(), "0.00".into())
    );
    let removed = format!("{path}/{}", paid.id());
    office.client.delete(&removed, &[]).await.ok(200);
    assert_eq!(office.balance("5720001").await, "0.00");
    // Entries name its account since.
    let moved = office.client.patch(&one(&account), &[], &json!({"accountCode": "5720000"})).await;
    assert_eq!(moved.field(), ("accountCode", "account_in_use"));
    office.client.patch(&one(&account), &[], &json!({"status": "archived"})).await.ok(200);
    let refused = office.client.post(&path, &pay("1.00", "transfer", &id)).await;
    assert_eq!(refused.field(), ("bankAccountId", "bank_account_archived"));
    let movement = json!({"amount": "1.00", "date": "2025-03-01", "method": "transfer",
        "movementId": "bmv_01jjxvfvr4f16pz7s9h7p4hsqk"});
    assert_eq!(office.client.post(&path, &movement).await.field(), ("movementId", "unknown_reference"));
}

#[tokio::test]
async fn balances_are_those_of_books_and_banks_on_a_day() {
    let (app, client) = with_books(Want::default()).await;
    let later = || app.clock.advance(Duration::from_millis(1));
    let bank = made(&client, &bank(IBAN)).await;
    later();
    let till = made(&client, &json!({"name": "Caja", "type": "cash"})).await;
    later();
    let dollars = made(&client, &json!({"name": "Dollars", "type": "other", "currency": "USD"})).await;
    for (date, account, amount) in [
        ("2025-01-31", "5720001", "300.00"),
        ("2025-02-10", "5700001", "50.00"),
        ("2025-02-10", "5720002", "9.00"),
    ] {
        let entry = json!({"date": date, "description": "Aportación", "post": true, "lines": [
            {"accountCode": account, "debit": amount}, {"accountCode": "1000000", "credit": amount},
        ]});
        client.post(&at(&app, "/journal-entries"), &entry).await.ok(201);
    }
    for (account, day) in [(&bank, "31/01/2025"), (&dollars, "31/01/2025"), (&bank, "28/02/2025")] {
        let file = format!("Fecha;Concepto;Importe;Saldo\r\n{day};Abono;10,00;310,00\r\n");
        let path = format!("{ACCOUNTS}/{}/imports", account.id());
        client.send_parts(&path, &[], &[("file".to_owned(), file.into_bytes())]).await.ok(201);
    }
    let balances = async |query: &str| client.get(&format!("/treasury/balances{query}")).await;
    let whole = balances("?asOf=2025-02-10").await.ok(200).json;
    assert_eq!(
        (&whole["asOf"], &whole["currency"], &whole["total"], &whole["series"]),
        (&json!("2025-02-10"), &json!("EUR"), &json!("359.00"), &Value::Null)
    );
    let shown = |at: usize| {
        let account = &whole["accounts"][at];
        ["name", "bookBalance", "statementBalance", "statementDate", "difference"]
            .map(|name| account[name].clone())
    };
    assert_eq!(
        shown(0),
        [json!("Cuenta principal"), json!("300.00"), json!("310.00"), json!("2025-01-31"), json!("-10.00")]
    );
    assert_eq!(shown(1), [json!("Caja"), json!("50.00"), Value::Null, Value::Null, Value::Null]);
    assert_eq!(
        shown(2),
        [json!("Dollars"), json!("9.00"), json!("310.00"), json!("2025-01-31"), Value::Null]
    );
    let today = balances("").await.ok(200).json;
    assert_eq!(
        (&today["asOf"], &today["accounts"][0]["statementDate"]),
        (&json!("2025-03-01"), &json!("2025-02-28"))
    );
    let days = balances("?from=2025-01-30&to=2025-02-11").await.ok(200).json;
    let series = days["series"].as_array().unwrap();
    assert_eq!(series.len(), 13);
    for (at, date, balance) in [
        (0, "2025-01-30", "0.00"),
        (1, "2025-01-31", "300.00"),
        (10, "2025-02-09", "300.00"),
        (11, "2025-02-10", "359.00"),
    ] {
        assert_eq!(series[at], json!({"date": date, "balance": balance}));
    }
    // An archived account counts as long as it holds something.
    for account in [&till, &bank] {
        let ignored =
            client.get(&format!("/treasury/bank-movements?bankAccountId={}", account.id())).await.ok(200);
        for movement in ignored.json["items"].as_array().unwrap() {
            let path = format!("/treasury/bank-movements/{}", movement["id"].as_str().unwrap());
            client.patch(&path, &[], &json!({"status": "ignored"})).await.ok(200);
        }
        client.patch(&one(account), &[], &json!({"status": "archived"})).await.ok(200);
    }
    assert_eq!(balances("").await.ok(200).json["accounts"].as_array().unwrap().len(), 3);
    let before = balances("?asOf=2025-01-30").await.ok(200).json;
    assert_eq!(before["accounts"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn balances_are_masked_and_of_one_company_within_reach() {
    let (app, client) = with_books(Want::default()).await;
    made(&client, &bank(IBAN)).await;
    let masked = app.client(Want { personal_data: false, ..Want::default() }).await;
    let seen = masked.get("/treasury/balances").await.ok(200).json;
    assert_eq!(seen["accounts"][0]["iban"], "ES91****************1332");
    for query in [
        "?asOf=2025-01-31&to=2025-02-01",
        "?from=2025-02-01&to=2025-01-31",
        "?from=2024-02-28&to=2025-02-28",
        "?from=2025-03-02",
        "?asOf=yesterday",
    ] {
        assert_eq!(
            client.get(&format!("/treasury/balances{query}")).await.problem(),
            (400, "invalid_parameter"),
            "{query}"
        );
    }
    client.get("/treasury/balances?from=2024-02-29&to=2025-02-28").await.ok(200);
    let other = format!("/treasury/balances?companyId={}", app.other);
    assert_eq!(client.get(&other).await.problem(), (404, "not_found"));
}
