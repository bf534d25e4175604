//! How many documents and entries a second, beside bare contacts in the same run.
//!
//! Clients send one request after the other. Each kind of request has its turns, and what one makes the next one works on:
//! drafts are issued, and what is issued is paid. The ratio to bare contacts is worth more than either figure, which
//! belongs to the machine; so is that to transactions that are written by hand.

mod floor;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};
use svc_core::id::{AccountId, JournalEntryId, SalesDocumentId};
use tokio::task::JoinSet;

use self::floor::Floor;

use crate::faults::seller::{Seller, created};
use crate::faults::{Client, Process, Report, Site, until};
use crate::traffic::bare;
use crate::usage::Usage;

/// What the service makes at least of what transactions written by hand make.
const BY_HAND: f64 = 0.5;
/// So often each kind has its turn.
const TURNS: u32 = 3;

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Requests of each kind.
    pub requests: u32,
    /// Clients at a time.
    pub clients: u32,
}

/// Runs it on a new SQLite file.
pub async fn on_sqlite(server: &Path, plan: Plan) -> Report {
    run("rates on SQLite", Site::sqlite(server), None, plan).await
}

/// Runs it on a PostgreSQL database; with the id of its first process its time counts too.
pub async fn on_postgres(server: &Path, url: &str, database: Option<u32>, plan: Plan) -> Report {
    run("rates on PostgreSQL", Site::postgres(server, url), database.map(Usage::of), plan).await
}

/// The kinds, in the order of their turns.
const KINDS: [&str; 7] = [
    "bare contacts",
    "drafts of ten lines",
    "issues",
    "payments",
    "posted entries of twenty lines",
    "supplier documents of ten lines",
    "approvals",
];

async fn run(name: &str, site: Site, database: Option<Usage>, plan: Plan) -> Report {
    let token = site.bootstrap().await;
    let process = site.serve("one.example").await;
    let work = Work::prepare(&process, database, &token, plan).await;
    let mut sums = [(0.0, 0.0, 0.0); KINDS.len()];
    for turn in 0..TURNS {
        for (sum, (count, seconds, used)) in sums.iter_mut().zip(work.turn(turn).await) {
            *sum = (sum.0 + count, sum.1 + seconds, sum.2 + used);
        }
    }
    let mut report = Report::new(name, 0);
    let rate = |(count, seconds, _): (f64, f64, f64)| count / seconds;
    let bare = sums.first().copied().map_or(1.0, rate);
    for (kind, sum) in KINDS.into_iter().zip(sums) {
        report.shown(&format!("{kind} a second"), format!("{:.0}", rate(sum)));
        report.shown(&format!("{kind} : bare contacts"), format!("{:.2}", rate(sum) / bare));
        report.shown(
            &format!("{kind}, processor seconds for 1,000"),
            format!("{:.2}", sum.2 / sum.0 * 1_000.0),
        );
    }
    report.shown("memory of the server at most, MiB", process.usage().memory("VmHWM") / 1_024);
    let (company, draft, entry) = work.templates().await;
    until("the events of the run", async || process.is_idle().await).await;
    process.stop().await;
    let floor = Floor::open(&site.url, plan.clients).await;
    let by_hand = [
        (1, floor.rate(&floor::DRAFT, company, draft, plan.requests).await),
        (4, floor.rate(&floor::ENTRY, company, entry, plan.requests).await),
    ];
    for (kind, by_hand) in by_hand {
        let (Some(name), Some(sum)) = (KINDS.get(kind), sums.get(kind)) else { continue };
        report.shown(&format!("{name} by hand a second"), format!("{by_hand:.0}"));
        let ratio = rate(*sum) / by_hand;
        report.timed(&format!("{name} : by hand"), ratio, &format!("≥ {BY_HAND}"), ratio >= BY_HAND);
    }
    report
}

/// A path, a body, and the status of the answer.
type Ask = (String, String, u16);

struct Work<'a> {
    process: &'a Process,
    database: Option<Usage>,
    token: Arc<str>,
    seller: Seller,
    supplier: String,
    today: String,
    plan: Plan,
}

impl<'a> Work<'a> {
    async fn prepare(process: &'a Process, database: Option<Usage>, token: &str, plan: Plan) -> Self {
        let seller = Seller::prepare(process.api, token).await;
        let mut client = Client::new(token);
        let supplier = json!({"contactId": seller.customer});
        let supplier = created(&mut client, process.api, "/api/v1/suppliers", &supplier).await;
        let first = json!({"docType": "invoice", "contactId": seller.customer, "issue": true,
            "lines": [{"description": "Obra", "unitPrice": "1.00"}]});
        let answer =
            client.post(process.api, "/api/v1/billing", None, &first.to_string()).await.expect("answered");
        let today = answer.text("issueDate");
        Self { process, database, token: token.into(), seller, supplier, today, plan }
    }

