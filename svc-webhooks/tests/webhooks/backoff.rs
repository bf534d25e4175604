//! Receivers that rest: who waits for how long, and what is learnt from others.

use std::sync::Arc;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use svc_core::clock::Timestamp;
use svc_testkit::property;
use svc_testkit::webhooks::sample::Samples;
use svc_webhooks::delivery::{Delivery, State};
use svc_webhooks::health::{Pace, Standing};
use svc_webhooks::ports::{Lease, Leased, Notification};
use svc_webhooks::retry::RetrySchedule;
use svc_webhooks::scheduler::{Ended, LOOK_AGAIN, Places, Scheduler};
use svc_webhooks::subscription::Subscription;

const PLACES: Places = Places { attempts: 16, waiting: 64 };
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
        Self { samples, subscription, scheduler: Scheduler::new(PLACES) }
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
            standing: Standing::default(),
        }
    }

    fn offer(&mut self, attempts: u8, now: Timestamp, standing: Standing) {
        let leased = Leased { standing, ..self.leased(attempts, now) };
        self.scheduler.offer(leased);
    }

    /// Makes an attempt that ends as it starts.
    fn attempt(&mut self, now: Timestamp, arrived: bool, asked_until: Option<Timestamp>) {
        self.offer(1, now.minus(Duration::from_hours(1)), Standing::default());
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
        });
    }

    fn rests(&mut self, now: Timestamp) -> bool {
        self.scheduler.rouse(now);
        self.scheduler.wish(10).expect("there is room").rests.contains(&self.subscription.id)
    }
}

fn at(millis: u64) -> Timestamp {
    Timestamp::from_unix_seconds(100_000).plus(Duration::from_millis(millis))
}

fn failing(failures: u32, at: Timestamp) -> Standing {
    Standing { consecutive_failures: failures, at: Some(at), asked_until: None }
}

#[test]
fn rests_begin_with_the_fifth_failure_and_grow_to_a_twentieth_of_the_shortest_wait() {
    let pace = Pace::of(&RetrySchedule::STANDARD);
    let rests: Vec<_> = (0..12).map(|failures| pace.rest(failures).as_micros()).collect();
    assert_eq!(rests[..5], [0; 5]);
    assert_eq!(rests[5..], [93_750, 187_500, 375_000, 750_000, 1_500_000, 3_000_000, 3_000_000]);
    assert_eq!(pace.rest(u32::MAX), MOST);
    let quick = RetrySchedule::new([Duration::from_secs(4), Duration::from_secs(2), MOST, MOST, MOST]);
    assert_eq!(Pace::of(&quick).most(), Duration::from_millis(100));
}

#[test]
fn a_dead_receiver_is_asked_for_something_new_once_in_each_rest() {
    let mut receiver = Receiver::new();
    for _ in 0..9 {
        receiver.attempt(at(0), false, None);
    }
    let (mut now, mut asked) = (0, Vec::new());
    while now < 30_000 {
        if !receiver.rests(at(now)) {
            receiver.offer(0, at(now), Standing::default());
            let leased = receiver.scheduler.start(at(now)).expect("it has rested");
            assert!(receiver.scheduler.start(at(now)).is_none(), "one at a time");
            receiver.end(&leased, at(now), false, None);
            asked.push(now);
        }
        now += 10;
    }
    assert_eq!(asked, [1_500, 4_500, 7_500, 10_500, 13_500, 16_500, 19_500, 22_500, 25_500, 28_500]);

    // It comes back: nothing holds it up any more.
    receiver.offer(0, at(31_500), Standing::default());
    let leased = receiver.scheduler.start(at(31_500)).expect("it has rested");
    receiver.end(&leased, at(31_500), true, None);
    assert!(!receiver.rests(at(31_500)));
    assert_eq!(receiver.scheduler.wakes_at(), None);
}

#[test]
fn what_is_new_for_a_receiver_that_rests_is_given_back_and_a_later_attempt_waits_for_its_patience() {
    let mut receiver = Receiver::new();
    for _ in 0..20 {
        receiver.attempt(at(0), false, Some(at(600_000)));
    }
    receiver.offer(0, at(1_000), Standing::default());
    assert_eq!((receiver.scheduler.late().len(), receiver.scheduler.waiting()), (1, 0));
    receiver.offer(2, at(1_000), Standing::default());
    assert!(receiver.scheduler.start(at(3_999)).is_none());
    assert_eq!(receiver.scheduler.wakes_at(), Some(at(4_000)));
    receiver.scheduler.rouse(at(4_000));
    let leased =
        receiver.scheduler.start(at(4_000)).expect("its schedule stands, whatever the receiver asks for");
    receiver.end(&leased, at(4_000), true, None);
    assert!(!receiver.rests(at(4_000)), "a success ends the rest that was asked for");
}

