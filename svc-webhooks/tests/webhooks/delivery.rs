//! From an event to its arrival.

use std::collections::BTreeSet;
use std::time::Duration;

use async_trait::async_trait;
use svc_core::refused::Refused;
use svc_testkit::fakes::FakeSender;
use svc_testkit::webhooks::sample::scope;
use svc_testkit::webhooks::verbs::remove;
use svc_webhooks::delivery::{
    AttemptReport, Delivery, DispatchReport, Outcome, RedeliverError, State, Status, TransitionError,
    attempt_claimed, redeliver,
};
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::ports::{
    Answer, ClaimRequest, Exchange, HttpSender, Outgoing, QueueOverview, Refusal, SendError, WebhookStorage,
};
use svc_webhooks::retry::RetrySchedule;
use svc_webhooks::subscription::{CLOCK_SKEW, Inactive, State as SubscriptionState, Subscription};

use crate::test_app::{TestApp, commit, headers, silence};

#[tokio::test]
async fn a_delivery_is_attempted_six_times_with_the_five_waits_and_then_failed() {
    let app = TestApp::new();
    let subscription = app.subscribed().await;
    let event = app.happen().await;
    assert_eq!(app.dispatch().await, DispatchReport { events: 1, deliveries: 1, more: false });
    let receiver = FakeSender::new().always(500);

    let minutes = [1, 5, 30, 120, 720];
    for (attempt, minutes) in (1..).zip(minutes) {
        let failed = AttemptReport { claimed: 1, failed: 1, ..AttemptReport::default() };
        assert_eq!(app.attempt(&receiver).await, failed);
        let delivery = app.delivery_of(&subscription).await;
        assert_eq!((delivery.status(), delivery.attempts), (Status::Retrying, attempt));

        let wait = Duration::from_mins(minutes);
        assert_eq!(delivery.next_attempt_at(), Some(app.samples.now().plus(wait)));
        app.pass(wait.saturating_sub(Duration::from_millis(1)));
        assert_eq!(app.attempt(&receiver).await, AttemptReport::default(), "not before its time");
        app.pass(Duration::from_millis(1));
    }
    app.attempt(&receiver).await;
    let delivery = app.delivery_of(&subscription).await;
    assert_eq!(delivery.state, State::Failed { at: app.samples.now() });
    assert_eq!(delivery.last.and_then(|last| last.error).as_deref(), Some("answered 500"));
    app.pass(Duration::from_hours(100));
    assert_eq!(app.attempt(&receiver).await, AttemptReport::default());

    assert_eq!(receiver.sent().len(), 6);
    assert_eq!(headers(&receiver, "X-SVC-Webhook-Id"), vec![event.id.to_string(); 6]);
    assert_eq!(headers(&receiver, "X-SVC-Webhook-Delivery"), vec![delivery.id.to_string(); 6]);
    let dates: BTreeSet<_> = headers(&receiver, "X-SVC-Webhook-Date").into_iter().collect();
    assert_eq!(dates.len(), 6, "each attempt has its own date");
    let log = app.logged(delivery.id).await.attempts;
    assert_eq!(log.iter().map(|attempt| attempt.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
}

#[tokio::test]
async fn there_are_as_many_attempts_as_the_schedule_of_the_service_gives() {
    for waits in [0, 1, 2, 9] {
        let mut app = TestApp::new();
        app.config.schedule = RetrySchedule::new(vec![Duration::from_secs(7); waits]).expect("few enough");
        let subscription = app.subscribed().await;
        app.happen().await;
        app.dispatch().await;
        let receiver = FakeSender::new().always(500);
        for _ in 0..12 {
            app.attempt(&receiver).await;
            app.pass(Duration::from_secs(7));
        }
        let delivery = app.delivery_of(&subscription).await;
        assert_eq!(delivery.status(), Status::Failed);
        assert_eq!(usize::from(delivery.max_attempts), waits + 1);
        assert_eq!(receiver.sent().len(), waits + 1);
    }
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
    let app = TestApp::new();
    let subscription = app.subscribed().await;
    app.happen().await;
    app.dispatch().await;
    app.attempt(&receiver.taking(app.samples.clock(), Duration::from_millis(250))).await;
    let delivery = app.delivery_of(&subscription).await;
    let last = delivery.last.clone().expect("one attempt was made");
    assert_eq!(last.duration, Duration::from_millis(250));
    (delivery.status(), last)
}

#[tokio::test]
async fn an_event_goes_to_the_active_subscriptions_of_its_company_that_list_it() {
    let app = TestApp::new();
    let wanted = app.subscribed().await;
    let other_type = app.samples.subscription(app.account, &["contact.update"]);
    let foreign = app.samples.subscription(app.samples.account(), &["contact.create"]);
    let off = Subscription {
        state: SubscriptionState::Inactive,
        ..app.samples.subscription(app.account, &["contact.create"])
    };
    for subscription in [&other_type, &foreign, &off] {
        app.store(subscription).await;
    }
    app.happen().await;
    app.pass(CLOCK_SKEW + Duration::from_secs(1));
    let late = app.subscribed().await;
    let mut nobodys = app.samples.event(app.account, "contact.create");
    nobodys.tenant = None;
    app.publish(&nobodys).await;
    assert_eq!(app.dispatch().await, DispatchReport { events: 2, deliveries: 1, more: false });
    let delivery = app.delivery_of(&wanted).await;
    assert!(delivery.automatic);
    assert_eq!(delivery.next_attempt_at(), Some(app.samples.now()), "due at once");
    assert_eq!(app.storage.outbox(), [], "an event that no subscription wants leaves the outbox too");
    assert_eq!(app.storage.depth(app.samples.now()).await.expect("depth").queued, 1);
    assert!(late.is_active(), "but it began after the event");
}

#[tokio::test]
async fn a_subscription_switched_on_again_gets_nothing_of_the_time_in_between() {
    let app = TestApp::new();
    let subscription = app.subscribed().await;
    app.switch(&subscription, false).await;
    app.happen().await;
    app.pass(Duration::from_secs(1));
    app.switch(&subscription, true).await;
    assert_eq!(app.dispatch().await, DispatchReport { events: 1, deliveries: 0, more: false });
    app.happen().await;
    assert_eq!(app.dispatch().await.deliveries, 1);
}

#[tokio::test]
async fn what_is_queued_for_an_inactive_subscription_ends_without_an_attempt() {
    let app = TestApp::new();
    let subscription = app.subscribed().await;
    app.happen().await;
    app.dispatch().await;
    app.switch(&subscription, false).await;
    let report = app.attempt(&silence()).await;
    assert_eq!(report, AttemptReport { claimed: 1, failed: 1, ..AttemptReport::default() });
    let delivery = app.delivery_of(&subscription).await;
    assert_eq!((delivery.status(), delivery.attempts), (Status::Failed, 0));
    assert_eq!(delivery.last.and_then(|last| last.error).as_deref(), Some("subscription_inactive"));
}

#[tokio::test]
async fn a_removed_subscription_gets_nothing_not_even_what_is_queued_or_in_flight() {
    let app = TestApp::new();
    let subscription = app.subscribed().await;
    app.happen().await;
    app.dispatch().await;
    let lease_for = app.config.lease_for;
    let queue = app.storage.queue();
    let mut leased = queue
        .claim(&ClaimRequest::any(1), app.samples.now(), lease_for)
        .await
        .expect("claim")
        .leased
        .remove(0);
    app.happen().await;
    app.dispatch().await;
    let unit = app.begin().await;
    remove(&*unit, app.call(), subscription.id, None).await.expect("remove");
    commit(unit).await;

    app.pass(lease_for);
    app.happen().await;
    assert_eq!(app.dispatch().await, DispatchReport { events: 1, deliveries: 0, more: false });
    assert_eq!(app.attempt(&silence()).await, AttemptReport::default());

    // A queue may still have shown the delivery after the removal: it is not sent.
    leased.subscription = None;
    let settlement = attempt_claimed(leased, &silence(), app.samples.clock(), &app.config).await;
    assert_eq!(settlement.attempt, None);
    let error = settlement.delivery.last.and_then(|last| last.error);
    assert_eq!(error.as_deref(), Some("subscription_removed"));
}

#[tokio::test]
async fn a_sender_that_dies_before_settling_loses_nothing() {
    let app = TestApp::new();
    let subscription = app.subscribed().await;
    let event = app.happen().await;
    app.dispatch().await;
    let lease_for = app.config.lease_for;
    let receiver = FakeSender::new();

    // Claimed and sent, but the process ends before it writes the answer back.
    let mut claimed = app
        .storage
        .queue()
        .claim(&ClaimRequest::any(10), app.samples.now(), lease_for)
        .await
        .expect("claim")
        .leased;
    let lost = attempt_claimed(claimed.remove(0), &receiver, app.samples.clock(), &app.config).await;
    assert_eq!(app.attempt(&receiver).await, AttemptReport::default(), "the lease still holds");

    app.pass(lease_for);
    let report = app.attempt(&receiver).await;
    assert_eq!(report, AttemptReport { claimed: 1, delivered: 1, ..AttemptReport::default() });
    let delivery = app.delivery_of(&subscription).await;
    assert_eq!((delivery.status(), delivery.attempts), (Status::Delivered, 1));
    assert_eq!(headers(&receiver, "X-SVC-Webhook-Id"), vec![event.id.to_string(); 2]);
    assert_eq!(headers(&receiver, "X-SVC-Webhook-Delivery"), vec![delivery.id.to_string(); 2]);

    // The first sender was only slow: what it writes now is too late.
    assert_eq!(app.storage.queue().settle(&[lost]).await.expect("settle"), 0);
    assert_eq!(app.logged(delivery.id).await.attempts.len(), 1);
}

#[tokio::test]
async fn a_dispatcher_that_dies_before_it_takes_an_event_leaves_it_in_the_outbox() {
    let app = TestApp::new();
    app.subscribed().await;
    let event = app.happen().await;
    let waiting = app.storage.queue().waiting(10).await.expect("waiting");
    assert_eq!(waiting.events.into_iter().map(|(_, event)| event).collect::<Vec<_>>(), [event]);
    assert_eq!(app.dispatch().await, DispatchReport { events: 1, deliveries: 1, more: false });
    assert_eq!(app.dispatch().await, DispatchReport::default());
}

#[tokio::test]
async fn a_lease_that_ends_during_the_attempt_is_reported_as_stale() {
    let app = TestApp::new();
    app.subscribed().await;
    app.happen().await;
    app.dispatch().await;
    let thief = Thief { app: &app };
    let report = app.attempt(&thief).await;
    assert_eq!(report, AttemptReport { claimed: 1, delivered: 1, failed: 0, stale: 1 });
}

/// A receiver so slow that another server claims the delivery meanwhile.
struct Thief<'a> {
    app: &'a TestApp,
}

#[async_trait]
impl HttpSender for Thief<'_> {
    async fn check(&self, _: &Endpoint) -> Result<(), Refusal> {
        Ok(())
    }

    async fn send(&self, _: Outgoing) -> Exchange {
        let lease_for = self.app.config.lease_for;
        self.app.pass(lease_for);
        let now = self.app.samples.now();
        let stolen = self
            .app
            .storage
            .queue()
            .claim(&ClaimRequest::any(1), now, lease_for)
            .await
            .expect("claim")
            .leased;
        assert_eq!(stolen.len(), 1);
        Exchange::ended(Ok(Answer::bare(200)))
    }
}

