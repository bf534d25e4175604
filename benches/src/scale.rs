//! What a claim costs while few deliveries wait, and while millions do.
//!
//! All rows are made by the service's own code: events go into the outbox and are fanned out to every subscription
//! at an instant of the future, so that their deliveries are not due. Then rounds: a few events whose deliveries
//! are due now, claimed 500 at a time and settled. The second measure follows the first on the same database.

use std::time::{Duration, Instant};

use svc_core::clock::Timestamp;
use svc_core::unit::UnitOfWork as _;
use svc_storage_seaorm::Database;
use svc_testkit::audit::noted;
use svc_testkit::webhooks::sample::Samples;
use svc_webhooks::delivery::{Attempt, dispatch_once};
use svc_webhooks::ports::{
    Answer, ClaimRequest, Count, Exchange, Leased, Settlement, Timings, WebhookUnit as _,
};
use svc_webhooks::retry::RetrySchedule;
use svc_webhooks::subscription::Subscription;

use crate::NOW;
use crate::faults::{Report, progress};
use crate::usage::Usage;

const KIND: &str = "contact.create";
const CLAIM: u32 = 500;
const LEASE: Duration = Duration::from_secs(30);
/// Events of one round: all subscriptions get each.
const EVENTS: usize = 4;
/// One of so many settlements is a failure, which waits for its next attempt.
const FAILS: usize = 100;
/// How much slower the slowest claims may be.
const RATIO: f64 = 1.5;
/// How much memory may be gained between the measures, in KiB: what an allocator keeps, and no rows.
const MEMORY: u64 = 64 * 1_024;

/// How much waits.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Deliveries that wait in the first measure.
    pub few: u64,
    /// Deliveries that wait in the second one.
    pub many: u64,
    /// Subscriptions that they are for.
    pub subscriptions: u32,
    /// Claims that are measured each time, about.
    pub claims: usize,
    /// Ids.
    pub seed: u64,
}

/// How large the database is, in bytes: what waits in the queue alone, and with its log.
pub type Sizes = (u64, u64);

/// What was measured while so much waited.
struct Measure {
    claims: Vec<Duration>,
    settles: Vec<Duration>,
    rows: usize,
    depth: (Duration, Count),
    memory: u64,
    sizes: Sizes,
    waiting: u64,
}

struct Run {
    database: Database,
    samples: Samples,
    subscriptions: Vec<Subscription>,
    now: Timestamp,
    later: Timestamp,
    waiting: u64,
}

/// Runs it on an empty database; `sizes` looks at it from outside, and `analyze` lets it look at itself.
pub async fn run(
    database: Database,
    plan: Plan,
    analyze: impl Fn() + Send + Sync,
    sizes: impl Fn() -> Sizes + Send + Sync,
) -> Report {
    database.migrate(NOW).await.expect("the schema is made");
    let mut run = Run::new(database, plan).await;
    let mut measures = Vec::new();
    for target in [plan.few, plan.many] {
        run.fill(target).await;
        analyze();
        // What the first claims read for the first time is not measured.
        run.rounds(8).await;
        measures.push(run.measure(plan.claims, &sizes).await);
    }
    run.database.close().await;
    let [few, many] = measures.try_into().unwrap_or_else(|_| unreachable!("two measures were made"));
    report(plan, &few, &many)
}

impl Run {
    async fn new(database: Database, plan: Plan) -> Self {
        let samples = Samples::new(plan.seed);
        let account = samples.account();
        let subscriptions: Vec<_> =
            (0..plan.subscriptions).map(|_| samples.subscription(account, &[KIND])).collect();
        for some in subscriptions.chunks(100) {
            let unit = database.begin().await.expect("a unit");
            for one in some {
                assert!(unit.subscriptions().insert(one, u32::MAX).await.expect("inserted"));
            }
            noted(&*unit, account).await.expect("noted");
            unit.commit().await.expect("committed");
        }
        let now = samples.now().plus(Duration::from_hours(1));
        let later = now.plus(Duration::from_hours(24));
        Self { database, samples, subscriptions, now, later, waiting: 0 }
    }

    /// Adds deliveries that are not due until so many wait.
    async fn fill(&mut self, target: u64) {
        let each = self.subscriptions.len() as u64;
        let start = Instant::now();
        let (mut told, before) = (Instant::now(), self.waiting);
        while self.waiting + each <= target {
            let events = usize::try_from((target - self.waiting) / each).unwrap_or(usize::MAX).min(10);
            self.later = self.later.plus(Duration::from_millis(7));
            self.waiting += self.fan_out(events, self.later).await;
            if told.elapsed() > Duration::from_secs(10) {
                told = Instant::now();
                let speed = (self.waiting - before) / start.elapsed().as_secs().max(1);
                progress(&format!("{} of {target} wait, {speed} more each second", self.waiting));
            }
        }
    }

    /// Publishes events and fans them out; answers how many deliveries that made, all due at `due`.
    async fn fan_out(&self, events: usize, due: Timestamp) -> u64 {
        let account = self.subscriptions.first().expect("there are some").account;
        let events: Vec<_> = (0..events).map(|_| self.samples.event(account, KIND)).collect();
        let unit = self.database.begin().await.expect("a unit");
        unit.outbox().publish(&events).await.expect("published");
        unit.commit().await.expect("committed");
        let storage = self.database.webhooks();
        let mut made = 0;
        loop {
            let report = dispatch_once(&*storage, &RetrySchedule::STANDARD, due, self.samples.random(), 500)
                .await
                .expect("fanned out");
            if report.events == 0 {
                return made;
            }
            made += report.deliveries as u64;
        }
    }