#[test]
fn a_rest_that_was_asked_for_lasts_until_its_end_and_others_are_asked_meanwhile() {
    let mut receiver = Receiver::new();
    receiver.attempt(at(0), false, Some(at(60_000)));
    assert!(receiver.rests(at(0)) && receiver.rests(at(14_999)));
    // After a while somebody looks whether another server knows better, once.
    assert!(receiver.scheduler.rouse(at(15_000)) && !receiver.scheduler.rouse(at(15_001)));
    assert!(!receiver.rests(at(15_001)));
    receiver.offer(0, at(15_002), failing(1, at(0)));
    assert_eq!(receiver.scheduler.late().len(), 1, "nobody does");
    assert!(receiver.rests(at(15_002)));
    receiver.offer(0, at(15_003), failing(0, at(15_000)));
    assert!(receiver.scheduler.start(at(15_003)).is_some(), "it answered somebody else");
    assert!(!receiver.rests(at(15_003)));

    receiver.attempt(at(20_000), false, Some(at(80_000)));
    receiver.scheduler.rouse(at(80_000));
    assert!(!receiver.rests(at(80_000)));
    let rest = LOOK_AGAIN;
    assert!(rest > MOST, "rests of the breaker end before anybody looks");
}

#[test]
fn a_server_that_starts_learns_what_others_wrote_down() {
    let mut receiver = Receiver::new();
    receiver.offer(0, at(1_000), failing(40, at(0)));
    assert_eq!(receiver.scheduler.late().len(), 1);
    assert!(receiver.rests(at(2_999)) && !receiver.rests(at(3_000)));
    receiver.offer(0, at(3_000), failing(40, at(0)));
    receiver.offer(0, at(3_000), failing(40, at(0)));
    assert!(receiver.scheduler.start(at(3_000)).is_some());
    assert!(receiver.scheduler.start(at(3_000)).is_none(), "its window is closed down to one");
}

#[test]
fn what_is_older_than_our_own_experience_is_not_believed() {
    let mut receiver = Receiver::new();
    receiver.attempt(at(5_000), true, None);
    receiver.offer(0, at(5_001), failing(40, at(4_999)));
    assert!(receiver.scheduler.start(at(5_001)).is_some());
    assert!(!receiver.rests(at(5_001)));
}

#[test]
fn a_changed_subscription_is_asked_anew() {
    let mut receiver = Receiver::new();
    receiver.attempt(at(0), false, Some(at(3_600_000)));
    assert!(receiver.rests(at(1_000)));
    let after =
        Subscription { version: receiver.subscription.version.next(), ..(*receiver.subscription).clone() };
    receiver.subscription = Arc::new(after);
    receiver.offer(0, at(16_000), Standing::default());
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
    fn no_rest_outlasts_its_reason_and_no_later_attempt_waits_for_more_than_its_patience(steps in steps()) {
        let (mut receiver, mut now) = (Receiver::new(), 0);
        // The latest instant until which there was any reason to rest.
        let mut until = at(0);
        let mut under_way: Vec<Leased> = Vec::new();
        for step in steps {
            match step {
                Step::Offer { attempts, failures, asked } => {
                    let mut standing = failing(failures, at(now));
                    if failures > 0 {
                        standing.asked_until = Some(at(now + asked));
                        until = until.max(at(now + asked)).max(at(now).plus(MOST));
                    }
                    if receiver.scheduler.room() > 0 {
                        receiver.offer(attempts, at(now), standing);
                    }
                }
                Step::Start => {
                    receiver.scheduler.rouse(at(now));
                    if let Some(leased) = receiver.scheduler.start(at(now)) {
                        let rests = receiver.rests(at(now));
                        let retry = leased.delivery.attempts > 0;
                        let overdue = at(now) >= leased.since.plus(MOST);
                        prop_assert!(!rests || retry && overdue, "started although it rests");
                        under_way.push(leased);
                    }
                }
                Step::End { arrived, asked } => {
                    if let Some(leased) = under_way.pop() {
                        let asked = asked.filter(|_| !arrived).map(|asked| at(now + asked));
                        receiver.end(&leased, at(now), arrived, asked);
                        if arrived {
                            prop_assert!(!receiver.rests(at(now)));
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
            receiver.scheduler.rouse(at(now));
            let wakes = receiver.scheduler.wakes_at();
            prop_assert!(wakes.is_none_or(|wakes| at(now) < wakes && wakes <= until.max(at(now).plus(LOOK_AGAIN))));
        }
        // When every reason is gone nothing rests, and whatever is offered starts.
        let end = until.plus(Duration::from_millis(1)).max(at(now));
        prop_assert!(!receiver.rests(end));
        prop_assert_eq!(receiver.scheduler.wakes_at(), None);
        under_way.drain(..).for_each(|leased| receiver.end(&leased, end, true, None));
        receiver.offer(0, end, Standing::default());
        prop_assert!(receiver.scheduler.start(end).is_some());
    }
}
