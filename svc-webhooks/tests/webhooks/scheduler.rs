//! Which delivery is attempted next.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, DeliveryId, SubscriptionId};
use svc_testkit::property;
use svc_testkit::webhooks::sample::Samples;
use svc_webhooks::delivery::{Delivery, State};
use svc_webhooks::health::ReceiverBackoff;
use svc_webhooks::ports::{Lease, Leased, Notification};
use svc_webhooks::scheduler::{Capacity, Ended, FIRST_WINDOW, START_WITHIN, Scheduler};
use svc_webhooks::subscription::{InFlight, Subscription};

const CAPACITY: Capacity = Capacity { attempts: 16, waiting: 64 };

struct Receivers {
    samples: Samples,
    subscriptions: Vec<Arc<Subscription>>,
}

impl Receivers {
    /// Subscriptions, two for each company.
    fn new(count: usize) -> Self {
        let samples = Samples::new(7);
        let accounts: Vec<AccountId> = (0..count.div_ceil(2)).map(|_| samples.account()).collect();
        let subscription = |index: usize| {
            let subscription = samples
                .subscription(*accounts.get(index / 2).expect("two for each company"), &["contact.create"]);
            let in_flight = InFlight::new(if index == 0 { 2 } else { 8 }).expect("within the bounds");
            Arc::new(Subscription { in_flight, ..subscription })
        };
        let subscriptions = (0..count).map(subscription).collect();
        Self { samples, subscriptions }
    }

    fn leased(&self, receiver: usize, retry: bool, since: Timestamp) -> Leased {
        let subscription = self.subscriptions.get(receiver).expect("a receiver");
        let event = self.samples.event(subscription.account, "contact.create");
        let delivery = Delivery {
            attempts: u8::from(retry),
            state: State::Retrying { due_at: since },
            ..self.samples.delivery(&event, subscription)
        };
        let notification = Notification::from(&event);
        Leased {
            lease: Lease(1),
            since,
            delivery,
            notification,
            subscription: Some(Arc::clone(subscription)),
            backoff: ReceiverBackoff { has_succeeded: true, ..ReceiverBackoff::default() },
        }
    }
}

fn at(second: u64) -> Timestamp {
    Timestamp::from_unix_seconds(1_000).plus(Duration::from_secs(second))
}

fn finish(scheduler: &mut Scheduler, leased: &Leased, arrived: bool) {
    finish_at(scheduler, leased, arrived, at(0), None);
}

fn finish_at(
    scheduler: &mut Scheduler,
    leased: &Leased,
    arrived: bool,
    at: Timestamp,
    asked_until: Option<Timestamp>,
) {
    let delivery = &leased.delivery;
    scheduler.ended(Ended {
        subscription: delivery.subscription,
        account: delivery.account,
        retry: delivery.attempts > 0,
        arrived,
        took: Duration::from_millis(5),
        at: Some(at),
        asked_until,
        peer: None,
    });
}

/// How many more deliveries of a subscription may be leased.
fn room_of(scheduler: &Scheduler, subscription: &Subscription) -> u32 {
    scheduler.claim_request(u32::MAX).map_or(0, |request| request.room(subscription.id).min(request.limit))
}

fn finish_all(scheduler: &mut Scheduler, leased: &[Leased], arrived: bool) {
    for leased in leased {
        finish(scheduler, leased, arrived);
    }
}

fn started(scheduler: &mut Scheduler) -> Vec<Leased> {
    std::iter::from_fn(|| scheduler.start(at(0))).collect()
}

#[test]
fn a_receiver_that_nothing_is_known_of_has_a_small_window_that_grows_with_each_success() {
    let (receivers, mut scheduler) = (Receivers::new(2), Scheduler::new(CAPACITY));
    (0..40).for_each(|_| scheduler.offer(receivers.leased(1, false, at(0))));
    let first = started(&mut scheduler);
    assert_eq!(first.len(), FIRST_WINDOW as usize);
    finish_all(&mut scheduler, &first, true);
    let second = started(&mut scheduler);
    assert_eq!(second.len(), 8, "one more for each success, up to what the subscription allows");
    finish_all(&mut scheduler, &second, true);
    assert_eq!(started(&mut scheduler).len(), 8);
}

