//! Lanes: a claim takes from every subscription in turn.

#![expect(missing_docs, reason = "the name of a case is its claim")]
#![expect(clippy::indexing_slicing, reason = "a case fails when something is missing")]

use std::collections::BTreeMap;
use std::time::Duration;

use svc_core::id::SubscriptionId;
use svc_webhooks::ports::{ClaimRequest, Leased, Remaining};
use svc_webhooks::subscription::Subscription;

use super::{MANY, Storage, answered, queue_more, queued};
use crate::webhooks::sample::Samples;

const LEASE: Duration = Duration::from_secs(30);

/// A subscription with so many deliveries due.
async fn backlog(storage: Storage<'_>, samples: &Samples, deliveries: usize) -> Subscription {
    let (subscription, _) = queued(storage, samples, 1).await;
    queue_more(storage, samples, &subscription, deliveries - 1).await;
    subscription
}

fn counts(leased: &[Leased]) -> BTreeMap<SubscriptionId, usize> {
    let mut counts = BTreeMap::new();
    for leased in leased {
        *counts.entry(leased.delivery.subscription).or_default() += 1;
    }
    counts
}

pub async fn a_claim_takes_from_every_subscription(storage: Storage<'_>) {
    let samples = Samples::new(51);
    let long = backlog(storage, &samples, 30).await;
    let (one, other) = (backlog(storage, &samples, 2).await, backlog(storage, &samples, 1).await);
    let claimed = storage.queue().claim(&ClaimRequest::any(6), samples.now(), LEASE).await.expect("claim");
    let counts = counts(&claimed.leased);
    assert_eq!(counts.get(&one.id), Some(&2));
    assert_eq!(counts.get(&other.id), Some(&1));
    assert!(counts.get(&long.id).is_some_and(|count| (1..=3).contains(count)), "{counts:?}");
    assert_eq!(claimed.remaining, Remaining::More, "of the long one, of which there was room for six");
}

pub async fn all_that_is_due_is_claimed_in_the_end(storage: Storage<'_>) {
    let samples = Samples::new(52);
    for deliveries in [7, 1, 12, 3] {
        backlog(storage, &samples, deliveries).await;
    }
    let mut claimed = 0;
    for _ in 0..23 {
        claimed += storage
            .queue()
            .claim(&ClaimRequest::any(5), samples.now(), LEASE)
            .await
            .expect("claim")
            .leased
            .len();
    }
    assert_eq!(claimed, 23);
    let nothing = storage.queue().claim(&ClaimRequest::any(5), samples.now(), LEASE).await.expect("claim");
    assert_eq!(nothing.remaining, Remaining::Nothing);
}

pub async fn a_claim_takes_no_more_of_a_subscription_than_there_is_room_for(storage: Storage<'_>) {
    let samples = Samples::new(53);
    let (full, narrow, wide) = (
        backlog(storage, &samples, 5).await,
        backlog(storage, &samples, 5).await,
        backlog(storage, &samples, 5).await,
    );
    let room = [(full.id, 0), (narrow.id, 2)].into();
    let request = ClaimRequest { each: 4, room, ..ClaimRequest::any(MANY) };
    assert!(storage.queue().next_due(&request).await.expect("next due").is_some());
    let claimed = storage.queue().claim(&request, samples.now(), LEASE).await.expect("claim");
    assert_eq!(counts(&claimed.leased), [(narrow.id, 2), (wide.id, 4)].into());
    assert_eq!(claimed.remaining, Remaining::NoRoom, "the limit was far");
    let request = ClaimRequest { room: [(full.id, 0)].into(), ..request };
    let claimed = storage.queue().claim(&request, samples.now(), LEASE).await.expect("claim");
    assert_eq!((counts(&claimed.leased).get(&narrow.id), claimed.remaining), (Some(&3), Remaining::Nothing));

    let request = ClaimRequest { room: [full.id, narrow.id, wide.id].map(|id| (id, 0)).into(), ..request };
    assert!(storage.queue().claim(&request, samples.now(), LEASE).await.expect("claim").leased.is_empty());
    assert_eq!(storage.queue().next_due(&request).await.expect("next due"), None);
}

pub async fn first_and_later_attempts_share_the_room_of_their_subscription(storage: Storage<'_>) {
    let samples = Samples::new(55);
    let (subscription, _) = queued(storage, &samples, 2).await;
    let claim = |limit| {
        let request = ClaimRequest { each: 1, ..ClaimRequest::any(limit) };
        let now = samples.now();
        async move { storage.queue().claim(&request, now, LEASE).await.expect("claim").leased }
    };
    let failed = claim(1).await;
    let settled = storage.queue().settle(&[answered(&samples, &failed[0], 500)]).await.expect("settle");
    assert_eq!(settled, 1);
    samples.clock().advance(Duration::from_mins(2));
    queue_more(storage, &samples, &subscription, 2).await;
    let mut retries = 0;
    for _ in 0..4 {
        let leased = claim(MANY).await;
        assert_eq!(leased.len(), 1);
        retries += u8::from(leased[0].delivery.attempts > 0);
    }
    assert_eq!(retries, 1, "each of the two has its turn");
}

pub async fn later_attempts_can_be_left_out_of_a_claim(storage: Storage<'_>) {
    let samples = Samples::new(54);
    let (subscription, _) = queued(storage, &samples, 1).await;
    let failed =
        storage.queue().claim(&ClaimRequest::any(1), samples.now(), LEASE).await.expect("claim").leased;
    let settled = storage.queue().settle(&[answered(&samples, &failed[0], 500)]).await.expect("settle");
    assert_eq!(settled, 1);
    samples.clock().advance(Duration::from_mins(2));
    let first = queue_more(storage, &samples, &subscription, 1).await.remove(0);

    let request = ClaimRequest { retries: false, ..ClaimRequest::any(MANY) };
    let claimed = storage.queue().claim(&request, samples.now(), LEASE).await.expect("claim").leased;
    assert_eq!(claimed.iter().map(|leased| leased.delivery.id).collect::<Vec<_>>(), [first.id]);
    let rest =
        storage.queue().claim(&ClaimRequest::any(MANY), samples.now(), LEASE).await.expect("claim").leased;
    assert_eq!(rest.iter().map(|leased| leased.delivery.attempts).collect::<Vec<_>>(), [1]);
}
