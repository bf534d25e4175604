//! From an event to its arrival.

use std::collections::BTreeSet;
use std::time::Duration;

use async_trait::async_trait;
use svc_core::event::EventType;
use svc_testkit::fakes::FakeSender;
use svc_testkit::webhooks::sample::scope;
use svc_webhooks::delivery::{
    AttemptReport, Delivery, DispatchReport, Outcome, RedeliverError, State, Status, TestError,
    TransitionError, attempt_claimed, begin_test, finish_test, redeliver,
};
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::ports::{Answer, Exchange, HttpSender, Outgoing, Refusal, SendError, WebhookStorage, Wish};
use svc_webhooks::retry::RetrySchedule;
use svc_webhooks::subscription::{
    CLOCK_SKEW, Change, State as SubscriptionState, Subscription, UpdateRequest, remove, update,
};

use crate::world::{World, commit, headers, silence};

async fn switch(world: &World, subscription: &Subscription, active: bool) {
    let request = UpdateRequest { active: Some(active), ..UpdateRequest::default() };
    let held = "read".parse().expect("valid");
    let change = Change::check(request, &held, &silence()).await.expect("valid");
    let unit = world.begin().await;
    update(&*unit, world.call(), subscription.id, None, change).await.expect("update");
    commit(unit).await;
}

