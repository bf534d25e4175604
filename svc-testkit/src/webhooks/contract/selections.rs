//! Cases of what replays look at and count.

#![expect(missing_docs, reason = "the name of a case is its claim")]
#![expect(clippy::indexing_slicing, reason = "a case fails when something is missing")]

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::event::EventType;
use svc_core::id::EventId;
use svc_webhooks::delivery::{Delivery, State};
use svc_webhooks::ports::ReplayStorage;
use svc_webhooks::replay::{Candidate, Cursor, Ended, Look, Pick, Selection, Source};
use svc_webhooks::retry::RetrySchedule;
use svc_webhooks::subscription::Subscription;

use super::{CONTACT, add, enqueue, publish};
use crate::webhooks::sample::Samples;

const PAID: &str = "invoice.pay";

async fn look(storage: &dyn ReplayStorage, selection: &Selection, look: Look) -> Vec<Candidate> {
    let unit = storage.begin_replay().await.expect("begin");
    unit.replays().look(selection, &look).await.expect("look")
}

/// What is selected, which must be as much as is counted.
async fn selected(storage: &dyn ReplayStorage, selection: &Selection) -> Vec<EventId> {
    let all = Look { after: None, until: selection.until, limit: 1_000, room: 1_000 };
    let picks: Vec<_> = look(storage, selection, all)
        .await
        .iter()
        .filter_map(|found| Some(found.pick.as_ref()?.event))
        .collect();
    assert_eq!(storage.replays().count(selection).await.expect("count"), picks.len() as u64);
    picks
}

pub async fn a_replay_looks_at_the_events_of_its_company_in_its_window(storage: &dyn ReplayStorage) {
    let samples = Samples::new(81);
    let subscription = samples.subscription(samples.account(), &[CONTACT]);
    add(storage, &subscription).await;
    let kinds = [CONTACT, PAID, CONTACT, CONTACT, CONTACT];
    let mut events = kinds.map(|kind| samples.event(subscription.account, kind));
    let foreign = samples.event(samples.account(), CONTACT);
    let of_no_company = svc_core::event::Event { tenant: None, ..samples.event(samples.account(), CONTACT) };
    publish(storage, &events).await;
    publish(storage, &[foreign, of_no_company]).await;
    events.sort_by_key(|event| event.id);
    let ids = |at: &[usize]| at.iter().map(|at| events[*at].id).collect::<Vec<_>>();

    let all = samples.selection(&subscription);
    assert_eq!(selected(storage, &all).await, ids(&[0, 2, 3, 4]));
    let some = Selection { from: Some(events[1].occurred_at), until: events[3].occurred_at, ..all.clone() };
    assert_eq!(selected(storage, &some).await, ids(&[2]));
    let paid = Selection { types: [EventType::of(PAID)].into(), ..all.clone() };
    assert_eq!(selected(storage, &paid).await, ids(&[1]));

    // What is not selected is looked at too, so that each look has an end.
    let first = Look { after: None, until: all.until, limit: 2, room: 9 };
    let candidate = |at: usize, selected: bool| {
        let pick = Pick { event: events[at].id, kind: events[at].kind.clone(), max_attempts: None };
        Candidate { cursor: Cursor::Event(events[at].id), pick: selected.then_some(pick) }
    };
    assert_eq!(look(storage, &all, first).await, [candidate(0, true), candidate(1, false)]);
    let next = Look { after: Some(Cursor::Event(events[1].id)), ..first };
    assert_eq!(look(storage, &all, next).await, [candidate(2, true), candidate(3, true)]);
    let early = Look { until: events[3].occurred_at, ..next };
    assert_eq!(look(storage, &all, early).await, [candidate(2, true)]);
}

/// Deliveries of one subscription, each a minute after the one before.
struct Log<'a> {
    storage: &'a dyn ReplayStorage,
    samples: &'a Samples,
    subscription: Subscription,
}

impl Log<'_> {
    async fn event(&self, kind: &str) -> svc_core::event::Event {
        let event = self.samples.event(self.subscription.account, kind);
        publish(self.storage, std::slice::from_ref(&event)).await;
        event
    }

    /// A delivery of the event that stands in this state.
    async fn put(&self, event: &svc_core::event::Event, state: fn(Timestamp) -> State) -> Delivery {
        self.samples.clock().advance(Duration::from_mins(1));
        let fresh = self.samples.delivery(event, &self.subscription);
        let state = state(fresh.created_at.plus(Duration::from_secs(1)));
        // Only what waits for its second attempt has had one: the queue tells the two apart by it.
        let attempts = u8::from(matches!(state, State::Retrying { .. }));
        let delivery = Delivery { state, attempts, automatic: false, ..fresh };
        enqueue(self.storage, std::slice::from_ref(&delivery)).await;
        delivery
    }

    fn selection(&self) -> Selection {
        self.samples.clock().advance(Duration::from_mins(1));
        let source = Source::Deliveries { ended: Ended::Failed, event: None, even_if_arrived: false };
        Selection { source, ..self.samples.selection(&self.subscription) }
    }
}

