//! How many deliveries a second, at what cost, and how soon when there is little to do.
//!
//! Each request makes or changes a contact, and every subscription is told of it; the clock runs from the first
//! request until the last notification has arrived. Requests are of three [mixes](Mix), which take turns in the same
//! run: the ratio of two is worth more than either figure, which belongs to the machine. Clients and receivers
//! are in this process, and take their part of the machine; how soon a notification comes is counted from when its
//! request was due, and timers go by milliseconds. The server answers only what is on the disk, as always.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::faults::{Process, Report, Site, subscribe};
use crate::traffic::{Healthy, Latencies, Mix, Publisher, latencies};
use crate::usage::Usage;

/// Subscriptions in the first part, and in the second.
const FEW: u16 = 1;
const MANY: u16 = 10;
/// What the mixes cause.
const EVENTS: &[&str] = &["contact.create", "contact.update", "contact.merge"];
/// So often each mix has its turn in a part.
const TURNS: u32 = 2;
/// The deliveries a second that are asked for with real requests, in those with bare ones.
const FLOOR: f64 = 0.7;
/// What arrives later counts as lost.
const PATIENCE: Duration = Duration::from_mins(5);

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Requests of each mix for one subscription; a third as many for ten.
    pub requests: u32,
    /// Clients at a time.
    pub clients: usize,
    /// Requests a second when there is little to do.
    pub rate: u32,
    /// For so long.
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
    let process = site.serve("one.example").await;
    let receiver = Healthy::start().await;
    let publisher = Publisher::new(process.api, vec![format!("Bearer {token}")]);
    let part = Part { process: &process, database, receiver: &receiver, publisher: &publisher };
    let mut report = Report::new(name, 0);

    subscribe(process.api, &token, EVENTS, (0..FEW).map(|number| receiver.url(number))).await;
    for mix in Mix::ALL {
        let warm_up = part.full(mix, plan.requests / 10 + 1, plan.clients, FEW).await;
        report.most(&format!("warm-up, {}: deliveries lost", mix.name()), warm_up.lost, 0);
    }
    for mix in Mix::ALL {
        part.paced(&mut report, mix, plan).await;
    }
    part.in_turns(&mut report, plan.requests, plan.clients, FEW).await;
    subscribe(process.api, &token, EVENTS, (FEW..MANY).map(|number| receiver.url(number))).await;
    part.in_turns(&mut report, plan.requests / 3, plan.clients, MANY).await;
    report.shown("memory of the server at most, MiB", process.usage().memory("VmHWM") / 1_024);
    report
}

/// What the turns of a mix at full speed came to.
#[derive(Clone, Copy, Default)]
struct Full {
    deliveries: usize,
    lost: usize,
    seconds: f64,
    /// Seconds of a processor.
    used: f64,
    /// From request to arrival.
    p99: Duration,
}

impl Full {
    fn and(self, other: Self) -> Self {
        Self {
            deliveries: self.deliveries + other.deliveries,
            lost: self.lost + other.lost,
            seconds: self.seconds + other.seconds,
            used: self.used + other.used,
            p99: self.p99.max(other.p99),
        }
    }

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

/// The figures of all mixes, one below the other.
fn compare(report: &mut Report, subscriptions: u16, mixes: [(Mix, Full); 3]) {
    let part = if subscriptions == 1 { "1 subscription" } else { &format!("{subscriptions} subscriptions") };
    for (mix, full) in mixes {
        report.most(&format!("{part}, {}: deliveries lost", mix.name()), full.lost, 0);
    }
    for (mix, full) in mixes {
        report.shown(&format!("{part}, {}: deliveries a second", mix.name()), format!("{:.0}", full.rate()));
    }
    let [(_, bare), others @ ..] = mixes;
    for (mix, full) in others {
        let ratio = full.rate() / bare.rate();
        let holds = if ratio >= FLOOR { "holds" } else { "is missed" };
        let asked = match mix {
            Mix::Real => format!(" (at least {FLOOR} is asked for, which {holds})"),
            Mix::Bare | Mix::Mixed => String::new(),
        };
        let name = format!("{part}, {} : bare: deliveries a second", mix.name());
        report.shown(&name, format!("{ratio:.2}{asked}"));
    }
    for (mix, full) in mixes {
        let name = format!("{part}, {}: processor seconds for 1,000 deliveries", mix.name());
        report.shown(&name, format!("{:.3}", full.cost()));
    }
    for (mix, full) in mixes {
        let name = format!("{part}, {}: p99 from request to arrival, ms", mix.name());
        report.shown(&name, format!("{:.0}", full.p99.as_secs_f64() * 1_000.0));
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
        let mut mixes = Mix::ALL.map(|mix| (mix, Full::default()));
        for _ in 0..TURNS {
            for (mix, sum) in &mut mixes {
                *sum = sum.and(self.full(*mix, requests / TURNS + 1, clients, subscriptions).await);
            }
        }
        compare(report, subscriptions, mixes);
    }

    /// So many requests as fast as they go.
    async fn full(&self, mix: Mix, requests: u32, clients: usize, subscriptions: u16) -> Full {
        let (start, used) = (Instant::now(), self.used());
        let published = self.publisher.sending(mix).publish_at_once(requests, clients).await;
        let contacts: Vec<_> = published.iter().map(|one| one.contact.clone()).collect();
        let told = self.receiver.told(&contacts, subscriptions.into(), PATIENCE).await;
        let (seconds, used) = (start.elapsed().as_secs_f64(), self.used() - used);
        let deliveries = contacts.len() * usize::from(subscriptions);
        match told {
            Ok(told) => Full { deliveries, lost: 0, seconds, used, p99: latencies(&published, &told).p99 },
            Err(lost) => Full { deliveries, lost, seconds, used, p99: PATIENCE },
        }
    }

    /// Requests at a steady rate, with nothing else to do.
    async fn paced(&self, report: &mut Report, mix: Mix, plan: Plan) {
        let published = self.publisher.sending(mix).publish(plan.rate, plan.span).await;
        let contacts: Vec<_> = published.iter().map(|one| one.contact.clone()).collect();
        let name = |what: &str| format!("{} requests a second, {}: {what}", plan.rate, mix.name());
        let told = match self.receiver.told(&contacts, FEW.into(), PATIENCE).await {
            Ok(told) => told,
            Err(lost) => return report.most(&name("deliveries lost"), lost, 0),
        };
        let Latencies { p50, p99, .. } = latencies(&published, &told);
        report.most(&name("deliveries lost"), 0, 0);
        for (what, time) in [("p50 from request to arrival, ms", p50), ("p99", p99)] {
            report.shown(&name(what), format!("{:.1}", time.as_secs_f64() * 1_000.0));
        }
    }

    /// Seconds of a processor that the server and the database have used.
    fn used(&self) -> f64 {
        self.process.usage().processor_seconds() + self.database.map_or(0.0, Usage::processor_seconds)
    }
}
