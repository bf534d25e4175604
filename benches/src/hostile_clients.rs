//! What hostile clients cost an honest one: its latency and its refusals while each of many behaviours goes on, and what
//! the server keeps of them in memory and connections.
//!
//! The server is a process, and the hostile clients are another one. They come from addresses of their own (`127.0.0.2` and on), as those of one
//! attacker or of many do; those that need a token have one of another company. Behaviours take turns; between two of them,
//! the connections that are left are counted, a minute after their clients stopped at the latest.

mod behaviours;
mod client;
mod http2;
mod play;

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use svc_storage_seaorm::{Database, Settings};
use tokio::time::{sleep, sleep_until};

pub use self::behaviours::all;
use self::behaviours::{Behaviour, Target};
pub use self::play::{PLAY, play};
use crate::NOW;
use crate::faults::{Client, Engine, Process, Report, Site, progress};
use crate::service::token;
use crate::traffic::Latencies;

/// Memory of the server at most, in MiB.
const MOST_MEMORY: u64 = 300;
/// How much slower the honest client may be, in times of its latency alone.
const SLOWER: f64 = 3.0;
/// So many behaviours come between two phases of the honest client alone.
const TOGETHER: usize = 4;
/// From one request of the honest client to the next.
const EVERY: Duration = Duration::from_millis(20);
/// How long connections may stay when their clients stopped.
const LEFT: Duration = Duration::from_secs(75);

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Each behaviour goes on for so long.
    pub span: Duration,
    /// Only behaviours whose names have this in them.
    pub only: &'static str,
}

/// Runs it on an empty database.
///
/// # Panics
/// When the server does not start.
pub async fn run(engine: Engine, server: &Path, url: Option<&str>, plan: Plan) -> Report {
    let site = match url {
        None => Site::sqlite(server),
        Some(url) => Site::postgres(server, url),
    };
    let [honest, hostile] = tokens(&site.url).await;
    let process = site.serve("one.example").await;
    fill(process.api, &hostile).await;
    let mut report = Report::new(format!("hostile clients on {engine:?}"), 0);
    let mut honest = Honest { api: process.api, client: Client::new(&honest), refused: 0, number: 0 };
    honest.work(Duration::from_secs(2)).await;
    let files_before = process.usage().files();
    let target = Target { api: process.api, token: hostile };
    let (mut alone, mut worst) = (Vec::new(), (Duration::ZERO, "none"));
    let behaviours: Vec<_> = all().into_iter().filter(|one| one.name.contains(plan.only)).collect();
    for (number, behaviour) in behaviours.iter().enumerate() {
        if number % TOGETHER == 0 {
            // What the last ones began is over by then.
            sleep(Duration::from_secs(2)).await;
            alone.extend(honest.work(plan.span).await);
        }
        let beside = beside(&mut honest, &process, &target, *behaviour, plan.span).await;
        worst = worst.max((beside.p99, behaviour.name));
        progress(&format!(
            "{:<58} p99 {:>6.1} ms; memory {} MiB, at most {}; files {}",
            behaviour.name,
            ms(beside.p99),
            process.usage().memory("VmRSS") / 1_024,
            process.usage().memory("VmHWM") / 1_024,
            process.usage().files(),
        ));
    }
    let stopped = Instant::now();
    while process.usage().files() > files_before + SPARE && stopped.elapsed() < LEFT {
        sleep(Duration::from_millis(200)).await;
    }
    let alone = Latencies::of(alone);
    let slower = ms(worst.0) / ms(alone.p99);
    report.shown("behaviours", behaviours.len());
    report.shown("alone: p99 of the honest client, ms", format!("{:.1}", ms(alone.p99)));
    report.shown("slowest beside", worst.1);
    report.timed("p99 of the honest client, times that alone", slower, "≤ 3", slower <= SLOWER);
    report.most("requests of the honest client refused or broken", honest.refused, 0);
    report.most("memory of the server at most, MiB", process.usage().memory("VmHWM") / 1_024, MOST_MEMORY);
    let left = process.usage().files().saturating_sub(files_before + SPARE);
    report.most("connections and files left", left, 0);
    report
}

/// Connections to the database that may be opened when there is need.
const SPARE: usize = 40;

/// One behaviour, with the honest client at work; then it stops.
async fn beside(
    honest: &mut Honest,
    process: &Process,
    target: &Target,
    behaviour: Behaviour,
    span: Duration,
) -> Latencies {
    let before = honest.refused;
    let clients = play::start(behaviour, target);
    sleep(Duration::from_millis(200)).await;
    let beside = Latencies::of(honest.work(span).await);
    drop(clients);
    if honest.refused > before {
        progress(&format!("{}: {} requests refused or broken", behaviour.name, honest.refused - before));
    }
    assert!(process.usage().memory("VmRSS") > 0, "the server runs");
    beside
}

/// Tokens of two companies.
async fn tokens(url: &str) -> [String; 2] {
    let keys = Site::keys();
    let peppers = keys.peppers();
    let database = Database::open(&Settings::new(url.to_owned(), keys)).await.expect("a database");
    database.migrate(NOW).await.expect("the schema is made");
    let mut tokens = Vec::new();
    for number in 1..=2 {
        let authorization = token(&database, &peppers, number, "full").await;
        tokens.push(authorization.trim_start_matches("Bearer ").to_owned());
    }
    database.close().await;
    tokens.try_into().expect("two")
}

/// Contacts with as much in them as a contact may have.
async fn fill(api: SocketAddr, token: &str) {
    let mut client = Client::new(token);
    let value = "ñ".repeat(500);
    let pairs: Vec<_> = (0..50).map(|number| format!("\"key{number}\":\"{value}\"")).collect();
    let notes = "ñ".repeat(10_000);
    for number in 0..200 {
        let body = format!(
            r#"{{"kind":"organization","legalName":"Luna {number} SA","notes":"{notes}","metadata":{{{}}}}}"#,
            pairs.join(",")
        );
        let answer = client.post(api, "/api/v1/contacts", None, &body).await.expect("answered");
        assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
    }
}

/// A client that does what customers do.
struct Honest {
    api: SocketAddr,
    client: Client,
    refused: usize,
    number: usize,
}

impl Honest {
    /// How long each of its requests took.
    async fn work(&mut self, span: Duration) -> Vec<Duration> {
        let start = Instant::now();
        let mut taken = Vec::new();
        let mut due = start;
        while due < start + span {
            sleep_until(due.into()).await;
            self.number += 1;
            let answer = if self.number.is_multiple_of(2) {
                self.client.get(self.api, "/api/v1/contacts?limit=10").await
            } else {
                let body = format!(r#"{{"kind":"organization","legalName":"Sol {} SL"}}"#, self.number);
                self.client.post(self.api, "/api/v1/contacts", None, &body).await
            };
            match answer {
                Ok(answer) if answer.status < 300 => taken.push(due.elapsed()),
                Ok(answer) => self.refuse(&format!("status {}", answer.status)),
                Err(error) => self.refuse(&error.to_string()),
            }
            due = (due + EVERY).max(Instant::now());
        }
        assert!(!taken.is_empty(), "the honest client was served");
        taken
    }

    fn refuse(&mut self, how: &str) {
        self.refused += 1;
        if self.refused <= 5 {
            progress(&format!("the honest client: {how}"));
        }
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
