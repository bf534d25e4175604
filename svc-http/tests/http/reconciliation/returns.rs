//! Tax returns that movements pay, and refunds of them.

use serde_json::{Value, json};

use super::{MOVEMENTS, Treasury};

const RETURNS: &str = "/tax/returns";

impl Treasury {
    /// A January with VAT of 210.00 that is charged and tax of 15.00 that is withheld, and a February with VAT of 21.00 that is
    /// deducted: each with the entries and nothing else.
    pub(super) async fn taxes(&self) {
        let client = &self.office.client;
        client
            .patch(&self.office.books(""), &[], &json!({"automation": {"taxSettlement": "post"}}))
            .await
            .ok(200);
        let customer = &self.office.customer;
        for (date, lines, tag) in [
            (
                "2025-01-10",
                json!([{"accountCode": "4310000", "debit": "1210.00", "contactId": customer},
                    {"accountCode": "7000000", "credit": "1000.00"}, {"accountCode": "4770000", "credit": "210.00"}]),
                json!({"kind": "vat_output", "taxCode": "es_vat_21", "base": "1000.00", "quota": "210.00", "contactId": customer}),
            ),
            (
                "2025-01-11",
                json!([{"accountCode": "6230000", "debit": "100.00"}, {"accountCode": "4751000", "credit": "15.00"},
                    {"accountCode": "5700000", "credit": "85.00"}]),
                json!({"kind": "withholding_practised", "taxCode": "es_irpf_professional_15", "base": "100.00",
                    "quota": "15.00", "contactId": customer}),
            ),
            (
                "2025-02-11",
                json!([{"accountCode": "6210000", "debit": "100.00"}, {"accountCode": "4720000", "debit": "21.00"},
                    {"accountCode": "5700000", "credit": "121.00"}]),
                json!({"kind": "vat_input", "taxCode": "es_in_21", "base": "100.00", "quota": "21.00", "contactId": customer}),
            ),
        ] {
            let entry =
                json!({"date": date, "description": "Taxes", "post": true, "lines": lines, "taxTags": [tag]});
            client.post(&self.office.books("/journal-entries"), &entry).await.ok(201);
        }
    }

    /// A prepared return of a month of 2025, by its path.
    async fn prepared(&self, model: &str, period: &str, refund: bool) -> String {
        let client = &self.office.client;
        let new = json!({"model": model, "year": 2025, "period": period});
        let path = format!("{RETURNS}/{}", client.post(RETURNS, &new).await.ok(201).id());
        client.post(&format!("{path}/prepare"), &json!({})).await.ok(200);
        if refund {
            client.patch(&path, &[], &json!({"refund": true})).await.ok(200);
        }
        path
    }

    /// A submitted return of a month of 2025, by its path.
    pub(super) async fn filed(&self, model: &str, period: &str, refund: bool) -> String {
        let path = self.prepared(model, period, refund).await;
        let filed = json!({"channel": "manual", "receiptNumber": "303250001234"});
        self.office.client.post(&format!("{path}/submit"), &filed).await.ok(200);
        path
    }

    async fn outcome(&self, path: &str, outcome: &str) -> crate::test_app::Answer {
        self.office.client.post(&format!("{path}/outcome"), &json!({ "outcome": outcome })).await
    }
}

/// A part of a movement that a return is.
fn part(path: &str, amount: &str) -> Value {
    json!({"type": "tax_return", "id": path.trim_start_matches("/tax/returns/"), "amount": amount})
}

#[tokio::test]
async fn a_movement_pays_a_return_and_is_taken_back() {
    let treasury = Treasury::new().await;
    treasury.taxes().await;
    let client = &treasury.office.client;
    let path = treasury.filed("303", "01", false).await;
    let filed = client.get(&path).await.ok(200).json;
    assert_eq!(
        (&filed["paid"], &filed["due"], &filed["payments"]),
        (&json!("0.00"), &json!("210.00"), &json!([]))
    );
    let movement = treasury.moved(&treasury.bank, "-210.00").await;
    let before = treasury.balances(&["5720001", "4750000"]).await;
    assert_eq!(before, ["0.00", "-210.00"]);
    let since = treasury.office.events("").await.len();
    let done = treasury.say(&movement, json!([part(&path, "-210.00")])).await.ok(200).json;
    assert_eq!(
        treasury.told(since).await,
        ["journal_entry.create", "journal_entry.post", "reconciliation.confirm"]
    );
    assert_eq!(treasury.balances(&["5720001", "4750000"]).await, ["-210.00", "0.00"]);
    let known = &done["reconciliation"]["allocations"][0];
    assert_eq!((&known["type"], &known["id"]), (&json!("tax_return"), &filed["id"]));
    let entry = treasury.office.entry(&done["reconciliation"]["entryId"]).await;
    assert_eq!(
        (&entry["kind"], &entry["lines"][1]["description"]),
        (&json!("bank"), &json!("Modelo 303 01 2025"))
    );
    let paid = client.get(&path).await.ok(200).json;
    let payment = json!({"movementId": done["id"], "amount": "210.00", "date": "2025-02-20"});
    assert_eq!(
        (&paid["paid"], &paid["due"], &paid["payments"]),
        (&json!("210.00"), &json!("0.00"), &json!([payment]))
    );
    let twice = treasury.moved(&treasury.bank, "-210.00").await;
    let refused = treasury.say(&twice, json!([part(&path, "-210.00")])).await;
    assert_eq!(refused.field(), ("allocations[0].amount", "payment_exceeds_due"));
    assert_eq!(treasury.outcome(&path, "rejected").await.problem(), (409, "return_paid"));

    treasury.undo(&movement).await.ok(200);
    assert_eq!(treasury.balances(&["5720001", "4750000"]).await, before);
    let undone = client.get(&path).await.ok(200).json;
    for member in ["paid", "due", "payments", "status", "submission", "result"] {
        assert_eq!(undone[member], filed[member], "{member}");
    }
    treasury.outcome(&path, "rejected").await.ok(200);
    assert_eq!(treasury.due(&path).await, Value::Null);
    let refused = treasury.say(&movement, json!([part(&path, "-210.00")])).await;
    assert_eq!(refused.field(), ("allocations[0].id", "not_filed"));
}

