//! What 20 hostile receivers cost 1,000 healthy ones: the latency of the healthy
//! with and without them, what is left behind, and the memory of the server.
//!
//! Rounds of three phases alternate, since the machine drifts: healthy receivers
//! alone; with 20 of the corpus, others in each round; with the 20 that stall
//! until the deadline, the worst there are. Between them the hostile ones are
//! switched off and what is under way ends. Quotes medians over the rounds.
//!
//! Ends with 1 when a target is missed.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use svc_benches::isolation::{
    Change, HEALTHY, HEALTHY_EACH, Healthy, Latencies, MASTER_KEY, Process, Publisher, Subscribed, seed,
};
use svc_testkit::hostile::{Behaviour, Certificate, Certificates, Door, End, HostileReceiver, Stage, corpus};
use svc_testkit::postgres::query;
use tempfile::TempDir;

/// The p99 of the healthy changes by no more.
const CHANGE_TARGET: f64 = 0.1;
/// Nothing that the server keeps open lasts longer without use.
const IDLE: Duration = Duration::from_secs(18);
/// What arrives later counts as lost.
const PATIENCE: Duration = Duration::from_mins(2);
const IN_FLIGHT: &str = "svc_webhook_attempts_in_flight";

#[derive(Parser)]
struct Arguments {
    /// A PostgreSQL database that is empty, instead of SQLite
    #[arg(long, value_name = "URL")]
    postgres: Option<String>,
    /// The server [default: `svc-server` beside this program]
    #[arg(long, value_name = "FILE")]
    server: Option<PathBuf>,
    /// Rounds of three phases
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds of each phase
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// Contacts a second; each makes 20 healthy deliveries
    #[arg(long, default_value_t = 20)]
    rate: u32,
    /// Hostile receivers at a time
    #[arg(long, default_value_t = 20)]
    hostile: usize,
    /// The waits between attempts; shorter ones make the hostile receivers busier
    #[arg(long, default_value = "2s,2s,2s,2s,2s")]
    waits: String,
}

/// All that a phase needs.
struct Run {
    arguments: Arguments,
    healthy: Healthy,
    /// Kept, so that they go on.
    _receivers: Vec<HostileReceiver>,
    hostile: Vec<Hostile>,
    publisher: Publisher,
    process: Process,
    _folder: TempDir,
}

/// What a hostile receiver does, and its subscription.
type Hostile = (Behaviour, Subscribed);

/// The phases of all rounds by their kind, and the healthy deliveries that never arrived.
#[derive(Default)]
struct Phases {
    alone: Vec<Latencies>,
    mixed: Vec<Latencies>,
    stalling: Vec<Latencies>,
    lost: usize,
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
async fn main() -> ExitCode {
    let run = Run::start(Arguments::parse()).await;
    let Arguments { rate, hostile, postgres, .. } = &run.arguments;
    println!(
        "{HEALTHY} healthy receivers, {hostile} hostile ones at a time of {}; {rate} contacts a second, {} deliveries; {}",
        run.hostile.len(),
        rate * u32::from(HEALTHY_EACH),
        if postgres.is_some() { "PostgreSQL" } else { "SQLite" },
    );
    run.phase(&[]).await.expect("nothing is lost while the server warms up");
    tokio::time::sleep(IDLE).await;
    let (files, memory) = (run.files(), run.process.usage().memory("VmRSS"));

    let phases = run.rounds().await;
    tokio::time::sleep(IDLE).await;
    let slots = run.process.metric(IN_FLIGHT).await;
    let leaked = run.files().saturating_sub(files);

    let kept = changes(&phases);
    println!(
        "healthy deliveries lost {}; slots leaked {slots:.0}, files and sockets leaked {leaked}; memory {} MiB \
         before, {} MiB at most",
        phases.lost,
        memory / 1024,
        run.process.usage().memory("VmHWM") / 1024
    );
    if kept && phases.lost == 0 && slots == 0.0 && leaked == 0 {
        return ExitCode::SUCCESS;
    }
    println!("a target is missed");
    ExitCode::FAILURE
}

/// Prints what the hostile receivers changed; answers whether it is little enough.
#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn changes(phases: &Phases) -> bool {
    let alone = Latencies::median(&phases.alone);
    println!(
        "healthy alone: p50 {:.1} ms, p99 {:.1} ms, {} deliveries",
        ms(alone.p50),
        ms(alone.p99),
        alone.count
    );
    let kinds = [("some of all", &phases.mixed), ("those that stall", &phases.stalling)];
    kinds.into_iter().fold(true, |kept, (name, phases)| {
        let with = Latencies::median(phases);
        let change = Change::between(alone, with);
        println!(
            "beside {name}: p50 {:.1} ms ({:+.1} %), p99 {:.1} ms ({:+.1} %; at most {:.0} % wanted), {} deliveries",
            ms(with.p50),
            change.p50 * 100.0,
            ms(with.p99),
            change.p99 * 100.0,
            CHANGE_TARGET * 100.0,
            with.count
        );
        kept && change.p99 <= CHANGE_TARGET
    })
}

