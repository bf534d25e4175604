//! What movements of bank accounts stand for, by the API: each is booked once, and undone as if it had never been.

mod currencies;
mod identity;
mod locked;
mod proposals;
mod returns;

use serde_json::{Value, json};

use crate::billing::office::Office;
use crate::test_app::{Answer, Want};

const ACCOUNTS: &str = "/treasury/bank-accounts";
const MOVEMENTS: &str = "/treasury/bank-movements";

/// An office with a bank account (5720001) and a till (5700001).
struct Treasury {
    office: Office,
    bank: String,
    till: String,
}

impl Treasury {
    async fn new() -> Self {
        Self::of(Office::new(Want::default()).await).await
    }

    async fn of(office: Office) -> Self {
        let bank = json!({"name": "Banco", "type": "bank", "iban": "ES9121000418450200051332"});
        let bank = office.client.post(ACCOUNTS, &bank).await.ok(201).id();
        let till = office.client.post(ACCOUNTS, &json!({"name": "Caja", "type": "cash"})).await.ok(201).id();
        Self { office, bank, till }
    }

    /// A movement of an account, by its path.
    async fn moved(&self, account: &str, amount: &str) -> String {
        let movement = json!({"bookingDate": "2025-02-20", "amount": amount, "description": "Movimiento"});
        let body = json!({"bankAccountId": account, "movements": [movement]});
        let import = self.office.client.post(MOVEMENTS, &body).await.ok(201).id();
        let list = self.office.client.get(&format!("{MOVEMENTS}?importId={import}")).await.ok(200).json;
        format!("{MOVEMENTS}/{}", list["items"][0]["id"].as_str().unwrap())
    }

    async fn say(&self, movement: &str, allocations: Value) -> Answer {
        let body = json!({ "allocations": allocations });
        self.office.client.post(&format!("{movement}/reconcile"), &body).await
    }

    async fn undo(&self, movement: &str) -> Answer {
        self.office.client.delete(&format!("{movement}/reconciliation"), &[]).await
    }

    /// An issued invoice of 121.00.
    async fn invoice(&self) -> Value {
        self.office.issued(&[json!({"description": "Work", "unitPrice": "100.00"})]).await
    }

    /// An approved invoice of a supplier over 121.00.
    async fn bought(&self, number: u32) -> String {
        let contact = json!({"kind": "organization", "legalName": "Papelería Mar SL", 
            "address": {"line1": "Calle Menor 2", "city": "Madrid", "postalCode": "28013", "country": "ES"}});
        let supplier =
            self.office.client.post("/suppliers", &json!({ "contact": contact })).await.ok(201).id();
        let body = json!({"docType": "invoice", "supplierId": supplier, "number": number.to_string(), "issueDate": "2025-02-10",
            "lines": [{"description": "Paper", "unitPrice": "100.00"}]});
        let id = self.office.client.post("/supplier-documents", &body).await.ok(201).id();
        self.office.client.post(&format!("/supplier-documents/{id}/approve"), &json!({})).await.ok(200);
        id
    }

    async fn due(&self, path: &str) -> Value {
        let told = self.office.client.get(path).await.ok(200).json;
        if path.starts_with("/tax/") { told["due"].clone() } else { told["totals"]["due"].clone() }
    }

    async fn balances(&self, codes: &[&str]) -> Vec<String> {
        let mut balances = Vec::new();
        for code in codes {
            balances.push(self.office.balance(code).await);
        }
        balances
    }

    /// The events since so many, in the order of the alphabet.
    async fn told(&self, since: usize) -> Vec<String> {
        let mut told = self.office.events("").await.split_off(since);
        told.sort();
        told
    }
}

