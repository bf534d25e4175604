//! How long property tests run, and with which seed.

use std::fmt;
use std::hash::{BuildHasher, RandomState};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Variable that sets the number of cases of every property test: the long form.
pub const CASES: &str = "SVC_TEST_CASES";

/// Variable that sets the seed of [`runner`], to repeat a run.
pub const SEED: &str = "SVC_TEST_SEED";

/// A configuration of `short` cases, or of as many as [`CASES`] says.
///
/// # Panics
/// When the variable is set and is no number.
#[must_use]
pub fn cases(short: u32) -> Config {
    let cases = variable(CASES).map_or(short, |cases| u32::try_from(cases).expect("a number of cases"));
    Config { cases, failure_persistence: None, ..Config::default() }
}

/// A runner of [`cases`] and the seed that it starts from: a new one, or that of [`SEED`].
///
/// # Panics
/// When a variable is set and is no number.
#[must_use]
pub fn runner(short: u32) -> (TestRunner, u64) {
    let seed = variable(SEED).unwrap_or_else(|| RandomState::new().hash_one(short));
    let mut bytes = [0; 32];
    for (byte, from) in bytes.iter_mut().zip(seed.to_be_bytes()) {
        *byte = from;
    }
    (TestRunner::new_with_rng(cases(short), TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)), seed)
}

/// As many seeds in a row as [`cases`] says, and the first of them: a new one, or that of [`SEED`].
///
/// # Panics
/// When a variable is set and is no number.
pub fn seeds(short: u32) -> (impl Iterator<Item = u64>, u64) {
    let first = variable(SEED).unwrap_or_else(|| RandomState::new().hash_one(short));
    ((0..u64::from(cases(short).cases)).map(move |number| first.wrapping_add(number)), first)
}

/// As many values of a strategy as [`cases`] says, for tests that cannot run in a [`runner`] because
/// they await; keep the seed to the end of the test.
///
/// # Panics
/// When a variable is set and is no number, or the strategy gives up.
pub fn values<S: Strategy>(strategy: &S, short: u32) -> (Vec<S::Value>, Seed) {
    let (mut runner, seed) = runner(short);
    let count = runner.config().cases;
    let mut value = || strategy.new_tree(&mut runner).expect("the strategy has values").current();
    ((0..count).map(|_| value()).collect(), Seed(seed))
}

/// Tells, when the test that holds it fails, how to repeat the run.
#[derive(Debug)]
pub struct Seed(pub(crate) u64);

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Drop for Seed {
    #[expect(clippy::print_stderr, reason = "the reader of the failure needs the seed")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("repeat with {SEED}={}", self.0);
        }
    }
}

fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} must be a number, not `{text}`")))
}
