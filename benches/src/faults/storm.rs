//! Clients that go away in the middle of their requests, by the thousand.
//!
//! A request is dropped in its head, before its body, in its body, or at a random moment of the first 5 ms after it
//! was sent. A connection of the pool that came back inside somebody else's transaction would answer the next write
//! with 201 and never show it to anybody: afterwards every connection is used, and each write must be seen from
//! elsewhere. What the storm left behind in the server would slow it down: so it is compared with a new one on the
//! same database, right after it, as the machine drifts.

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
use super::{Client, Engine, Evidence, Kept, Pace, Process, Report, Site, Writers, until};

/// Clients at a time.
const CROWD: u32 = 64;
/// No request is waited for longer before it is dropped.
const LONGEST_WAIT: u64 = 5_000;
/// Writers afterwards: several for each of the 16 connections.
const WRITERS: u32 = 48;
/// What is left of the rate of a server that has seen no storm.
const RATE: f64 = 0.8;

/// How hard it is made.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Requests that are dropped.
    pub requests: u32,
    /// How long the rate is measured, before and after.
    pub measure: Duration,
    /// Where each is dropped.
    pub seed: u64,
}

/// Runs it on a new SQLite file.
pub async fn on_sqlite(server: &Path, plan: Plan) -> Report {
    run(Site::sqlite(server), Engine::Sqlite, plan).await
}

/// Runs it on a PostgreSQL database.
pub async fn on_postgres(server: &Path, url: &str, plan: Plan) -> Report {
    run(Site::postgres(server, url), Engine::Postgres, plan).await
}

async fn run(site: Site, engine: Engine, plan: Plan) -> Report {
    let token = site.bootstrap().await;
    let process = site.serve("one.example").await;
    let before = measured(&process, &token, plan, 1).await;
    let dropped = storm(process.api, &token, plan).await;

    let mut report = Report::new(format!("requests dropped by their clients on {engine:?}"), plan.seed);
    for (point, count) in POINTS.iter().zip(dropped) {
        report.shown(&format!("requests dropped {point}"), count);
    }
    if engine == Engine::Postgres {
        let start = Instant::now();
        let url = site.url.clone();
        until("no session is inside a transaction", async || strays(&url) == 0).await;
        // The server would end a stray one itself after 15 s.
        let took = start.elapsed().as_secs_f64();
        report.timed("until no session was inside a transaction, s", took, "≤ 5", took <= 5.0);
    }
    let after = measured(&process, &token, plan, 2).await;
    let unseen = unseen(&process, &token, &after.0).await;
    let stored = Evidence::stored(process.api, &token).await.len();
    report.most("writes answered with 201 that another connection does not see", unseen, 0);
    report.most("answers that are wrong", before.0.wrong + after.0.wrong, 0);
    report.shown("writes acknowledged", before.0.acknowledged.len() + after.0.acknowledged.len());
    report.shown("changes stored, those of dropped requests among them", stored);
    assert!(process.stop().await.success(), "it ends in good order:\n{}", site.log());
    if engine == Engine::Postgres {
        let seen: usize = query(&site.url, "SELECT count(*) FROM contacts").parse().expect("a number");
        report.most("changes that were gone with their connection", stored.abs_diff(seen), 0);
    }

    let process = site.serve("two.example").await;
    let anew = measured(&process, &token, plan, 3).await;
    for (when, (_, rate)) in
        [("before", &before), ("after", &after), ("of a new server on what is stored", &anew)]
    {
        report.shown(&format!("writes a second {when}"), format!("{rate:.0}"));
    }
    let share = after.1 / anew.1;
    report.timed("rate after, as a part of that of a new server", share, "≥ 0.8", share >= RATE);
    report
}

const POINTS: [&str; 4] = ["in the head", "before the body", "in the body", "within 5 ms of being sent"];

/// Sends all requests and drops each; answers how many were dropped where.
async fn storm(to: SocketAddr, token: &str, plan: Plan) -> [u32; 4] {
    let tasks: Vec<_> = (0..CROWD)
        .map(|number| {
            let (client, random) =
                (Client::new(token), SeededRandom::new(plan.seed ^ (u64::from(number) << 32)));
            let share = plan.requests / CROWD;
            tokio::spawn(async move {
                let mut dropped = [0; 4];
                for turn in 0..share {
                    let key = (turn % 2 == 0).then(|| format!("storm-{number}-{turn}"));
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

/// Writes for a while; answers what was told, and the rate.
async fn measured(process: &Process, token: &str, plan: Plan, number: u64) -> (Kept, f64) {
    let up = watch::Sender::new(vec![process.api]);
    let pace = Pace { writers: WRITERS, every: None, keyed: false };
    let start = Instant::now();
    let writers = Writers::start(token, pace, &up.subscribe(), plan.seed.wrapping_mul(1_000) + number);
    sleep(plan.measure).await;
    until("every connection was used", async || writers.acknowledged() >= 500).await;
    let kept = writers.stop().await;
    let rate = f64::from(u32::try_from(kept.acknowledged.len()).unwrap_or(u32::MAX));
    (kept, rate / start.elapsed().as_secs_f64())
}

/// The last of these writes, each looked for over another connection.
async fn unseen(process: &Process, token: &str, kept: &Kept) -> usize {
    let mut unseen = 0;
    let mut client = Client::new(token);
    for (id, _) in kept.acknowledged.iter().rev().take(500) {
        let answer = client.get(process.api, &format!("/api/v1/contacts/{id}")).await;
        unseen += usize::from(answer.is_ok_and(|answer| answer.status != 200));
    }
    unseen
}