#[tokio::test]
async fn a_movement_pays_an_invoice_and_is_taken_back() {
    let treasury = Treasury::new().await;
    let invoice = treasury.invoice().await;
    let path = Office::path(&invoice);
    let movement = treasury.moved(&treasury.bank, "121.00").await;
    let before = treasury.balances(&["5720001", "4300000"]).await;
    let since = treasury.office.events("").await.len();
    let allocations = json!([{"type": "invoice", "id": invoice["id"], "amount": "121.00"}]);
    let done = treasury.say(&movement, allocations.clone()).await.ok(200).json;
    assert_eq!((&done["status"], &done["version"]), (&json!("reconciled"), &json!(2)));
    let known = &done["reconciliation"];
    assert_eq!((&known["auto"], &known["entryId"]), (&json!(false), &Value::Null));
    let part = &known["allocations"][0];
    assert_eq!(
        (&part["type"], &part["id"], &part["amount"]),
        (&json!("invoice"), &invoice["id"], &json!("121.00"))
    );
    assert_eq!(
        treasury.told(since).await,
        ["invoice.pay", "journal_entry.create", "journal_entry.post", "reconciliation.confirm"]
    );
    let paid = treasury.office.client.get(&path).await.ok(200).json;
    assert_eq!((&paid["paymentStatus"], &paid["totals"]["due"]), (&json!("paid"), &json!("0.00")));
    let payment = &paid["payments"][0];
    assert_eq!(
        (&payment["id"], &payment["date"], &payment["bankAccountId"]),
        (&part["paymentId"], &json!("2025-02-20"), &json!(treasury.bank))
    );
    assert_eq!(payment["movementId"], done["id"]);
    assert_eq!(treasury.balances(&["5720001", "4300000"]).await, ["121.00", "0.00"]);
    let removed = format!("{path}/payments/{}", payment["id"].as_str().unwrap());
    assert_eq!(treasury.office.client.delete(&removed, &[]).await.problem(), (409, "payment_reconciled"));
    let again = treasury.say(&movement, allocations.clone()).await;
    assert_eq!(again.problem(), (409, "movement_not_pending"));
    let ignored = treasury.office.client.patch(&movement, &[], &json!({"status": "ignored"})).await;
    assert_eq!(ignored.problem(), (409, "movement_reconciled"));

    let since = treasury.office.events("").await.len();
    let undone = treasury.undo(&movement).await.ok(200).json;
    assert_eq!((&undone["status"], &undone["reconciliation"]), (&json!("pending"), &Value::Null));
    assert_eq!(
        treasury.told(since).await,
        ["invoice.update", "journal_entry.create", "journal_entry.post", "journal_entry.update"]
    );
    assert_eq!(treasury.due(&path).await, "121.00");
    assert_eq!(treasury.balances(&["5720001", "4300000"]).await, before);
    assert_eq!(treasury.undo(&movement).await.problem(), (409, "movement_not_reconciled"));
    // And once more, as if it had never been.
    treasury.say(&movement, allocations).await.ok(200);
    assert_eq!(treasury.balances(&["5720001", "4300000"]).await, ["121.00", "0.00"]);
}

#[tokio::test]
async fn parts_of_a_movement_add_up_to_it() {
    let treasury = Treasury::new().await;
    let (one, two) = (treasury.invoice().await, treasury.invoice().await);
    let bought = treasury.bought(1).await;
    // Two invoices, one of them by two parts, less a fee.
    let movement = treasury.moved(&treasury.bank, "238.50").await;
    let part = |kind: &str, id: &Value, amount: &str| json!({"type": kind, "id": id, "amount": amount});
    let fee =
        json!({"type": "account", "accountCode": "6260000", "amount": "-3.50", "description": "Comisión"});
    let known = json!([
        part("invoice", &one["id"], "60.00"),
        part("invoice", &two["id"], "121.00"),
        part("invoice", &one["id"], "61.00"),
        fee
    ]);
    let done = treasury.say(&movement, known).await.ok(200).json;
    assert_eq!(treasury.balances(&["5720001", "6260000", "4300000"]).await, ["238.50", "3.50", "0.00"]);
    let entry = treasury.office.entry(&done["reconciliation"]["entryId"]).await;
    assert_eq!((&entry["kind"], &entry["date"]), (&json!("bank"), &json!("2025-02-20")));
    assert_eq!((&entry["source"]["type"], &entry["source"]["id"]), (&json!("bank_movement"), &done["id"]));
    assert_eq!(entry["lines"][1]["description"], "Comisión");
    // What the account loses pays suppliers.
    let paid = treasury.moved(&treasury.bank, "-121.00").await;
    let known = json!([part("supplier_document", &json!(bought), "-121.00")]);
    treasury.say(&paid, known).await.ok(200);
    let path = format!("/supplier-documents/{bought}");
    assert_eq!(treasury.due(&path).await, "0.00");
    assert_eq!(treasury.balances(&["5720001", "4000000"]).await, ["117.50", "0.00"]);
    for movement in [&movement, &paid] {
        treasury.undo(movement).await.ok(200);
    }
    let dues = [treasury.due(&Office::path(&one)).await, treasury.due(&path).await];
    assert_eq!(dues, ["121.00", "121.00"]);
    assert_eq!(treasury.balances(&["5720001", "6260000"]).await, ["0.00", "0.00"]);
    assert_eq!(
        treasury.office.client.get(&treasury.office.books("/verification")).await.ok(200).json["holds"],
        true
    );
}

