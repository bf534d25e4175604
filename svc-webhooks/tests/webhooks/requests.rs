//! What a receiver gets.

use svc_core::event::Event;
use svc_testkit::fakes::FakeSender;
use svc_webhooks::delivery::{Delivery, attempt_claimed};
use svc_webhooks::ports::{Lease, Leased, Notification};
use svc_webhooks::signature::{VerifyError, verify};

use crate::test_app::{TestApp, header};

fn leased(app: &TestApp, event: &Event) -> Leased {
    let subscription = app.samples.subscription(app.account, &["contact.merge"]);
    let delivery: Delivery = app.samples.delivery(event, &subscription);
    let notification = Notification::from(event);
    Leased {
        lease: Lease(1),
        since: delivery.created_at,
        delivery,
        notification,
        subscription: Some(subscription.into()),
        backoff: svc_webhooks::health::ReceiverBackoff::default(),
    }
}

#[tokio::test]
async fn a_request_has_the_nine_headers_in_their_order_and_the_body_of_the_event() {
    let app = TestApp::new();
    let event = app.samples.event(app.account, "contact.merge").with("merged_id", "con_2");
    let leased = leased(&app, &event);
    let (delivery, subscription) = (leased.delivery.clone(), leased.subscription.clone().expect("present"));
    let now = app.samples.now();
    let receiver = FakeSender::new();
    attempt_claimed(leased, &receiver, app.samples.clock(), &app.config).await;

    let request = receiver.sent().remove(0);
    let expected = [
        ("Content-Type", "application/json".to_owned()),
        ("User-Agent", "SVC-Webhooks/1.0 (+https://svc.example/webhooks)".to_owned()),
        ("X-SVC-Webhook-Event", "contact.merge".to_owned()),
        ("X-SVC-Webhook-Id", event.id.to_string()),
        ("X-SVC-Webhook-Delivery", delivery.id.to_string()),
        ("X-SVC-Webhook-Date", now.to_string()),
        ("X-SVC-Webhook-Account-Id", app.account.to_string()),
        ("X-SVC-Webhook-Version", "v1".to_owned()),
    ];
    let sent: Vec<_> = request.headers.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    assert_eq!(sent[..8], expected);
    assert_eq!(sent.len(), 9);
    assert_eq!(request.body, event.body());
    assert_eq!(request.endpoint, subscription.endpoint);
    assert_eq!(request.timeout, app.config.timeout);

    let signature = header(&request, "X-SVC-Webhook-Signature");
    assert!(signature.starts_with(&format!("t={},sha256=", now.unix_seconds())), "{signature}");
    let secret = subscription.secret.expose();
    assert_eq!(verify(secret, &signature, &request.body, now.unix_seconds()), Ok(()));
    let other = verify("whsec_other", &signature, &request.body, now.unix_seconds());
    assert_eq!(other, Err(VerifyError::Mismatch));
}

#[tokio::test]
async fn an_event_of_no_company_has_an_empty_account_header() {
    let app = TestApp::new();
    let event = Event { tenant: None, ..app.samples.event(app.account, "contact.merge") };
    let receiver = FakeSender::new();
    attempt_claimed(leased(&app, &event), &receiver, app.samples.clock(), &app.config).await;
    assert_eq!(header(&receiver.sent().remove(0), "X-SVC-Webhook-Account-Id"), "");
}

#[tokio::test]
async fn an_ended_delivery_is_never_sent() {
    let app = TestApp::new();
    let event = app.samples.event(app.account, "contact.merge");
    let mut leased = leased(&app, &event);
    leased.delivery = leased.delivery.cancel(app.samples.now(), "subscription_removed").expect("open");
    let (clock, expected) = (app.samples.clock(), leased.delivery.clone());
    let settlement = attempt_claimed(leased, &crate::test_app::silence(), clock, &app.config).await;
    assert_eq!((settlement.delivery, settlement.attempt), (expected, None));
}
