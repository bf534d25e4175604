//! How soon a quiet company's receivers are told while another company has tens of thousands of deliveries.
//!
//! The loud company makes contacts in bulk, each of which goes to twenty receivers, as fast as the server takes them; the
//! quiet one makes a contact now and then. The loud company's clients and receivers are a process of lower priority, as
//! they are on other machines in truth. A latency goes from the moment at which a request was due until its
//! notification has arrived.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use svc_storage_seaorm::{Database, Settings};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, sleep_until};

use crate::NOW;
use crate::elsewhere::{Elsewhere, answer, told};
use crate::faults::{Client, Engine, Manner, Receiver, Report, Site, progress, settled, subscribe};
use crate::service::{company, token_of};
use crate::traffic::Latencies;

/// The argument that makes the executable of the command play the loud company.
pub const PLAY: &str = "play-the-loud-company";
/// Receivers of each of the loud company's contacts.
const RECEIVERS: u16 = 20;
/// Contacts of one of its requests.
const BULK: usize = 100;
/// From one contact of the quiet company to the next.
const EVERY: Duration = Duration::from_millis(50);
/// How much later the quiet company's receivers may be told, in times of their p99 alone.
const LATER: f64 = 2.0;
/// What arrives later counts as lost.
const PATIENCE: Duration = Duration::from_secs(30);

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Rounds of two phases.
    pub rounds: usize,
    /// Each phase is measured for so long.
    pub span: Duration,
    /// Deliveries of the loud company in each round.
    pub deliveries: usize,
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
    let (quiet, loud) = tokens(&site.url, plan.rounds).await;
    let process = site.serve("one.example").await;
    let receiver = Receiver::open(Manner::default(), 0).await;
    subscribe(process.api, &quiet, &["contact.create"], [receiver.url(0)]).await;
    let mut quiet = Quiet { api: process.api, token: quiet, receiver, number: 0 };

    quiet.work(Duration::from_secs(2)).await;
    let (mut alone, mut beside, mut missing) = (Phases::default(), Phases::default(), 0);
    for (round, token) in loud.into_iter().enumerate() {
        missing += quiet.measured(plan.span, &mut alone).await;
        let part = Part { api: process.api, token, deliveries: plan.deliveries };
        let loud = spawn_blocking(move || Elsewhere::start::<usize>(PLAY, &part));
        missing += quiet.measured(plan.span, &mut beside).await;
        let (playing, made) = loud.await.expect("it plays");
        settled(&process).await;
        drop(playing);
        progress(&format!("round {}: {made} contacts of the loud company", round + 1));
    }
    let of = |phases: Phases| (Latencies::of(phases.answered), Latencies::of(phases.told));
    let (alone, beside) = (of(alone), of(beside));
    let mut report = Report::new(format!("fair shares on {engine:?}"), 0);
    report.shown("deliveries of the loud company in a round", plan.deliveries);
    for (name, (answered, told)) in [("alone", &alone), ("beside it", &beside)] {
        for (what, latencies) in [("answered", answered), ("told", told)] {
            let (p50, p99) = (ms(latencies.p50), ms(latencies.p99));
            report.shown(&format!("{name}, {what}: p50 and p99, ms"), format!("{p50:.1} {p99:.1}"));
        }
    }
    let later = ms(beside.1.p99) / ms(alone.1.p99);
    report.timed("p99 beside it, times that alone", later, "≤ 2", later <= LATER);
    report.most("deliveries of the quiet company lost", missing, 0);
    report
}

/// Latencies of all phases of a kind.
#[derive(Default)]
struct Phases {
    /// Until the request was answered.
    answered: Vec<Duration>,
    /// Until the notification had arrived.
    told: Vec<Duration>,
}

/// A contact of the quiet company.
struct Made {
    contact: String,
    due: Instant,
    answered: Instant,
}

/// The quiet company: its client and its receiver.
struct Quiet {
    api: SocketAddr,
    token: String,
    receiver: Receiver,
    number: usize,
}

impl Quiet {
    /// Adds how soon its receiver was told; answers how many notifications are missing.
    async fn measured(&mut self, span: Duration, phases: &mut Phases) -> usize {
        let made = self.work(span).await;
        let deadline = Instant::now() + PATIENCE;
        loop {
            let arrivals = self.receiver.arrivals();
            let at: HashMap<_, _> = arrivals.iter().map(|one| (one.object.as_str(), one.at)).collect();
            let missing = made.iter().filter(|one| !at.contains_key(one.contact.as_str())).count();
            if missing == 0 || Instant::now() > deadline {
                phases.answered.extend(made.iter().map(|one| one.answered - one.due));
                let arrived = made.iter().filter_map(|one| Some((at.get(one.contact.as_str())?, one.due)));
                phases.told.extend(arrived.map(|(at, due)| at.duration_since(due)));
                return missing;
            }
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Makes contacts.
    async fn work(&mut self, span: Duration) -> Vec<Made> {
        // The server ended a connection that was idle since the last phase.
        let mut client = Client::new(&self.token);
        let start = Instant::now();
        let mut made = Vec::new();
        let mut due = start;
        while due < start + span {
            sleep_until(due.into()).await;
            self.number += 1;
            let body = format!(r#"{{"kind":"organization","legalName":"Sol {} SL"}}"#, self.number);
            let answer = client.post(self.api, "/api/v1/contacts", None, &body).await.expect("answered");
            assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
            made.push(Made { contact: answer.text("id"), due, answered: Instant::now() });
            due = (due + EVERY).max(Instant::now());
        }
        made
    }
}

/// What the loud company does.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Part {
    api: SocketAddr,
    token: String,
    deliveries: usize,
}

/// Plays the loud company until standard input ends.
///
/// # Panics
/// When it is told nothing, or the server refuses something.
pub fn play() {
    let part: Part = told();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let made = runtime.block_on(async {
        let receiver = Receiver::open(Manner::default(), 0).await;
        subscribe(part.api, &part.token, &["contact.create"], receiver.urls(RECEIVERS)).await;
        let mut client = Client::new(&part.token);
        let contacts = part.deliveries / usize::from(RECEIVERS);
        for bulk in 0..contacts.div_ceil(BULK) {
            let item = |number| format!(r#"{{"kind":"organization","legalName":"Luna {bulk} {number} SA"}}"#);
            let items: Vec<_> = (0..BULK).map(item).collect();
            let body = format!(r#"{{"items":[{}]}}"#, items.join(","));
            let answer = client.post(part.api, "/api/v1/contacts/bulk", None, &body).await.expect("answered");
            assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        }
        contacts
    });
    answer(&made);
}

/// The token of the quiet company, and those of a loud one for each round.
async fn tokens(url: &str, rounds: usize) -> (String, Vec<String>) {
    let keys = Site::keys();
    let peppers = keys.peppers();
    let database = Database::open(&Settings::new(url.to_owned(), keys)).await.expect("a database");
    database.migrate(NOW).await.expect("the schema is made");
    let mut tokens = Vec::new();
    for number in 0..=rounds {
        let company = company(&database, number as u128 + 1).await;
        tokens.push(token_of(&database, &peppers, company, "full", false).await);
    }
    database.close().await;
    let loud = tokens.split_off(1);
    (tokens.concat(), loud)
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
