//! What each operation of the API costs in companies of a thousand, a hundred thousand and a million contacts.
//!
//! Each company has a database and a server of its own, filled through the storage before the server starts. The calls
//! of an operation go to one server after the other, so whatever else the machine does hits all alike. One client calls
//! at a time: what is measured is the time of one answer, not how many there are in a second.

mod fill;
mod operations;
mod trade;

use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use svc_testkit::postgres::query;

use self::fill::{Filled, fill};
use self::operations::{Ask, CONTACTS, Operation, TRADE};
use crate::faults::{Client, Engine, Process, Report, Site, cluster, progress, until};
use crate::median;

/// How often the time of the smallest company an operation may take in the largest one.
const GROWTH: f64 = 2.0;
/// Times below this are the same: the machine tells them apart by chance.
const NOISE: Duration = Duration::from_micros(300);

/// How much a company has.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Its contacts.
    pub contacts: u32,
    /// Its invoices; all but the last ones are paid.
    pub invoices: u32,
}

/// How much is done.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The companies, from small to large.
    pub sizes: Vec<Size>,
    /// Calls of each operation to each company.
    pub calls: u32,
}

/// What an operation took.
#[derive(Debug, Serialize, Deserialize)]
pub struct Times {
    /// Its name.
    pub operation: String,
    /// The median in each company, in milliseconds.
    pub milliseconds: Vec<f64>,
    /// What it may take in the largest one, where that is no ratio.
    pub within: Option<f64>,
}

/// What a run came to.
#[derive(Debug, Serialize, Deserialize)]
pub struct Growth {
    /// The engine of the databases.
    pub engine: String,
    /// Contacts of each company.
    pub sizes: Vec<u32>,
    /// In the order in which they are read.
    pub operations: Vec<Times>,
}

/// A company, and the server that has its database.
struct Company {
    process: Process,
    client: Client,
    contacts: u32,
    filled: Filled,
    _site: Site,
}

/// Runs it on new databases.
///
/// # Panics
/// When an answer is not the one that the operation has.
pub async fn run(engine: Engine, server: &Path, plan: &Plan) -> Growth {
    let cluster = (engine == Engine::Postgres).then(|| cluster(""));
    let mut companies = Vec::new();
    for size in &plan.sizes {
        let site = match &cluster {
            Some(cluster) => Site::postgres(server, &cluster.database()),
            None => Site::sqlite(server),
        };
        companies.push(Company::of(site, *size).await);
    }
    let mut operations = Vec::new();
    for operation in CONTACTS.iter().chain(TRADE) {
        operations.push(measured(operation, &mut companies, plan.calls).await);
    }
    let engine = if engine == Engine::Postgres { "PostgreSQL" } else { "SQLite" };
    let sizes = plan.sizes.iter().map(|size| size.contacts).collect();
    Growth { engine: engine.to_owned(), sizes, operations }
}

async fn measured(operation: &Operation, companies: &mut [Company], calls: u32) -> Times {
    let mut times = vec![Vec::new(); companies.len()];
    // The first calls read what the others find in memory.
    for call in 0..calls + 3 {
        for (company, times) in companies.iter_mut().zip(&mut times) {
            let took = company.call(operation, call).await;
            if call >= 3 {
                times.push(took);
            }
        }
    }
    let milliseconds = times.into_iter().map(|times| median(times).as_secs_f64() * 1e3).collect();
    let times = Times { operation: operation.name.to_owned(), milliseconds, within: operation.within };
    progress(&times.line());
    times
}

impl Company {
    async fn of(site: Site, filling: Size) -> Self {
        let token = site.bootstrap().await;
        let filled = fill(&site, filling).await;
        if site.url.starts_with("postgres") {
            // As autovacuum does before long.
            drop(query(&site.url, "VACUUM ANALYZE"));
        }
        let process = site.serve("one.example").await;
        until("the events of what was filled in", async || process.is_idle().await).await;
        Self { client: Client::new(&token), process, contacts: filling.contacts, filled, _site: site }
    }

    /// Does what the operation needs, and then the operation; answers how long that took.
    async fn call(&mut self, operation: &Operation, call: u32) -> Duration {
        let mut took = Duration::ZERO;
        for ask in operation.asks.of(self.contacts, &self.filled, call) {
            let Ask { method, path, body, status } = ask;
            let start = Instant::now();
            let answer = self.client.send(self.process.api, method, &path, &body).await.expect("an answer");
            took = start.elapsed();
            let text = String::from_utf8_lossy(&answer.body);
            assert_eq!(answer.status, status, "{method} {path}: {text}");
        }
        took
    }
}

impl Times {
    /// The time in the largest company in times of that in the smallest.
    #[must_use]
    pub fn growth(&self) -> f64 {
        let [first, .., last] = self.milliseconds.as_slice() else { return 1.0 };
        let noise = NOISE.as_secs_f64() * 1e3;
        last.max(noise) / first.max(noise)
    }

    fn line(&self) -> String {
        let each: Vec<_> = self.milliseconds.iter().map(|time| format!("{time:>8.2}")).collect();
        format!("{:<44} {} ms, × {:.1}", self.operation, each.join(" "), self.growth())
    }
}

impl Growth {
    /// The figures, each with its bound.
    #[must_use]
    pub fn report(&self) -> Report {
        let sizes: Vec<_> = self.sizes.iter().map(u32::to_string).collect();
        let mut report =
            Report::new(format!("growth on {} with {} contacts", self.engine, sizes.join(", ")), 0);
        for times in &self.operations {
            let largest = times.milliseconds.last().copied().unwrap_or_default();
            let (unit, value, bound) = match times.within {
                Some(within) => (", ms", largest, within),
                None => (", times the smallest", times.growth(), GROWTH),
            };
            let name = format!("{}{unit}", times.operation);
            report.timed(&name, value, &format!("≤ {bound}"), value <= bound);
        }
        report
    }
}