#[tokio::test]
async fn returns_are_paid_in_parts_and_refunded_on_their_own_accounts() {
    let treasury = Treasury::new().await;
    treasury.taxes().await;
    let (vat, withheld) =
        (treasury.filed("303", "01", false).await, treasury.filed("111", "01", false).await);
    let refund = treasury.filed("303", "02", true).await;
    let accounts = ["5720001", "4750000", "4751000", "4700000"];
    assert_eq!(treasury.balances(&accounts).await, ["0.00", "-210.00", "-15.00", "21.00"]);
    treasury.outcome(&vat, "accepted").await.ok(200);
    // An account that is named for it later is not the one on which it was settled.
    let named = json!({"defaultAccounts": {"vatPayable": "4759000"}});
    let ledger = json!({"code": "4759000", "name": "Hacienda"});
    treasury.office.client.post(&treasury.office.books("/accounts"), &ledger).await.ok(201);
    treasury.office.client.patch(&treasury.office.books(""), &[], &named).await.ok(200);
    let first = treasury.moved(&treasury.bank, "-100.00").await;
    treasury.say(&first, json!([part(&vat, "-100.00")])).await.ok(200);
    assert_eq!(treasury.due(&vat).await, "110.00");
    // The rest of it, what was withheld, and a surcharge.
    let second = treasury.moved(&treasury.bank, "-130.50").await;
    let surcharge = json!({"type": "account", "accountCode": "6310000", "amount": "-5.50"});
    let parts = json!([part(&vat, "-110.00"), part(&withheld, "-15.00"), surcharge]);
    treasury.say(&second, parts).await.ok(200);
    let back = treasury.moved(&treasury.bank, "21.00").await;
    for (movement, amount) in [(&back, "-21.00"), (&back, "21.01")] {
        let rest = if amount == "21.01" { "-0.01" } else { "42.00" };
        let rest = json!({"type": "account", "accountCode": "6310000", "amount": rest});
        let refused = treasury.say(movement, json!([part(&refund, amount), rest])).await;
        let code = if amount == "21.01" { "payment_exceeds_due" } else { "out_of_range" };
        assert_eq!(refused.field(), ("allocations[0].amount", code));
    }
    treasury.say(&back, json!([part(&refund, "21.00")])).await.ok(200);
    assert_eq!(treasury.balances(&accounts).await, ["-209.50", "0.00", "0.00", "0.00"]);
    for path in [&vat, &withheld, &refund] {
        assert_eq!(treasury.due(path).await, "0.00");
    }
    let told = treasury.office.client.get(&vat).await.ok(200).json;
    assert_eq!(told["payments"].as_array().map(Vec::len), Some(2));
    for movement in [&back, &second, &first] {
        treasury.undo(movement).await.ok(200);
    }
    assert_eq!(treasury.balances(&accounts).await, ["0.00", "-210.00", "-15.00", "21.00"]);
    let dues = [treasury.due(&vat).await, treasury.due(&withheld).await, treasury.due(&refund).await];
    assert_eq!(dues, ["210.00", "15.00", "21.00"]);
}

