//! Cases of the queue.

#![expect(missing_docs, reason = "the name of a case is its claim")]
#![expect(clippy::indexing_slicing, reason = "a case fails when something is missing")]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{join, join_all};
use svc_core::clock::Timestamp;
use svc_core::event::{Event, EventDeclaration};
use svc_core::id::DeliveryId;
use svc_core::tenant::Tenant;
use svc_webhooks::delivery::{Delivery, State, Status};
use svc_webhooks::health::ReceiverBackoff;
use svc_webhooks::ports::{ClaimRequest, InitialLease, Lease, Leased, LoggedDelivery, Notification};
use svc_webhooks::subscription::{SigningSecret, State as SubscriptionState, Subscription};

use super::{
    CONTACT, MANY, Storage, add, answered, assert_idle, enqueue, publish, queue_more, queued, replace,
};
use crate::audit::noted;
use crate::webhooks::sample::{Samples, scope};

const LEASE: Duration = Duration::from_secs(30);

async fn claim(storage: Storage<'_>, now: Timestamp) -> Vec<Leased> {
    storage.queue().claim(&ClaimRequest::any(MANY), now, LEASE).await.expect("claim").leased
}

async fn logged(storage: Storage<'_>, delivery: &Delivery) -> LoggedDelivery {
    let scope = scope([delivery.account]);
    storage.deliveries().find(&scope, delivery.id).await.expect("find").expect("the delivery is stored")
}

fn ids(leased: &[Leased]) -> Vec<DeliveryId> {
    leased.iter().map(|leased| leased.delivery.id).collect()
}

/// When something can be claimed next. A queue may name an earlier instant at which nothing can; looking
/// then, it learns better.
async fn next_due(storage: Storage<'_>) -> Option<Timestamp> {
    let mut before = None;
    loop {
        let at = storage.queue().next_due(&ClaimRequest::any(1)).await.expect("next due")?;
        assert!(before.is_none_or(|before| before < at), "a queue that was looked at knows better");
        let found = storage.queue().claim(&ClaimRequest::any(1), at, LEASE).await.expect("claim").leased;
        if !found.is_empty() {
            storage.queue().release(&found).await.expect("release");
            return Some(at);
        }
        before = Some(at);
    }
}

pub async fn nothing_is_claimed_before_it_is_due(storage: Storage<'_>) {
    let samples = Samples::new(31);
    let (subscription, deliveries) = queued(storage, &samples, 1).await;
    let due_at = deliveries[0].next_attempt_at().expect("pending");
    let early = claim(storage, due_at.minus(Duration::from_millis(1))).await;
    assert!(early.is_empty(), "{early:?}");
    let leased = claim(storage, due_at).await;
    assert_eq!(leased.len(), 1);
    assert_eq!(leased[0].delivery, deliveries[0]);
    assert_eq!(leased[0].subscription.as_deref(), Some(&subscription));
}

pub async fn the_longest_due_is_claimed_first(storage: Storage<'_>) {
    let samples = Samples::new(32);
    let subscription = samples.subscription(samples.account(), &[CONTACT]);
    add(storage, &subscription).await;
    let now = samples.now().plus(Duration::from_secs(100));
    let mut deliveries = Vec::new();
    for seconds in [30, 10, 50, 20, 40] {
        let event = samples.event(subscription.account, CONTACT);
        publish(storage, std::slice::from_ref(&event)).await;
        let due_at = now.minus(Duration::from_secs(seconds));
        deliveries.push((
            due_at,
            Delivery { state: State::Pending { due_at }, ..samples.delivery(&event, &subscription) },
        ));
    }
    enqueue(storage, &deliveries.iter().map(|(_, delivery)| delivery.clone()).collect::<Vec<_>>()).await;
    deliveries.sort_by_key(|(due_at, _)| *due_at);
    let expected: Vec<_> = deliveries.iter().map(|(_, delivery)| delivery.id).collect();
    let first = storage.queue().claim(&ClaimRequest::any(2), now, LEASE).await.expect("claim").leased;
    assert_eq!(ids(&first), expected[..2]);
    assert_eq!(ids(&claim(storage, now).await), expected[2..]);
}

