//! A client that says what movements stand for: an account of the ledger, or an invoice that they pay.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use super::super::numbers::all;
use super::super::seller::{Seller, created};
use super::super::{Client, Report};
use super::door::Door;
use super::{importer, member, text};

/// Movements of its account: one statement, which is imported at once.
const MOVEMENTS: usize = 2_000;
/// Each movement with such a number pays an invoice.
const EACH: usize = 50;
const PAUSE: Duration = Duration::from_millis(50);

/// A movement that waits, with what it stands for.
struct Waiting {
    id: String,
    allocation: Value,
}

/// Movements of a bank account, all pending, and invoices that some of them pay.
pub(super) struct Desk {
    pub(super) company: String,
    account: String,
    invoices: Vec<String>,
    waiting: Vec<Waiting>,
}

/// What was acknowledged.
pub(super) struct Reconciled {
    desk: Desk,
    acknowledged: BTreeSet<String>,
}

impl Desk {
    pub(super) async fn prepare(client: &mut Client, server: SocketAddr, token: &str) -> Self {
        let Seller { company, customer } = Seller::prepare(server, token).await;
        let account = importer::account(client, server, "Conciliada").await;
        let (mut invoices, mut lines) = (Vec::new(), Vec::new());
        for number in 1..=MOVEMENTS {
            if !number.is_multiple_of(EACH) {
                lines.push((format!("Comisión {number}"), format!("-{},{:02}", number / 100, number % 100)));
                continue;
            }
            let body = json!({"docType": "invoice", "contactId": customer, "issue": true,
                "lines": [{"description": "Obra", "unitPrice": format!("{number}.00")}]});
            let invoice = created(client, server, "/api/v1/billing", &body).await;
            let issued = client.get(server, &format!("/api/v1/billing/{invoice}")).await.expect("answered");
            let due = issued.json().pointer("/totals/due").and_then(Value::as_str).map(str::to_owned);
            lines.push((format!("Cobro {invoice}"), due.expect("an amount").replace('.', ",")));
            invoices.push(invoice);
        }
        let path = format!("/api/v1/treasury/bank-accounts/{account}/imports");
        let table = importer::table(lines.into_iter());
        let answer = client.upload(server, &path, "movements.csv", table.as_bytes()).await.expect("answered");
        assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
        let path = format!("/api/v1/treasury/bank-movements?bankAccountId={account}");
        let movements = all(client, server, &path, "items").await;
        let waiting = movements.iter().map(Waiting::of).collect();
        Self { company, account, invoices, waiting }
    }
}

impl Waiting {
    fn of(movement: &Value) -> Self {
        let amount = member(movement, "amount");
        let allocation = match member(movement, "description").strip_prefix("Cobro ") {
            Some(invoice) => json!({"type": "invoice", "id": invoice, "amount": amount}),
            None => json!({"type": "account", "accountCode": "6260000", "amount": amount}),
        };
        Self { id: text(movement, "id"), allocation }
    }
}

/// Reconciles until the door is closed, or no movement is left; what was not answered is sent once more, which must find
/// it pending or refuse it.
pub(super) async fn work(mut door: Door, desk: Desk) -> Reconciled {
    let mut acknowledged = BTreeSet::new();
    for movement in &desk.waiting {
        if !door.is_open() {
            break;
        }
        let path = format!("/api/v1/treasury/bank-movements/{}/reconcile", movement.id);
        let body = json!({"allocations": [movement.allocation]}).to_string();
        for attempt in 0..2 {
            let to = door.server().await;
            let answer = door.client.post(to, &path, None, &body).await;
            let good: &[u16] = if attempt == 0 { &[200] } else { &[200, 409] };
            if let Some(answer) = door.taken("a reconciliation", answer, good) {
                if answer.status == 200 {
                    acknowledged.insert(movement.id.clone());
                }
                break;
            }
        }
        sleep(PAUSE).await;
    }
    Reconciled { desk, acknowledged }
}

impl Reconciled {
    pub(super) fn company(&self) -> &str {
        &self.desk.company
    }

