//! Undoing a reconciliation leaves no trace, and once all is reconciled the books hold what the bank says, whatever stood
//! for what and whatever was recorded by hand before, on both engines (invariants I-15, I-15b and I-17).

use serde_json::{Value, json};
use svc_testkit::fakes::SeededRandom;
use svc_testkit::property::values;

use super::{ACCOUNTS, Treasury};
use crate::billing::office::Office;
use crate::storage;
use crate::test_app::{TestApp, Want};

/// Movements of a history.
const MOVEMENTS: usize = 8;

#[tokio::test]
async fn what_is_undone_leaves_no_trace() {
    let (numbers, seed) = values(&(0..u64::MAX), 3);
    let mut parts = 0;
    for number in numbers {
        parts += play(TestApp::new().await, number).await;
    }
    report("SQLite", parts, &seed);
}

#[tokio::test]
async fn what_is_undone_leaves_no_trace_on_postgresql() {
    let (numbers, seed) = values(&(0..u64::MAX), 2);
    let mut parts = 0;
    for number in numbers {
        let Some(database) = storage::postgres().await else { return };
        parts += play(TestApp::on(database).await, number).await;
    }
    report("PostgreSQL", parts, &seed);
}

#[expect(clippy::print_stdout, reason = "the run tells how far it went")]
fn report(engine: &str, parts: usize, seed: &impl std::fmt::Display) {
    println!(
        "reconciliations on {engine}: {parts} allocations undone and done again, differences 0, seed {seed}"
    );
}

/// Plays a history; answers how many allocations it had.
async fn play(app: TestApp, number: u64) -> usize {
    let treasury = Treasury::of(Office::of(app, Want::default()).await).await;
    let random = SeededRandom::new(number);
    let below = |bound: u64| i64::try_from(random.next_u64() % bound).unwrap();
    treasury.taxes().await;
    let mut documents = Vec::new();
    for at in 0..4 {
        documents.push(("invoice", Office::path(&treasury.invoice().await), 1));
        documents.push((
            "supplier_document",
            format!("/supplier-documents/{}", treasury.bought(at).await),
            -1,
        ));
    }
    // VAT that is paid, tax withheld that is paid, and VAT that is refunded.
    for (model, period, refund, direction) in
        [("303", "01", false, -1), ("111", "01", false, -1), ("303", "02", true, 1)]
    {
        documents.push(("tax_return", treasury.filed(model, period, refund).await, direction));
    }
    let (mut moved, mut parts) = (0, 0);
    for _ in 0..MOVEMENTS {
        let sign = if below(2) == 0 { 1 } else { -1 };
        let mut allocations = Vec::new();
        let mut sum = 0;
        for (kind, path, direction) in documents.iter().filter(|(.., direction)| *direction == sign) {
            let due = cents(&treasury.due(path).await);
            if due > 0 && below(2) == 0 {
                let amount = direction * (1 + below(u64::try_from(due).unwrap()));
                let by_hand = *kind != "tax_return" && below(3) == 0;
                let (kind, id) = if by_hand {
                    let bank = (below(2) == 0).then_some(treasury.bank.as_str());
                    ("payment", treasury.paid(path, &written(amount.abs()), bank).await)
                } else {
                    (*kind, path.rsplit('/').next().unwrap().to_owned())
                };
                allocations.push(json!({"type": kind, "id": id, "amount": written(amount)}));
                sum += amount;
            }
        }
        let fee = if allocations.is_empty() { sign * (1 + below(5_000)) } else { below(201) - 100 };
        if fee != 0 && (sum + fee).signum() == sign {
            allocations.push(json!({"type": "account", "accountCode": "6260000", "amount": written(fee)}));
            sum += fee;
        }
        let movement = treasury.moved(&treasury.bank, &written(sum)).await;
        let before = treasury.whole(&documents).await;
        treasury.say(&movement, json!(allocations)).await.ok(200);
        let done = treasury.whole(&documents).await;
        assert_ne!(before, done, "seed {number}");
        treasury.undo(&movement).await.ok(200);
        assert_eq!(treasury.whole(&documents).await, before, "seed {number}: {allocations:?}");
        treasury.say(&movement, json!(allocations)).await.ok(200);
        assert_eq!(treasury.whole(&documents).await, done, "seed {number}: {allocations:?}");
        moved += sum;
        parts += allocations.len();
    }
    assert_eq!(treasury.office.balance("5720001").await, written(moved), "seed {number}");
    let verified = treasury.office.client.get(&treasury.office.books("/verification")).await.ok(200);
    assert_eq!(verified.json["holds"], true);
    parts
}

impl Treasury {
    /// Records a payment by hand, into or out of a bank account that is named or not; its id.
    async fn paid(&self, document: &str, amount: &str, bank: Option<&str>) -> String {
        let payment =
            json!({"amount": amount, "date": "2025-02-18", "method": "transfer", "bankAccountId": bank});
        let path = format!("{document}/payments");
        self.office.client.post(&path, &payment).await.ok(201).id()
    }

    /// What is due of each document, what the accounts hold, and how many movements wait.
    async fn whole(&self, documents: &[(&str, String, i64)]) -> Vec<String> {
        let mut whole = self
            .balances(&[
                "5720001", "5550000", "6260000", "4300000", "4000000", "4750000", "4751000", "4700000",
            ])
            .await;
        let bank = self.office.client.get(&format!("{ACCOUNTS}/{}", self.bank)).await.ok(200).json;
        whole.push(bank["unreconciledCount"].to_string());
        for (_, path, _) in documents {
            whole.push(self.due(path).await.to_string());
        }
        whole
    }
}

fn cents(amount: &Value) -> i64 {
    amount.as_str().unwrap().replace('.', "").parse().unwrap()
}

fn written(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100)
}