fn failed(at: Timestamp) -> State {
    State::Failed { at }
}

fn delivered(at: Timestamp) -> State {
    State::Delivered { at }
}

fn pending(due_at: Timestamp) -> State {
    State::Pending { due_at }
}

fn retrying(due_at: Timestamp) -> State {
    State::Retrying { due_at }
}

async fn log<'a>(storage: &'a dyn ReplayStorage, samples: &'a Samples) -> Log<'a> {
    let subscription = samples.subscription(samples.account(), &[CONTACT, PAID]);
    add(storage, &subscription).await;
    Log { storage, samples, subscription }
}

pub async fn a_replay_selects_ended_deliveries_by_what_is_asked(storage: &dyn ReplayStorage) {
    let samples = Samples::new(82);
    let log = log(storage, &samples).await;
    let other = self::log(storage, &samples).await;
    other.put(&other.event(CONTACT).await, failed).await;
    let mut events = Vec::new();
    let mut deliveries = Vec::new();
    for (kind, state) in [
        (CONTACT, failed as fn(Timestamp) -> State),
        (PAID, failed),
        (CONTACT, delivered),
        (CONTACT, pending),
        (CONTACT, retrying),
        (CONTACT, failed),
    ] {
        let event = log.event(kind).await;
        deliveries.push(log.put(&event, state).await);
        events.push(event);
    }
    let all = log.selection();
    let of = |ended, event| Source::Deliveries { ended, event, even_if_arrived: false };
    let cases = [
        (all.clone(), vec![0, 1, 5]),
        (Selection { types: [EventType::of(PAID)].into(), ..all.clone() }, vec![1]),
        (Selection { source: of(Ended::Delivered, None), ..all.clone() }, vec![2]),
        (Selection { source: of(Ended::Failed, Some(events[5].id)), ..all.clone() }, vec![5]),
        (Selection { from: Some(deliveries[1].created_at), ..all.clone() }, vec![1, 5]),
        (Selection { until: deliveries[5].created_at, ..all.clone() }, vec![0, 1]),
        (Selection { asked_at: deliveries[5].created_at, ..all.clone() }, vec![0, 1]),
    ];
    for (selection, expected) in cases {
        let expected: Vec<_> = expected.into_iter().map(|at: usize| events[at].id).collect();
        assert_eq!(selected(storage, &selection).await, expected, "{selection:?}");
    }
    let second = Look {
        after: Some(Cursor::Delivery(deliveries[0].created_at, deliveries[0].id)),
        until: all.until,
        limit: 2,
        room: 9,
    };
    let found = look(storage, &all, second).await;
    let most = Some(RetrySchedule::STANDARD.attempts());
    let pick = Pick { event: events[1].id, kind: events[1].kind.clone(), max_attempts: most };
    let cursors = [1, 2].map(|at: usize| Cursor::Delivery(deliveries[at].created_at, deliveries[at].id));
    assert_eq!(
        found,
        [Candidate { cursor: cursors[0], pick: Some(pick) }, Candidate { cursor: cursors[1], pick: None }]
    );
}

/// What becomes of a delivery at an instant.
type Step = fn(Timestamp) -> State;

pub async fn a_replay_selects_each_event_once_and_none_that_arrived_later(storage: &dyn ReplayStorage) {
    let samples = Samples::new(83);
    let log = log(storage, &samples).await;
    // Each event with the states of its deliveries, the oldest first.
    let histories: [&[Step]; 7] = [
        &[failed, failed],
        &[failed, delivered],
        &[delivered, failed],
        &[failed, pending],
        &[failed, retrying],
        &[failed, delivered, failed],
        &[delivered, delivered],
    ];
    let mut events = Vec::new();
    let mut seconds = Vec::new();
    for history in histories {
        let event = log.event(CONTACT).await;
        let mut last = None;
        for state in history {
            last = Some(log.put(&event, *state).await);
        }
        events.push(event.id);
        seconds.extend(last);
    }
    let failed = log.selection();
    let ids = |at: &[usize]| at.iter().map(|at| events[*at]).collect::<Vec<_>>();
    assert_eq!(selected(storage, &failed).await, ids(&[0, 2, 5]));
    let source = Source::Deliveries { ended: Ended::Failed, event: None, even_if_arrived: true };
    let even_if_arrived = Selection { source, ..failed.clone() };
    assert_eq!(selected(storage, &even_if_arrived).await, ids(&[0, 1, 2, 5]));
    let source = Source::Deliveries { ended: Ended::Delivered, event: None, even_if_arrived: false };
    assert_eq!(selected(storage, &Selection { source, ..failed.clone() }).await, ids(&[1, 2, 5, 6]));
    // The later failure is out of the window, so the earlier one counts.
    let early = Selection { until: seconds[0].created_at, ..failed };
    assert_eq!(selected(storage, &early).await, ids(&[0]));
}
