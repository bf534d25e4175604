//! The queue at a glance.

#![expect(missing_docs, reason = "the name of a case is its claim")]
#![expect(clippy::indexing_slicing, reason = "a case fails when something is missing")]

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_webhooks::delivery::Delivery;
use svc_webhooks::ports::{ClaimRequest, Count, DueLane, Latest, Overview, QueueDepth, QueueOverview};

use super::{CONTACT, add, answered, publish, queue_more, queued};
use crate::webhooks::sample::Samples;

const LEASE: Duration = Duration::from_secs(30);

async fn overview(storage: &dyn QueueOverview, now: Timestamp, lanes: u32) -> Overview {
    storage.overview(now, lanes).await.expect("overview")
}

fn due_at(delivery: &Delivery) -> Timestamp {
    delivery.next_attempt_at().expect("it has not ended")
}

pub async fn depth_counts_the_outbox_and_the_queue(storage: &dyn QueueOverview) {
    let samples = Samples::new(44);
    let depth = async |now| storage.depth(now).await.expect("depth");
    assert_eq!(depth(samples.now()).await, QueueDepth::default());
    let (subscription, deliveries) = queued(storage, &samples, 2).await;
    let waiting = [(); 2].map(|()| samples.event(subscription.account, CONTACT));
    publish(storage, &waiting).await;

    let oldest = due_at(&deliveries[0]);
    let early = QueueDepth {
        events: Count::Exactly(2),
        oldest_event: Some(waiting[0].occurred_at),
        queued: Count::Exactly(2),
        ..QueueDepth::default()
    };
    assert_eq!(depth(oldest.minus(Duration::from_millis(1))).await, early);
    let both = QueueDepth { due: Count::Exactly(2), oldest_due: Some(oldest), ..early };
    assert_eq!(depth(samples.now()).await, both);

    let claimed =
        storage.queue().claim(&ClaimRequest::any(1), samples.now(), LEASE).await.expect("claim").leased;
    let one = QueueDepth { due: Count::Exactly(1), oldest_due: Some(due_at(&deliveries[1])), ..early };
    assert_eq!(depth(samples.now()).await, QueueDepth { leased: Count::Exactly(1), ..one });
    // A lease that has ended holds nothing.
    assert_eq!(depth(samples.now().plus(LEASE)).await, both);
    storage.queue().settle(&[answered(&samples, &claimed[0], 500)]).await.expect("settle");
    assert_eq!(depth(samples.now()).await, one);
}

pub async fn a_count_stops_at_its_limit_and_says_so(storage: &dyn QueueOverview) {
    let samples = Samples::new(45);
    let account = samples.account();
    let many = usize::try_from(Count::EXACT).expect("a small number");
    let events: Vec<_> = (0..=many).map(|_| samples.event(account, CONTACT)).collect();
    publish(storage, &events[1..]).await;
    let depth = storage.depth(samples.now()).await.expect("depth");
    assert_eq!(depth.events, Count::EXACT);
    publish(storage, &events[..1]).await;
    let depth = storage.depth(samples.now()).await.expect("depth");
    assert_eq!((depth.events.is_exact(), depth.events.least()), (false, Count::EXACT));
    // Of the events, the one that is first in the outbox; not the one with the smallest id.
    assert_eq!(depth.oldest_event, Some(events[1].occurred_at));
}

pub async fn an_overview_lists_the_lanes_that_are_longest_due(storage: &dyn QueueOverview) {
    let samples = Samples::new(46);
    assert_eq!(overview(storage, samples.now(), 9).await, Overview::default());
    let (quiet, _) = queued(storage, &samples, 1).await;
    let (failing, _) = queued(storage, &samples, 1).await;
    let claimed =
        storage.queue().claim(&ClaimRequest::any(9), samples.now(), LEASE).await.expect("claim").leased;
    let settlements: Vec<_> = claimed
        .iter()
        .map(|leased| {
            answered(&samples, leased, if leased.delivery.subscription == quiet.id { 200 } else { 500 })
        })
        .collect();
    assert_eq!(storage.queue().settle(&settlements).await.expect("settle"), 2);
    // Nothing is due: one delivery has arrived, the other waits for its second attempt.
    assert_eq!(overview(storage, samples.now(), 9).await.lanes, []);

    let (busy, first) = queued(storage, &samples, 3).await;
    samples.clock().advance(Duration::from_mins(2));
    let second = queue_more(storage, &samples, &failing, 1).await;
    let room = [(failing.id, 0)].into();
    let request = ClaimRequest { room, ..ClaimRequest::any(1) };
    storage.queue().claim(&request, samples.now(), LEASE).await.expect("claim");

    let lane = |subscription, retry, oldest_due, [queued, due, leased]: [u64; 3]| DueLane {
        subscription,
        retry,
        oldest_due,
        queued: Count::Exactly(queued),
        due: Count::Exactly(due),
        leased: Count::Exactly(leased),
    };
    let retry_due = settlements
        .iter()
        .find_map(|one| one.delivery.next_attempt_at())
        .expect("one of them is to be tried again");
    let expected = [
        lane(busy.id, false, due_at(&first[1]), [3, 2, 1]),
        lane(failing.id, true, retry_due, [1, 1, 0]),
        lane(failing.id, false, due_at(&second[0]), [1, 1, 0]),
    ];
    let found = overview(storage, samples.now(), 9).await;
    assert_eq!(found.lanes, expected);
    assert_eq!(found.depth, storage.depth(samples.now()).await.expect("depth"));
    assert_eq!(overview(storage, samples.now(), 2).await.lanes, expected[..2]);
}

pub async fn an_overview_tells_how_the_latest_deliveries_went(storage: &dyn QueueOverview) {
    let samples = Samples::new(47);
    let (_, deliveries) = queued(storage, &samples, 4).await;
    let claimed =
        storage.queue().claim(&ClaimRequest::any(3), samples.now(), LEASE).await.expect("claim").leased;
    let mut settlements = [200, 200, 503]
        .iter()
        .zip(&claimed)
        .map(|(status, leased)| answered(&samples, leased, *status))
        .collect::<Vec<_>>();
    let given_up = claimed[0].delivery.clone().cancel(samples.now(), "subscription_inactive").expect("open");
    settlements[0].delivery = given_up;
    settlements[0].attempt = None;
    assert_eq!(storage.queue().settle(&settlements).await.expect("settle"), 3);
    let expected =
        Latest { since: Some(deliveries[0].created_at), pending: 1, retrying: 1, delivered: 1, failed: 1 };
    assert_eq!(overview(storage, samples.now(), 0).await.latest, expected);

    // Older ones are left out.
    let subscription = samples.subscription(samples.account(), &[CONTACT]);
    add(storage, &subscription).await;
    let most = usize::try_from(Latest::DELIVERIES).expect("a small number");
    let more = queue_more(storage, &samples, &subscription, most).await;
    let expected =
        Latest { since: Some(more[0].created_at), pending: Latest::DELIVERIES.into(), ..Latest::default() };
    assert_eq!(overview(storage, samples.now(), 0).await.latest, expected);
}
