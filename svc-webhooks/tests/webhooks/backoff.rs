//! Receivers in backoff: which attempts wait for how long, and what servers learn from each other.

use std::sync::Arc;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use svc_core::clock::Timestamp;
use svc_testkit::property;
use svc_testkit::webhooks::sample::Samples;
use svc_webhooks::delivery::{Delivery, State};
use svc_webhooks::health::{BackoffPolicy, ReceiverBackoff};
use svc_webhooks::ports::{Lease, Leased, Notification};
use svc_webhooks::retry::RetrySchedule;
use svc_webhooks::scheduler::{Capacity, Ended, RECHECK_AFTER, Scheduler};
use svc_webhooks::subscription::Subscription;

const CAPACITY: Capacity = Capacity { attempts: 16, waiting: 64 };
/// 5 % of a minute.
const MOST: Duration = Duration::from_secs(3);

struct Receiver {
    samples: Samples,
    subscription: Arc<Subscription>,
    scheduler: Scheduler,
}

impl Receiver {
    fn new() -> Self {
        let samples = Samples::new(3);
        let subscription = Arc::new(samples.subscription(samples.account(), &["contact.create"]));
        Self { samples, subscription, scheduler: Scheduler::new(CAPACITY) }
    }

    fn leased(&self, attempts: u8, now: Timestamp) -> Leased {
        let event = self.samples.event(self.subscription.account, "contact.create");
        let state = match attempts {
            0 => State::Pending { due_at: now },
            _ => State::Retrying { due_at: now },
        };
        let delivery = Delivery { attempts, state, ..self.samples.delivery(&event, &self.subscription) };
        Leased {
            lease: Lease(1),
            since: now,
            delivery,
            notification: Notification::from(&event),
            subscription: Some(Arc::clone(&self.subscription)),
            backoff: known(),
        }
    }

    fn offer(&mut self, attempts: u8, now: Timestamp, backoff: ReceiverBackoff) {
        let leased = Leased { backoff, ..self.leased(attempts, now) };
        self.scheduler.offer(leased);
    }

    /// Makes an attempt that ends as it starts.
    fn attempt(&mut self, now: Timestamp, arrived: bool, asked_until: Option<Timestamp>) {
        self.offer(1, now.minus(Duration::from_hours(1)), known());
        let leased = self.scheduler.start(now).or_else(|| self.scheduler.late().pop()).expect("offered");
        self.end(&leased, now, arrived, asked_until);
    }

    fn end(&mut self, leased: &Leased, now: Timestamp, arrived: bool, asked_until: Option<Timestamp>) {
        self.scheduler.ended(Ended {
            subscription: self.subscription.id,
            account: self.subscription.account,
            retry: leased.delivery.attempts > 0,
            arrived,
            took: Duration::ZERO,
            at: Some(now),
            asked_until,
            peer: None,
        });
    }

    fn in_backoff(&mut self, now: Timestamp) -> bool {
        self.scheduler.check_backoffs(now);
        self.scheduler.claim_request(10).expect("there is room").in_backoff.contains(&self.subscription.id)
    }
}

fn at(millis: u64) -> Timestamp {
    Timestamp::from_unix_seconds(100_000).plus(Duration::from_millis(millis))
}

/// Of a receiver whose host has shown that it wants notifications.
fn known() -> ReceiverBackoff {
    ReceiverBackoff { has_succeeded: true, ..ReceiverBackoff::default() }
}

fn failing(failures: u32, at: Timestamp) -> ReceiverBackoff {
    ReceiverBackoff { consecutive_failures: failures, at: Some(at), asked_until: None, has_succeeded: true }
}

#[test]
fn backoffs_begin_with_the_fifth_failure_and_grow_to_a_twentieth_of_the_shortest_wait() {
    let policy = BackoffPolicy::of(&RetrySchedule::STANDARD);
    let backoffs: Vec<_> = (0..12).map(|failures| policy.after(failures).as_micros()).collect();
    assert_eq!(backoffs[..5], [0; 5]);
    assert_eq!(backoffs[5..], [93_750, 187_500, 375_000, 750_000, 1_500_000, 3_000_000, 3_000_000]);
    assert_eq!(policy.after(u32::MAX), MOST);
    let quick = RetrySchedule::new([Duration::from_secs(4), Duration::from_secs(2), MOST]).expect("few");
    assert_eq!(BackoffPolicy::of(&quick).longest(), Duration::from_millis(100));
    assert_eq!(BackoffPolicy::of(&RetrySchedule::of(&[])).longest(), MOST, "that of the standard schedule");
}

