//! Numbers of invoices under `kill -9`: each series has every number once, whatever the moment of a kill.
//!
//! Clients write and issue invoices in three series, each request with a key and repeated until its end is known, while
//! servers are killed and started again. Then what was acknowledged, the invoices that are stored and the journal are laid
//! beside each other.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::Path;

use serde_json::{Value, json};
use svc_testkit::fakes::SeededRandom;

use super::fleet::Fleet;
pub use super::fleet::Plan;
use super::seller::{Seller, created};
use super::{Client, Engine, Kept, Pace, Report, Site, Task, Writers, progress, until};

/// No kill comes before so many invoices were acknowledged since the one before.
const LOAD: usize = 10;

/// Runs it on a new SQLite file with one server; so many invoices are acknowledged at least.
pub async fn on_sqlite(server: &Path, plan: Plan, invoices: usize) -> Report {
    run(Site::sqlite(server), Engine::Sqlite, plan, invoices).await
}

/// Runs it on a PostgreSQL database with two servers.
pub async fn on_postgres(server: &Path, url: &str, plan: Plan, invoices: usize) -> Report {
    run(Site::postgres(server, url), Engine::Postgres, plan, invoices).await
}

async fn run(site: Site, engine: Engine, plan: Plan, invoices: usize) -> Report {
    let token = site.bootstrap().await;
    let mut fleet = Fleet::start(&site, engine).await;
    let issuer = Issuer::prepare(fleet.first().api, &token).await;
    let pace = Pace { writers: plan.writers, every: None, keyed: true };
    let writers = Writers::start(&token, &issuer.task(), pace, &fleet.up.subscribe(), plan.seed);
    let random = SeededRandom::new(plan.seed);
    for kill in 1..=plan.kills {
        let before = writers.acknowledged();
        // The kills are spread over all invoices.
        let due = (invoices * kill / (plan.kills + 1)).max(before + LOAD);
        until("invoices before the next kill", async || writers.acknowledged() >= due).await;
        fleet.kill_one(&plan, &random, drop).await;
        if kill % 10 == 0 {
            progress(&format!("kill {kill} of {}: {} invoices", plan.kills, writers.acknowledged()));
        }
    }
    let enough = invoices.max(writers.acknowledged() + LOAD);
    until("the last invoices", async || writers.acknowledged() >= enough).await;
    let kept = writers.stop().await;
    let mut report = Report::new(format!("numbers on {engine:?}: {} kills", plan.kills), plan.seed);
    issuer.judge(fleet.first().api, &kept, &mut report).await;
    fleet.stop().await;
    report
}

/// A company with three series.
struct Issuer {
    token: String,
    seller: Seller,
    series: Vec<String>,
}

impl Issuer {
    async fn prepare(server: SocketAddr, token: &str) -> Self {
        let seller = Seller::prepare(server, token).await;
        let mut client = Client::new(token);
        let mut series = Vec::new();
        for code in ["N", "C", "S2"] {
            let body = json!({"code": code, "docTypes": ["invoice"]});
            series.push(created(&mut client, server, "/api/v1/billing/series", &body).await);
        }
        Self { token: token.to_owned(), seller, series }
    }

    /// An invoice of two lines, issued at once, in the series that its name chooses.
    fn task(&self) -> Task {
        let (customer, series) = (self.seller.customer.clone(), self.series.clone());
        Task::new("/api/v1/billing", move |name| {
            let chosen = name.bytes().map(usize::from).sum::<usize>() % series.len();
            json!({"docType": "invoice", "contactId": customer, "seriesId": series.get(chosen), "issue": true,
                "reference": name, "lines": [
                    {"description": "Obra", "quantity": "3", "unitPrice": "33.33"},
                    {"description": "Libro", "unitPrice": "12.50", "taxCode": "es_vat_4"}]})
            .to_string()
        })
    }

    async fn judge(&self, server: SocketAddr, kept: &Kept, report: &mut Report) {
        let mut client = Client::new(&self.token);
        let stored = all(&mut client, server, "/api/v1/billing?sort=number", "documents").await;
        let text =
            |of: &Value, member: &str| of.get(member).and_then(Value::as_str).unwrap_or_default().to_owned();
        let distinct = |member: &str| stored.iter().map(|one| text(one, member)).collect::<BTreeSet<_>>();
        let (ids, names, entries) = (distinct("id"), distinct("reference"), distinct("journalEntryId"));
        let lost = kept.acknowledged.iter().filter(|(id, _)| !ids.contains(id)).count();
        report.shown("invoices acknowledged with 201", kept.acknowledged.len());
        report.shown("invoices stored", stored.len());
        report.most("acknowledged invoices lost", lost, 0);
        report.most("invoices made twice", stored.len() - names.len(), 0);
        report.most("answers that say neither yes nor later", kept.wrong, 0);
        let mut in_series = BTreeMap::<String, Vec<(u64, String)>>::new();
        for one in &stored {
            let number = text(one, "number");
            let digits = number.rsplit('-').next().unwrap_or_default().parse().unwrap_or_default();
            in_series.entry(text(one, "seriesId")).or_default().push((digits, text(one, "issueDate")));
        }
        let (mut gaps, mut back) = (0, 0);
        for numbers in in_series.values_mut() {
            numbers.sort();
            gaps += numbers.iter().zip(1..).filter(|((number, _), wanted)| number != wanted).count();
            back += numbers
                .windows(2)
                .filter(|pair| pair.first().map(|one| &one.1) > pair.last().map(|one| &one.1))
                .count();
        }
        report.shown("series with invoices", in_series.len());
        report.most("numbers out of their sequence", gaps, 0);
        report.most("dates that go back along the numbers", back, 0);
        let books = format!("/api/v1/books/{}", self.seller.company);
        let posted =
            all(&mut client, server, &format!("{books}/journal-entries?status=posted"), "items").await;
        report.most("invoices without an entry of their own", stored.len() - entries.len(), 0);
        report.so("as many posted entries as invoices", posted.len() == stored.len());
        let verified = client.get(server, &format!("{books}/verification")).await.expect("answered");
        let verified: Value = serde_json::from_slice(&verified.body).unwrap_or_default();
        report.so("the chain and the sums of the books verify", verified.get("holds") == Some(&json!(true)));
    }
}

/// Every record of a list.
pub(super) async fn all(client: &mut Client, server: SocketAddr, path: &str, member: &str) -> Vec<Value> {
    let (mut found, joint) = (Vec::new(), if path.contains('?') { '&' } else { '?' });
    for page in 1.. {
        let answer =
            client.get(server, &format!("{path}{joint}limit=200&page={page}")).await.expect("a page");
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        let list: Value = serde_json::from_slice(&answer.body).expect("JSON");
        let items = list.get(member).and_then(Value::as_array).expect("a list").clone();
        if items.is_empty() {
            break;
        }
        found.extend(items);
    }
    found
}