#[tokio::test]
async fn a_redelivery_is_a_new_delivery_of_the_same_event() {
    let app = TestApp::new();
    let subscription = app.subscribed().await;
    let event = app.happen().await;
    app.dispatch().await;
    let receiver = FakeSender::new();
    let first = app.delivery_of(&subscription).await;
    let unit = app.begin().await;
    let early = redeliver(&*unit, app.call(), first.id).await;
    assert!(
        matches!(early, Err(Refused::Own(RedeliverError::NotEnded { status: Status::Pending }))),
        "{early:?}"
    );
    drop(unit);
    app.attempt(&receiver).await;
    app.pass(Duration::from_mins(3));

    let unit = app.begin().await;
    let again = redeliver(&*unit, app.call(), first.id).await.expect("redeliver");
    commit(unit).await;
    assert_ne!(again.id, first.id);
    let expected = Delivery {
        id: again.id,
        automatic: false,
        state: State::Pending { due_at: app.samples.now() },
        created_at: app.samples.now(),
        ..first.clone()
    };
    assert_eq!(again, expected, "with the six ordinary attempts");
    app.attempt(&receiver).await;
    assert_eq!(app.logged(again.id).await.delivery.status(), Status::Delivered);
    assert_eq!(headers(&receiver, "X-SVC-Webhook-Id"), vec![event.id.to_string(); 2]);
    let ids = headers(&receiver, "X-SVC-Webhook-Delivery");
    assert_eq!(ids, [first.id.to_string(), again.id.to_string()]);
    let bodies: BTreeSet<_> = receiver.sent().into_iter().map(|request| request.body).collect();
    assert_eq!(bodies, [event.body().into()].into());
}

