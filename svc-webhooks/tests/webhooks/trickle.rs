//! What a host gets that has not answered 2xx yet, over all subscriptions that name it.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_testkit::webhooks::sample::Samples;
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::health::ReceiverBackoff;
use svc_webhooks::ports::{Lease, Leased, Notification};
use svc_webhooks::scheduler::{Capacity, Ended, Scheduler, TRICKLE};
use svc_webhooks::subscription::Subscription;

const CAPACITY: Capacity = Capacity { attempts: 64, waiting: 1_000 };
const VICTIM: &str = "https://victim.example/hook";

struct World {
    samples: Samples,
    scheduler: Scheduler,
}

impl World {
    fn new() -> Self {
        Self { samples: Samples::new(11), scheduler: Scheduler::new(CAPACITY) }
    }

    /// A subscription of a company of its own.
    fn subscription(&self, url: &str) -> Subscription {
        let subscription = self.samples.subscription(self.samples.account(), &["contact.create"]);
        Subscription { endpoint: Endpoint::parse(url).expect("a URL"), ..subscription }
    }

    fn offer(&mut self, subscription: &Subscription, now: Timestamp) {
        let event = self.samples.event(subscription.account, "contact.create");
        self.scheduler.offer(Leased {
            lease: Lease(1),
            since: now,
            delivery: self.samples.delivery(&event, subscription),
            notification: Notification::from(&event),
            subscription: Some(Arc::new(subscription.clone())),
            backoff: ReceiverBackoff::default(),
        });
    }

    fn started(&mut self, now: Timestamp) -> Vec<Leased> {
        std::iter::from_fn(|| self.scheduler.start(now)).collect()
    }

    fn end(&mut self, leased: &Leased, arrived: bool, now: Timestamp, peer: Option<IpAddr>) {
        self.scheduler.ended(Ended {
            subscription: leased.delivery.subscription,
            account: leased.delivery.account,
            retry: false,
            arrived,
            took: Duration::from_millis(5),
            at: Some(now),
            asked_until: None,
            peer,
        });
    }
}

fn at(millis: u64) -> Timestamp {
    Timestamp::from_unix_seconds(1_000).plus(Duration::from_millis(millis))
}

#[test]
fn many_subscriptions_to_one_host_get_what_one_gets() {
    let mut world = World::new();
    let subscriptions: Vec<_> = (0..20).map(|_| world.subscription(VICTIM)).collect();
    let (mut now, mut requests) = (0, 0);
    while now < 60_000 {
        for subscription in &subscriptions {
            let room = world.scheduler.claim_request(1_000).expect("room").room(subscription.id);
            (0..room).for_each(|_| world.offer(subscription, at(now)));
        }
        let under_way = world.started(at(now));
        requests += under_way.len();
        for leased in under_way {
            world.end(&leased, false, at(now), Some([192, 0, 2, 1].into()));
        }
        world.scheduler.late();
        now += 50;
    }
    let most = 4 * 60_000 / usize::try_from(TRICKLE.as_millis()).unwrap();
    assert!((60..=most).contains(&requests), "{requests}");
}

#[test]
fn the_first_success_opens_the_host_for_all_of_its_subscriptions() {
    let mut world = World::new();
    let subscriptions: Vec<_> = (0..3).map(|_| world.subscription(VICTIM)).collect();
    for subscription in &subscriptions {
        (0..4).for_each(|_| world.offer(subscription, at(0)));
    }
    let first = world.started(at(0));
    assert_eq!(first.len(), 3, "one of each");
    world.end(&first[0], true, at(5), Some([192, 0, 2, 1].into()));
    assert_eq!(world.started(at(5)).len(), 9);
}

#[test]
fn a_subscription_that_moves_sends_nothing_to_the_new_host_by_the_proof_of_the_old_one() {
    let mut world = World::new();
    let mut subscription = world.subscription("https://own.example/hook");
    world.offer(&subscription, at(0));
    let first = world.started(at(0));
    world.end(&first[0], true, at(1), Some([192, 0, 2, 2].into()));
    (0..3).for_each(|_| world.offer(&subscription, at(2)));
    let slow = world.scheduler.start(at(2)).expect("its host is proven");

    subscription.endpoint = Endpoint::parse(VICTIM).expect("a URL");
    subscription.version = subscription.version.next();
    world.offer(&subscription, at(3));
    assert_eq!(world.scheduler.late().len(), 2, "leased for the former URL");
    assert!(world.started(at(3)).is_empty(), "an attempt to the former host is under way");
    world.end(&slow, true, at(4), Some([192, 0, 2, 2].into()));
    (0..3).for_each(|_| world.offer(&subscription, at(5)));
    assert_eq!(world.started(at(5)).len(), 1);
}
