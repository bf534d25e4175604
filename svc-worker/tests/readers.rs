//! A receiver whose subscription lost the right to an event is told nothing of it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::event::EventType;
use svc_core::page::PageRules;
use svc_testkit::audit::noted;
use svc_testkit::fakes::{FakeSender, SeededRandom};
use svc_testkit::webhooks::MemoryWebhooks;
use svc_testkit::webhooks::sample::{Samples, scope};
use svc_webhooks::delivery::Status;
use svc_webhooks::ports::{DeliveryFilter, ReadAuthority, WebhookStorage};
use svc_webhooks::subscription::Subscription;
use svc_worker::Deliverer;

/// The answer to each question; the store fails where there is none.
struct Told(Option<bool>);

#[async_trait]
impl ReadAuthority for Told {
    async fn may_be_told(&self, _: &Subscription, kind: &EventType) -> Result<bool, StoreError> {
        assert_eq!(kind.name(), "contact.create");
        self.0.ok_or_else(|| StoreError::backend("no connection"))
    }
}

/// Delivers an event for a second; answers how many requests were made, and what became of the delivery.
async fn delivered(told: Option<bool>) -> (usize, Status, Option<String>) {
    let (storage, samples) = (MemoryWebhooks::new(), Samples::new(1));
    let account = samples.account();
    let subscription = samples.subscription(account, &["contact.create"]);
    let unit = storage.begin().await.expect("begun");
    assert!(unit.subscriptions().insert(&subscription, 1).await.expect("added"));
    noted(&*unit, account).await.expect("noted");
    unit.commit().await.expect("committed");
    storage.append(&[samples.event(account, "contact.create")]);
    let sender = Arc::new(FakeSender::new());
    let deliverer = Deliverer::builder(Arc::new(storage.clone()), Arc::clone(&sender) as _)
        .readers(Arc::new(Told(told)))
        .clock(Arc::new(samples.clock().clone()))
        .random(Arc::new(SeededRandom::new(9)))
        .build();
    deliverer.run(tokio::time::sleep(Duration::from_secs(1))).await;
    let page = PageRules::USUAL.page(None, None).expect("a page");
    let (scope, filter) = (scope([account]), DeliveryFilter::default());
    let log = storage.deliveries().page(&scope, subscription.id, &filter, page).await.expect("read");
    let delivery = log.items.into_iter().next().expect("one delivery").delivery;
    let error = delivery.last.as_ref().and_then(|last| last.error.clone());
    (sender.sent().len(), delivery.status(), error)
}

#[tokio::test(start_paused = true)]
async fn a_subscription_that_may_be_told_is_told() {
    assert_eq!(delivered(Some(true)).await, (1, Status::Delivered, None));
}

#[tokio::test(start_paused = true)]
async fn one_that_lost_the_right_is_sent_nothing_and_the_log_says_why() {
    let why = Some("read_permission_lost".to_owned());
    assert_eq!(delivered(Some(false)).await, (0, Status::Failed, why));
}

#[tokio::test(start_paused = true)]
async fn nothing_is_sent_while_it_cannot_be_found_out() {
    assert_eq!(delivered(None).await, (0, Status::Pending, None));
}