#[tokio::test]
async fn a_payment_that_was_recorded_before_moves_the_account_once() {
    let treasury = Treasury::new().await;
    let client = &treasury.office.client;
    for (named, waits) in [(json!(treasury.bank), "0.00"), (Value::Null, "50.00")] {
        let invoice = treasury.invoice().await;
        let path = format!("{}/payments", Office::path(&invoice));
        let payment =
            json!({"amount": "50.00", "date": "2025-02-18", "method": "transfer", "bankAccountId": named});
        let payment = client.post(&path, &payment).await.ok(201).json;
        let before = treasury.balances(&["5720001", "5550000"]).await;
        assert_eq!(before[1], waits);
        let movement = treasury.moved(&treasury.bank, "50.00").await;
        let known = json!([{"type": "payment", "id": payment["id"], "amount": "50.00"}]);
        let done = treasury.say(&movement, known.clone()).await.ok(200).json;
        assert_eq!(done["reconciliation"]["entryId"].is_null(), !named.is_null());
        assert_eq!(treasury.balances(&["5720001", "5550000"]).await, ["50.00", "0.00"]);
        let shown = client.get(&Office::path(&invoice)).await.ok(200).json["payments"][0].clone();
        assert_eq!((&shown["movementId"], &shown["bankAccountId"]), (&done["id"], &json!(treasury.bank)));
        let twice = treasury.moved(&treasury.bank, "50.00").await;
        let refused = treasury.say(&twice, known).await;
        assert_eq!(refused.field(), ("allocations[0].id", "already_reconciled"));
        treasury.undo(&movement).await.ok(200);
        assert_eq!(treasury.balances(&["5720001", "5550000"]).await, before);
        let shown = client.get(&Office::path(&invoice)).await.ok(200).json["payments"][0].clone();
        assert_eq!((&shown["movementId"], &shown["bankAccountId"]), (&Value::Null, &named));
        let removed = format!("{path}/{}", payment["id"].as_str().unwrap());
        client.delete(&removed, &[]).await.ok(200);
    }
}