impl Run {
    async fn start(arguments: Arguments) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let healthy = Healthy::start().await;
        let receivers = hostile_receivers().await;
        let urls: Vec<_> = receivers.iter().map(HostileReceiver::url_by_address).collect();
        let sqlite = format!("sqlite://{}", folder.path().join("isolation.db").display());
        let database = arguments.postgres.clone().unwrap_or(sqlite);
        let seeded = seed(&database, |number| healthy.url(number), &urls).await;
        let beside = || std::env::current_exe().expect("a path").with_file_name("svc-server");
        let executable = arguments.server.clone().unwrap_or_else(beside);
        let process = Process::start(
            &executable,
            folder.path(),
            &[
                ("SVC_DATABASE_URL", &database),
                ("SVC_MASTER_KEY", MASTER_KEY),
                ("SVC_LISTEN", "127.0.0.1:0"),
                ("SVC_ADMIN_LISTEN", "127.0.0.1:0"),
                ("SVC_LOG", "warn"),
                ("SVC_LIMITS__PER_MINUTE", "1000000"),
                ("SVC_LIMITS__PER_MONTH", "1000000000"),
                ("SVC_WEBHOOKS__EXEMPT_TARGETS", "127.0.0.0/8"),
                ("SVC_WEBHOOKS__RETRY_WAITS", &arguments.waits),
            ],
        );
        let publisher = Publisher::new(process.api, seeded.authorizations);
        let hostile = receivers.iter().map(|receiver| receiver.behaviour).zip(seeded.hostile).collect();
        Self { arguments, healthy, _receivers: receivers, hostile, publisher, process, _folder: folder }
    }

    /// Files and sockets that the server has open, without its sessions of PostgreSQL: their number is a
    /// setting, and they are opened when there is need of one.
    fn files(&self) -> usize {
        let sessions = self.arguments.postgres.as_ref().map_or(0, |url| {
            let count = query(
                url,
                "SELECT count(*) FROM pg_stat_activity \
                 WHERE application_name = 'svc' AND datname = current_database()",
            );
            count.parse().expect("a number")
        });
        self.process.usage().files().saturating_sub(sessions)
    }

    async fn rounds(&self) -> Phases {
        let count = self.arguments.hostile;
        let stalls = |one: &&Hostile| one.0.ends == [End::Timeout];
        let stalling: Vec<_> = self.hostile.iter().filter(stalls).copied().collect();
        let mut phases = Phases::default();
        for round in 0..self.arguments.rounds {
            let (some, worst) = (rotated(&self.hostile, round, count), rotated(&stalling, round, count));
            phases.lost += self.measured("alone", &[], &mut phases.alone).await;
            phases.lost += self.measured("mixed", &some, &mut phases.mixed).await;
            phases.lost += self.measured("stalling", &worst, &mut phases.stalling).await;
        }
        phases
    }

    /// Adds a phase to those of its kind; answers how many healthy deliveries are missing.
    #[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
    async fn measured(&self, name: &str, hostile: &[Hostile], phases: &mut Vec<Latencies>) -> usize {
        let (used, start) = (self.process.usage().processor_seconds(), Instant::now());
        let latencies = match self.phase(hostile).await {
            Ok(latencies) => latencies,
            Err(missing) => return missing,
        };
        let load = (self.process.usage().processor_seconds() - used) / start.elapsed().as_secs_f64();
        println!(
            "{name:>8}: p50 {:.1} ms, p99 {:.1} ms, longest {:.0} ms, {:.0} % of a processor",
            ms(latencies.p50),
            ms(latencies.p99),
            ms(latencies.longest),
            load * 100.0
        );
        phases.push(latencies);
        0
    }

    /// Switches these hostile receivers on, makes contacts, and switches them off again.
    ///
    /// # Errors
    /// How many healthy deliveries are missing.
    async fn phase(&self, hostile: &[Hostile]) -> Result<Latencies, usize> {
        for (_, subscribed) in hostile {
            self.publisher.switch(*subscribed, true).await;
        }
        let published =
            self.publisher.publish(self.arguments.rate, Duration::from_secs(self.arguments.seconds)).await;
        let contacts: Vec<_> = published.iter().map(|one| one.contact.clone()).collect();
        let told = self.healthy.told(&contacts, HEALTHY_EACH.into(), PATIENCE).await;
        for (_, subscribed) in hostile {
            self.publisher.switch(*subscribed, false).await;
        }
        self.quiet().await;
        let told = told?;
        let all = published.iter().flat_map(|one| {
            let arrivals = told.get(&one.contact).map(Vec::as_slice).unwrap_or_default();
            arrivals.iter().map(|at| at.duration_since(one.due))
        });
        Ok(Latencies::of(all.collect()))
    }

    /// Waits until no attempt is under way: the next phase begins as the first did.
    async fn quiet(&self) {
        let mut quiet = 0;
        while quiet < 3 {
            tokio::time::sleep(Duration::from_millis(500)).await;
            quiet = if self.process.metric(IN_FLIGHT).await == 0.0 { quiet + 1 } else { 0 };
        }
    }
}

/// A receiver for every behaviour that shows to a sender which trusts none of their certificates.
async fn hostile_receivers() -> Vec<HostileReceiver> {
    let stage = Stage {
        tick: Duration::from_secs(1),
        elsewhere: "http://127.0.0.1:9/".to_owned(),
        certificates: Certificates::generate(),
    };
    let mut receivers = Vec::new();
    for behaviour in corpus().into_iter().filter(|one| one.door != Door::Tls(Certificate::Good)) {
        receivers.push(HostileReceiver::start(behaviour, &stage).await.expect("a port"));
    }
    receivers
}

/// Some of all, from everywhere among them, others in each round.
fn rotated<T: Copy>(all: &[T], round: usize, count: usize) -> Vec<T> {
    let step = (all.len() / count).max(1);
    (0..count.min(all.len()))
        .filter_map(|number| all.get((number * step + round) % all.len()).copied())
        .collect()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