    /// The company, a draft of it and a posted entry, for copies.
    async fn templates(&self) -> (AccountId, SalesDocumentId, JournalEntryId) {
        let (draft, journal, entry) = self.documents();
        let (_, drafts) = self.sent(vec![("/api/v1/billing".to_owned(), draft, 201)]).await;
        let (_, entries) = self.sent(vec![(journal, entry, 201)]).await;
        let [draft, entry] = [drafts, entries].map(|ids| ids.concat());
        (
            self.seller.company.parse().expect("an id"),
            draft.parse().expect("an id"),
            entry.parse().expect("an id"),
        )
    }

    /// A draft of ten lines, the path of the journal, and an entry of twenty lines.
    fn documents(&self) -> (String, String, String) {
        let draft = json!({"docType": "invoice", "contactId": self.seller.customer, "lines": ten_lines()})
            .to_string();
        let debit = json!({"accountCode": "6210000", "debit": "10.00"});
        let credit = json!({"accountCode": "5720000", "credit": "10.00"});
        let entry = [vec![debit; 10], vec![credit; 10]].concat();
        let entry =
            json!({"date": self.today, "description": "Rent", "post": true, "lines": entry}).to_string();
        (draft, format!("/api/v1/books/{}/journal-entries", self.seller.company), entry)
    }

    /// A turn of each kind: how many, in which time, and what the processors did.
    async fn turn(&self, turn: u32) -> [(f64, f64, f64); KINDS.len()] {
        let (count, first) = (self.plan.requests / TURNS, turn * self.plan.requests);
        let some = |ask: &dyn Fn(u32) -> Ask| (first..first + count).map(ask).collect::<Vec<_>>();
        let on = |ids: &[String], under: &str, body: &str, status: u16| -> Vec<Ask> {
            ids.iter().map(|id| (under.replace("{id}", id), body.to_owned(), status)).collect()
        };
        let contacts = some(&|number| ("/api/v1/contacts".to_owned(), bare(number), 201));
        let (draft, journal, entry) = self.documents();
        let drafts = some(&|_| ("/api/v1/billing".to_owned(), draft.clone(), 201));
        let (bare, _) = self.sent(contacts).await;
        let (drafted, ids) = self.sent(drafts).await;
        let (issued, _) = self.sent(on(&ids, "/api/v1/billing/{id}/issue", "{}", 200)).await;
        let pay = json!({"amount": "1.00", "date": self.today, "method": "cash"}).to_string();
        let (paid, _) = self.sent(on(&ids, "/api/v1/billing/{id}/payments", &pay, 201)).await;
        let (posted, _) = self.sent(some(&|_| (journal.clone(), entry.clone(), 201))).await;
        let received = some(&|number| {
            let body = json!({"docType": "invoice", "supplierId": self.supplier, "number": number.to_string(),
                "issueDate": self.today, "lines": ten_lines()});
            ("/api/v1/supplier-documents".to_owned(), body.to_string(), 201)
        });
        let (received, ids) = self.sent(received).await;
        let (approved, _) = self.sent(on(&ids, "/api/v1/supplier-documents/{id}/approve", "{}", 200)).await;
        [bare, drafted, issued, paid, posted, received, approved]
    }

    /// Sends requests by all clients; answers how many, in which time, what the processors did, and the ids of the answers.
    async fn sent(&self, asks: Vec<Ask>) -> ((f64, f64, f64), Vec<String>) {
        let clients = usize::try_from(self.plan.clients).unwrap_or(1).max(1);
        let each = asks.len().div_ceil(clients);
        let (start, used) = (Instant::now(), self.used());
        let mut tasks = JoinSet::new();
        for part in asks.chunks(each) {
            tasks.spawn(send(self.process.api, Arc::clone(&self.token), part.to_vec()));
        }
        let ids: Vec<_> = tasks.join_all().await.into_iter().flatten().collect();
        (
            (
                f64::from(u32::try_from(asks.len()).unwrap_or(u32::MAX)),
                start.elapsed().as_secs_f64(),
                self.used() - used,
            ),
            ids,
        )
    }

    /// Seconds of a processor that the server and the database have used.
    fn used(&self) -> f64 {
        self.process.usage().processor_seconds() + self.database.map_or(0.0, Usage::processor_seconds)
    }
}

fn ten_lines() -> Vec<Value> {
    vec![json!({"description": "Obra", "quantity": "3", "unitPrice": "10.35", "discountPercent": "5"}); 10]
}

async fn send(server: SocketAddr, token: Arc<str>, asks: Vec<Ask>) -> Vec<String> {
    let (mut client, mut ids) = (Client::new(&token), Vec::new());
    for (path, body, status) in asks {
        let answer = client.post(server, &path, None, &body).await.expect("answered");
        assert_eq!(answer.status, status, "{path}: {}", String::from_utf8_lossy(&answer.body));
        ids.push(answer.text("id"));
    }
    ids
}
