//! A client that imports statements of a bank account, a few of them so long that a job adds their movements.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use svc_core::clock::Clock as _;
use svc_core::system::SystemClock;
use tokio::time::sleep;

use super::super::numbers::all;
use super::super::seller::created;
use super::super::writers::below;
use super::super::{Client, Report, until};
use super::door::Door;
use super::{member, text};

/// Statements with more movements are a job's.
const AT_ONCE: u64 = 2_000;
/// So many of them at most: fewer than may wait at a time.
const LONG: usize = 8;
const PAUSE: Duration = Duration::from_millis(200);

/// A statement, which was imported.
struct Statement {
    import: String,
    lines: u64,
    /// Whether it was acknowledged with the first answer, and not only when it was sent again.
    at_once: bool,
}

/// The statements of an account.
pub(super) struct Imports {
    account: String,
    statements: Vec<Statement>,
}

/// A bank account to import into.
pub(super) async fn account(client: &mut Client, server: SocketAddr, name: &str) -> String {
    let body = json!({"name": name, "type": "other"});
    created(client, server, "/api/v1/treasury/bank-accounts", &body).await
}

/// Imports until the door is closed, so many `long` ones; each statement is sent until it is known how that ended.
pub(super) async fn work(mut door: Door, account: String, long: usize) -> Imports {
    let path = format!("/api/v1/treasury/bank-accounts/{account}/imports");
    let (mut statements, mut left) = (Vec::new(), long.min(LONG));
    while door.is_open() {
        let number = statements.len();
        let is_long = left > 0 && number % 20 == 2;
        let lines =
            if is_long { AT_ONCE + 1 + below(&door.random, 200) } else { 1 + below(&door.random, 40) };
        left -= usize::from(is_long);
        let table = table((1..=lines).map(|line| (format!("Recibo {number}-{line}"), cents(line))));
        let mut tries = 0;
        loop {
            tries += 1;
            let to = door.server().await;
            let answer = door.client.upload(to, &path, "statement.csv", table.as_bytes()).await;
            if let Some(answer) = door.taken("an import", answer, &[200, 201, 202]) {
                statements.push(Statement { import: answer.text("id"), lines, at_once: tries == 1 });
                break;
            }
            sleep(PAUSE).await;
        }
        sleep(PAUSE).await;
    }
    Imports { account, statements }
}

/// So many cents, as a table has them.
fn cents(count: u64) -> String {
    format!("-{},{:02}", count / 100, count % 100)
}

/// A statement of today.
pub(super) fn table(lines: impl Iterator<Item = (String, String)>) -> String {
    let today = SystemClock.now().date();
    let (day, month, year) = (today.day(), u8::from(today.month()), today.year());
    let mut table = String::from("Fecha;Concepto;Importe\n");
    for (what, amount) in lines {
        writeln!(table, "{day:02}/{month:02}/{year};{what};{amount}").expect("a String takes everything");
    }
    table
}

impl Imports {
    /// Waits for the jobs: that of a server that was killed is due again five minutes later.
    pub(super) async fn settled(&self, server: SocketAddr, token: &str) {
        let processing =
            format!("/api/v1/treasury/imports?bankAccountId={}&status=processing&limit=1", self.account);
        until("every import is complete", async || {
            let answer = Client::new(token).get(server, &processing).await.expect("answered");
            answer.json().get("total").and_then(Value::as_u64) == Some(0)
        })
        .await;
    }

    /// Lays what was sent beside imports and movements.
    pub(super) async fn judge(&self, client: &mut Client, server: SocketAddr, report: &mut Report) {
        let imports = format!("/api/v1/treasury/imports?bankAccountId={}", self.account);
        let listed = all(client, server, &imports, "items").await;
        let of: BTreeMap<String, &Value> = listed.iter().map(|import| (text(import, "id"), import)).collect();
        let path = format!("/api/v1/treasury/bank-movements?bankAccountId={}", self.account);
        let movements = all(client, server, &path, "items").await;
        let mut each = BTreeMap::<String, u64>::new();
        for movement in &movements {
            *each.entry(text(movement, "importId")).or_default() += 1;
        }
        let distinct: BTreeSet<&str> = movements.iter().map(|one| member(one, "description")).collect();
        let ids: BTreeSet<&String> = self.statements.iter().map(|statement| &statement.import).collect();
        let lost = ids.iter().filter(|id| !of.contains_key(**id)).count();
        let half = self.statements.iter().filter(|Statement { import, lines, .. }| {
            let number =
                |name: &str| of.get(import).and_then(|known| known.get(name)).and_then(Value::as_u64);
            let told = [number("lines"), number("created"), each.get(import).copied()];
            told != [Some(*lines); 3]
        });
        let again = self.statements.iter().filter(|statement| !statement.at_once).count();
        let long = self.statements.iter().filter(|statement| statement.lines > AT_ONCE).count();
        let lines: u64 = self.statements.iter().map(|statement| statement.lines).sum();
        report.shown("statements imported", self.statements.len());
        report.shown("of them by jobs", long);
        report.shown("of them sent again, as the first answer did not come", again);
        report.most("acknowledged imports lost", lost, 0);
        report.most("half imports", half.count(), 0);
        report.most("statements imported twice", listed.len().abs_diff(self.statements.len()), 0);
        report.shown("movements of the statements", lines);
        report.most("movements twice", movements.len() - distinct.len(), 0);
        report.so("as many movements as the statements have", u64::try_from(movements.len()) == Ok(lines));
    }
}
