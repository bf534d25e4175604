//! Clients that go away in the middle of their requests, by the thousand.
//!
//! A request is dropped in its head, before its body, in its body, or at a random moment of the first 5 ms after it
//! was sent. A connection of the pool that came back inside the transaction of another request would answer the next write
//! with 201 and never show it to a reader: afterwards every connection is used, and each write must be seen from
//! elsewhere. What these requests left behind in the server would slow it down: so it is compared with a twin that stands
//! beside it, over a database of its own, and saw none of them. They are measured in turn, as the machine drifts.

use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use svc_testkit::fakes::SeededRandom;
use svc_testkit::postgres::query;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::sleep;

use super::recovery::strays;
use super::writers::below;
use super::{Client, Engine, Evidence, Pace, Process, Report, Site, Task, Writers, until};

/// Clients at a time.
const CROWD: u32 = 64;
/// No request is waited for longer before it is dropped.
const LONGEST_WAIT: u64 = 5_000;
/// Writers afterwards: several for each of the 16 connections.
const WRITERS: u32 = 48;
/// How often the rates of both are measured, in turn.
const ROUNDS: u64 = 5;
/// What is left of the rate of a server that has seen no such request.
const RATE: f64 = 0.8;

/// How hard it is made.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Requests that are dropped.
    pub requests: u32,
    /// How long the rate is measured, each time.
    pub measure: Duration,
    /// Where each is dropped.
    pub seed: u64,
}

/// Runs it on two new SQLite files.
pub async fn on_sqlite(server: &Path, plan: Plan) -> Report {
    run([(); 2].map(|()| Site::sqlite(server)), Engine::Sqlite, plan).await
}

/// Runs it on two PostgreSQL databases of one server.
pub async fn on_postgres(server: &Path, urls: [String; 2], plan: Plan) -> Report {
    run(urls.map(|url| Site::postgres(server, &url)), Engine::Postgres, plan).await
}

async fn run([site, other]: [Site; 2], engine: Engine, plan: Plan) -> Report {
    let mut hit = Subject::start(site, "hit.example").await;
    let mut twin = Subject::start(other, "twin.example").await;
    for one in [&mut hit, &mut twin] {
        one.measure(plan, 0).await;
    }
    let dropped = disconnects(hit.process.api, &hit.token, plan).await;

    let mut report = Report::new(format!("requests dropped by their clients on {engine:?}"), plan.seed);
    for (point, count) in POINTS.iter().zip(dropped) {
        report.shown(&format!("requests dropped {point}"), count);
    }
    let url = hit.site.url.clone();
    if engine == Engine::Postgres {
        let start = Instant::now();
        until("no session is inside a transaction", async || strays(&url) == 0).await;
        // The server would end a stray one itself after 15 s.
        let took = start.elapsed().as_secs_f64();
        report.timed("until no session was inside a transaction, s", took, "≤ 5", took <= 5.0);
    }
    let (mut shares, mut unseen) = (Vec::new(), 0);
    for round in 1..=ROUNDS {
        shares.push(hit.measure(plan, round).await / twin.measure(plan, round).await);
        unseen += hit.unseen().await;
    }
    let stored = Evidence::stored(hit.process.api, &hit.token).await.len();
    report.most("writes answered with 201 that another connection does not see", unseen, 0);
    report.most("answers that are wrong", hit.wrong + twin.wrong, 0);
    report.shown("writes acknowledged", hit.acknowledged.len());
    report.shown("changes stored, those of dropped requests among them", stored);
    for (whose, one) in [("of the server that was hit", &hit), ("of its twin", &twin)] {
        report.shown(&format!("writes a second {whose}, in turn"), one.rates());
    }
    for one in [hit, twin] {
        assert!(one.process.stop().await.success(), "it ends in good order:\n{}", one.site.log());
    }
    if engine == Engine::Postgres {
        let seen: usize = query(&url, "SELECT count(*) FROM svc_contacts").parse().expect("a number");
        report.most("changes that were gone with their connection", stored.abs_diff(seen), 0);
    }
    let share = crate::median(shares);
    report.timed("rate after, as a part of that of the twin (median)", share, "≥ 0.8", share >= RATE);
    report
}