#[tokio::test]
async fn a_redelivery_needs_an_active_subscription_within_the_scope() {
    let app = TestApp::new();
    let subscription = app.subscribed().await;
    app.happen().await;
    app.dispatch().await;
    app.attempt(&FakeSender::new()).await;
    let delivery = app.delivery_of(&subscription).await;

    let foreign = scope([app.samples.account()]);
    let unit = app.begin().await;
    let outcome = redeliver(&*unit, app.samples.call(&foreign), delivery.id).await;
    assert!(matches!(outcome, Err(Refused::NotFound)), "{outcome:?}");
    drop(unit);
    app.switch(&subscription, false).await;
    let unit = app.begin().await;
    let outcome = redeliver(&*unit, app.call(), delivery.id).await;
    assert!(matches!(outcome, Err(Refused::Own(RedeliverError::Inactive(Inactive)))), "{outcome:?}");
}

#[test]
fn an_illegal_step_names_the_action_and_the_state() {
    let app = TestApp::new();
    let subscription = app.samples.subscription(app.account, &["contact.create"]);
    let event = app.samples.event(app.account, "contact.create");
    let delivery = app.samples.delivery(&event, &subscription);
    let ended = delivery.cancel(app.samples.now(), "subscription_removed").expect("open");
    let outcome = Outcome { status_code: Some(200), error: None, duration: Duration::ZERO };
    let refused = ended.clone().attempt_succeeded(app.samples.now(), outcome.clone());
    assert_eq!(refused, Err(TransitionError { action: "complete", status: Status::Failed }));
    let refused = ended.attempt_failed(app.samples.now(), outcome, &RetrySchedule::STANDARD);
    let text = refused.expect_err("it has ended").to_string();
    assert_eq!(text, "cannot fail a delivery that is failed");
}
