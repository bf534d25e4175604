//! What each operation of the API costs in companies of a thousand, a hundred thousand and a million contacts and what else
//! they have then.
//!
//! Each company has a database and a server of its own, filled through the storage before the server starts. The calls
//! of an operation go to one server after the other, so whatever else the machine does hits all alike. One client calls
//! at a time: what is measured is the time of one answer, not how many there are in a second.

mod fill;
mod operations;
mod table;

use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::fill::{Filled, fill};
use self::operations::{Ask, Operation, every};
use crate::faults::{Client, Engine, Process, Report, Site, cluster, progress, until};
use crate::filling::vacuum;
use crate::median;

/// How often the time of the smallest company an operation may take in the largest one.
const GROWTH: f64 = 2.0;
/// What a call of a tool may take longer than the route that does the same, in milliseconds.
const OVER_THE_ROUTE: f64 = 1.0;
/// Times below this are the same: the machine tells them apart by chance.
const NOISE: Duration = Duration::from_micros(300);

/// How much a company has.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Its contacts.
    pub contacts: u32,
    /// Its invoices.
    pub invoices: u32,
    /// How many of them wait for their payment, about; the others are paid.
    pub unpaid: u32,
}

/// How much is done.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The companies, from small to large.
    pub sizes: Vec<Size>,
    /// Calls of each operation to each company.
    pub calls: u32,
    /// A part of the names of the operations that are measured.
    pub named: String,
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
    /// How many answers were lists of nothing: such a page says little.
    #[serde(default, skip_serializing_if = "is_none")]
    pub empty: u32,
    /// The median of the route that does the same, in each company, in milliseconds: of tools alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub route: Vec<f64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_none(count: &u32) -> bool {
    *count == 0
}

/// How a request was answered.
struct Answered {
    took: Duration,
    /// Whether it is a list of nothing.
    is_empty: bool,
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
    let named = |operation: &&Operation| operation.name.contains(&plan.named);
    for operation in every().filter(named) {
        operations.push(measured(operation, &mut companies, plan.calls).await);
    }
    let engine = if engine == Engine::Postgres { "PostgreSQL" } else { "SQLite" };
    let sizes = plan.sizes.iter().map(|size| size.contacts).collect();
    Growth { engine: engine.to_owned(), sizes, operations }
}

async fn measured(operation: &Operation, companies: &mut [Company], calls: u32) -> Times {
    let mut times = vec![(Vec::new(), Vec::new()); companies.len()];
    let mut empty = 0;
    // The first calls read what the others find in memory.
    for call in 0..calls + 3 {
        for (company, (times, routes)) in companies.iter_mut().zip(&mut times) {
            let asks = (operation.asks)(&company.filled, call);
            let answered = company.call(asks).await;
            let route = match operation.route {
                Some(route) => Some(company.call(route(&company.filled, call)).await.took),
                None => None,
            };
            if call >= 3 {
                times.push(answered.took);
                routes.extend(route);
                empty += u32::from(answered.is_empty);
            }
        }
    }
    let (times, routes): (Vec<_>, Vec<_>) = times.into_iter().unzip();
    let milliseconds = |times: Vec<Vec<Duration>>| {
        times
            .into_iter()
            .filter(|times| !times.is_empty())
            .map(|times| median(times).as_secs_f64() * 1e3)
            .collect()
    };
    let times = Times {
        operation: operation.name.to_owned(),
        milliseconds: milliseconds(times),
        within: operation.within,
        empty,
        route: milliseconds(routes),
    };
    progress(&times.line());
    times
}

impl Company {
    async fn of(site: Site, filling: Size) -> Self {
        let token = site.bootstrap().await;
        let filled = fill(&site, filling).await;
        vacuum(&site);
        // Assistants reach a server by https alone, or on the machine that it runs on.
        let process = site.serve("localhost").await;
        until("the events of what was filled in", async || process.is_idle().await).await;
        Self { client: Client::new(&token), process, filled, _site: site }
    }

    /// Sends requests, one after the other; tells how the last one was answered.
    async fn call(&mut self, asks: Vec<Ask>) -> Answered {
        let mut answered = Answered { took: Duration::ZERO, is_empty: false };
        for ask in asks {
            let Ask { method, path, body, .. } = &ask;
            let start = Instant::now();
            let answer = self.client.send(self.process.api, method, path, body).await.expect("an answer");
            answered.took = start.elapsed();
            let text = String::from_utf8_lossy(&answer.body);
            assert!(
                ask.is_answered(answer.status, &answer.body),
                "{method} {path} {body}: {} {text}",
                answer.status
            );
            let page: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
            answered.is_empty = page.get("items").and_then(Value::as_array).is_some_and(Vec::is_empty);
        }
        answered
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

    /// Whether it takes no longer in the largest company than it may.
    #[must_use]
    pub fn holds(&self) -> bool {
        let largest = self.milliseconds.last().copied().unwrap_or_default();
        self.within.map_or_else(|| self.growth() <= GROWTH, |within| largest <= within)
    }

    /// What a tool takes longer than its route where that is most, in milliseconds.
    #[must_use]
    pub fn over_the_route(&self) -> Option<f64> {
        let each = self.milliseconds.iter().zip(&self.route).map(|(tool, route)| tool - route);
        each.reduce(f64::max)
    }

    fn line(&self) -> String {
        let each: Vec<_> = self.milliseconds.iter().map(|time| format!("{time:>8.2}")).collect();
        let over =
            self.over_the_route().map(|over| format!(", {over:.2} ms over the route")).unwrap_or_default();
        let empty = if self.empty == 0 { String::new() } else { format!(", {} pages empty", self.empty) };
        format!("{:<52} {} ms, × {:.1}{over}{empty}", self.operation, each.join(" "), self.growth())
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
            report.timed(&name, value, &format!("≤ {bound}"), times.holds());
            if let Some(over) = times.over_the_route() {
                let name = format!("{}, ms over its route", times.operation);
                report.timed(&name, over, &format!("≤ {OVER_THE_ROUTE}"), over <= OVER_THE_ROUTE);
            }
        }
        report
    }
}