pub async fn a_lease_is_exclusive(storage: Storage<'_>) {
    let samples = Samples::new(33);
    queued(storage, &samples, 3).await;
    let now = samples.now();
    let first = claim(storage, now).await;
    assert_eq!(first.len(), 3);
    let second = claim(storage, now.plus(LEASE).minus(Duration::from_millis(1))).await;
    assert!(second.is_empty(), "{second:?}");
}

pub async fn claims_at_once_never_overlap(storage: Storage<'_>) {
    let samples = Samples::new(34);
    let (_, deliveries) = queued(storage, &samples, 40).await;
    let now = samples.now();
    let worker = || async {
        let mut claimed = Vec::new();
        // A worker that claimed more often than there are deliveries got one twice.
        for _ in 0..=deliveries.len() {
            claimed.extend(ids(&storage
                .queue()
                .claim(&ClaimRequest::any(3), now, LEASE)
                .await
                .expect("claim")
                .leased));
        }
        claimed
    };
    let mut claimed: Vec<_> = join_all((0..4).map(|_| worker())).await.into_iter().flatten().collect();
    // A claim may have skipped what another one was about to lease.
    claimed.extend(ids(&claim(storage, now).await));
    assert_eq!(claimed.len(), deliveries.len(), "no delivery twice");
    let expected: BTreeSet<_> = deliveries.iter().map(|delivery| delivery.id).collect();
    assert_eq!(claimed.into_iter().collect::<BTreeSet<_>>(), expected, "and none is missing");
}

pub async fn an_ended_lease_can_be_claimed_again(storage: Storage<'_>) {
    let samples = Samples::new(35);
    let subscription = samples.subscription(samples.account(), &[CONTACT]);
    add(storage, &subscription).await;
    let event = samples.event(subscription.account, CONTACT);
    publish(storage, std::slice::from_ref(&event)).await;
    enqueue(storage, &[samples.delivery(&event, &subscription)]).await;

    let first = claim(storage, samples.now()).await;
    let second = claim(storage, samples.now().plus(LEASE)).await;
    assert_eq!((first.len(), second.len()), (1, 1));
    assert_ne!(first[0].lease, second[0].lease, "a new claim has a new token");
    assert_eq!(first[0].delivery, second[0].delivery);
    let expected = Notification::from(&event);
    assert_eq!((&first[0].notification, &second[0].notification), (&expected, &expected));
}

pub async fn a_tenant_with_an_id_of_its_own_is_matched_by_account_and_sent_by_name(storage: Storage<'_>) {
    let samples = Samples::new(64);
    let [ours, other] = ["customer-42", "customer-43"].map(|id| Tenant::named(id).expect("a tenant"));
    let subscription = samples.subscription(ours.account(), &[CONTACT]);
    add(storage, &subscription).await;
    let of = |tenant: &Tenant| {
        let event = samples.event(tenant.account(), CONTACT);
        Event { tenant: Some(tenant.clone()), ..event }
    };
    let events = [of(&ours), of(&other)];
    publish(storage, &events).await;

    let waiting = storage.queue().waiting(10).await.expect("read");
    let read: Vec<_> = waiting.events.into_iter().map(|(_, event)| event).collect();
    assert_eq!(read, events);
    assert_eq!(waiting.subscriptions, std::slice::from_ref(&subscription));
    enqueue(storage, &[samples.delivery(&events[0], &subscription)]).await;
    let leased = claim(storage, samples.now()).await.remove(0);
    assert_eq!(leased.notification, Notification::from(&events[0]));
}

pub async fn a_stale_settlement_changes_nothing(storage: Storage<'_>) {
    let samples = Samples::new(36);
    let (_, deliveries) = queued(storage, &samples, 1).await;
    let stale = claim(storage, samples.now()).await.remove(0);
    samples.clock().advance(LEASE);
    let fresh = claim(storage, samples.now()).await.remove(0);

    let settled = storage.queue().settle(&[answered(&samples, &stale, 200)]).await.expect("settle");
    assert_eq!(settled, 0);
    let untouched = LoggedDelivery { delivery: deliveries[0].clone(), attempts: Vec::new() };
    assert_eq!(logged(storage, &deliveries[0]).await, untouched);

    let settlement = answered(&samples, &fresh, 200);
    assert_eq!(storage.queue().settle(std::slice::from_ref(&settlement)).await.expect("settle"), 1);
    assert_eq!(storage.queue().settle(&[settlement]).await.expect("settle"), 0, "a lease ends once");
    assert_eq!(logged(storage, &deliveries[0]).await.attempts.len(), 1);
}

