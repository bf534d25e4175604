//! Cases of replays as they are stored; what they look at is in `selections`.

#![expect(missing_docs, reason = "the name of a case is its claim")]
#![expect(clippy::indexing_slicing, reason = "a case fails when something is missing")]

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use svc_core::error::StoreError;
use svc_core::event::EventType;
use svc_core::id::{EventId, ReplayId};
use svc_core::page::PageRules;
use svc_webhooks::delivery::Status as Delivered;
use svc_webhooks::ports::{DeliveryFilter, ReplayStorage};
use svc_webhooks::replay::{Cursor, Ended, Replay, Selection, Source, State, Status, Why, replay_once};
use svc_webhooks::retry::RetrySchedule;
use svc_webhooks::subscription::{CLOCK_SKEW, Subscription};

use super::{CONTACT, add, answered, first_page, publish, queue_more, remove};
use crate::audit::noted;
use crate::webhooks::sample::{Samples, scope};

const OPEN: u32 = 3;

pub(super) async fn add_replay(storage: &dyn ReplayStorage, replay: &Replay) -> bool {
    let unit = storage.begin_replay().await.expect("begin");
    let added = unit.replays().insert(replay, OPEN).await.expect("insert");
    noted(&*unit, replay.selection.account).await.expect("noted");
    unit.commit().await.expect("commit");
    added
}

async fn replace(storage: &dyn ReplayStorage, before: &Replay, after: &Replay) -> Result<(), StoreError> {
    let unit = storage.begin_replay().await?;
    unit.replays().replace(before.version, after).await?;
    unit.commit().await
}

async fn find(storage: &dyn ReplayStorage, replay: &Replay) -> Option<Replay> {
    storage.replays().find(&scope([replay.selection.account]), replay.id).await.expect("find")
}

/// A stored subscription to contacts, and a replay of it that is not stored.
async fn replayed(storage: &dyn ReplayStorage, samples: &Samples) -> (Subscription, Replay) {
    let subscription = samples.subscription(samples.account(), &[CONTACT, "invoice.pay"]);
    add(storage, &subscription).await;
    let replay = Replay::of(samples.selection(&subscription), 7, samples.random());
    (subscription, replay)
}

pub async fn a_replay_comes_back_as_it_was_stored(storage: &dyn ReplayStorage) {
    let samples = Samples::new(71);
    let (subscription, replay) = replayed(storage, &samples).await;
    assert!(add_replay(storage, &replay).await);
    assert_eq!(find(storage, &replay).await.as_ref(), Some(&replay));
    let event = samples.event(subscription.account, CONTACT);
    let delivery = samples.delivery(&event, &subscription);
    let at = samples.now();
    let states = [
        State::Running { after: Some(Cursor::Event(event.id)), due_at: at },
        State::Completed { at },
        State::Cancelled { at, why: Why::Asked },
        State::Cancelled { at, why: Why::SubscriptionInactive },
    ];
    let mut before = replay.clone();
    for state in states {
        let after = Replay { state, sent: before.sent + 3, version: before.version.next(), ..before.clone() };
        replace(storage, &before, &after).await.expect("replaced");
        assert_eq!(find(storage, &replay).await.as_ref(), Some(&after));
        before = after;
    }
    for (ended, event) in [(Ended::Failed, Some(event.id)), (Ended::Delivered, None)] {
        let selection = Selection {
            from: Some(at),
            types: [EventType::of(CONTACT)].into(),
            source: Source::Deliveries { ended, event, even_if_arrived: event.is_some() },
            ..replay.selection.clone()
        };
        let cursor = Cursor::Delivery(delivery.created_at, delivery.id);
        let replay = Replay {
            state: State::Running { after: Some(cursor), due_at: at },
            ..Replay::of(selection, 1, samples.random())
        };
        assert!(add_replay(storage, &replay).await);
        assert_eq!(find(storage, &replay).await.as_ref(), Some(&replay));
    }
}

pub async fn a_subscription_has_only_so_many_open_replays(storage: &dyn ReplayStorage) {
    let samples = Samples::new(72);
    let (subscription, first) = replayed(storage, &samples).await;
    let new = || Replay::of(samples.selection(&subscription), 0, samples.random());
    assert!(add_replay(storage, &first).await);
    // Two of one engine's adders may meet: then one of them is told to come again.
    let at_once = (0..4).map(|_| async {
        loop {
            let unit = storage.begin_replay().await.expect("begin");
            let added = unit.replays().insert(&new(), OPEN).await;
            noted(&*unit, subscription.account).await.expect("noted");
            match (added, unit.commit().await) {
                (Ok(added), Ok(())) => break added,
                (Ok(_), Err(StoreError::Conflict | StoreError::Busy | StoreError::Undone))
                | (Err(StoreError::Conflict | StoreError::Busy | StoreError::Undone), _) => {}
                other => panic!("{other:?}"),
            }
        }
    });
    let added = join_all(at_once).await.into_iter().filter(|added| *added).count();
    assert_eq!(added, 2, "besides the first");
    let other = samples.subscription(subscription.account, &[CONTACT]);
    add(storage, &other).await;
    assert!(add_replay(storage, &Replay::of(samples.selection(&other), 0, samples.random())).await);
    let ended = first.clone().cancelled(samples.now(), Why::Asked).expect("running");
    replace(storage, &first, &ended).await.expect("replaced");
    assert!(add_replay(storage, &new()).await, "one that ended makes room");
}

