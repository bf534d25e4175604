//! Cases of the health of receivers.

#![expect(missing_docs, reason = "the name of a case is its claim")]
#![expect(clippy::indexing_slicing, reason = "a case fails when something is missing")]

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::join_all;
use svc_core::clock::Timestamp;
use svc_core::id::SubscriptionId;
use svc_webhooks::health::{Counts, Health, ReceiverBackoff, Tally};
use svc_webhooks::ports::{ClaimRequest, Leased, Settlement};
use svc_webhooks::subscription::Subscription;

use super::{CONTACT, MANY, Storage, answered, publish, queue_more, queued, remove, replace};
use crate::audit::noted;
use crate::webhooks::sample::{Samples, scope};

const LEASE: Duration = Duration::from_secs(30);

async fn claim(storage: Storage<'_>, now: Timestamp) -> Vec<Leased> {
    storage.queue().claim(&ClaimRequest::any(MANY), now, LEASE).await.expect("claim").leased
}

async fn health(storage: Storage<'_>, subscription: &Subscription) -> Option<Health> {
    let (scope, id) = (scope([subscription.account]), subscription.id);
    storage.subscriptions().health(&scope, &[id]).await.expect("health").remove(&id)
}

async fn settle(storage: Storage<'_>, settlements: &[Settlement]) -> u64 {
    storage.queue().settle(settlements).await.expect("settle")
}

pub async fn health_is_what_its_rule_says(storage: Storage<'_>) {
    let samples = Samples::new(71);
    let (first, _) = queued(storage, &samples, 40).await;
    let (second, _) = queued(storage, &samples, 40).await;
    let mut expected: BTreeMap<SubscriptionId, Health> = BTreeMap::new();
    let leased = claim(storage, samples.now()).await;
    assert_eq!(leased.len(), 80);
    // Batches of several sizes and outcomes, of both subscriptions, over some days and back a little.
    let hours = [0_u64, 1, 11, 2, 13, 30, 1, 50];
    for (number, batch) in leased.chunks(10).enumerate() {
        samples.clock().advance(Duration::from_hours(hours[number]));
        let settlements: Vec<_> = batch
            .iter()
            .enumerate()
            .map(|(index, leased)| {
                let status = if (number * index + index) % (number + 2) == 0 { 200 } else { 500 };
                let mut one = answered(&samples, leased, status);
                let back = Duration::from_mins(u64::try_from((index * 7) % 100).expect("small"));
                one.attempt.as_mut().expect("attempted").at = samples.now().minus(back);
                one.asked_until = (status != 200 && index % 4 == 0).then(|| samples.now().plus(back));
                one
            })
            .collect();
        assert_eq!(settle(storage, &settlements).await, 10);
        for (id, tally) in Tally::of(&settlements) {
            let before = expected.remove(&id);
            expected.insert(id, Health::after(before, &tally));
        }
        let both = scope([first.account, second.account]);
        let found = storage.subscriptions().health(&both, &[first.id, second.id]).await.expect("health");
        assert_eq!(found, expected, "after batch {number}");
    }
    let all: u64 = expected.values().map(|health| health.present.all()).sum();
    assert!(all > 0 && expected.values().all(|health| health.last_error.is_some()), "{expected:?}");
}

pub async fn only_attempts_that_were_settled_count(storage: Storage<'_>) {
    let samples = Samples::new(72);
    let (subscription, _) = queued(storage, &samples, 2).await;
    assert_eq!(health(storage, &subscription).await, None);
    let stale = claim(storage, samples.now()).await;
    samples.clock().advance(LEASE);
    let fresh = claim(storage, samples.now()).await;
    assert_eq!(settle(storage, &[answered(&samples, &stale[0], 500)]).await, 0);
    assert_eq!(health(storage, &subscription).await, None);

    let cancelled = fresh[0].delivery.clone().cancel(samples.now(), "subscription_inactive").expect("open");
    let cancelled = Settlement { delivery: cancelled, attempt: None, ..answered(&samples, &fresh[0], 200) };
    assert_eq!(settle(storage, &[cancelled]).await, 1);
    assert_eq!(health(storage, &subscription).await, None);

    let twice = answered(&samples, &fresh[1], 200);
    assert_eq!(settle(storage, &[twice.clone(), twice]).await, 1);
    let found = health(storage, &subscription).await.expect("attempted");
    assert_eq!(found.present, Counts { successes: 1, failures: 0 });
    let stranger = scope([samples.account()]);
    let hidden = storage.subscriptions().health(&stranger, &[subscription.id]).await.expect("health");
    assert!(hidden.is_empty());
}

