//! What the service sends, a receiver accepts.

use std::time::Duration;

use proptest::prelude::*;
use svc_core::clock::Timestamp;
use svc_core::id::DeliveryId;
use svc_testkit::fakes::FakeSender;
use svc_testkit::property;
use svc_testkit::webhooks::sample::Samples;
use svc_testkit::webhooks::strategy;
use svc_webhooks::delivery::{AttemptConfig, attempt_claimed};
use svc_webhooks::ports::{Lease, Leased, Notification, Outgoing};
use svc_webhooks::retry::RetrySchedule;
use svc_webhooks::signature::Verifier;

/// One attempt to deliver `event`: the request, the secret, the delivery and the instant.
fn attempt(event: &svc_core::event::Event) -> (Outgoing, String, DeliveryId, Timestamp) {
    let samples = Samples::new(11);
    let subscription = samples.subscription(samples.account(), &["contact.create"]);
    let delivery = samples.delivery(event, &subscription);
    let (secret, id) = (subscription.secret.expose().to_owned(), delivery.id);
    let leased = Leased {
        lease: Lease(1),
        since: samples.now(),
        delivery,
        notification: Notification::from(event),
        subscription: Some(subscription.into()),
        backoff: svc_webhooks::health::ReceiverBackoff::default(),
    };
    let receiver = FakeSender::new();
    let config = AttemptConfig::new(Duration::from_secs(10), RetrySchedule::STANDARD, String::new());
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(attempt_claimed(leased, &receiver, samples.clock(), &config));
    (receiver.sent().remove(0), secret, id, samples.now())
}

proptest! {
    #![proptest_config(property::cases(128))]

    #[test]
    fn every_event_that_is_sent_is_accepted_and_read_in_full(event in strategy::event()) {
        let (request, secret, delivery, now) = attempt(&event);
        let verifier = Verifier::new([secret]).expect("a whole secret");
        let verified = verifier.verify(request.headers, &request.body, now).expect("genuine");
        prop_assert_eq!(verified.event_id(), Some(event.id));
        prop_assert_eq!(verified.kind(), Some(event.kind.clone()));
        // The body shows milliseconds.
        prop_assert_eq!(verified.occurred_at.to_string(), event.occurred_at.to_string());
        let tenant = event.tenant.as_ref().map(ToString::to_string);
        prop_assert_eq!(verified.account.as_deref(), tenant.as_deref());
        prop_assert_eq!(&verified.object, &event.object);
        prop_assert_eq!(verified.object_id, event.object_id.as_str());
        prop_assert_eq!(verified.delivery, Some(delivery));
        prop_assert_eq!(verified.attempted_at.map(|at| at.to_string()), Some(now.to_string()));
        prop_assert_eq!(verified.signed_at.unix_seconds(), now.unix_seconds());
        prop_assert_eq!(verified.body, event.body());
    }
}