pub async fn replays_come_newest_first_to_their_company_alone(storage: &dyn ReplayStorage) {
    let samples = Samples::new(73);
    let (subscription, first) = replayed(storage, &samples).await;
    samples.clock().advance(Duration::from_secs(1));
    let second = Replay::of(samples.selection(&subscription), 0, samples.random());
    for replay in [&first, &second] {
        assert!(add_replay(storage, replay).await);
    }
    let (ours, foreign) = (scope([subscription.account]), scope([samples.account()]));
    let reader = storage.replays();
    for (number, expected) in [(1, second.id), (2, first.id)] {
        let request = PageRules::USUAL.page(Some(number), Some(1)).expect("valid");
        let page = reader.page(&ours, subscription.id, request).await.expect("page");
        let ids: Vec<ReplayId> = page.items.iter().map(|replay| replay.id).collect();
        assert_eq!((page.total, ids), (2, vec![expected]));
    }
    assert_eq!(reader.find(&foreign, first.id).await.expect("find"), None);
    assert_eq!(reader.page(&foreign, subscription.id, first_page()).await.expect("page").total, 0);
    let unit = storage.begin_replay().await.expect("begin");
    assert_eq!(unit.replays().lock(&foreign, first.id).await.expect("lock"), None);
    assert_eq!(unit.replays().lock(&ours, first.id).await.expect("lock"), Some(first));
}

pub async fn a_step_of_another_version_conflicts(storage: &dyn ReplayStorage) {
    let samples = Samples::new(74);
    let (_, replay) = replayed(storage, &samples).await;
    assert!(add_replay(storage, &replay).await);
    let after = replay.clone().paused(samples.now()).expect("running");
    replace(storage, &replay, &after).await.expect("replaced");
    let late = replay.clone().cancelled(samples.now(), Why::Asked).expect("running");
    let refused = replace(storage, &replay, &late).await;
    assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    assert_eq!(find(storage, &replay).await, Some(after));
}

pub async fn the_replay_that_is_due_longest_has_its_turn(storage: &dyn ReplayStorage) {
    let samples = Samples::new(75);
    assert_eq!(storage.replays().next_due().await.expect("next due"), None);
    let (later, earlier) = (replayed(storage, &samples).await.1, replayed(storage, &samples).await.1);
    let at = |seconds| samples.now().plus(Duration::from_secs(seconds));
    let later = Replay { state: State::Running { after: None, due_at: at(20) }, ..later };
    let earlier = Replay { state: State::Running { after: None, due_at: at(10) }, ..earlier };
    for replay in [&later, &earlier] {
        assert!(add_replay(storage, replay).await);
    }
    assert_eq!(storage.replays().next_due().await.expect("next due"), Some(at(10)));
    for (now, expected) in [(at(9), None), (at(10), Some(earlier.id)), (at(30), Some(earlier.id))] {
        let unit = storage.begin_replay().await.expect("begin");
        let due = unit.replays().take_due(now).await.expect("take");
        assert_eq!(due.map(|due| due.replay.id), expected);
        // Not dropped: a server that still rolls back holds what it took.
        unit.commit().await.expect("commit");
    }
    let ended = earlier.clone().cancelled(samples.now(), Why::Asked).expect("running");
    replace(storage, &earlier, &ended).await.expect("replaced");
    let unit = storage.begin_replay().await.expect("begin");
    let due = unit.replays().take_due(at(30)).await.expect("take").expect("due");
    assert_eq!((due.replay, due.subscription.id), (later.clone(), later.selection.subscription));
}

pub async fn a_due_replay_tells_how_many_first_attempts_wait(storage: &dyn ReplayStorage) {
    let samples = Samples::new(76);
    let (subscription, replay) = replayed(storage, &samples).await;
    let (other, _) = replayed(storage, &samples).await;
    queue_more(storage, &samples, &other, 2).await;
    queue_more(storage, &samples, &subscription, 1).await;
    let lease = Duration::from_secs(30);
    let request = svc_webhooks::ports::ClaimRequest {
        room: [(other.id, 0)].into(),
        ..svc_webhooks::ports::ClaimRequest::any(1)
    };
    let leased = storage.queue().claim(&request, samples.now(), lease).await.expect("claim").leased;
    let settled = storage.queue().settle(&[answered(&samples, &leased[0], 500)]).await.expect("settle");
    assert_eq!(settled, 1, "it waits for its second attempt");
    queue_more(storage, &samples, &subscription, 3).await;
    assert!(add_replay(storage, &replay).await);
    let unit = storage.begin_replay().await.expect("begin");
    let due = unit.replays().take_due(samples.now()).await.expect("take").expect("due");
    assert_eq!(due.waiting, 3);
}