/// A server over a database of its own.
struct Subject {
    site: Site,
    token: String,
    process: Process,
    /// The ids of what was answered with 201.
    acknowledged: Vec<String>,
    /// Answers that a client cannot make sense of.
    wrong: u64,
    /// Writes a second, each time.
    rates: Vec<f64>,
}

impl Subject {
    async fn start(site: Site, name: &str) -> Self {
        let token = site.bootstrap().await;
        let process = site.serve(name).await;
        Self { site, token, process, acknowledged: Vec::new(), wrong: 0, rates: Vec::new() }
    }

    /// Writes for a while; answers the rate.
    async fn measure(&mut self, plan: Plan, round: u64) -> f64 {
        let up = watch::Sender::new(vec![self.process.api]);
        let pace = Pace { writers: WRITERS, every: None, keyed: false };
        let seed = plan.seed.wrapping_mul(1_000) + round;
        let start = Instant::now();
        let writers = Writers::start(&self.token, &Task::contacts(), pace, &up.subscribe(), seed);
        sleep(plan.measure).await;
        until("every connection was used", async || writers.acknowledged() >= 500).await;
        let kept = writers.stop().await;
        let count = u32::try_from(kept.acknowledged.len()).unwrap_or(u32::MAX);
        let rate = f64::from(count) / start.elapsed().as_secs_f64();
        self.rates.push(rate);
        self.wrong += kept.wrong;
        self.acknowledged.extend(kept.acknowledged.into_iter().map(|(id, _)| id));
        rate
    }

    fn rates(&self) -> String {
        let rates: Vec<String> = self.rates.iter().map(|rate| format!("{rate:.0}")).collect();
        rates.join(" ")
    }

    /// How many of the last hundred writes are not seen over another connection.
    async fn unseen(&self) -> usize {
        let mut unseen = 0;
        let mut client = Client::new(&self.token);
        for id in self.acknowledged.iter().rev().take(100) {
            let answer = client.get(self.process.api, &format!("/api/v1/contacts/{id}")).await;
            unseen += usize::from(answer.is_ok_and(|answer| answer.status != 200));
        }
        unseen
    }
}

const POINTS: [&str; 4] = ["in the head", "before the body", "in the body", "within 5 ms of being sent"];

/// Sends all requests and drops each; answers how many were dropped where.
async fn disconnects(to: SocketAddr, token: &str, plan: Plan) -> [u32; 4] {
    let tasks: Vec<_> = (0..CROWD)
        .map(|number| {
            let (client, random) =
                (Client::new(token), SeededRandom::new(plan.seed ^ (u64::from(number) << 32)));
            let share = plan.requests / CROWD;
            tokio::spawn(async move {
                let mut dropped = [0; 4];
                for turn in 0..share {
                    let key = (turn % 2 == 0).then(|| format!("dropped-{number}-{turn}"));
                    let body = format!(r#"{{"kind":"organization","legalName":"Storm {number}-{turn}"}}"#);
                    let request = client.request("POST", "/api/v1/contacts", key.as_deref(), &body);
                    let point = drop_one(to, request.as_bytes(), body.len(), &random).await;
                    if let Some(count) = dropped.get_mut(point) {
                        *count += 1;
                    }
                }
                dropped
            })
        })
        .collect();
    let mut all = [0; 4];
    for task in tasks {
        let dropped = task.await.expect("no client failed");
        all = std::array::from_fn(|point| {
            all.get(point).copied().unwrap_or(0_u32) + dropped.get(point).copied().unwrap_or(0)
        });
    }
    all
}

/// Sends a part of a request, or all of it, and hangs up; answers where.
async fn drop_one(to: SocketAddr, request: &[u8], body: usize, random: &SeededRandom) -> usize {
    let head = request.len() - body;
    let within =
        |from: usize, to: usize| from + usize::try_from(below(random, (to - from) as u64)).unwrap_or(0);
    // Most are dropped where work is under way.
    let (point, sent) = match below(random, 10) {
        0 => (0, within(1, head)),
        1 => (1, head),
        2 => (2, within(head + 1, request.len())),
        _ => (3, request.len()),
    };
    let Ok(mut stream) = TcpStream::connect(to).await else { return point };
    // A server that refuses before it has read all closes first, which is no failure.
    drop(stream.write_all(request.get(..sent).unwrap_or_default()).await);
    if point == 3 {
        sleep(Duration::from_micros(below(random, LONGEST_WAIT))).await;
    }
    point
}