/// A unit must not write back rows as it read them: a lost settlement is a notification that is sent again.
pub async fn a_commit_undoes_nothing_that_was_settled_beside_it(storage: Storage<'_>) {
    let samples = Samples::new(84);
    let (subscription, deliveries) = queued(storage, &samples, 1).await;
    let leased = claim(storage, samples.now()).await.remove(0);
    let settlements = [answered(&samples, &leased, 200)];

    let unit = storage.begin().await.expect("begin");
    let after = Subscription { version: subscription.version.next(), ..subscription.clone() };
    unit.subscriptions().replace(subscription.version, &after).await.expect("replace");
    noted(&*unit, subscription.account).await.expect("noted");
    // A storage with one writer lets the settlement wait for the commit.
    let (settled, committed) = join(storage.queue().settle(&settlements), unit.commit()).await;

    committed.expect("commit");
    assert_eq!(settled.expect("settle"), 1);
    assert_eq!(logged(storage, &deliveries[0]).await.delivery.status(), Status::Delivered);
}

pub async fn a_settlement_requeues_or_ends_the_delivery(storage: Storage<'_>) {
    let samples = Samples::new(37);
    let (_, deliveries) = queued(storage, &samples, 1).await;
    let mut log = Vec::new();
    for (status, wait) in [(500, Some(1)), (302, Some(5)), (200, None)] {
        let leased = claim(storage, samples.now()).await.remove(0);
        samples.clock().advance(Duration::from_secs(3));
        let settlement = answered(&samples, &leased, status);
        assert_eq!(storage.queue().settle(std::slice::from_ref(&settlement)).await.expect("settle"), 1);
        log.extend(settlement.attempt);
        let expected = LoggedDelivery { delivery: settlement.delivery, attempts: log.clone() };
        assert_eq!(logged(storage, &deliveries[0]).await, expected);

        let due_at = wait.map(|minutes| samples.now().plus(Duration::from_mins(minutes)));
        assert_eq!(next_due(storage).await, due_at);
        if let Some(due_at) = due_at {
            assert!(claim(storage, due_at.minus(Duration::from_millis(1))).await.is_empty());
            samples.clock().set(due_at);
        }
    }
    assert_eq!(logged(storage, &deliveries[0]).await.delivery.status(), Status::Delivered);
    assert_idle(storage).await;
}

pub async fn settlements_are_counted_one_by_one(storage: Storage<'_>) {
    let samples = Samples::new(38);
    queued(storage, &samples, 3).await;
    let now = samples.now();
    let first = storage
        .queue()
        .claim(&ClaimRequest::any(1), now, Duration::from_secs(5))
        .await
        .expect("claim")
        .leased
        .remove(0);
    let rest = claim(storage, now).await;
    samples.clock().advance(Duration::from_secs(6));
    assert_eq!(ids(&claim(storage, samples.now()).await), [first.delivery.id]);
    let all: Vec<_> =
        [&first, &rest[0], &rest[1]].map(|leased| answered(&samples, leased, 503)).into_iter().collect();
    assert_eq!(storage.queue().settle(&all).await.expect("settle"), 2);
    assert_eq!(storage.queue().settle(&[]).await.expect("settle"), 0);
    assert_eq!(logged(storage, &first.delivery).await.attempts, []);
    assert_eq!(logged(storage, &rest[1].delivery).await.attempts.len(), 1);
}

