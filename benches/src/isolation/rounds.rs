//! The rounds and their phases.

use std::time::{Duration, Instant};

use svc_testkit::hostile::{Behaviour, End};

use super::seed::{HEALTHY_EACH, Subscribed};
use super::{Plan, ms};
use crate::faults::{Process, progress};
use crate::traffic::{Healthy, Latencies, Publisher, latencies};
use crate::usage::Usage;

/// What arrives later counts as lost.
const PATIENCE: Duration = Duration::from_mins(2);

/// What a hostile receiver does, and its subscription.
pub(super) type Hostile = (Behaviour, Subscribed);

/// All that a phase needs.
pub(super) struct Run<'a> {
    pub(super) plan: &'a Plan,
    pub(super) healthy: &'a Healthy,
    pub(super) hostile: &'a [Hostile],
    pub(super) publisher: &'a Publisher,
    pub(super) process: &'a Process,
    /// What the hostile receivers cost.
    pub(super) elsewhere: Usage,
    /// Tidies the database up.
    pub(super) tidy: &'a (dyn Fn() + Send + Sync),
}

/// The seconds of all phases by their kind, and the healthy deliveries that never arrived.
#[derive(Default)]
pub(super) struct Phases {
    pub(super) alone: Vec<Latencies>,
    pub(super) mixed: Vec<Latencies>,
    pub(super) stalling: Vec<Latencies>,
    pub(super) lost: usize,
}

impl Run<'_> {
    pub(super) async fn rounds(&self) -> Phases {
        let count = self.plan.hostile;
        let stalls = |one: &&Hostile| one.0.ends == [End::Timeout];
        let stalling: Vec<_> = self.hostile.iter().filter(stalls).copied().collect();
        let mut phases = Phases::default();
        for round in 0..self.plan.rounds {
            let (some, worst) = (rotated(self.hostile, round, count), rotated(&stalling, round, count));
            let mut kinds = [
                ("alone", [].as_slice(), &mut phases.alone),
                ("some of all", &some, &mut phases.mixed),
                ("those that stall", &worst, &mut phases.stalling),
            ];
            // Each kind comes first, second and last: the tables grow meanwhile.
            kinds.rotate_left(round % 3);
            for (name, hostile, seconds) in kinds {
                phases.lost += self.measured(name, hostile, seconds).await;
            }
        }
        phases
    }

    /// Adds the seconds of a phase to those of its kind; answers how many healthy deliveries are missing.
    async fn measured(&self, name: &str, hostile: &[Hostile], seconds: &mut Vec<Latencies>) -> usize {
        (self.tidy)();
        let start = Instant::now();
        let used = || [self.process.usage(), self.elsewhere].map(Usage::processor_seconds);
        let before = used();
        let found = match self.phase(hostile).await {
            Ok(found) => found,
            Err(missing) => return missing,
        };
        let middle = Latencies::median(&found);
        let span = start.elapsed().as_secs_f64();
        let mut shares =
            used().into_iter().zip(before).map(|(after, before)| (after - before) / span * 100.0);
        let mut share = || shares.next().unwrap_or_default();
        progress(&format!(
            "{name:>16}: p50 {:.1} ms, p99 {:.1} ms, longest {:.0} ms; processor: server {:.0} %, hostile {:.0} %",
            ms(middle.p50),
            ms(middle.p99),
            found.iter().map(|one| ms(one.longest)).fold(0.0, f64::max),
            share(),
            share(),
        ));
        seconds.extend(found);
        0
    }

    /// Switches these hostile receivers on, makes contacts, and switches them off again; answers the latencies of
    /// one second after the other.
    ///
    /// # Errors
    /// How many healthy deliveries are missing.
    pub(super) async fn phase(&self, hostile: &[Hostile]) -> Result<Vec<Latencies>, usize> {
        self.switch(hostile, true).await;
        let mut published = self.publisher.publish(self.plan.rate, self.plan.span).await;
        let contacts: Vec<_> = published.iter().map(|one| one.contact.clone()).collect();
        let told = self.healthy.told(&contacts, HEALTHY_EACH.into(), PATIENCE).await;
        self.switch(hostile, false).await;
        self.quiet().await;
        let told = told?;
        published.sort_unstable_by_key(|one| one.due);
        let a_second = published.chunks(self.plan.rate as usize);
        Ok(a_second.map(|some| latencies(some, &told)).collect())
    }

    async fn switch(&self, hostile: &[Hostile], active: bool) {
        for (_, Subscribed { company, id }) in hostile {
            self.publisher.switch(*company, *id, active).await;
        }
    }

    /// Waits until no attempt is under way: the next phase begins as the first did.
    async fn quiet(&self) {
        let mut quiet = 0;
        while quiet < 3 {
            tokio::time::sleep(Duration::from_millis(500)).await;
            quiet = if self.under_way().await == 0.0 { quiet + 1 } else { 0 };
        }
    }

    /// How many attempts are under way.
    pub(super) async fn under_way(&self) -> f64 {
        self.process.metric("svc_webhook_attempts_in_flight").await
    }
}

/// Some of all, from everywhere among them, others in each round.
fn rotated<T: Copy>(all: &[T], round: usize, count: usize) -> Vec<T> {
    let step = (all.len() / count).max(1);
    (0..count.min(all.len()))
        .filter_map(|number| all.get((number * step + round) % all.len()).copied())
        .collect()
}