    /// Rounds of some events each, whose deliveries are claimed and settled.
    async fn rounds(&mut self, claims: usize) -> (Vec<Duration>, Vec<Duration>, usize) {
        let storage = self.database.webhooks();
        let (mut claimed, mut settled, mut rows) = (Vec::new(), Vec::new(), 0);
        while claimed.len() < claims {
            self.fan_out(EVENTS, self.now).await;
            loop {
                self.now = self.now.plus(Duration::from_millis(10));
                let start = Instant::now();
                let found = storage
                    .queue()
                    .claim(&ClaimRequest::any(CLAIM), self.now, LEASE)
                    .await
                    .expect("claimed")
                    .leased;
                let took = start.elapsed();
                if found.is_empty() {
                    break;
                }
                claimed.push(took);
                rows += found.len();
                let (settlements, again) = self.attempted(found);
                let start = Instant::now();
                let ours = storage.queue().settle(&settlements).await.expect("settled");
                settled.push(start.elapsed());
                assert_eq!(ours, settlements.len() as u64, "no other process claims");
                self.waiting += again;
            }
        }
        (claimed, settled, rows)
    }

    /// How the attempts ended; and how many of them are to be made again.
    fn attempted(&self, leased: Vec<Leased>) -> (Vec<Settlement>, u64) {
        let mut again = 0;
        let settlements = leased.into_iter().enumerate().map(|(number, leased)| {
            let Leased { lease, delivery, .. } = leased;
            let fails = number % FAILS == FAILS - 1;
            again += u64::from(fails);
            let status = if fails { 500 } else { 204 };
            let exchange = Exchange {
                timings: Timings { total: Duration::from_millis(3), ..Timings::default() },
                ..Exchange::ended(Ok(Answer::bare(status)))
            };
            let attempt = Attempt::of(delivery.attempts + 1, self.now, exchange);
            let outcome = attempt.outcome.clone();
            let delivery = if fails {
                delivery.attempt_failed(self.later, outcome, &RetrySchedule::STANDARD)
            } else {
                delivery.attempt_succeeded(self.now, outcome)
            }
            .expect("it had not ended");
            Settlement { lease, delivery, attempt: Some(attempt), asked_until: None }
        });
        (settlements.collect(), again)
    }

    async fn measure(&mut self, claims: usize, sizes: &(impl Fn() -> Sizes + Sync)) -> Measure {
        let (mut claims, mut settles, rows) = self.rounds(claims).await;
        claims.sort_unstable();
        settles.sort_unstable();
        let storage = self.database.queue_overview();
        let start = Instant::now();
        let depth = storage.depth(self.now).await.expect("measured");
        let took = start.elapsed();
        let memory = Usage::own().memory("VmRSS");
        Measure {
            claims,
            settles,
            rows,
            depth: (took, depth.queued),
            memory,
            sizes: sizes(),
            waiting: self.waiting,
        }
    }
}

fn report(plan: Plan, few: &Measure, many: &Measure) -> Report {
    let mut report = Report::new("claims over a long queue", plan.seed);
    report.shown("subscriptions", plan.subscriptions);
    for (what, measure) in [("few", few), ("many", many)] {
        report.shown(&format!("{what}: deliveries that wait"), measure.waiting);
        let each = measure.rows / measure.claims.len().max(1);
        report.shown(&format!("{what}: claims, rows of each"), format!("{}, {each}", measure.claims.len()));
        for (name, times) in [("claim", &measure.claims), ("settle", &measure.settles)] {
            let [half, most] = [50, 99].map(|part| millis(at(times, part)));
            report.shown(&format!("{what}: {name} p50, p99, ms"), format!("{half:.2}, {most:.2}"));
        }
        let (took, told) = measure.depth;
        report.shown(&format!("{what}: depth, ms"), format!("{:.2}, told as {told}", millis(took)));
        report.shown(&format!("{what}: memory of the process, KiB"), measure.memory);
    }
    for (name, few, many, bounded) in
        [("claim", &few.claims, &many.claims, true), ("settle", &few.settles, &many.settles, false)]
    {
        for part in [50, 99] {
            let ratio = millis(at(many, part)) / millis(at(few, part));
            let name = format!("{name} p{part}, many to few");
            if bounded && part == 99 {
                report.timed(&name, ratio, "≤ 1.5", ratio <= RATIO);
            } else {
                report.shown(&name, format!("{ratio:.2}"));
            }
        }
    }
    let rows = (many.waiting - few.waiting).max(1);
    let each = |few: u64, many: u64| many.saturating_sub(few) / rows;
    report.shown("bytes for each that waits: queue", each(few.sizes.0, many.sizes.0));
    report.shown("bytes for each that waits: queue, log and index of both", each(few.sizes.1, many.sizes.1));
    let grown = many.memory.saturating_sub(few.memory);
    report.most("memory that the process grew by, KiB", grown, MEMORY);
    report
}

/// So many of a hundred took no longer. The times are in order.
fn at(times: &[Duration], part: usize) -> Duration {
    let place = (times.len() * part / 100).min(times.len().saturating_sub(1));
    times.get(place).copied().unwrap_or_default()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