#[tokio::test]
async fn lines_of_the_journal_and_transfers_are_counted_once() {
    let treasury = Treasury::new().await;
    let client = &treasury.office.client;
    let entry = json!({"date": "2025-02-19", "description": "Aportación", "post": true, "lines": [
        {"accountCode": "5720001", "debit": "300.00"}, {"accountCode": "1000000", "credit": "300.00"},
    ]});
    let entry = client.post(&treasury.office.books("/journal-entries"), &entry).await.ok(201).json;
    let line = |entry: &Value, code: &str| {
        let lines = entry["lines"].as_array().unwrap();
        lines.iter().find(|line| line["accountCode"] == code).unwrap()["id"].clone()
    };
    let counted =
        |line: &Value, amount: &str| json!([{"type": "journal_line", "id": line, "amount": amount}]);
    let movement = treasury.moved(&treasury.bank, "300.00").await;
    let own = line(&entry, "5720001");
    let since = treasury.office.events("").await.len();
    treasury.say(&movement, counted(&own, "300.00")).await.ok(200);
    assert_eq!(treasury.told(since).await, ["reconciliation.confirm"]);
    let twice = treasury.moved(&treasury.bank, "300.00").await;
    let refused = treasury.say(&twice, counted(&own, "300.00")).await;
    assert_eq!(refused.field(), ("allocations[0].id", "already_reconciled"));
    let other = treasury.say(&twice, counted(&line(&entry, "1000000"), "300.00")).await;
    assert_eq!(other.field(), ("allocations[0].id", "not_allowed"));

    // What is taken to the till leaves the bank: one entry for the movements of both.
    let out = treasury.moved(&treasury.bank, "-100.00").await;
    let known = json!([{"type": "transfer", "id": treasury.till, "amount": "-100.00"}]);
    let done = treasury.say(&out, known).await.ok(200).json;
    assert_eq!(treasury.balances(&["5720001", "5700001"]).await, ["200.00", "100.00"]);
    let entry = treasury.office.entry(&done["reconciliation"]["entryId"]).await;
    let back = treasury.moved(&treasury.till, "100.00").await;
    let known = json!([{"type": "transfer", "id": treasury.bank, "amount": "100.00"}]);
    assert_eq!(treasury.say(&back, known).await.field(), ("allocations[0].id", "transfer_known"));
    treasury.say(&back, counted(&line(&entry, "5700001"), "100.00")).await.ok(200);
    assert_eq!(treasury.balances(&["5720001", "5700001"]).await, ["200.00", "100.00"]);
    let again = treasury.moved(&treasury.bank, "-100.00").await;
    let refused = treasury.say(&again, counted(&line(&entry, "5720001"), "-100.00")).await;
    assert_eq!(refused.field(), ("allocations[0].id", "already_reconciled"));

    // The entry stays while the movement of the till stands against its line.
    assert_eq!(treasury.undo(&out).await.problem(), (409, "movement_reconciled"));
    let reverse =
        treasury.office.books(&format!("/journal-entries/{}/reverse", entry["id"].as_str().unwrap()));
    assert_eq!(client.post(&reverse, &json!({})).await.problem(), (409, "movement_reconciled"));
    treasury.undo(&back).await.ok(200);
    treasury.undo(&out).await.ok(200);
    assert_eq!(treasury.balances(&["5720001", "5700001"]).await, ["300.00", "0.00"]);
}

#[tokio::test]
async fn books_hold_no_account_number_of_a_bank() {
    let treasury = Treasury::new().await;
    let client = &treasury.office.client;
    let text = "Transf. a ES9121000418450200051332";
    let movement = json!({"bookingDate": "2025-02-20", "amount": "-20.00", "description": text});
    let body = json!({"bankAccountId": treasury.bank, "movements": [movement]});
    let import = client.post(MOVEMENTS, &body).await.ok(201).id();
    let list = client.get(&format!("{MOVEMENTS}?importId={import}")).await.ok(200).json;
    assert_eq!(list["items"][0]["description"], text);
    let movement = format!("{MOVEMENTS}/{}", list["items"][0]["id"].as_str().unwrap());
    let fee = json!([{"type": "account", "accountCode": "6260000", "amount": "-20.00"}]);
    let done = treasury.say(&movement, fee).await.ok(200).json;
    let entry = treasury.office.entry(&done["reconciliation"]["entryId"]).await.to_string();
    assert!(entry.contains("Transf. a ") && !entry.contains("ES9121000418450200051332"), "{entry}");
}

