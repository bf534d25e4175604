//! The state machine of a delivery against the reference model.

use std::cell::Cell;
use std::time::Duration;

use proptest::prelude::*;
use svc_core::clock::Timestamp;
use svc_testkit::property;
use svc_testkit::webhooks::model::{ModelDelivery, Step};
use svc_testkit::webhooks::sample::Samples;
use svc_testkit::webhooks::strategy;
use svc_webhooks::delivery::{Delivery, Outcome, Status, TransitionError};
use svc_webhooks::retry::RetrySchedule;

/// Histories per run in the short form; `SVC_TEST_CASES` sets the long one.
const HISTORIES: u32 = 6_000;

#[test]
#[expect(clippy::print_stderr, reason = "the figure and the seed of the run")]
fn a_delivery_behaves_as_the_reference_model_says() {
    let (mut runner, seed) = property::runner(HISTORIES);
    let (taken, refused) = (Cell::new(0_u64), Cell::new(0_u64));
    let histories = (strategy::waits(), prop::option::of(1_u8..12), strategy::steps(12), strategy::failure());
    let outcome = runner.run(&histories, |(waits, promised, steps, failure)| {
        let schedule = RetrySchedule::new(waits.clone()).expect("few enough");
        // The schedule may have been another one when the delivery was made.
        let most = promised.unwrap_or(schedule.attempts());
        let samples = Samples::new(1);
        let subscription = samples.subscription(samples.account(), &["contact.create"]);
        let event = samples.event(subscription.account, "contact.create");
        let mut delivery = Delivery { max_attempts: most, ..samples.delivery(&event, &subscription) };
        let mut model = ModelDelivery::new(delivery.created_at, usize::from(most), waits);
        for (step, pause) in steps {
            samples.clock().advance(pause);
            let before = delivery.clone();
            let after = apply(delivery, step, samples.now(), &failure, &schedule);
            let allowed = model.step(step, samples.now());
            prop_assert_eq!(after.is_ok(), allowed, "{:?} of {:?}", step, before);
            if let Err(error) = &after {
                prop_assert_eq!(error.status, before.status());
            }
            if let (Ok(after), Step::Fail) = (&after, step) {
                prop_assert_eq!(after.last.as_ref(), Some(&failure));
            }
            let count = if allowed { &taken } else { &refused };
            count.set(count.get() + 1);
            delivery = after.unwrap_or(before);
            prop_assert_eq!(delivery.status(), model.status());
            prop_assert_eq!(usize::from(delivery.attempts), model.attempts());
            prop_assert_eq!(delivery.next_attempt_at(), model.next_attempt_at());
            prop_assert_eq!(delivery.status().is_ended(), delivery.next_attempt_at().is_none());
        }
        Ok(())
    });
    let (taken, refused) = (taken.get(), refused.get());
    eprintln!("{taken} steps taken and {refused} refused as the model says, seed {seed}");
    if let Err(failure) = outcome {
        panic!("{failure} (repeat with {}={seed})", property::SEED);
    }
    assert!(taken + refused >= 10_000 || std::env::var_os(property::CASES).is_some());
    assert!(refused > 0 && taken > 0);
}

fn apply(
    delivery: Delivery,
    step: Step,
    now: Timestamp,
    failure: &Outcome,
    schedule: &RetrySchedule,
) -> Result<Delivery, TransitionError> {
    let success = Outcome { status_code: Some(200), error: None, duration: Duration::ZERO };
    match step {
        Step::Succeed => delivery.attempt_succeeded(now, success),
        Step::Fail => delivery.attempt_failed(now, failure.clone(), schedule),
        Step::Cancel => delivery.cancel(now, "subscription_inactive"),
    }
}

#[test]
fn the_model_ends_after_six_failures() {
    let samples = Samples::new(2);
    let mut model = ModelDelivery::new(samples.now(), 6, [Duration::ZERO; 5]);
    assert!((0..6).all(|_| model.step(Step::Fail, samples.now())));
    assert_eq!(model.status(), Status::Failed);
    assert!(!model.step(Step::Succeed, samples.now()));
}