#[tokio::test]
async fn returns_that_come_to_nothing_are_not_paid() {
    let treasury = Treasury::new().await;
    treasury.taxes().await;
    let prepared = treasury.prepared("303", "01", false).await;
    let zero = treasury.filed("115", "01", false).await;
    let offset = treasury.filed("303", "02", false).await;
    let movement = treasury.moved(&treasury.bank, "-21.00").await;
    for (path, code) in [(&prepared, "not_filed"), (&zero, "nothing_to_pay"), (&offset, "nothing_to_pay")] {
        let refused = treasury.say(&movement, json!([part(path, "-21.00")])).await;
        assert_eq!(refused.field(), ("allocations[0].id", code), "{path}");
        assert_eq!(treasury.due(path).await, Value::Null);
    }
    let dollars = json!({"name": "Dollars", "type": "other", "currency": "USD"});
    let dollars = treasury.office.client.post(super::ACCOUNTS, &dollars).await.ok(201).id();
    let withheld = treasury.filed("111", "01", false).await;
    let movement = treasury.moved(&dollars, "-15.00").await;
    let body = json!({"allocations": [part(&withheld, "-15.00")], "fxRate": "0.9"});
    let refused = treasury.office.client.post(&format!("{movement}/reconcile"), &body).await;
    assert_eq!(refused.field(), ("allocations[0].amount", "invalid_currency"));
}

#[tokio::test]
async fn a_substitute_takes_no_place_of_a_paid_return() {
    let treasury = Treasury::new().await;
    treasury.taxes().await;
    let client = &treasury.office.client;
    let path = treasury.filed("111", "01", false).await;
    let movement = treasury.moved(&treasury.bank, "-15.00").await;
    let parts = json!([part(&path, "-15.00")]);
    treasury.say(&movement, parts.clone()).await.ok(200);
    let corrects = path.trim_start_matches("/tax/returns/");
    let new =
        json!({"model": "111", "year": 2025, "period": "01", "kind": "substitute", "correctsId": corrects});
    let second = format!("{RETURNS}/{}", client.post(RETURNS, &new).await.ok(201).id());
    client.post(&format!("{second}/prepare"), &json!({})).await.ok(200);
    let submit = async || client.post(&format!("{second}/submit"), &json!({"channel": "manual"})).await;
    assert_eq!(submit().await.problem(), (409, "return_paid"));
    treasury.undo(&movement).await.ok(200);
    submit().await.ok(200);
    let refused = treasury.say(&movement, parts).await;
    assert_eq!(refused.field(), ("allocations[0].id", "return_replaced"));
    treasury.say(&movement, json!([part(&second, "-15.00")])).await.ok(200);
    assert_eq!(treasury.balances(&["4751000"]).await, ["0.00"]);
}

#[tokio::test]
async fn what_is_left_of_returns_is_proposed_with_its_reasons() {
    let treasury = Treasury::new().await;
    treasury.taxes().await;
    let client = &treasury.office.client;
    let path = treasury.filed("303", "01", false).await;
    let refund = treasury.filed("303", "02", true).await;
    let told = async |amount: &str, text: &str| {
        let moved = json!({"bookingDate": "2025-02-20", "amount": amount, "description": text});
        let body = json!({"bankAccountId": treasury.bank, "movements": [moved]});
        let import = client.post(MOVEMENTS, &body).await.ok(201).id();
        let list = client.get(&format!("{MOVEMENTS}?importId={import}")).await.ok(200).json;
        let movement = format!("{MOVEMENTS}/{}", list["items"][0]["id"].as_str().unwrap());
        let told = client.get(&format!("{movement}/proposals")).await.ok(200).json["proposals"].clone();
        (movement, told)
    };
    for (amount, text, score, reasons) in [
        ("-210.00", "Adeudo 41", 55, json!(["amount_due", "due_date_near"])),
        ("-210.00", "RECIBO AEAT", 85, json!(["amount_due", "taxes_in_text", "due_date_near"])),
        ("-210.00", "Recibo Mod. 303", 85, json!(["amount_due", "taxes_in_text", "due_date_near"])),
        ("21.00", "AGENCIA TRIBUTARIA DEVOLUCION", 80, json!(["amount_due", "taxes_in_text"])),
        (
            "-210.00",
            "A.E.A.T. 303250001234",
            100,
            json!(["amount_due", "number_in_text", "taxes_in_text", "due_date_near"]),
        ),
    ] {
        let (movement, proposals) = told(amount, text).await;
        let proposal = &proposals[0];
        assert_eq!((&proposal["score"], &proposal["reasons"]), (&json!(score), &reasons), "{text}");
        let known = &proposal["allocations"][0];
        let (of, month) = if amount == "21.00" { (&refund, "02") } else { (&path, "01") };
        assert_eq!((&known["id"], &known["amount"]), (&part(of, "")["id"], &json!(amount)));
        assert_eq!(known["number"], format!("Modelo 303 {month} 2025"));
        if score == 100 {
            let chosen = json!({"proposalId": proposal["id"]});
            client.post(&format!("{movement}/reconcile"), &chosen).await.ok(200);
            assert_eq!(treasury.due(&path).await, "0.00");
        }
    }
    for (amount, text) in [("-210.00", "RECIBO AEAT"), ("210.00", "AEAT"), ("-21.00", "AEAT")] {
        assert_eq!(told(amount, text).await.1, json!([]), "{amount}");
    }
}