#[tokio::test]
async fn what_is_wrong_with_an_allocation_is_told_by_its_member() {
    let treasury = Treasury::new().await;
    let invoice = treasury.invoice().await;
    let draft = treasury.office.draft(&[json!({"description": "Work", "unitPrice": "100.00"})]).await;
    let paid = format!("{}/payments", Office::path(&invoice));
    let cash = json!({"amount": "10.00", "date": "2025-02-18", "method": "cash"});
    let cash = treasury.office.client.post(&paid, &cash).await.ok(201).json;
    let movement = treasury.moved(&treasury.bank, "10.00").await;
    let unknown = |kind: &str| json!(format!("{kind}_{}", "0".repeat(26)));
    let fee = |amount: &str| json!({"type": "account", "accountCode": "6260000", "amount": amount});
    let of = |kind: &str, id: &Value| json!([{"type": kind, "id": id, "amount": "10.00"}]);
    for (allocations, told) in [
        (json!([]), ("allocations", "too_many")),
        (json!([fee("9.99")]), ("allocations", "not_balanced")),
        (json!([fee("20.00"), fee("-10.01")]), ("allocations", "not_balanced")),
        (json!([fee("0.00")]), ("allocations[0].amount", "out_of_range")),
        (json!([fee("1.234")]), ("allocations[0].amount", "invalid_amount")),
        (json!([{"type": "account", "amount": "10.00"}]), ("allocations[0].accountCode", "required")),
        (
            json!([{"type": "account", "accountCode": "6269999", "amount": "10.00"}]),
            ("allocations[0].accountCode", "unknown_reference"),
        ),
        (
            json!([{"type": "account", "accountCode": "5700001", "amount": "10.00"}]),
            ("allocations[0].accountCode", "not_allowed"),
        ),
        (
            json!([{"type": "account", "accountCode": "6260000", "amount": "10.00", "contactId": unknown("con")}]),
            ("allocations[0].contactId", "unknown_reference"),
        ),
        (json!([{"type": "invoice", "amount": "10.00"}]), ("allocations[0].id", "required")),
        (of("invoice", &unknown("inv")), ("allocations[0].id", "unknown_reference")),
        (of("invoice", &unknown("sdc")), ("allocations[0].id", "unknown_reference")),
        (of("supplier_document", &unknown("sdc")), ("allocations[0].id", "unknown_reference")),
        (of("payment", &unknown("pay")), ("allocations[0].id", "unknown_reference")),
        (of("payment", &cash["id"]), ("allocations[0].id", "paid_in_cash")),
        (of("journal_line", &unknown("jln")), ("allocations[0].id", "unknown_reference")),
        (of("transfer", &unknown("bka")), ("allocations[0].id", "unknown_reference")),
        (of("transfer", &json!(treasury.bank)), ("allocations[0].id", "not_allowed")),
        (of("tax_return", &unknown("txr")), ("allocations[0].id", "unknown_reference")),
        (of("tax_return", &unknown("inv")), ("allocations[0].id", "unknown_reference")),
        (
            json!([{"type": "invoice", "id": invoice["id"], "amount": "500.00"}, fee("-490.00")]),
            ("allocations[0].amount", "payment_exceeds_due"),
        ),
        (
            json!([fee("20.00"), {"type": "invoice", "id": invoice["id"], "amount": "-10.00"}]),
            ("allocations[1].amount", "out_of_range"),
        ),
        (
            json!([{"type": "invoice", "id": invoice["id"], "amount": "10.00", "accountCode": "6260000"}]),
            ("allocations[0].accountCode", "not_allowed"),
        ),
    ] {
        assert_eq!(treasury.say(&movement, allocations.clone()).await.field(), told, "{allocations}");
    }
    let refused = treasury.say(&movement, of("invoice", &draft["id"])).await;
    assert_eq!(refused.problem(), (409, "not_issued"));
    // A part that is refused leaves nothing of those before it.
    let half = json!([fee("5.00"), {"type": "invoice", "id": draft["id"], "amount": "5.00"}]);
    assert_eq!(treasury.say(&movement, half).await.problem(), (409, "not_issued"));
    assert_eq!(treasury.office.balance("6260000").await, "0.00");
    treasury
        .office
        .client
        .patch(&treasury.office.books(""), &[], &json!({"lockDate": "2025-02-28"}))
        .await
        .ok(200);
    assert_eq!(treasury.say(&movement, json!([fee("10.00")])).await.problem(), (409, "period_locked"));
    let rate = json!({"allocations": [fee("10.00")], "fxRate": "1.1"});
    let rated = treasury.office.client.post(&format!("{movement}/reconcile"), &rate).await;
    assert_eq!(rated.field(), ("fxRate", "out_of_range"));
}