#[tokio::test]
async fn a_delivery_is_attempted_six_times_with_the_five_waits_and_then_failed() {
    let world = World::new();
    let subscription = world.subscribed().await;
    let event = world.happen().await;
    assert_eq!(world.dispatch().await, DispatchReport { events: 1, deliveries: 1, more: false });
    let receiver = FakeSender::new().always(500);

    let minutes = [1, 5, 30, 120, 720];
    for (attempt, minutes) in (1..).zip(minutes) {
        let failed = AttemptReport { claimed: 1, failed: 1, ..AttemptReport::default() };
        assert_eq!(world.attempt(&receiver).await, failed);
        let delivery = world.delivery_of(&subscription).await;
        assert_eq!((delivery.status(), delivery.attempts), (Status::Retrying, attempt));

        let wait = Duration::from_mins(minutes);
        assert_eq!(delivery.next_attempt_at(), Some(world.samples.now().plus(wait)));
        world.pass(wait.saturating_sub(Duration::from_millis(1)));
        assert_eq!(world.attempt(&receiver).await, AttemptReport::default(), "not before its time");
        world.pass(Duration::from_millis(1));
    }
    world.attempt(&receiver).await;
    let delivery = world.delivery_of(&subscription).await;
    assert_eq!(delivery.state, State::Failed { at: world.samples.now() });
    assert_eq!(delivery.last.and_then(|last| last.error).as_deref(), Some("answered 500"));
    world.pass(Duration::from_hours(100));
    assert_eq!(world.attempt(&receiver).await, AttemptReport::default());

    assert_eq!(receiver.sent().len(), 6);
    assert_eq!(headers(&receiver, "X-SVC-Webhook-Id"), vec![event.id.to_string(); 6]);
    assert_eq!(headers(&receiver, "X-SVC-Webhook-Delivery"), vec![delivery.id.to_string(); 6]);
    let dates: BTreeSet<_> = headers(&receiver, "X-SVC-Webhook-Date").into_iter().collect();
    assert_eq!(dates.len(), 6, "each attempt has its own date");
    let log = world.logged(delivery.id).await.attempts;
    assert_eq!(log.iter().map(|attempt| attempt.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
}

#[tokio::test]
async fn only_2xx_is_a_success() {
    for status in [200, 202, 204, 299] {
        assert_eq!(first_outcome(FakeSender::new().then(status)).await.0, Status::Delivered, "{status}");
    }
    for (receiver, code, error) in [
        (FakeSender::new().then(199), Some(199), "answered 199"),
        (FakeSender::new().then(302), Some(302), "redirect (302) is not followed"),
        (FakeSender::new().then(404), Some(404), "answered 404"),
        (FakeSender::new().then(503), Some(503), "answered 503"),
        (FakeSender::new().then_failing(SendError::Timeout), None, "no complete answer in time"),
        (FakeSender::new().then_failing(SendError::Dns), None, "the host name does not resolve"),
    ] {
        let (status, last) = first_outcome(receiver).await;
        assert_eq!(status, Status::Retrying, "{error}");
        assert_eq!((last.status_code, last.error.as_deref()), (code, Some(error)));
    }
}

async fn first_outcome(receiver: FakeSender) -> (Status, Outcome) {
    let world = World::new();
    let subscription = world.subscribed().await;
    world.happen().await;
    world.dispatch().await;
    world.attempt(&receiver.taking(world.samples.clock(), Duration::from_millis(250))).await;
    let delivery = world.delivery_of(&subscription).await;
    let last = delivery.last.clone().expect("one attempt was made");
    assert_eq!(last.duration, Duration::from_millis(250));
    (delivery.status(), last)
}

#[tokio::test]
async fn an_event_goes_to_the_active_subscriptions_of_its_company_that_list_it() {
    let world = World::new();
    let wanted = world.subscribed().await;
    let other_type = world.samples.subscription(world.account, &["contact.update"]);
    let foreign = world.samples.subscription(world.samples.account(), &["contact.create"]);
    let off = Subscription {
        state: SubscriptionState::Inactive,
        ..world.samples.subscription(world.account, &["contact.create"])
    };
    for subscription in [&other_type, &foreign, &off] {
        world.store(subscription).await;
    }
    world.happen().await;
    world.pass(CLOCK_SKEW + Duration::from_secs(1));
    let late = world.subscribed().await;
    let mut nobodys = world.samples.event(world.account, "contact.create");
    nobodys.account = None;
    world.publish(&nobodys).await;
    assert_eq!(world.dispatch().await, DispatchReport { events: 2, deliveries: 1, more: false });
    let delivery = world.delivery_of(&wanted).await;
    assert!(delivery.automatic);
    assert_eq!(delivery.next_attempt_at(), Some(world.samples.now()), "due at once");
    assert_eq!(world.storage.outbox(), [], "an event that nobody wants leaves the outbox too");
    assert_eq!(world.storage.queue().depth(world.samples.now()).await.expect("depth").queued, 1);
    assert!(late.is_active(), "but it began after the event");
}

#[tokio::test]
async fn a_subscription_switched_on_again_gets_nothing_of_the_time_in_between() {
    let world = World::new();
    let subscription = world.subscribed().await;
    switch(&world, &subscription, false).await;
    world.happen().await;
    world.pass(Duration::from_secs(1));
    switch(&world, &subscription, true).await;
    assert_eq!(world.dispatch().await, DispatchReport { events: 1, deliveries: 0, more: false });
    world.happen().await;
    assert_eq!(world.dispatch().await.deliveries, 1);
}

#[tokio::test]
async fn what_is_queued_for_an_inactive_subscription_ends_without_an_attempt() {
    let world = World::new();
    let subscription = world.subscribed().await;
    world.happen().await;
    world.dispatch().await;
    switch(&world, &subscription, false).await;
    let report = world.attempt(&silence()).await;
    assert_eq!(report, AttemptReport { claimed: 1, failed: 1, ..AttemptReport::default() });
    let delivery = world.delivery_of(&subscription).await;
    assert_eq!((delivery.status(), delivery.attempts), (Status::Failed, 0));
    assert_eq!(delivery.last.and_then(|last| last.error).as_deref(), Some("subscription_inactive"));
}

#[tokio::test]
async fn a_removed_subscription_gets_nothing_not_even_what_is_queued_or_in_flight() {
    let world = World::new();
    let subscription = world.subscribed().await;
    world.happen().await;
    world.dispatch().await;
    let lease_for = world.config.lease_for;
    let queue = world.storage.queue();
    let mut leased =
        queue.claim(&Wish::any(1), world.samples.now(), lease_for).await.expect("claim").leased.remove(0);
    world.happen().await;
    world.dispatch().await;
    let unit = world.begin().await;
    remove(&*unit, world.call(), subscription.id, None).await.expect("remove");
    commit(unit).await;

    world.pass(lease_for);
    world.happen().await;
    assert_eq!(world.dispatch().await, DispatchReport { events: 1, deliveries: 0, more: false });
    assert_eq!(world.attempt(&silence()).await, AttemptReport::default());

    // A queue may still have shown the delivery after the removal: it is not sent.
    leased.subscription = None;
    let settlement = attempt_claimed(leased, &silence(), world.samples.clock(), &world.config).await;
    assert_eq!(settlement.attempt, None);
    let error = settlement.delivery.last.and_then(|last| last.error);
    assert_eq!(error.as_deref(), Some("subscription_removed"));
}

#[tokio::test]
async fn a_sender_that_dies_before_settling_loses_nothing() {
    let world = World::new();
    let subscription = world.subscribed().await;
    let event = world.happen().await;
    world.dispatch().await;
    let lease_for = world.config.lease_for;
    let receiver = FakeSender::new();

    // Claimed and sent, but the process ends before it writes the answer back.
    let mut claimed = world
        .storage
        .queue()
        .claim(&Wish::any(10), world.samples.now(), lease_for)
        .await
        .expect("claim")
        .leased;
    let lost = attempt_claimed(claimed.remove(0), &receiver, world.samples.clock(), &world.config).await;
    assert_eq!(world.attempt(&receiver).await, AttemptReport::default(), "the lease still holds");

    world.pass(lease_for);
    let report = world.attempt(&receiver).await;
    assert_eq!(report, AttemptReport { claimed: 1, delivered: 1, ..AttemptReport::default() });
    let delivery = world.delivery_of(&subscription).await;
    assert_eq!((delivery.status(), delivery.attempts), (Status::Delivered, 1));
    assert_eq!(headers(&receiver, "X-SVC-Webhook-Id"), vec![event.id.to_string(); 2]);
    assert_eq!(headers(&receiver, "X-SVC-Webhook-Delivery"), vec![delivery.id.to_string(); 2]);

    // The first sender was only slow: what it writes now is too late.
    assert_eq!(world.storage.queue().settle(&[lost]).await.expect("settle"), 0);
    assert_eq!(world.logged(delivery.id).await.attempts.len(), 1);
}

#[tokio::test]
async fn a_dispatcher_that_dies_before_it_takes_an_event_leaves_it_in_the_outbox() {
    let world = World::new();
    world.subscribed().await;
    let event = world.happen().await;
    let waiting = world.storage.queue().waiting(10).await.expect("waiting");
    assert_eq!(waiting.events.into_iter().map(|(_, event)| event).collect::<Vec<_>>(), [event]);
    assert_eq!(world.dispatch().await, DispatchReport { events: 1, deliveries: 1, more: false });
    assert_eq!(world.dispatch().await, DispatchReport::default());
}

#[tokio::test]
async fn a_lease_that_ends_during_the_attempt_is_reported_as_stale() {
    let world = World::new();
    world.subscribed().await;
    world.happen().await;
    world.dispatch().await;
    let thief = Thief { world: &world };
    let report = world.attempt(&thief).await;
    assert_eq!(report, AttemptReport { claimed: 1, delivered: 1, failed: 0, stale: 1 });
}

/// A receiver so slow that somebody else claims the delivery meanwhile.
struct Thief<'a> {
    world: &'a World,
}

#[async_trait]
impl HttpSender for Thief<'_> {
    async fn check(&self, _: &Endpoint) -> Result<(), Refusal> {
        Ok(())
    }

    async fn send(&self, _: Outgoing) -> Exchange {
        let lease_for = self.world.config.lease_for;
        self.world.pass(lease_for);
        let now = self.world.samples.now();
        let stolen =
            self.world.storage.queue().claim(&Wish::any(1), now, lease_for).await.expect("claim").leased;
        assert_eq!(stolen.len(), 1);
        Exchange::ended(Ok(Answer::bare(200)))
    }
}

