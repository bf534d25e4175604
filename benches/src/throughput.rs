//! How many deliveries a second, at what cost, and how soon when there is little to do.
//!
//! A contact is created by each request, and every subscription is told of it; the clock runs from the first request
//! until the last notification has arrived. Clients and receivers are in this process, and take their part of the
//! machine; how soon a notification comes is counted from when its request was due, and timers go by milliseconds. Each 201
//! is on the disk before it is sent, as always.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::faults::{Process, Report, Site, subscribe};
use crate::traffic::{Healthy, Latencies, Publisher, latencies};
use crate::usage::Usage;

/// Subscriptions in the first part, and in the second.
const FEW: u16 = 1;
const MANY: u16 = 10;
/// What arrives later counts as lost.
const PATIENCE: Duration = Duration::from_mins(5);

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Contacts for one subscription; a third as many for ten.
    pub contacts: u32,
    /// Clients at a time.
    pub clients: usize,
    /// Contacts a second when there is little to do.
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

    subscribe(process.api, &token, (0..FEW).map(|number| receiver.url(number))).await;
    let warm_up = part.full(plan.contacts / 10 + 1, plan.clients, FEW).await;
    report.most("warm-up: deliveries lost", warm_up.lost, 0);
    part.paced(&mut report, plan).await;
    let few = part.full(plan.contacts, plan.clients, FEW).await;
    few.tell(&mut report, "1 subscription");
    subscribe(process.api, &token, (FEW..MANY).map(|number| receiver.url(number))).await;
    let many = part.full(plan.contacts / 3 + 1, plan.clients, MANY).await;
    many.tell(&mut report, "10 subscriptions");
    report.shown("memory of the server at most, MiB", process.usage().memory("VmHWM") / 1_024);
    report
}

/// What a part at full speed came to.
struct Full {
    deliveries: usize,
    lost: usize,
    seconds: f64,
    /// Seconds of a processor.
    used: f64,
}

impl Full {
    fn tell(&self, report: &mut Report, part: &str) {
        #[expect(clippy::cast_precision_loss, reason = "a count of a benchmark")]
        let made = (self.deliveries - self.lost) as f64;
        let (rate, cost) = (made / self.seconds, self.used / made * 1_000.0);
        report.most(&format!("{part}: deliveries lost"), self.lost, 0);
        report.shown(&format!("{part}: deliveries a second"), format!("{rate:.0}"));
        report.shown(&format!("{part}: processor seconds for 1,000 deliveries"), format!("{cost:.3}"));
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
    /// So many contacts as fast as they go.
    async fn full(&self, contacts: u32, clients: usize, subscriptions: u16) -> Full {
        let (start, used) = (Instant::now(), self.used());
        let contacts = self.publisher.publish_at_once(contacts, clients).await;
        let told = self.receiver.told(&contacts, subscriptions.into(), PATIENCE).await;
        Full {
            deliveries: contacts.len() * usize::from(subscriptions),
            lost: told.err().unwrap_or_default(),
            seconds: start.elapsed().as_secs_f64(),
            used: self.used() - used,
        }
    }

    /// Contacts at a steady rate, with nothing else to do.
    async fn paced(&self, report: &mut Report, plan: Plan) {
        let published = self.publisher.publish(plan.rate, plan.span).await;
        let contacts: Vec<_> = published.iter().map(|one| one.contact.clone()).collect();
        let name = |what: &str| format!("{} contacts a second: {what}", plan.rate);
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