pub async fn a_claim_shows_the_present_subscription(storage: Storage<'_>) {
    let samples = Samples::new(39);
    let (before, _) = queued(storage, &samples, 1).await;
    let after = Subscription {
        secret: SigningSecret::generate(samples.random()),
        state: SubscriptionState::Inactive,
        version: before.version.next(),
        ..before.clone()
    };
    replace(storage, &before, &after).await.expect("replace");
    let leased = claim(storage, samples.now()).await.remove(0);
    assert_eq!(leased.subscription.as_deref(), Some(&after));
}

pub async fn a_released_lease_can_be_claimed_at_once(storage: Storage<'_>) {
    let samples = Samples::new(40);
    let (_, deliveries) = queued(storage, &samples, 2).await;
    let first = claim(storage, samples.now()).await;
    storage.queue().release(&first[..1]).await.expect("release");
    let second = claim(storage, samples.now()).await;
    assert_eq!(ids(&second), [deliveries[0].id]);
    assert_eq!(storage.queue().settle(&[answered(&samples, &first[0], 200)]).await.expect("settle"), 0);
    assert_eq!(storage.queue().settle(&[answered(&samples, &first[1], 200)]).await.expect("settle"), 1);
    storage.queue().release(&[]).await.expect("release");
}

pub async fn only_the_holder_releases(storage: Storage<'_>) {
    let samples = Samples::new(41);
    queued(storage, &samples, 1).await;
    let stale = claim(storage, samples.now()).await.remove(0);
    let later = samples.now().plus(LEASE);
    let fresh = claim(storage, later).await.remove(0);
    storage.queue().release(std::slice::from_ref(&stale)).await.expect("release");
    assert!(claim(storage, later).await.is_empty());
    assert_eq!(storage.queue().settle(&[answered(&samples, &fresh, 200)]).await.expect("settle"), 1);
}

pub async fn a_delivery_added_under_a_lease_is_its_adders(storage: Storage<'_>) {
    let samples = Samples::new(42);
    let subscription = samples.subscription(samples.account(), &[CONTACT]);
    add(storage, &subscription).await;
    let mut event = samples.event(subscription.account, CONTACT);
    event.kind = EventDeclaration::TEST.kind();
    let delivery = Delivery { automatic: false, max_attempts: 1, ..samples.delivery(&event, &subscription) };
    let lease = Lease::generate(samples.random());
    let until = samples.now().plus(LEASE);
    let unit = storage.begin().await.expect("begin");
    unit.outbox().publish(std::slice::from_ref(&event)).await.expect("publish");
    let initial_lease = InitialLease { lease, until };
    let added =
        unit.deliveries().insert(std::slice::from_ref(&delivery), Some(initial_lease)).await.expect("insert");
    assert_eq!(added, [delivery.id].into());
    unit.commit().await.expect("commit");

    assert!(claim(storage, until.minus(Duration::from_millis(1))).await.is_empty());
    assert_eq!(storage.queue().next_due(&ClaimRequest::any(1)).await.expect("next due"), Some(until));
    let leased = Leased {
        lease,
        since: samples.now(),
        delivery: delivery.clone(),
        notification: Notification::from(&event),
        subscription: Some(Arc::new(subscription)),
        backoff: ReceiverBackoff::default(),
    };
    let settlement = answered(&samples, &leased, 200);
    assert_eq!(storage.queue().settle(std::slice::from_ref(&settlement)).await.expect("settle"), 1);
    assert_eq!(logged(storage, &delivery).await.delivery, settlement.delivery);
    assert!(claim(storage, until).await.is_empty());
}

pub async fn next_due_is_the_earliest_claim(storage: Storage<'_>) {
    let samples = Samples::new(43);
    assert_eq!(next_due(storage).await, None);
    let (subscription, first) = queued(storage, &samples, 1).await;
    samples.clock().advance(Duration::from_secs(7));
    let second = queue_more(storage, &samples, &subscription, 1).await;
    assert_eq!(next_due(storage).await, first[0].next_attempt_at());

    let now = samples.now();
    storage.queue().claim(&ClaimRequest::any(1), now, LEASE).await.expect("claim");
    assert_eq!(next_due(storage).await, second[0].next_attempt_at());
    storage.queue().claim(&ClaimRequest::any(1), now, LEASE).await.expect("claim");
    assert_eq!(next_due(storage).await, Some(now.plus(LEASE)));
}