    /// Lays what was acknowledged beside movements, invoices and entries.
    pub(super) async fn judge(&self, client: &mut Client, server: SocketAddr, report: &mut Report) {
        let path = format!("/api/v1/treasury/bank-movements?bankAccountId={}", self.desk.account);
        let movements = all(client, server, &path, "items").await;
        let is = |one: &Value, status: &str| member(one, "status") == status;
        let reconciled: Vec<&Value> = movements.iter().filter(|one| is(one, "reconciled")).collect();
        let ids: BTreeSet<&str> = reconciled.iter().map(|one| member(one, "id")).collect();
        let lost = self.acknowledged.iter().filter(|id| !ids.contains(id.as_str())).count();
        let pending = movements.iter().filter(|one| is(one, "pending")).count();
        report.shown("reconciliations acknowledged with 200", self.acknowledged.len());
        report.shown("movements reconciled", reconciled.len());
        report.most("acknowledged reconciliations lost", lost, 0);
        report.most("movements neither pending nor reconciled", movements.len() - pending - ids.len(), 0);

        let books = format!("/api/v1/books/{}", self.desk.company);
        let posted = all(client, server, &format!("{books}/journal-entries?status=posted"), "items").await;
        let mut of = BTreeMap::<String, usize>::new();
        for entry in &posted {
            let source = entry.get("source").unwrap_or(&Value::Null);
            *of.entry(text(source, "id")).or_default() += 1;
        }
        // A movement that pays an invoice has the entry of its payment, any other one an entry of its own.
        let (mut without, mut twice) = (0, 0);
        for movement in &movements {
            let payment = movement.pointer("/reconciliation/allocations/0/paymentId").and_then(Value::as_str);
            let entries = of.get(payment.unwrap_or(member(movement, "id"))).copied().unwrap_or_default();
            let wanted = usize::from(is(movement, "reconciled"));
            without += usize::from(entries < wanted);
            twice += entries.saturating_sub(wanted);
        }
        report.most("reconciled movements without an entry", without, 0);
        report.most("second entries, and those of pending movements", twice, 0);
        let issued = self.desk.invoices.len();
        report.most("other entries", posted.len().abs_diff(issued + reconciled.len()), 0);
        self.judge_sums(client, server, &reconciled, report).await;
        let verified = client.get(server, &format!("{books}/verification")).await.expect("answered");
        report.so("the books verify", verified.json().get("holds") == Some(&json!(true)));
    }

    async fn judge_sums(
        &self,
        client: &mut Client,
        server: SocketAddr,
        reconciled: &[&Value],
        report: &mut Report,
    ) {
        let sum: i64 = reconciled.iter().map(|one| in_cents(member(one, "amount"))).sum();
        let path = format!("/api/v1/treasury/bank-accounts/{}", self.desk.account);
        let account = client.get(server, &path).await.expect("answered").json();
        report.shown("sum of the reconciled movements, in cents", sum);
        let held = in_cents(member(&account, "bookBalance"));
        report.most("what the lines of their account add up to beside it, in cents", held.abs_diff(sum), 0);
        let paid: BTreeSet<&str> =
            reconciled.iter().filter_map(|one| member(one, "description").strip_prefix("Cobro ")).collect();
        let mut other = 0_usize;
        for invoice in &self.desk.invoices {
            let answer = client.get(server, &format!("/api/v1/billing/{invoice}")).await.expect("answered");
            let payments = answer.json().get("payments").and_then(Value::as_array).map_or(0, Vec::len);
            let is_paid = answer.text("paymentStatus") == "paid";
            let wanted = paid.contains(invoice.as_str());
            other += usize::from(is_paid != wanted || payments != usize::from(wanted));
        }
        report.shown("invoices that movements paid", paid.len());
        report.most("invoices that are not paid as the movements say", other, 0);
    }
}

/// An amount with two decimals.
fn in_cents(amount: &str) -> i64 {
    amount.replace('.', "").parse().expect("an amount")
}
