//! How many deliveries a second, at what cost, and how soon when there is little to do.
//!
//! Each request makes or changes a contact, and every subscription is told of it; the clock runs from the first
//! request until the last notification has arrived. Requests are of three [mixes](Mix), which take turns in the same
//! run, and the median turn of each counts: the ratio of two is worth more than either figure, which belongs to the machine. Clients and receivers
//! are in this process, and take their part of the machine; how soon a notification comes is counted from when its
//! request was due, and timers go by milliseconds. The server answers only what is on the disk, as always.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::faults::{Process, Report, Site, subscribe, until};
use crate::filling::populate;
use crate::median;
use crate::traffic::{Healthy, Latencies, Mix, Published, Publisher, latencies};
use crate::usage::Usage;

/// Subscriptions in the first part, and in the second.
const FEW: u16 = 1;
const MANY: u16 = 10;
/// So often each mix has its turn in a part.
const TURNS: u32 = 3;
/// The deliveries a second that are asked for with real requests, in those with bare ones.
const FLOOR: f64 = 0.7;
/// What arrives later counts as lost.
const PATIENCE: Duration = Duration::from_mins(5);

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Contacts that the company has before, and a tenth as many cases.
    pub contacts: u32,
    /// Requests of each mix for one subscription; a third as many for ten.
    pub requests: u32,
    /// Clients at a time.
    pub clients: usize,
    /// Requests a second when there is little to do.
    pub rate: u32,
    /// For so long in each turn.
    pub span: Duration,
}

/// Runs it on a new SQLite file.
pub async fn on_sqlite(server: &Path, plan: Plan) -> Report {
    run("deliveries on SQLite", Site::sqlite(server), None, plan).await
}

/// Runs it on a PostgreSQL database; with the id of its first process its time counts too.
pub async fn on_postgres(server: &Path, url: &str, database: Option<u32>, plan: Plan) -> Report {
    run("deliveries on PostgreSQL", Site::postgres(server, url), database.map(Usage::of), plan).await
}

async fn run(name: &str, site: Site, database: Option<Usage>, plan: Plan) -> Report {
    let token = site.bootstrap().await;
    populate(&site, plan.contacts).await;
    let process = site.serve("one.example").await;
    let receiver = Healthy::start().await;
    let publisher = Publisher::new(process.api, vec![format!("Bearer {token}")]).after(plan.contacts);
    until("the events of what was filled in", async || process.is_idle().await).await;
    let part = Part { process: &process, database, receiver: &receiver, publisher: &publisher };
    let mut report = Report::new(name, 0);

    subscribe(process.api, &token, Mix::EVENTS, (0..FEW).map(|number| receiver.url(number))).await;
    for mix in Mix::ALL {
        let warm_up = part.full(mix, plan.requests / 10 + 1, plan.clients, FEW).await;
        report.most(&format!("warm-up, {}: deliveries lost", mix.name()), warm_up.lost, 0);
    }
    part.paced_in_turns(&mut report, plan).await;
    part.in_turns(&mut report, plan.requests, plan.clients, FEW).await;
    subscribe(process.api, &token, Mix::EVENTS, (FEW..MANY).map(|number| receiver.url(number))).await;
    part.in_turns(&mut report, plan.requests / 3, plan.clients, MANY).await;
    report.shown("memory of the server at most, MiB", process.usage().memory("VmHWM") / 1_024);
    report
}

/// What a turn of a mix came to.
#[derive(Clone, Copy)]
struct Turn {
    deliveries: usize,
    lost: usize,
    seconds: f64,
    /// Seconds of a processor.
    used: f64,
    /// From request to arrival.
    latencies: Latencies,
}

impl Turn {
    /// Deliveries a second.
    fn rate(self) -> f64 {
        self.made() / self.seconds
    }

    /// Seconds of a processor for 1,000 deliveries.
    fn cost(self) -> f64 {
        self.used / self.made() * 1_000.0
    }

    #[expect(clippy::cast_precision_loss, reason = "a count of a benchmark")]
    fn made(self) -> f64 {
        (self.deliveries - self.lost) as f64
    }
}

/// The turns of a mix in one part.
struct Turns {
    mix: Mix,
    turns: Vec<Turn>,
}

impl Turns {
    fn lost(&self) -> usize {
        self.turns.iter().map(|turn| turn.lost).sum()
    }

