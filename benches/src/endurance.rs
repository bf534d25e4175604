//! What the server holds in memory under full load for an hour.
//!
//! Clients send [mixed](Mix::Mixed) requests as fast as they are answered, and every subscription is told of each. The
//! memory is read every second. A leak shows in the last tenth of the time beside the second one: in the first one
//! the server fills what it keeps.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::faults::{Process, Report, Site, progress, subscribe};
use crate::median;
use crate::traffic::{Healthy, Mix, Publisher};

/// Clients at a time.
const CLIENTS: usize = 64;
/// What arrives later counts as lost.
const PATIENCE: Duration = Duration::from_mins(5);
/// What the last tenth of the time may have in times of the second one.
const GROWTH: f64 = 1.1;
/// How often the memory is read.
const PULSE: Duration = Duration::from_secs(1);

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How long.
    pub span: Duration,
    /// Subscriptions that are told of each request.
    pub subscriptions: u16,
    /// Requests of a round; the last notification of each is waited for before the next one begins.
    pub round: u32,
}

/// Runs it on a new SQLite file.
pub async fn on_sqlite(server: &Path, plan: Plan) -> Report {
    run("memory on SQLite", Site::sqlite(server), plan).await
}

/// Runs it on a PostgreSQL database.
pub async fn on_postgres(server: &Path, url: &str, plan: Plan) -> Report {
    run("memory on PostgreSQL", Site::postgres(server, url), plan).await
}

async fn run(name: &str, site: Site, plan: Plan) -> Report {
    let token = site.bootstrap().await;
    let process = site.serve("one.example").await;
    let receiver = Healthy::start().await;
    let publisher = Publisher::new(process.api, vec![format!("Bearer {token}")]).sending(Mix::Mixed);
    subscribe(process.api, &token, Mix::EVENTS, (0..plan.subscriptions).map(|number| receiver.url(number)))
        .await;
    let mut report = Report::new(name, 0);
    let work = rounds(&publisher, &receiver, plan);
    let watch = memory(&process, plan.span);
    let (Work { requests, lost }, memory) = tokio::join!(work, watch);
    report.most("deliveries lost", lost, 0);
    report.shown("requests", requests);
    for (tenth, held) in memory.iter().enumerate() {
        report.shown(&format!("memory in tenth {}, MiB", tenth + 1), held);
    }
    report.shown("memory at most, MiB", process.usage().memory("VmHWM") / 1_024);
    let [_, second, .., last] = memory;
    let growth = f64::from(last) / f64::from(second.max(1));
    report.timed(
        "memory in the last tenth : in the second",
        growth,
        &format!("≤ {GROWTH}"),
        growth <= GROWTH,
    );
    report
}

#[derive(Default)]
struct Work {
    requests: usize,
    lost: usize,
}

/// Sends requests until the time is over, or a delivery is lost.
async fn rounds(publisher: &Publisher, receiver: &Healthy, plan: Plan) -> Work {
    let (start, mut work) = (Instant::now(), Work::default());
    while start.elapsed() < plan.span && work.lost == 0 {
        let sent = publisher.publish_at_once(plan.round, CLIENTS).await;
        let contacts: Vec<_> = sent.into_iter().map(|one| one.contact).collect();
        work.requests += contacts.len();
        work.lost +=
            receiver.told(&contacts, plan.subscriptions.into(), PATIENCE).await.err().unwrap_or_default();
    }
    work
}

/// The median of what the server holds in each tenth of the time, in MiB.
async fn memory(process: &Process, span: Duration) -> [u32; 10] {
    let mut tenths = [0; 10];
    for (number, tenth) in tenths.iter_mut().enumerate() {
        let (start, mut held) = (Instant::now(), Vec::new());
        while held.is_empty() || start.elapsed() < span / 10 {
            tokio::time::sleep(PULSE.min(span / 20)).await;
            held.push(process.usage().memory("VmRSS"));
        }
        *tenth = u32::try_from(median(held) / 1_024).expect("less than a petabyte");
        progress(&format!("tenth {} of the time: {tenth} MiB", number + 1));
    }
    tenths
}