#[test]
fn a_dead_receiver_is_asked_for_something_new_once_in_each_backoff() {
    let mut receiver = Receiver::new();
    for _ in 0..9 {
        receiver.attempt(at(0), false, None);
    }
    let (mut now, mut asked) = (0, Vec::new());
    while now < 30_000 {
        if !receiver.in_backoff(at(now)) {
            receiver.offer(0, at(now), known());
            let leased = receiver.scheduler.start(at(now)).expect("its backoff is over");
            assert!(receiver.scheduler.start(at(now)).is_none(), "one at a time");
            receiver.end(&leased, at(now), false, None);
            asked.push(now);
        }
        now += 10;
    }
    assert_eq!(asked, [1_500, 4_500, 7_500, 10_500, 13_500, 16_500, 19_500, 22_500, 25_500, 28_500]);

    // It comes back: nothing holds it up any more.
    receiver.offer(0, at(31_500), known());
    let leased = receiver.scheduler.start(at(31_500)).expect("its backoff is over");
    receiver.end(&leased, at(31_500), true, None);
    assert!(!receiver.in_backoff(at(31_500)));
    assert_eq!(receiver.scheduler.next_backoff_check(), None);
}

#[test]
fn what_is_new_for_a_receiver_in_backoff_is_given_back_and_a_later_attempt_starts_in_time() {
    let mut receiver = Receiver::new();
    for _ in 0..20 {
        receiver.attempt(at(0), false, Some(at(600_000)));
    }
    receiver.offer(0, at(1_000), known());
    assert_eq!((receiver.scheduler.late().len(), receiver.scheduler.waiting()), (1, 0));
    receiver.offer(2, at(1_000), known());
    assert!(receiver.scheduler.start(at(3_999)).is_none());
    assert_eq!(receiver.scheduler.next_backoff_check(), Some(at(4_000)));
    receiver.scheduler.check_backoffs(at(4_000));
    let leased =
        receiver.scheduler.start(at(4_000)).expect("its schedule stands against what the receiver asks for");
    receiver.end(&leased, at(4_000), true, None);
    assert!(!receiver.in_backoff(at(4_000)), "a success ends the backoff that the receiver asked for");
}

#[test]
fn a_backoff_that_the_receiver_asked_for_lasts_until_its_end_and_claims_look_meanwhile() {
    let mut receiver = Receiver::new();
    receiver.attempt(at(0), false, Some(at(60_000)));
    assert!(receiver.in_backoff(at(0)) && receiver.in_backoff(at(14_999)));
    // After a while one claim looks whether another server has newer knowledge.
    assert!(receiver.scheduler.check_backoffs(at(15_000)) && !receiver.scheduler.check_backoffs(at(15_001)));
    assert!(!receiver.in_backoff(at(15_001)));
    receiver.offer(0, at(15_002), failing(1, at(0)));
    assert_eq!(receiver.scheduler.late().len(), 1, "no other server does");
    assert!(receiver.in_backoff(at(15_002)));
    receiver.offer(0, at(15_003), failing(0, at(15_000)));
    assert!(receiver.scheduler.start(at(15_003)).is_some(), "it answered another server");
    assert!(!receiver.in_backoff(at(15_003)));

    receiver.attempt(at(20_000), false, Some(at(80_000)));
    receiver.scheduler.check_backoffs(at(80_000));
    assert!(!receiver.in_backoff(at(80_000)));
    let recheck = RECHECK_AFTER;
    assert!(recheck > MOST, "the longest backoff ends before a recheck");
}

#[test]
fn a_server_that_starts_learns_what_other_servers_stored() {
    let mut receiver = Receiver::new();
    receiver.offer(0, at(1_000), failing(40, at(0)));
    assert_eq!(receiver.scheduler.late().len(), 1);
    assert!(receiver.in_backoff(at(2_999)) && !receiver.in_backoff(at(3_000)));
    receiver.offer(0, at(3_000), failing(40, at(0)));
    receiver.offer(0, at(3_000), failing(40, at(0)));
    assert!(receiver.scheduler.start(at(3_000)).is_some());
    assert!(receiver.scheduler.start(at(3_000)).is_none(), "its window is closed down to one");
}

