//! Subscriptions and deliveries in memory live as the reference model says.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Instant;

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use svc_testkit::property;
use svc_testkit::webhooks::MemoryWebhooks;
use svc_testkit::webhooks::steps::{Divergence, History, Subject, histories, play};
use svc_webhooks::ports::WebhookStorage;

/// Histories per run in the short form; `SVC_TEST_CASES` sets the long one.
const HISTORIES: u32 = 120;
/// So many steps meet every kind of answer.
const LONG: u64 = 100_000;

/// The first history in which a storage does not do what the model says, shrunk to what matters; the
/// same histories in each run, for how short a history becomes is a matter of luck.
pub(crate) fn first_divergence(
    most: u32,
    lives: impl Fn(&History, &MemoryWebhooks) -> Result<(), Divergence>,
) -> Option<String> {
    let config =
        Config { cases: most, failure_persistence: None, max_shrink_iters: 100, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let outcome = runner.run(&histories(60), |history| {
        lives(&history, &MemoryWebhooks::new())
            .map_err(|divergence| TestCaseError::fail(divergence.to_string()))
    });
    match outcome {
        Ok(()) => None,
        Err(TestError::Fail(reason, _)) => Some(reason.to_string()),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}

/// A storage over one in memory, which shows what is in it.
pub(crate) fn subject<'a>(storage: &'a dyn WebhookStorage, memory: &'a MemoryWebhooks) -> Subject<'a> {
    Subject { storage, overview: Some(memory), log: Some(memory.audit()) }
}

pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(work)
}

#[test]
#[expect(clippy::print_stderr, reason = "the figures and the seed of the run")]
fn webhooks_in_memory_live_as_the_model_says() {
    let (mut runner, seed) = property::runner(HISTORIES);
    let answers = RefCell::new(BTreeMap::<&str, u64>::new());
    let begun = Instant::now();
    let outcome = runner.run(&histories(60), |history| {
        let storage = MemoryWebhooks::new();
        let played = block_on(play(subject(&storage, &storage), 1, &history));
        let played = played.map_err(|divergence| TestCaseError::fail(divergence.to_string()))?;
        for (kind, count) in played.answers {
            *answers.borrow_mut().entry(kind).or_default() += count;
        }
        Ok(())
    });
    let answers = answers.into_inner();
    let (steps, took) = (answers.values().sum::<u64>(), begun.elapsed());
    eprintln!("{steps} steps as the model says in {took:.1?}, seed {seed}: {answers:?}");
    if let Err(failure) = outcome {
        panic!("{failure}\nrepeat with {}={seed}", property::SEED);
    }
    // A short form may miss the rarest kind.
    assert!(answers.len() == 20 || steps < LONG, "some kind of answer is never met: {answers:?}");
}
