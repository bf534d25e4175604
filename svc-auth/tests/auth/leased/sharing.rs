//! Two processes, any order of requests, clocks that jump: they never pass more
//! than the budgets, and hardly less when more is asked for.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use proptest::prelude::*;
use svc_auth::limit::{Budget, LeasedLimiter, LimitDecision, Limits};
use svc_auth::ports::RateLimiter as _;
use svc_core::clock::Timestamp;
use svc_testkit::property::values;

use super::is_within;
use super::store::Watched;
use crate::test_app::account;

/// The last hour of January 2026: the month turns during a run.
const START: Timestamp = Timestamp::from_unix_seconds(1_769_900_400);

/// Requests that come at one moment, to either process.
#[derive(Clone, Debug)]
struct Moment {
    /// Since the one before, in milliseconds.
    wait: i64,
    requests: [usize; 2],
}

fn limits() -> impl Strategy<Value = Limits> {
    (1_u32..400, 1_u64..3_000).prop_map(|(per_minute, per_month)| Limits { per_minute, per_month })
}

fn moments(wait: impl Strategy<Value = i64>) -> impl Strategy<Value = Vec<Moment>> {
    let requests = prop_oneof![Just(0), 0_usize..4, 0_usize..80];
    let moment = (wait, [requests.clone(), requests]);
    prop::collection::vec(moment.prop_map(|(wait, requests)| Moment { wait, requests }), 1..80)
}

/// Mostly within the minute, at times beyond it, seldom to another day.
fn forward() -> impl Strategy<Value = i64> {
    prop_oneof![12 => 0_i64..4_000, 4 => 0_i64..90_000, 1 => 0_i64..100_000_000]
}

/// What came of the requests of one minute, or of one month.
#[derive(Default)]
struct Tally {
    asked: u64,
    admitted: u64,
    refused_by: BTreeMap<&'static str, u64>,
}

impl Tally {
    fn add(&mut self, decision: &LimitDecision) {
        self.asked += 1;
        match decision {
            LimitDecision::Within(_) => self.admitted += 1,
            LimitDecision::Exceeded { budget: Budget::Minute, .. } => self.refuse("minute"),
            LimitDecision::Exceeded { budget: Budget::Month, .. } => self.refuse("month"),
        }
    }

    fn refuse(&mut self, by: &'static str) {
        *self.refused_by.entry(by).or_default() += 1;
    }

    /// No more than the budget, and nearly all of it if it refused any request.
    fn check(&self, budget: u64, name: &'static str) {
        assert!(self.admitted <= budget, "{} of {budget} in a {name}", self.admitted);
        if self.refused_by.contains_key(name) {
            assert!(self.admitted * 100 >= budget * 95, "only {} of {budget} in a {name}", self.admitted);
        }
    }
}

/// Sends the requests of a moment to both processes at once.
async fn play(
    nodes: &[LeasedLimiter; 2],
    requests: [usize; 2],
    clocks: [Timestamp; 2],
) -> Vec<LimitDecision> {
    let [first, second] = [0, 1].map(|which| {
        join_all((0..requests[which]).map(move |_| nodes[which].take(account(1), clocks[which])))
    });
    let (mut answers, others) = tokio::join!(first, second);
    answers.extend(others);
    answers
}

fn nodes(store: &Arc<Watched>, limits: Limits) -> [LeasedLimiter; 2] {
    [0, 1].map(|_| LeasedLimiter::new(Arc::clone(store) as _, limits))
}

#[tokio::test]
async fn two_processes_admit_no_more_than_the_budgets_and_at_least_95_percent_of_them_when_asked() {
    let (runs, _seed) = values(&(limits(), moments(forward())), 64);
    for (limits, moments) in runs {
        let store = Arc::new(Watched::default());
        let nodes = nodes(&store, limits);
        let (mut minutes, mut months) = (BTreeMap::<_, Tally>::new(), BTreeMap::<_, Tally>::new());
        let mut now = START;
        for moment in moments {
            now = now.plus(Duration::from_millis(moment.wait.unsigned_abs()));
            let writes = store.writes();
            let answers = play(&nodes, moment.requests, [now; 2]).await;
            if !answers.iter().any(|answer| matches!(answer, LimitDecision::Within(_))) {
                let given_back = store.writes() - writes;
                assert!(given_back <= 2, "{given_back} writes for refusals alone");
            }
            for answer in &answers {
                minutes.entry(now.unix_seconds() / 60).or_default().add(answer);
                months.entry((now.date().year(), now.date().month() as u8)).or_default().add(answer);
            }
        }
        for minute in minutes.values() {
            minute.check(limits.per_minute.into(), "minute");
        }
        for month in months.values() {
            month.check(limits.per_month, "month");
        }
    }
}

