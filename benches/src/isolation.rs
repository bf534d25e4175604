//! What 20 hostile receivers cost 1,000 healthy ones: how soon the healthy are told with and without them, what is
//! left behind, and the memory of the server.
//!
//! Rounds of three phases alternate, since the machine drifts: healthy receivers alone; with 20 of the corpus,
//! others in each round; with the 20 that stall until the deadline, the worst there are. Between them the
//! hostile ones are switched off and what is under way ends. The hostile ones are a process of their own, of the
//! lowest priority. What counts are medians over the seconds of all phases of a kind: a disk that stalls now and then
//! is in few of them. What happens in fewer than half of the seconds is not in the medians, but in the longest latency
//! of each phase, which is told as it ends.
//!
//! Companies and subscriptions are written into the database before the server starts: no API makes a thousand
//! subscriptions of fifty companies as fast.

mod receivers;
mod rounds;
mod seed;

use std::path::Path;
use std::time::Duration;

use svc_testkit::postgres::query;

use self::receivers::behaviours;
pub use self::receivers::{PLAY, play};
use self::rounds::Run;
use self::seed::{HEALTHY, HEALTHY_EACH};
use crate::faults::{Process, Report, Site, progress};
use crate::traffic::{Healthy, Latencies, Publisher};

/// The p99 of the healthy may be longer by so many parts in a hundred.
const CHANGE_TARGET: f64 = 10.0;
/// Nothing that the server keeps open lasts longer without use: every 15 s it closes what was idle for 15 s.
const IDLE: Duration = Duration::from_secs(33);

/// How much is done.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Rounds of three phases.
    pub rounds: usize,
    /// Each phase is so long.
    pub span: Duration,
    /// Contacts a second; each makes 20 healthy deliveries.
    pub rate: u32,
    /// Hostile receivers at a time.
    pub hostile: usize,
    /// The waits between attempts, as the setting has them.
    pub waits: String,
}

/// Runs it on a new SQLite file.
pub async fn on_sqlite(server: &Path, plan: Plan) -> Report {
    let site = Site::sqlite(server);
    let folder = site.folder().to_owned();
    run("isolation on SQLite", site, plan, move |process| process.usage().files_below(&folder), || ()).await
}

/// Runs it on a PostgreSQL database.
pub async fn on_postgres(server: &Path, url: &str, plan: Plan) -> Report {
    let sessions = |_: &Process| {
        let of_the_server = "SELECT count(*) FROM pg_stat_activity \
                             WHERE application_name = 'svc' AND datname = current_database()";
        query(url, of_the_server).parse().expect("a number")
    };
    // Dead rows and statistics are as fresh in each phase, whether PostgreSQL sees to them by itself or not.
    let tidy = || drop(query(url, "VACUUM (ANALYZE)"));
    run("isolation on PostgreSQL", Site::postgres(server, url), plan, sessions, tidy).await
}

/// The files and sockets of the database's sessions do not leak: there are more of them when there is need, up
/// to a setting. Before each phase the database is tidied up.
async fn run(
    name: &str,
    site: Site,
    plan: Plan,
    of_sessions: impl Fn(&Process) -> usize + Send + Sync,
    tidy: impl Fn() + Send + Sync,
) -> Report {
    let healthy = Healthy::start().await;
    let (elsewhere, hostile) = receivers::start();
    let seeded = seed::seed(&site.url, |number| healthy.url(number), &hostile).await;
    let site = site.with("SVC_WEBHOOKS__RETRY_WAITS", &plan.waits);
    let process = site.serve("one.example").await;
    let publisher = Publisher::new(process.api, seeded.authorizations);
    let hostile: Vec<_> = behaviours().zip(seeded.hostile).collect();
    let files = || process.usage().files().saturating_sub(of_sessions(&process));
    let run = Run {
        plan: &plan,
        healthy: &healthy,
        hostile: &hostile,
        publisher: &publisher,
        process: &process,
        elsewhere: elsewhere.usage(),
        tidy: &tidy,
    };

    let mut report = Report::new(name, 0);
    report.shown("healthy receivers", HEALTHY);
    report
        .shown("hostile receivers at a time, of how many", format!("{} of {}", plan.hostile, hostile.len()));
    report.shown("healthy deliveries a second", plan.rate * u32::from(HEALTHY_EACH));
    let lost = run.phase(&[]).await.err().unwrap_or_default();
    report.most("warm-up: healthy deliveries lost", lost, 0);
    progress("warm: the connections of the warm-up end");
    tokio::time::sleep(IDLE).await;
    let (files_before, memory_before) = (files(), process.usage().memory("VmRSS"));
    let phases = run.rounds().await;
    tokio::time::sleep(IDLE).await;

    let leaked = files().saturating_sub(files_before);
    let kinds = [("beside some of all", &*phases.mixed), ("beside those that stall", &*phases.stalling)];
    compare(&mut report, &phases.alone, &kinds);
    report.most("healthy deliveries lost", phases.lost, 0);
    report.most("slots leaked", run.under_way().await, 0.0);
    report.most("files and sockets leaked", leaked, 0);
    report.shown("memory of the server before, MiB", memory_before / 1_024);
    report.shown("memory of the server at most, MiB", process.usage().memory("VmHWM") / 1_024);
    report
}

/// What hostile receivers changed: `kinds` beside the seconds in which the healthy ones were alone.
pub(crate) fn compare(report: &mut Report, alone: &[Latencies], kinds: &[(&str, &[Latencies])]) {
    let measured = !alone.is_empty() && kinds.iter().all(|(_, phases)| !phases.is_empty());
    report.so("every kind of phase was measured", measured);
    if !measured {
        return;
    }
    let by_themselves = Latencies::median(alone);
    for (name, phases) in [("alone", alone)].iter().chain(kinds) {
        let with = Latencies::median(phases);
        report.shown(&format!("{name}: deliveries"), with.count);
        report.shown(&format!("{name}: p50, ms"), format!("{:.1}", ms(with.p50)));
        report.shown(&format!("{name}: p99, ms"), format!("{:.1}", ms(with.p99)));
        if *name != "alone" {
            let change = (ms(with.p99) / ms(by_themselves.p99) - 1.0) * 100.0;
            report.timed(
                &format!("{name}: p99 longer by, %"),
                change,
                &format!("≤ {CHANGE_TARGET:.0}"),
                change <= CHANGE_TARGET,
            );
        }
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