#[test]
fn failures_halve_the_window_down_to_a_single_attempt_and_successes_open_it_again() {
    let (receivers, mut scheduler) = (Receivers::new(2), Scheduler::new(CAPACITY));
    (0..40).for_each(|_| scheduler.offer(receivers.leased(1, false, at(0))));
    let first = started(&mut scheduler);
    finish_all(&mut scheduler, &first, false);
    assert_eq!(room_of(&scheduler, &receivers.subscriptions[1]), 0, "nothing is leased ahead for it");
    for window in [1, 2, 4] {
        let next = started(&mut scheduler);
        assert_eq!(next.len(), window);
        finish_all(&mut scheduler, &next, true);
    }
}

/// Receivers of one company that take much, with their windows wide open, and then stop.
#[test]
fn receivers_that_stop_hold_up_no_other() {
    let receivers = Receivers::new(6);
    let mut scheduler = Scheduler::new(Capacity { attempts: 64, waiting: 512 });
    for receiver in [2, 3].into_iter().cycle().take(400) {
        scheduler.offer(receivers.leased(receiver, false, at(0)));
        let all = started(&mut scheduler);
        finish_all(&mut scheduler, &all, true);
    }
    for receiver in [2, 3] {
        for _ in 0..room_of(&scheduler, &receivers.subscriptions[receiver]) {
            scheduler.offer(receivers.leased(receiver, false, at(0)));
        }
    }
    // A company has half of the room, however much its receivers take.
    let waited = scheduler.waiting();
    assert!((128..=256).contains(&waited), "{waited}");
    assert_eq!(started(&mut scheduler).len(), 16);
    // Nothing ends: what waits goes back to the queue, but for a second's worth.
    assert!(scheduler.next_backoff_check().is_some_and(|next| next <= at(2)));
    scheduler.check_backoffs(at(2));
    assert_eq!((scheduler.waiting(), scheduler.late().len()), (16, usize::try_from(waited - 32).unwrap()));
    for _ in 0..3 {
        scheduler.offer(receivers.leased(4, false, at(2)));
    }
    assert_eq!(std::iter::from_fn(|| scheduler.start(at(2))).count(), 3, "others go on");
}

#[test]
fn a_receiver_counts_as_in_trouble_until_its_window_is_that_of_an_unknown_one() {
    let receivers = Receivers::new(2);
    let mut scheduler = Scheduler::new(CAPACITY);
    for _ in 0..8 {
        scheduler.offer(receivers.leased(1, false, at(0)));
    }
    let first = started(&mut scheduler);
    assert_eq!(scheduler.in_trouble(), 0);
    finish_all(&mut scheduler, &first[..1], false);
    assert_eq!(scheduler.in_trouble(), 1);
    finish_all(&mut scheduler, &first[1..], true);
    assert_eq!(scheduler.in_trouble(), 0);
}