pub async fn what_is_leased_brings_the_standing_of_its_receiver(storage: Storage<'_>) {
    let samples = Samples::new(73);
    let (subscription, _) = queued(storage, &samples, 3).await;
    let event = samples.event(subscription.account, CONTACT);
    publish(storage, std::slice::from_ref(&event)).await;
    let waiting = storage.queue().waiting(MANY).await.expect("waiting");
    assert_eq!((waiting.events.len(), waiting.backoffs.len()), (1, 0));
    let leased = claim(storage, samples.now()).await;
    assert!(leased.iter().all(|leased| leased.backoff == ReceiverBackoff::default()));

    let until = samples.now().plus(Duration::from_secs(40));
    let failed: Vec<_> = leased
        .iter()
        .map(|leased| Settlement { asked_until: Some(until), ..answered(&samples, leased, 503) })
        .collect();
    settle(storage, &failed).await;
    let backoff = health(storage, &subscription).await.expect("attempted").backoff();
    assert_eq!((backoff.consecutive_failures, backoff.asked_until), (3, Some(until)));
    let waiting = storage.queue().waiting(MANY).await.expect("waiting");
    assert_eq!(waiting.backoffs, [(subscription.id, backoff)].into());
    let again = claim(storage, samples.now().plus(Duration::from_mins(2))).await;
    assert_eq!(again.len(), 3);
    assert!(again.iter().all(|leased| leased.backoff == backoff));

    settle(storage, &[answered(&samples, &again[0], 200)]).await;
    let backoff = health(storage, &subscription).await.expect("attempted").backoff();
    assert_eq!((backoff.consecutive_failures, backoff.asked_until), (0, None));
}

pub async fn a_removed_or_moved_subscription_has_no_health(storage: Storage<'_>) {
    let samples = Samples::new(74);
    let (kept, _) = queued(storage, &samples, 1).await;
    let (gone, _) = queued(storage, &samples, 1).await;
    for leased in claim(storage, samples.now()).await {
        settle(storage, &[answered(&samples, &leased, 500)]).await;
    }
    assert!(health(storage, &kept).await.is_some() && health(storage, &gone).await.is_some());
    remove(storage, &gone).await.expect("removed");
    assert_eq!(health(storage, &gone).await, None);

    let after = Subscription { version: kept.version.next(), ..kept.clone() };
    let unit = storage.begin().await.expect("begin");
    unit.subscriptions().replace(kept.version, &after).await.expect("replaced");
    unit.subscriptions().forget_health(kept.id).await.expect("forgotten");
    assert_eq!(
        unit.subscriptions().health(&scope([kept.account]), &[kept.id]).await.expect("health").len(),
        0
    );
    noted(&*unit, kept.account).await.expect("noted");
    assert!(health(storage, &kept).await.is_some(), "until the commit");
    unit.commit().await.expect("commit");
    assert_eq!(health(storage, &kept).await, None);
    let next = Subscription { version: after.version.next(), ..after.clone() };
    replace(storage, &after, &next).await.expect("replaced");
}

pub async fn settlements_at_once_count_every_attempt(storage: Storage<'_>) {
    let samples = Samples::new(75);
    let mut subscriptions = Vec::new();
    for _ in 0..6 {
        subscriptions.push(queued(storage, &samples, 8).await.0);
    }
    let leased = claim(storage, samples.now()).await;
    assert_eq!(leased.len(), 48);
    // Eight workers, each with an attempt to every subscription, in an order of its own.
    let mut batches: Vec<Vec<Settlement>> = vec![Vec::new(); 8];
    for (number, leased) in leased.iter().enumerate() {
        let status = if number % 5 == 0 { 500 } else { 200 };
        batches[(number / 6 + number) % 8].push(answered(&samples, leased, status));
    }
    for (number, batch) in batches.iter_mut().enumerate() {
        batch.rotate_left(number % 6);
        if number % 2 == 0 {
            batch.reverse();
        }
    }
    let settled = join_all(batches.iter().map(|batch| settle(storage, batch))).await;
    assert_eq!(settled.iter().sum::<u64>(), 48);
    let mut all = Counts::default();
    for subscription in &subscriptions {
        let counts = health(storage, subscription).await.expect("attempted").present;
        assert_eq!(counts.all(), 8);
        all =
            Counts { successes: all.successes + counts.successes, failures: all.failures + counts.failures };
    }
    assert_eq!(all, Counts { successes: 38, failures: 10 });
}

pub async fn first_attempts_to_receivers_in_backoff_can_be_left_out(storage: Storage<'_>) {
    let samples = Samples::new(76);
    let (held_back, _) = queued(storage, &samples, 1).await;
    let failed = claim(storage, samples.now()).await;
    settle(storage, &[answered(&samples, &failed[0], 500)]).await;
    samples.clock().advance(Duration::from_mins(2));
    queue_more(storage, &samples, &held_back, 2).await;
    let (other, _) = queued(storage, &samples, 1).await;

    let request = ClaimRequest { in_backoff: [held_back.id].into(), ..ClaimRequest::any(MANY) };
    let claimed = storage.queue().claim(&request, samples.now(), LEASE).await.expect("claim").leased;
    let mut claimed: Vec<_> =
        claimed.iter().map(|leased| (leased.delivery.subscription, leased.delivery.attempts)).collect();
    claimed.sort_unstable();
    let mut expected = vec![(held_back.id, 1), (other.id, 0)];
    expected.sort_unstable();
    assert_eq!(claimed, expected);
    let next = storage.queue().next_due(&request).await.expect("next due").expect("a lease that ends");
    assert!(next > samples.now(), "the queue does not wait for the receiver in backoff");
    assert_eq!(claim(storage, samples.now()).await.len(), 2);
}
