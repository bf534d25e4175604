//! Units of work that fail, are dropped or are cancelled.

use std::time::Duration;

use futures_util::future::join_all;
use svc_core::error::StoreError;
use svc_core::id::TypedId;
use svc_core::unit::UnitOfWork;
use svc_testkit::audit::noted;
use svc_testkit::webhooks::sample::{Samples, scope};
use svc_webhooks::ports::WebhookUnit;
use svc_webhooks::subscription::Subscription;

use crate::both::on_both;
use crate::fresh::Fresh;

on_both! {
    one_unit_that_is_dropped_takes_no_other_with_it
    a_unit_in_which_a_statement_failed_does_not_commit
    units_that_are_cancelled_anywhere_leave_a_working_database
    a_unit_may_be_dropped_outside_a_runtime
}

async fn add(fresh: &Fresh, subscription: &Subscription) -> Result<(), StoreError> {
    let unit = fresh.database.begin().await?;
    assert!(unit.subscriptions().insert(subscription, 20).await?, "there is room");
    noted(&*unit, subscription.account).await?;
    unit.commit().await
}

async fn find(fresh: &Fresh, one: &Subscription) -> Option<Subscription> {
    let storage = fresh.database.webhooks();
    storage.subscriptions().find(&scope([one.account]), one.id).await.expect("read")
}

fn samples(seed: u64) -> (Samples, impl Fn(&Samples) -> Subscription) {
    (Samples::new(seed), |samples: &Samples| samples.subscription(samples.account(), &["contact.create"]))
}

async fn one_unit_that_is_dropped_takes_no_other_with_it(fresh: &Fresh) {
    let (samples, make) = samples(2);
    let subscriptions: Vec<_> = (0..40).map(|_| make(&samples)).collect();
    // All at once, so that on SQLite those that commit share groups with those that do not.
    join_all(subscriptions.iter().enumerate().map(|(at, one)| async move {
        let unit = fresh.database.begin().await.expect("a unit");
        assert!(unit.subscriptions().insert(one, 20).await.expect("inserted"));
        if at % 3 == 0 {
            drop(unit);
        } else {
            noted(&*unit, one.account).await.expect("noted");
            unit.commit().await.expect("committed");
        }
    }))
    .await;
    for (at, one) in subscriptions.iter().enumerate() {
        assert_eq!(find(fresh, one).await.is_some(), at % 3 != 0, "unit {at}");
    }
}

async fn a_unit_in_which_a_statement_failed_does_not_commit(fresh: &Fresh) {
    let (samples, make) = samples(3);
    let (first, second) = (make(&samples), make(&samples));
    add(fresh, &first).await.expect("added");
    let unit = fresh.database.begin().await.expect("a unit");
    assert!(unit.subscriptions().insert(&second, 20).await.expect("inserted"));
    assert!(unit.subscriptions().insert(&first, 20).await.is_err(), "its id is taken");
    assert!(unit.subscriptions().find(&scope([first.account]), first.id).await.is_err());
    assert!(unit.commit().await.is_err());
    assert_eq!(find(fresh, &second).await, None);
    add(fresh, &second).await.expect("the database works on");
}

async fn units_that_are_cancelled_anywhere_leave_a_working_database(fresh: &Fresh) {
    let (samples, make) = samples(4);
    for round in 0..150_u64 {
        let one = make(&samples);
        // Dropped at its first, second, … pause; other units are under way meanwhile.
        let cancelled = poll_at_most(round % 30 + 1, add(fresh, &one));
        let other = make(&samples);
        let ((), added) = futures_util::join!(cancelled, add(fresh, &other));
        added.expect("added");
        assert_eq!(find(fresh, &other).await, Some(other), "an answered write is visible");
    }
    // Each connection in turn: were one inside a stray transaction, its write would not be seen.
    for _ in 0..20 {
        let one = make(&samples);
        add(fresh, &one).await.expect("added");
        assert!(find(fresh, &one).await.is_some());
    }
}

/// Polls a future so many times and drops it; how far it came is not of interest.
async fn poll_at_most<T>(polls: u64, future: impl Future<Output = T>) {
    let mut future = Box::pin(future);
    let mut left = polls;
    std::future::poll_fn(|context| {
        left -= 1;
        match future.as_mut().poll(context) {
            std::task::Poll::Pending if left > 0 => std::task::Poll::Pending,
            std::task::Poll::Pending | std::task::Poll::Ready(_) => std::task::Poll::Ready(()),
        }
    })
    .await;
}

async fn a_unit_may_be_dropped_outside_a_runtime(fresh: &Fresh) {
    let (samples, make) = samples(5);
    let (first, second) = (make(&samples), make(&samples));
    let unit = fresh.database.begin().await.expect("a unit");
    assert!(unit.subscriptions().insert(&first, 20).await.expect("inserted"));
    std::thread::spawn(move || drop(unit)).join().expect("no panic");
    tokio::time::timeout(Duration::from_secs(5), add(fresh, &second)).await.expect("in time").expect("added");
    assert_eq!(find(fresh, &first).await, None);
    assert!(second.id.uuid() != first.id.uuid());
}