#[test]
fn a_flow_is_relieved_when_there_is_room_where_there_was_none() {
    let (receivers, mut scheduler) = (Receivers::new(2), Scheduler::new(CAPACITY));
    scheduler.offer(receivers.leased(0, false, at(0)));
    let only = started(&mut scheduler);
    finish_all(&mut scheduler, &only, true);
    assert!(!scheduler.room_gained(), "nothing was full");
    (0..12).for_each(|_| scheduler.offer(receivers.leased(1, false, at(0))));
    assert_eq!(room_of(&scheduler, &receivers.subscriptions[1]), 0);
    let first = started(&mut scheduler);
    assert!(scheduler.room_gained(), "fewer wait than half of those that may");
    assert!(!scheduler.room_gained(), "it was told");
    finish_all(&mut scheduler, &first, false);
    assert_eq!(room_of(&scheduler, &receivers.subscriptions[1]), 0);
    assert!(!scheduler.room_gained(), "there is less room than before");
    let fifth = started(&mut scheduler);
    finish_all(&mut scheduler, &fifth, false);
    assert!(scheduler.room_gained(), "what waited for a receiver that is in backoff now was turned away");
    let mut trouble = Scheduler::new(CAPACITY);
    (0..2).for_each(|_| trouble.offer(receivers.leased(1, true, at(0))));
    let both = started(&mut trouble);
    finish(&mut trouble, &both[0], false);
    finish(&mut trouble, &both[1], false);
    trouble.room_gained();
    trouble.offer(receivers.leased(1, true, at(0)));
    let only = started(&mut trouble);
    assert_eq!((only.len(), room_of(&trouble, &receivers.subscriptions[1])), (1, 0));
    finish_all(&mut trouble, &only, true);
    assert!(trouble.room_gained(), "the only attempt of a receiver in trouble has ended");
    let (many, mut retries) = (Receivers::new(40), Scheduler::new(CAPACITY));
    (2..14).for_each(|receiver| retries.offer(many.leased(receiver, true, at(0))));
    let later = started(&mut retries);
    assert!(!retries.claim_request(10).expect("there is room").retries && !retries.room_gained());
    finish_all(&mut retries, &later[..1], true);
    assert!(retries.room_gained(), "for attempts after the first");
    let mut full = Scheduler::new(Capacity { waiting: 4, ..CAPACITY });
    (0..4).for_each(|_| full.offer(receivers.leased(0, false, at(0))));
    assert_eq!(full.room(), 0);
    started(&mut full);
    assert!(full.room_gained(), "as a whole");
}

#[test]
fn a_success_ends_a_rest_and_that_is_told_once() {
    let (receivers, mut scheduler) = (Receivers::new(2), Scheduler::new(CAPACITY));
    (0..2).for_each(|_| scheduler.offer(receivers.leased(1, true, at(0))));
    let both = started(&mut scheduler);
    finish_at(&mut scheduler, &both[0], false, at(0), Some(at(3_600)));
    assert!(!scheduler.check_backoffs(at(0)), "its backoff has begun");
    assert!(
        scheduler
            .claim_request(10)
            .expect("there is room")
            .in_backoff
            .contains(&receivers.subscriptions[1].id)
    );
    finish_at(&mut scheduler, &both[1], true, at(1), None);
    assert!(scheduler.claim_request(10).expect("there is room").in_backoff.is_empty());
    assert!(scheduler.check_backoffs(at(1)), "what is new may be leased again");
    assert!(!scheduler.check_backoffs(at(1)));
}

#[test]
fn receivers_take_turns() {
    let (receivers, mut scheduler) = (Receivers::new(8), Scheduler::new(CAPACITY));
    for receiver in [2, 2, 2, 2, 4, 6] {
        scheduler.offer(receivers.leased(receiver, false, at(0)));
    }
    let order: Vec<SubscriptionId> =
        started(&mut scheduler).iter().map(|leased| leased.delivery.subscription).collect();
    let of = |receiver: usize| receivers.subscriptions[receiver].id;
    assert_eq!(order, [of(2), of(4), of(6), of(2), of(2), of(2)]);
}

#[test]
fn later_attempts_leave_places_for_first_ones() {
    let (receivers, mut scheduler) = (Receivers::new(40), Scheduler::new(CAPACITY));
    for receiver in 2..40 {
        scheduler.offer(receivers.leased(receiver, true, at(0)));
    }
    assert_eq!(started(&mut scheduler).len(), 12, "three quarters of the slots");
    assert!(!scheduler.claim_request(10).expect("there is room").retries);
    scheduler.offer(receivers.leased(1, false, at(0)));
    assert_eq!(started(&mut scheduler).len(), 1);
}