    /// A figure of the median turn.
    fn median(&self, figure: impl Fn(Turn) -> f64) -> f64 {
        median(self.turns.iter().map(|turn| figure(*turn)).collect())
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// The figures of all mixes, one below the other.
fn compare(report: &mut Report, subscriptions: u16, mixes: &[Turns]) {
    let part = if subscriptions == 1 { "1 subscription" } else { &format!("{subscriptions} subscriptions") };
    let name = |turns: &Turns, what: &str| format!("{part}, {}: {what}", turns.mix.name());
    for turns in mixes {
        report.most(&name(turns, "deliveries lost"), turns.lost(), 0);
    }
    for turns in mixes {
        report.shown(&name(turns, "deliveries a second"), format!("{:.0}", turns.median(Turn::rate)));
    }
    let [bare, others @ ..] = mixes else { return };
    for turns in others {
        let ratio = turns.median(Turn::rate) / bare.median(Turn::rate);
        let holds = if ratio >= FLOOR { "holds" } else { "is missed" };
        let asked = match turns.mix {
            Mix::Real => format!(" (at least {FLOOR} is asked for, which {holds})"),
            Mix::Bare | Mix::Mixed => String::new(),
        };
        let name = format!("{part}, {} : bare: deliveries a second", turns.mix.name());
        report.shown(&name, format!("{ratio:.2}{asked}"));
    }
    for turns in mixes {
        let what = name(turns, "processor seconds for 1,000 deliveries");
        report.shown(&what, format!("{:.3}", turns.median(Turn::cost)));
    }
    for turns in mixes {
        let p99 = turns.median(|turn| milliseconds(turn.latencies.p99));
        report.shown(&name(turns, "p99 from request to arrival, ms"), format!("{p99:.0}"));
    }
}

/// What each part of a run needs.
struct Part<'a> {
    process: &'a Process,
    database: Option<Usage>,
    receiver: &'a Healthy,
    publisher: &'a Publisher,
}

impl Part<'_> {
    /// So many requests of each mix as fast as they go, in turns.
    async fn in_turns(&self, report: &mut Report, requests: u32, clients: usize, subscriptions: u16) {
        let mixes =
            turns(async |mix| self.full(mix, requests / TURNS + 1, clients, subscriptions).await).await;
        compare(report, subscriptions, &mixes);
    }

    /// Requests of each mix at a steady rate, in turns, with nothing else to do.
    async fn paced_in_turns(&self, report: &mut Report, plan: Plan) {
        for turns in turns(async |mix| self.paced(mix, plan).await).await {
            let name = |what: &str| format!("{} requests a second, {}: {what}", plan.rate, turns.mix.name());
            report.most(&name("deliveries lost"), turns.lost(), 0);
            let [p50, p99] = [|all: Latencies| all.p50, |all: Latencies| all.p99]
                .map(|one| turns.median(|turn| milliseconds(one(turn.latencies))));
            report.shown(&name("p50 from request to arrival, ms"), format!("{p50:.1}"));
            report.shown(&name("p99"), format!("{p99:.1}"));
        }
    }

    /// So many requests as fast as they go.
    async fn full(&self, mix: Mix, requests: u32, clients: usize, subscriptions: u16) -> Turn {
        self.turn(subscriptions, self.publisher.sending(mix).publish_at_once(requests, clients)).await
    }

    async fn paced(&self, mix: Mix, plan: Plan) -> Turn {
        self.turn(FEW, self.publisher.sending(mix).publish(plan.rate, plan.span)).await
    }

    /// Waits until every subscription was told of what is sent.
    async fn turn(&self, subscriptions: u16, sending: impl Future<Output = Vec<Published>>) -> Turn {
        let (start, used) = (Instant::now(), self.used());
        let published = sending.await;
        let contacts: Vec<_> = published.iter().map(|one| one.contact.clone()).collect();
        let told = self.receiver.told(&contacts, subscriptions.into(), PATIENCE).await;
        let (seconds, used) = (start.elapsed().as_secs_f64(), self.used() - used);
        let deliveries = contacts.len() * usize::from(subscriptions);
        let (lost, latencies) = match told {
            Ok(told) => (0, latencies(&published, &told)),
            Err(lost) => (lost, Latencies::of(vec![PATIENCE])),
        };
        Turn { deliveries, lost, seconds, used, latencies }
    }

    /// Seconds of a processor that the server and the database have used.
    fn used(&self) -> f64 {
        self.process.usage().processor_seconds() + self.database.map_or(0.0, Usage::processor_seconds)
    }
}

/// One mix after the other, so many times.
async fn turns(turn: impl AsyncFn(Mix) -> Turn) -> Vec<Turns> {
    let mut mixes: Vec<_> = Mix::ALL.into_iter().map(|mix| Turns { mix, turns: Vec::new() }).collect();
    for _ in 0..TURNS {
        for mix in &mut mixes {
            mix.turns.push(turn(mix.mix).await);
        }
    }
    mixes
}
