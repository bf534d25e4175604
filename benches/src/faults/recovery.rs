//! The database goes away under load and comes back: PostgreSQL is restarted as after a crash, and every session
//! is ended by `pg_terminate_backend`.
//!
//! Clients create contacts at a steady pace that the service takes easily, so the rate before is known and a full
//! rate again means that nothing is held up any more. A request that meets the fault is answered with 503 and
//! `Retry-After`, or its connection breaks; it is not sent again. A restart may undo commits that did not wait for
//! the disk: fan-outs and settlements of the last moments, which repeat.

use std::path::Path;
use std::time::{Duration, Instant};

use svc_testkit::postgres::{Cluster, query};
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::{
    Evidence, Fault, Manner, Pace, Receiver, Report, Site, Task, Writers, progress, settled, subscribe, until,
};

const SUBSCRIPTIONS: u16 = 2;
const NAME: &str = "one.example";
/// Full again means at least this part of the rate before.
const FULL: f64 = 0.95;
/// How soon the rate must be full again.
const SOON: Duration = Duration::from_secs(10);
/// PostgreSQL writes what need not wait for the disk within three turns of its log writer, 200 ms each.
const UNWRITTEN: f64 = 0.6;
const SLOT: Duration = Duration::from_secs(1);

/// How hard it is made.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// So many restarts, and as many ends of all sessions, in turn.
    pub faults: usize,
    /// Clients that write.
    pub writers: u32,
    /// One request of each in this time.
    pub every: Duration,
    /// How long it runs before the first fault, and between two.
    pub between: Duration,
    /// How the receiver answers.
    pub seed: u64,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Restart,
    Sessions,
}

/// Runs it on a new database of a cluster of its own.
pub async fn run(server: &Path, cluster: Cluster, plan: Plan) -> Report {
    let cluster = std::sync::Arc::new(cluster);
    let url = cluster.database();
    let site = Site::postgres(server, &url)
        .with("SVC_WEBHOOKS__RETRY_WAITS", "200ms,500ms,2s,5s,20s")
        .with("SVC_WEBHOOKS__TIMEOUT", "2s");
    let token = site.bootstrap().await;
    let receiver = Receiver::open(Manner::default(), plan.seed).await;
    let process = site.serve(NAME).await;
    subscribe(process.api, &token, &["contact.create"], receiver.urls(SUBSCRIPTIONS)).await;
    let up = watch::Sender::new(vec![process.api]);
    let pace = Pace { writers: plan.writers, every: Some(plan.every), keyed: false };
    let start = Instant::now();
    let writers = Writers::start(&token, &Task::contacts(), pace, &up.subscribe(), plan.seed);
    some_more(&writers).await;
    sleep(plan.between).await;

    let mut faults = Vec::new();
    let mut kinds = Vec::new();
    for number in 0..plan.faults * 2 {
        let kind = if number % 2 == 0 { Kind::Restart } else { Kind::Sessions };
        let began = Instant::now();
        let open = receiver.open_at(began);
        let (cluster, url) = (std::sync::Arc::clone(&cluster), url.clone());
        spawn_blocking(move || match kind {
            Kind::Restart => cluster.crash(),
            Kind::Sessions => end_sessions(&url),
        })
        .await
        .expect("the fault is made");
        faults.push(Fault { span: (began, Instant::now()), sender: None, open });
        kinds.push(kind);
        some_more(&writers).await;
        sleep(plan.between).await;
        progress(&format!("{kind:?} {} of {}", number / 2 + 1, plan.faults));
    }
    let kept = writers.stop().await;
    let acknowledged: Vec<Instant> = kept.acknowledged.iter().map(|(_, at)| *at).collect();
    settled(&process).await;
    until("no session is inside a transaction", async || strays(&url) == 0).await;
    let stored = Evidence::stored(process.api, &token).await;
    assert!(process.stop().await.success(), "it ends in good order:\n{}", site.log());

    let mut report = Report::new("PostgreSQL restarted and its sessions ended under load", plan.seed);
    let seen: usize = query(&url, "SELECT count(*) FROM svc_contacts").parse().expect("a number");
    report.most("changes that only their own connection saw", stored.len().abs_diff(seen), 0);
    let arrivals = receiver.arrivals();
    let mut accepted: Vec<Instant> = arrivals.iter().filter_map(super::Arrival::accepted).collect();
    accepted.sort_unstable();
    let first = faults.first().map_or(start, |fault| fault.span.0);
    for (what, times) in [("writes", &acknowledged), ("deliveries", &accepted)] {
        let before = usual(times, start, first);
        report.shown(&format!("{what} a second before"), before);
        for (fault, kind) in faults.iter().zip(&kinds) {
            let slots: Vec<usize> =
                (0..12).map(|second| within(times, fault.span.0 + SLOT * second)).collect();
            report.shown(&format!("{what} in each second from: {kind:?}"), format!("{slots:?}"));
            let took = full_again(times, fault, before);
            let seconds = took.map_or(f64::INFINITY, |took| took.as_secs_f64());
            let name = format!("{what} at full rate again after, s: {kind:?}");
            report.timed(&name, seconds, "≤ 10", took.is_some_and(|took| took <= SOON));
        }
    }
    let slack = slack(usual(&accepted, start, first));
    Evidence { kept, stored, arrivals, subscriptions: SUBSCRIPTIONS, faults, slack }.report(&mut report);
    report
}

/// Waits until writes are acknowledged again.
async fn some_more(writers: &Writers) {
    let before = writers.acknowledged();
    until("writes are acknowledged", async || writers.acknowledged() >= before + 20).await;
}

fn end_sessions(url: &str) {
    drop(query(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE datname = current_database() AND pid <> pg_backend_pid()",
    ));
}

/// Sessions that are inside a transaction and do nothing.
pub(super) fn strays(url: &str) -> usize {
    let count = query(
        url,
        "SELECT count(*) FROM pg_stat_activity \
         WHERE datname = current_database() AND state LIKE 'idle in transaction%'",
    );
    count.parse().expect("a number")
}

/// How many of the times are in the slot that begins then. The times are in order.
fn within(times: &[Instant], from: Instant) -> usize {
    times.partition_point(|at| *at < from + SLOT) - times.partition_point(|at| *at < from)
}

/// The median of the whole slots between two instants, the first of them left out: the load is starting.
fn usual(times: &[Instant], from: Instant, to: Instant) -> usize {
    let slots = u32::try_from(to.saturating_duration_since(from).as_secs()).unwrap_or(u32::MAX);
    let mut counts: Vec<usize> = (1..slots.max(2)).map(|slot| within(times, from + SLOT * slot)).collect();
    counts.sort_unstable();
    counts.get(counts.len() / 2).copied().unwrap_or_default()
}

/// From the beginning of a fault to the end of the first slot after it at full rate.
fn full_again(times: &[Instant], fault: &Fault, before: usize) -> Option<Duration> {
    let (began, over) = fault.span;
    let step = Duration::from_millis(100);
    let slots = (0..600).map(|number| over + step * number);
    let full = |from: &Instant| share(within(times, *from), before) >= FULL;
    slots.into_iter().find(full).map(|from| from + SLOT - began)
}

#[expect(clippy::cast_precision_loss, reason = "counts of one second")]
fn share(count: usize, of: usize) -> f64 {
    count as f64 / of.max(1) as f64
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count of one second"
)]
fn slack(rate: usize) -> usize {
    (rate as f64 * UNWRITTEN).ceil() as usize
}