#[tokio::test]
async fn a_redelivery_is_a_new_delivery_of_the_same_event() {
    let world = World::new();
    let subscription = world.subscribed().await;
    let event = world.happen().await;
    world.dispatch().await;
    let receiver = FakeSender::new();
    let first = world.delivery_of(&subscription).await;
    let unit = world.begin().await;
    let early = redeliver(&*unit, world.call(), first.id).await;
    assert!(matches!(early, Err(RedeliverError::NotEnded { status: Status::Pending })), "{early:?}");
    drop(unit);
    world.attempt(&receiver).await;
    world.pass(Duration::from_mins(3));

    let unit = world.begin().await;
    let again = redeliver(&*unit, world.call(), first.id).await.expect("redeliver");
    commit(unit).await;
    assert_ne!(again.id, first.id);
    let expected = Delivery {
        id: again.id,
        automatic: false,
        state: State::Pending { due_at: world.samples.now() },
        created_at: world.samples.now(),
        ..first.clone()
    };
    assert_eq!(again, expected, "with the six ordinary attempts");
    world.attempt(&receiver).await;
    assert_eq!(world.logged(again.id).await.delivery.status(), Status::Delivered);
    assert_eq!(headers(&receiver, "X-SVC-Webhook-Id"), vec![event.id.to_string(); 2]);
    let ids = headers(&receiver, "X-SVC-Webhook-Delivery");
    assert_eq!(ids, [first.id.to_string(), again.id.to_string()]);
    let bodies: BTreeSet<_> = receiver.sent().into_iter().map(|request| request.body).collect();
    assert_eq!(bodies, [event.body().into()].into());
}