#[test]
fn what_waited_too_long_is_given_back() {
    let (receivers, mut scheduler) = (Receivers::new(2), Scheduler::new(CAPACITY));
    scheduler.offer(receivers.leased(1, false, at(0)));
    assert!(scheduler.start(at(0).plus(START_WITHIN).plus(Duration::from_micros(1))).is_none());
    assert_eq!((scheduler.late().len(), scheduler.waiting()), (1, 0));
    assert!(scheduler.late().is_empty());
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Offer { receiver: usize, retry: bool },
    Start,
    End { place: prop::sample::Index, arrived: bool },
    Wait(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0_usize..8, any::<bool>()).prop_map(|(receiver, retry)| Step::Offer { receiver, retry }),
        4 => Just(Step::Start),
        3 => (any::<prop::sample::Index>(), any::<bool>()).prop_map(|(place, arrived)| Step::End { place, arrived }),
        1 => (0_u64..4).prop_map(Step::Wait),
    ];
    vec(step, 1..300)
}

proptest! {
    #![proptest_config(property::cases(256))]

    #[test]
    fn every_limit_holds_and_nothing_is_lost_or_doubled(steps in steps()) {
        let (receivers, mut scheduler, mut second) = (Receivers::new(8), Scheduler::new(CAPACITY), 0);
        let (mut offered, mut out) = (BTreeSet::<DeliveryId>::new(), BTreeSet::<DeliveryId>::new());
        let mut under_way: Vec<Leased> = Vec::new();
        for step in steps {
            match step {
                Step::Offer { receiver, retry } => {
                    if room_of(&scheduler, &receivers.subscriptions[receiver]) > 0 {
                        let leased = receivers.leased(receiver, retry, at(second));
                        offered.insert(leased.delivery.id);
                        scheduler.offer(leased);
                    }
                }
                Step::Start => {
                    if let Some(leased) = scheduler.start(at(second)) {
                        prop_assert!(at(second).since(leased.since) <= START_WITHIN);
                        prop_assert!(out.insert(leased.delivery.id), "started twice");
                        under_way.push(leased);
                    }
                }
                Step::End { place, arrived } if !under_way.is_empty() => {
                    let leased = under_way.swap_remove(place.index(under_way.len()));
                    finish(&mut scheduler, &leased, arrived);
                }
                Step::End { .. } => {}
                Step::Wait(seconds) => second += seconds,
            }
            for late in scheduler.late() {
                prop_assert!(out.insert(late.delivery.id), "started and given back");
            }
            let mut of: BTreeMap<SubscriptionId, u16> = BTreeMap::new();
            for leased in &under_way {
                *of.entry(leased.delivery.subscription).or_default() += 1;
            }
            for subscription in &receivers.subscriptions {
                prop_assert!(of.get(&subscription.id).is_none_or(|count| *count <= subscription.in_flight.get()));
            }
            let retries = under_way.iter().filter(|leased| leased.delivery.attempts > 0).count();
            prop_assert!(under_way.len() <= 16 && retries <= 12);
            prop_assert_eq!(scheduler.under_way() as usize, under_way.len());
            prop_assert_eq!(scheduler.waiting() as usize, offered.len() - out.len());
            prop_assert!(scheduler.waiting() <= CAPACITY.waiting);
        }
        // Once receivers answer and backoffs end, everything that waits starts without anything else being offered.
        let mut now = at(second);
        while scheduler.waiting() > 0 {
            if let Some(leased) = scheduler.start(now) {
                prop_assert!(out.insert(leased.delivery.id));
                under_way.push(leased);
                continue;
            }
            let late = scheduler.late();
            if under_way.is_empty() && late.is_empty() {
                // Only an attempt after the first waits here, for the backoff of its receiver.
                let next = scheduler.next_backoff_check().filter(|next| *next > now);
                prop_assert!(next.is_some(), "nothing moves any more");
                now = next.unwrap_or(now);
                scheduler.check_backoffs(now);
            }
            out.extend(late.iter().map(|late| late.delivery.id));
            under_way.drain(..).for_each(|leased| finish(&mut scheduler, &leased, true));
        }
        out.extend(scheduler.late().iter().map(|late| late.delivery.id));
        prop_assert_eq!(offered, out);
    }
}
