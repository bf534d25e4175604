//! Tokens in memory live as the reference model says.

use std::cell::RefCell;
use std::collections::BTreeMap;

use futures_util::FutureExt;
use proptest::test_runner::TestCaseError;
use svc_testkit::auth::MemoryAuth;
use svc_testkit::auth::steps::{histories, model, play};
use svc_testkit::property;

/// Histories per run in the short form; `SVC_TEST_CASES` sets the long one.
const HISTORIES: u32 = 150;

#[test]
#[expect(clippy::print_stderr, reason = "the figures and the seed of the run")]
fn tokens_in_memory_live_as_the_model_says() {
    let (mut runner, seed) = property::runner(HISTORIES);
    let answers = RefCell::new(BTreeMap::<&str, u32>::new());
    let outcome = runner.run(&histories(40), |history| {
        let storage = MemoryAuth::new();
        let transcript = play(&storage, 1, &history).now_or_never().expect("storage in memory never waits");
        for moment in &transcript.moments {
            *answers.borrow_mut().entry(moment.answer.kind()).or_default() += 1;
        }
        match transcript.differs_from(&model(&history)) {
            None => Ok(()),
            Some(difference) => Err(TestCaseError::fail(difference)),
        }
    });
    let answers = answers.into_inner();
    eprintln!("{answers:?}, seed {seed}");
    if let Err(failure) = outcome {
        panic!("{failure} (repeat with {}={seed})", property::SEED);
    }
    let short = std::env::var_os(property::CASES).is_none();
    assert!(answers.len() == 10 || !short, "some kind of answer is never met: {answers:?}");
}