#[tokio::test]
async fn a_redelivery_needs_an_active_subscription_within_the_scope() {
    let world = World::new();
    let subscription = world.subscribed().await;
    world.happen().await;
    world.dispatch().await;
    world.attempt(&FakeSender::new()).await;
    let delivery = world.delivery_of(&subscription).await;

    let foreign = scope([world.samples.account()]);
    let unit = world.begin().await;
    let outcome = redeliver(&*unit, world.samples.call(&foreign), delivery.id).await;
    assert!(matches!(outcome, Err(RedeliverError::NotFound)), "{outcome:?}");
    drop(unit);
    switch(&world, &subscription, false).await;
    let unit = world.begin().await;
    let outcome = redeliver(&*unit, world.call(), delivery.id).await;
    assert!(matches!(outcome, Err(RedeliverError::SubscriptionInactive)), "{outcome:?}");
}

#[tokio::test]
async fn a_test_event_has_one_attempt_and_reports_it() {
    for (receiver, status, code) in
        [(FakeSender::new(), Status::Delivered, 200), (FakeSender::new().always(500), Status::Failed, 500)]
    {
        let world = World::new();
        let subscription = world.subscribed().await;
        let unit = world.begin().await;
        let run = begin_test(&*unit, world.call(), subscription.id, &world.config).await.expect("begin");
        assert!(run.0.lease.0 >= 0);
        commit(unit).await;
        assert_eq!(world.attempt(&silence()).await, AttemptReport::default(), "it is leased to the caller");
        assert_eq!(world.dispatch().await, DispatchReport { events: 1, deliveries: 0, more: false });

        let clock = world.samples.clock();
        let report = finish_test(run, &world.storage, &receiver, clock, &world.config).await.expect("finish");
        assert_eq!(report.delivery.status(), status);
        assert_eq!(report.delivery.event_type, EventType::TEST);
        assert_eq!(report.delivery.last.as_ref().and_then(|last| last.status_code), Some(code));
        assert_eq!(world.logged(report.delivery.id).await.delivery, report.delivery);
        world.pass(Duration::from_hours(100));
        assert_eq!(world.attempt(&receiver).await, AttemptReport::default());
        assert_eq!(headers(&receiver, "X-SVC-Webhook-Event"), ["webhook.test"]);
    }
}

#[tokio::test]
async fn a_test_whose_caller_died_is_still_attempted_once() {
    let world = World::new();
    let subscription = world.subscribed().await;
    let unit = world.begin().await;
    begin_test(&*unit, world.call(), subscription.id, &world.config).await.expect("begin");
    commit(unit).await;
    world.pass(world.config.lease_for);
    let receiver = FakeSender::new().always(500);
    assert_eq!(world.attempt(&receiver).await.failed, 1);
    world.pass(Duration::from_hours(100));
    assert_eq!(world.attempt(&receiver).await, AttemptReport::default());
    assert_eq!(world.delivery_of(&subscription).await.status(), Status::Failed);
}

#[tokio::test]
async fn a_test_needs_an_active_subscription() {
    let world = World::new();
    let subscription = world.subscribed().await;
    switch(&world, &subscription, false).await;
    let unit = world.begin().await;
    let outcome = begin_test(&*unit, world.call(), subscription.id, &world.config).await;
    assert!(matches!(outcome, Err(TestError::SubscriptionInactive)), "{outcome:?}");
    let nowhere = scope([]);
    let call = world.samples.call(&nowhere);
    let outcome = begin_test(&*unit, call, subscription.id, &world.config).await;
    assert!(matches!(outcome, Err(TestError::NotFound)), "{outcome:?}");
}

#[test]
fn an_illegal_step_names_the_action_and_the_state() {
    let world = World::new();
    let subscription = world.samples.subscription(world.account, &["contact.create"]);
    let event = world.samples.event(world.account, "contact.create");
    let delivery = world.samples.delivery(&event, &subscription);
    let ended = delivery.cancel(world.samples.now(), "subscription_removed").expect("open");
    let outcome = Outcome { status_code: Some(200), error: None, duration: Duration::ZERO };
    let refused = ended.clone().attempt_succeeded(world.samples.now(), outcome.clone());
    assert_eq!(refused, Err(TransitionError { action: "complete", status: Status::Failed }));
    let refused = ended.attempt_failed(world.samples.now(), outcome, &RetrySchedule::STANDARD);
    let text = refused.expect_err("it has ended").to_string();
    assert_eq!(text, "cannot fail a delivery that is failed");
}
