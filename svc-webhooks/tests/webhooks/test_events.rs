//! The test operation: one event, one attempt, its report.

use std::time::Duration;

use svc_core::event::EventDeclaration;
use svc_core::refused::Refused;
use svc_testkit::fakes::FakeSender;
use svc_testkit::webhooks::sample::scope;
use svc_webhooks::delivery::{AttemptReport, DispatchReport, Status, begin_test, finish_test};
use svc_webhooks::subscription::Inactive;

use crate::test_app::{TestApp, commit, headers, silence};

#[tokio::test]
async fn a_test_event_has_one_attempt_and_reports_it() {
    for (receiver, status, code) in
        [(FakeSender::new(), Status::Delivered, 200), (FakeSender::new().always(500), Status::Failed, 500)]
    {
        let app = TestApp::new();
        let subscription = app.subscribed().await;
        let unit = app.begin().await;
        let run = begin_test(&*unit, app.call(), subscription.id, &app.config).await.expect("begin");
        assert!(run.0.lease.0 >= 0);
        commit(unit).await;
        assert_eq!(app.attempt(&silence()).await, AttemptReport::default(), "it is leased to the caller");
        assert_eq!(app.dispatch().await, DispatchReport { events: 1, deliveries: 0, more: false });

        let clock = app.samples.clock();
        let report = finish_test(run, &app.storage, &receiver, clock, &app.config).await.expect("finish");
        assert_eq!(report.delivery.status(), status);
        assert_eq!(report.delivery.event_type, EventDeclaration::TEST.kind());
        assert_eq!(report.delivery.last.as_ref().and_then(|last| last.status_code), Some(code));
        assert_eq!(app.logged(report.delivery.id).await.delivery, report.delivery);
        app.pass(Duration::from_hours(100));
        assert_eq!(app.attempt(&receiver).await, AttemptReport::default());
        assert_eq!(headers(&receiver, "X-SVC-Webhook-Event"), ["webhook.test"]);
    }
}

#[tokio::test]
async fn a_test_whose_caller_died_is_still_attempted_once() {
    let app = TestApp::new();
    let subscription = app.subscribed().await;
    let unit = app.begin().await;
    begin_test(&*unit, app.call(), subscription.id, &app.config).await.expect("begin");
    commit(unit).await;
    app.pass(app.config.lease_for);
    let receiver = FakeSender::new().always(500);
    assert_eq!(app.attempt(&receiver).await.failed, 1);
    app.pass(Duration::from_hours(100));
    assert_eq!(app.attempt(&receiver).await, AttemptReport::default());
    assert_eq!(app.delivery_of(&subscription).await.status(), Status::Failed);
}

#[tokio::test]
async fn a_test_needs_an_active_subscription() {
    let app = TestApp::new();
    let subscription = app.subscribed().await;
    app.switch(&subscription, false).await;
    let unit = app.begin().await;
    let outcome = begin_test(&*unit, app.call(), subscription.id, &app.config).await;
    assert!(matches!(outcome, Err(Refused::Own(Inactive))), "{outcome:?}");
    let nowhere = scope([]);
    let call = app.samples.call(&nowhere);
    let outcome = begin_test(&*unit, call, subscription.id, &app.config).await;
    assert!(matches!(outcome, Err(Refused::NotFound)), "{outcome:?}");
}