#[test]
fn what_is_older_than_our_own_experience_is_not_used() {
    let mut receiver = Receiver::new();
    receiver.attempt(at(5_000), true, None);
    receiver.offer(0, at(5_001), failing(40, at(4_999)));
    assert!(receiver.scheduler.start(at(5_001)).is_some());
    assert!(!receiver.in_backoff(at(5_001)));
}

#[test]
fn a_changed_subscription_is_asked_anew() {
    let mut receiver = Receiver::new();
    receiver.attempt(at(0), false, Some(at(3_600_000)));
    assert!(receiver.in_backoff(at(1_000)));
    let after =
        Subscription { version: receiver.subscription.version.next(), ..(*receiver.subscription).clone() };
    receiver.subscription = Arc::new(after);
    receiver.offer(0, at(16_000), known());
    assert!(receiver.scheduler.start(at(16_000)).is_some());
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Offer { attempts: u8, failures: u32, asked: u64 },
    Start,
    End { arrived: bool, asked: Option<u64> },
    Wait(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let offer = (0_u8..3, 0_u32..12, 0_u64..90_000);
    let step = prop_oneof![
        4 => offer.prop_map(|(attempts, failures, asked)| Step::Offer { attempts, failures, asked }),
        4 => Just(Step::Start),
        4 => (prop::bool::weighted(0.2), prop::option::weighted(0.1, 0_u64..90_000))
            .prop_map(|(arrived, asked)| Step::End { arrived, asked }),
        2 => (0_u64..4_000).prop_map(Step::Wait),
    ];
    vec(step, 1..200)
}

proptest! {
    #![proptest_config(property::cases(256))]

    #[test]
    fn no_backoff_outlasts_its_reason_and_no_later_attempt_starts_too_late(steps in steps()) {
        let (mut receiver, mut now) = (Receiver::new(), 0);
        // The latest instant until which there was any reason for a backoff.
        let mut until = at(0);
        let mut under_way: Vec<Leased> = Vec::new();
        for step in steps {
            match step {
                Step::Offer { attempts, failures, asked } => {
                    let mut backoff = failing(failures, at(now));
                    if failures > 0 {
                        backoff.asked_until = Some(at(now + asked));
                        until = until.max(at(now + asked)).max(at(now).plus(MOST));
                    }
                    if receiver.scheduler.room() > 0 {
                        receiver.offer(attempts, at(now), backoff);
                    }
                }
                Step::Start => {
                    receiver.scheduler.check_backoffs(at(now));
                    if let Some(leased) = receiver.scheduler.start(at(now)) {
                        let in_backoff = receiver.in_backoff(at(now));
                        let retry = leased.delivery.attempts > 0;
                        let overdue = at(now) >= leased.since.plus(MOST);
                        prop_assert!(!in_backoff || retry && overdue, "started in a backoff");
                        under_way.push(leased);
                    }
                }
                Step::End { arrived, asked } => {
                    if let Some(leased) = under_way.pop() {
                        let asked = asked.filter(|_| !arrived).map(|asked| at(now + asked));
                        receiver.end(&leased, at(now), arrived, asked);
                        if arrived {
                            prop_assert!(!receiver.in_backoff(at(now)));
                        } else {
                            until = until.max(at(now).plus(MOST)).max(asked.unwrap_or(until));
                        }
                    }
                }
                Step::Wait(millis) => now += millis,
            }
            for late in receiver.scheduler.late() {
                prop_assert!(late.delivery.attempts == 0 || at(now).since(late.since) > Duration::from_secs(5));
            }
            receiver.scheduler.check_backoffs(at(now));
            let wakes = receiver.scheduler.next_backoff_check();
            prop_assert!(wakes.is_none_or(|wakes| at(now) < wakes && wakes <= until.max(at(now).plus(RECHECK_AFTER))));
        }
        // When every reason is gone no receiver is in backoff, and what is offered starts.
        let end = until.plus(Duration::from_millis(1)).max(at(now));
        prop_assert!(!receiver.in_backoff(end));
        under_way.drain(..).for_each(|leased| receiver.end(&leased, end, true, None));
        prop_assert_eq!(receiver.scheduler.next_backoff_check(), None);
        receiver.offer(0, end, known());
        prop_assert!(receiver.scheduler.start(end).is_some());
    }
}