pub async fn steps_at_once_send_nothing_twice_and_leave_nothing_out(storage: &dyn ReplayStorage) {
    let samples = Samples::new(77);
    let subscription = samples.subscription(samples.account(), &[CONTACT]);
    add(storage, &subscription).await;
    let events: Vec<_> = (0..200).map(|_| samples.event(subscription.account, CONTACT)).collect();
    publish(storage, &events).await;
    let replay = Replay::of(samples.selection(&subscription), 200, samples.random());
    assert!(add_replay(storage, &replay).await);
    samples.clock().advance(CLOCK_SKEW + Duration::from_secs(1));

    // A step that dies before its commit.
    let unit = storage.begin_replay().await.expect("begin");
    let due = unit.replays().take_due(samples.now()).await.expect("take").expect("due");
    let delivery = samples.delivery(&events[0], &subscription);
    unit.deliveries().insert(&[delivery], None).await.expect("insert");
    let moved = due.replay.clone().paused(samples.now()).expect("running");
    unit.replays().replace(due.replay.version, &moved).await.expect("replaced");
    drop(unit);

    let server = || async {
        for _ in 0..10_000 {
            match replay_once(storage, &RetrySchedule::STANDARD, samples.now(), samples.random()).await {
                Ok(_) | Err(StoreError::Conflict | StoreError::Busy | StoreError::Undone) => {}
                Err(error) => panic!("{error:?}"),
            }
            if find(storage, &replay).await.expect("stored").status() != Status::Running {
                return;
            }
        }
    };
    join_all((0..3).map(|_| server())).await;

    let done = find(storage, &replay).await.expect("stored");
    assert_eq!((done.status(), done.sent), (Status::Completed, 200));
    let request = PageRules::USUAL.page(None, Some(200)).expect("valid");
    let mut sent: Vec<EventId> = Vec::new();
    for page in [request, PageRules::USUAL.page(Some(2), Some(200)).expect("valid")] {
        let log = storage.deliveries();
        let scope = scope([subscription.account]);
        let page = log.page(&scope, subscription.id, &DeliveryFilter::default(), page).await.expect("page");
        assert!(page.items.iter().all(|logged| logged.delivery.status() == Delivered::Pending));
        sent.extend(page.items.iter().map(|logged| logged.delivery.event));
    }
    assert_eq!(sent.len(), 200, "nothing twice");
    let expected: BTreeSet<_> = events.iter().map(|event| event.id).collect();
    assert_eq!(sent.into_iter().collect::<BTreeSet<_>>(), expected, "and nothing left out");
}

pub async fn removal_drops_replays(storage: &dyn ReplayStorage) {
    let samples = Samples::new(78);
    let (subscription, replay) = replayed(storage, &samples).await;
    assert!(add_replay(storage, &replay).await);
    remove(storage, &subscription).await.expect("removed");
    assert_eq!(find(storage, &replay).await, None);
    assert_eq!(
        replay_once(storage, &RetrySchedule::STANDARD, samples.now(), samples.random())
            .await
            .expect("a step"),
        None
    );
    let unit = storage.begin_replay().await.expect("begin");
    let again = unit.replays().insert(&replay, OPEN).await;
    assert!(matches!(again, Err(StoreError::Conflict)), "{again:?}");
}

pub async fn old_replays_are_forgotten_open_ones_never(storage: &dyn ReplayStorage) {
    let samples = Samples::new(79);
    let (subscription, open) = replayed(storage, &samples).await;
    assert!(add_replay(storage, &open).await);
    let mut ended = Vec::new();
    for _ in 0..3 {
        samples.clock().advance(Duration::from_hours(1));
        let replay = Replay::of(samples.selection(&subscription), 0, samples.random());
        assert!(add_replay(storage, &replay).await);
        let after = replay.clone().cancelled(samples.now(), Why::Asked).expect("running");
        replace(storage, &replay, &after).await.expect("replaced");
        ended.push(after);
    }
    let last = ended[2].ended_at().expect("ended");
    for expected in [1, 1, 0] {
        let unit = storage.begin_replay().await.expect("begin");
        assert_eq!(unit.replays().purge(last, 1).await.expect("purge"), expected);
        unit.commit().await.expect("commit");
    }
    let scope = scope([subscription.account]);
    let left = storage.replays().page(&scope, subscription.id, first_page()).await.expect("page").items;
    assert_eq!(left, [ended[2].clone(), open]);
}

pub async fn a_replay_without_its_audit_entry_does_not_commit(storage: &dyn ReplayStorage) {
    let samples = Samples::new(80);
    let (_, replay) = replayed(storage, &samples).await;
    let unit = storage.begin_replay().await.expect("begin");
    assert!(unit.replays().insert(&replay, OPEN).await.expect("insert"));
    assert!(matches!(unit.commit().await, Err(StoreError::Backend(_))));
    assert_eq!(find(storage, &replay).await, None);
}
