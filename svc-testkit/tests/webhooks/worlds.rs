//! Delivery in simulated worlds in which everything goes wrong.

use std::num::NonZero;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use svc_testkit::property;
use svc_testkit::simulation::{Figures, Store, Violation, run, run_over, transcript};
use svc_testkit::webhooks::MemoryWebhooks;

use crate::broken::{Broken, Fault};

/// Worlds per run in the short form; `SVC_TEST_CASES` sets the long one.
const WORLDS: u32 = 200;

fn sound(memory: MemoryWebhooks) -> Store {
    Arc::new(memory)
}

#[test]
#[expect(clippy::print_stderr, reason = "the figures and the seed of the run")]
fn in_spite_of_all_faults_nothing_is_lost_and_nothing_goes_where_it_must_not() {
    let (seeds, first) = property::seeds(WORLDS);
    let (count, begun) = (seeds.size_hint().0, Instant::now());
    let figures = match lived(seeds) {
        Ok(figures) => figures,
        Err(violation) => {
            let (seed, cases) = (violation.seed, property::CASES);
            panic!("{violation}\nrepeat with {cases}=1 {}={seed}", property::SEED)
        }
    };
    let faults: u64 = figures.faults.values().sum();
    let Figures { steps, events, deliveries, requests, stale, .. } = figures;
    eprintln!(
        "{count} worlds from seed {first}: {steps} steps, {events} events, {deliveries} deliveries, \
         {requests} requests, {faults} faults, {stale} stale settlements, 0 violations in {:.1?}: {:?}",
        begun.elapsed(),
        figures.faults,
    );
    assert!(requests > 0 && stale > 0 && faults > 0 || std::env::var_os(property::CASES).is_some());
}

/// Lets the worlds of these seeds live, as many at a time as there are processors.
fn lived(seeds: impl Iterator<Item = u64> + Send) -> Result<Figures, Violation> {
    let seeds = Mutex::new(seeds);
    let next = || seeds.lock().expect("no thread panics with it").next();
    let some = || {
        let mut figures = Figures::default();
        while let Some(seed) = next() {
            figures.add(&run(seed, sound)?);
        }
        Ok(figures)
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(some)).collect();
        let mut figures = Figures::default();
        for thread in threads {
            figures.add(&thread.join().expect("a world does not panic")?);
        }
        Ok(figures)
    })
}

#[test]
fn a_world_repeats_with_its_seed_step_for_step() {
    for seed in 0..2 {
        let [one, other] = [(); 2].map(|()| run(seed, sound).expect("no rule is broken"));
        assert_eq!(one, other);
        let [one, other] = [(); 2].map(|()| transcript(seed, sound));
        assert!(one.len() > 100, "{one:#?}");
        assert_eq!(one, other);
    }
    assert_ne!(transcript(0, sound), transcript(1, sound));
}

#[test]
fn a_world_lives_over_any_storage_as_over_the_one_that_it_knows() {
    for seed in 0..3 {
        let figures = run_over(seed, async || Box::new(MemoryWebhooks::new())).expect("no rule is broken");
        assert!(figures.events > 0 && figures.requests > 0 && !figures.faults.is_empty(), "{figures:?}");
    }
}

/// What is looked at through the ports shows what is broken, as what is looked at in memory does.
#[test]
fn a_world_over_any_storage_shows_what_is_broken() {
    for fault in [Fault::LosesCommits, Fault::ForgetsSettlements, Fault::LeavesRetries, Fault::FansOutTwice] {
        let broken = async || Box::new(Broken::new(MemoryWebhooks::new(), fault));
        let shown = (0..20).any(|seed| run_over(seed, broken).is_err());
        assert!(shown, "{fault:?}");
    }
}