#[tokio::test]
async fn clocks_ten_minutes_apart_pass_no_budget_and_refuse_no_request_because_of_each_other() {
    let moments = prop::collection::vec((0_i64..20_000, [0_usize..60, 0_usize..60]), 1..120);
    let apart = (0_u64..=600_000).prop_map(Duration::from_millis);
    let (runs, _seed) = values(&(limits(), apart, moments), 64);
    for (limits, apart, moments) in runs {
        let store = Arc::new(Watched::default());
        let nodes = nodes(&store, limits);
        let (mut minutes, mut months) = (BTreeMap::<_, Tally>::new(), BTreeMap::<_, Tally>::new());
        let mut now = START;
        for (wait, requests) in moments {
            now = now.plus(Duration::from_millis(wait.unsigned_abs()));
            for (node, clock, requests) in
                [(&nodes[0], now, requests[0]), (&nodes[1], now.plus(apart), requests[1])]
            {
                for answer in join_all((0..requests).map(|_| node.take(account(1), clock))).await {
                    // By the clock of the process that answered: that is whose minute is full.
                    minutes.entry(clock.unix_seconds() / 60).or_default().add(&answer);
                    months.entry((clock.date().year(), clock.date().month() as u8)).or_default().add(&answer);
                }
            }
        }
        for minute in minutes.values() {
            minute.check(limits.per_minute.into(), "minute");
        }
        for month in months.values() {
            month.check(limits.per_month, "month");
        }
    }
}

#[tokio::test]
async fn clocks_that_jump_within_ten_minutes_never_pass_the_budget_of_any_minute() {
    let moment = (0_u64..4_000, prop::array::uniform2(0_u64..600_000), [0_usize..40, 0_usize..40]);
    let per_minute = 1_u32..200;
    let (runs, _seed) = values(&(per_minute, prop::collection::vec(moment, 1..120)), 64);
    for (per_minute, moments) in runs {
        let limits = Limits { per_minute, per_month: 1_000_000 };
        let store = Arc::new(Watched::default());
        let nodes = nodes(&store, limits);
        let (mut now, mut admitted) = (START, BTreeMap::<_, u32>::new());
        for (wait, behind, requests) in moments {
            now = now.plus(Duration::from_millis(wait));
            let clocks = behind.map(|behind| now.minus(Duration::from_millis(behind)));
            let answers = play(&nodes, requests, clocks).await;
            let asked_at = [0, 1].into_iter().flat_map(|which| vec![clocks[which]; requests[which]]);
            for (clock, answer) in asked_at.zip(answers) {
                *admitted.entry(clock.unix_seconds() / 60).or_default() += u32::from(is_within(&answer));
            }
        }
        assert!(admitted.values().all(|admitted| *admitted <= per_minute), "{per_minute}: {admitted:?}");
    }
}

#[tokio::test]
async fn one_process_never_passes_the_budgets_however_often_its_store_fails() {
    let step = (any::<bool>(), forward(), 0_usize..60);
    let (runs, _seed) = values(&(limits(), prop::collection::vec(step, 1..80)), 64);
    for (limits, steps) in runs {
        let store = Arc::new(Watched::default());
        let node = LeasedLimiter::new(Arc::clone(&store) as _, limits);
        let (mut minutes, mut months) = (BTreeMap::<_, u64>::new(), BTreeMap::<_, u64>::new());
        let mut now = START;
        for (down, wait, requests) in steps {
            store.set_down(down);
            now = now.plus(Duration::from_millis(wait.unsigned_abs()));
            let answers = join_all((0..requests).map(|_| node.take(account(1), now))).await;
            let admitted = answers.iter().filter(|a| matches!(a, LimitDecision::Within(_))).count() as u64;
            *minutes.entry(now.unix_seconds() / 60).or_default() += admitted;
            *months.entry((now.date().year(), now.date().month() as u8)).or_default() += admitted;
        }
        assert!(minutes.values().all(|admitted| *admitted <= limits.per_minute.into()), "{minutes:?}");
        assert!(months.values().all(|admitted| *admitted <= limits.per_month), "{months:?}");

        // Back for good, it works as before: a new process knows what was admitted from then on.
        store.set_down(false);
        now = now.plus(Duration::from_hours(31 * 24));
        let most = limits.per_month.min(limits.per_minute.into());
        let asked = usize::try_from(most).unwrap() + 10;
        let answers = join_all((0..asked).map(|_| node.take(account(1), now))).await;
        let admitted = answers.iter().filter(|a| matches!(a, LimitDecision::Within(_))).count() as u64;
        assert_eq!(admitted, most);
        let heir = LeasedLimiter::new(Arc::clone(&store) as _, limits);
        assert!(matches!(heir.take(account(1), now).await, LimitDecision::Exceeded { .. }));
    }
}
