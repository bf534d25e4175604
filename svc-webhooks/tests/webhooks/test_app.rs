//! One company, its storage and its receiver.

use std::time::Duration;

use async_trait::async_trait;
use svc_core::event::Event;
use svc_core::id::{AccountId, DeliveryId};
use svc_core::page::PageRules;
use svc_core::tenant::Scope;
use svc_core::unit::{CallContext, UnitOfWork};
use svc_testkit::audit::noted;
use svc_testkit::catalogue::subscribable;
use svc_testkit::fakes::FakeSender;
use svc_testkit::webhooks::MemoryWebhooks;
use svc_testkit::webhooks::sample::{Samples, scope};
use svc_testkit::webhooks::verbs::update;
use svc_webhooks::delivery::{
    AttemptConfig, AttemptReport, Delivery, DispatchReport, attempt_once, dispatch_once,
};
use svc_webhooks::endpoint::Endpoint;
use svc_webhooks::ports::{
    DeliveryFilter, Exchange, HttpSender, LoggedDelivery, Outgoing, Refusal, WebhookStorage, WebhookUnit,
};
use svc_webhooks::retry::RetrySchedule;
use svc_webhooks::subscription::{Change, Subscription, UpdateRequest};

mockall::mock! {
    /// A receiver that is told what to expect.
    pub(crate) Sender {}

    #[async_trait]
    impl HttpSender for Sender {
        async fn check(&self, endpoint: &Endpoint) -> Result<(), Refusal>;
        async fn send(&self, request: Outgoing) -> Exchange;
    }
}

/// A receiver that must not be called at all.
pub(crate) fn silence() -> MockSender {
    let mut sender = MockSender::new();
    sender.expect_check().never();
    sender.expect_send().never();
    sender
}

pub(crate) struct TestApp {
    pub(crate) storage: MemoryWebhooks,
    pub(crate) samples: Samples,
    pub(crate) account: AccountId,
    pub(crate) scope: Scope,
    pub(crate) config: AttemptConfig,
}

impl TestApp {
    pub(crate) fn new() -> Self {
        let samples = Samples::new(7);
        let account = samples.account();
        let address = "https://svc.example/webhooks".to_owned();
        Self {
            storage: MemoryWebhooks::new(),
            account,
            scope: scope([account]),
            config: AttemptConfig::new(Duration::from_secs(10), RetrySchedule::STANDARD, address),
            samples,
        }
    }

    /// Switches a subscription on or off.
    pub(crate) async fn switch(&self, subscription: &Subscription, active: bool) {
        let request = UpdateRequest { active: Some(active), ..UpdateRequest::default() };
        let held = "read".parse().expect("valid");
        let change = Change::check(request, subscribable(&held), &silence()).await.expect("valid");
        let unit = self.begin().await;
        update(&*unit, self.call(), subscription.id, None, change).await.expect("update");
        commit(unit).await;
    }

    pub(crate) fn call(&self) -> CallContext<'_> {
        self.samples.call(&self.scope)
    }

    pub(crate) fn pass(&self, time: Duration) {
        self.samples.clock().advance(time);
    }

    pub(crate) async fn begin(&self) -> Box<dyn WebhookUnit> {
        WebhookStorage::begin(&self.storage).await.expect("begin")
    }

    /// A stored subscription of the company to `contact.create`.
    pub(crate) async fn subscribed(&self) -> Subscription {
        let subscription = self.samples.subscription(self.account, &["contact.create"]);
        self.store(&subscription).await;
        subscription
    }

    pub(crate) async fn store(&self, subscription: &Subscription) {
        let unit = self.begin().await;
        assert!(unit.subscriptions().insert(subscription, 20).await.expect("insert"));
        noted(&*unit, subscription.account).await.expect("noted");
        commit(unit).await;
    }

    /// Publishes a `contact.create` of the company.
    pub(crate) async fn happen(&self) -> Event {
        let event = self.samples.event(self.account, "contact.create");
        self.publish(&event).await;
        event
    }

    pub(crate) async fn publish(&self, event: &Event) {
        let unit = self.begin().await;
        unit.outbox().publish(std::slice::from_ref(event)).await.expect("publish");
        commit(unit).await;
    }

    pub(crate) async fn dispatch(&self) -> DispatchReport {
        dispatch_once(&self.storage, &self.config.schedule, self.samples.now(), self.samples.random(), 100)
            .await
            .expect("dispatch")
    }

    pub(crate) async fn attempt(&self, sender: &dyn HttpSender) -> AttemptReport {
        attempt_once(self.storage.queue(), sender, self.samples.clock(), &self.config, 100)
            .await
            .expect("attempt")
    }

    pub(crate) async fn logged(&self, id: DeliveryId) -> LoggedDelivery {
        self.storage.deliveries().find(&self.scope, id).await.expect("find").expect("the delivery is stored")
    }

    /// The only delivery of a subscription.
    pub(crate) async fn delivery_of(&self, subscription: &Subscription) -> Delivery {
        let page = PageRules::USUAL.page(None, None).expect("the default page");
        let all = DeliveryFilter::default();
        let log = self.storage.deliveries().page(&self.scope, subscription.id, &all, page).await;
        let mut items = log.expect("page").items;
        assert_eq!(items.len(), 1);
        items.remove(0).delivery
    }
}

pub(crate) async fn commit(unit: Box<dyn WebhookUnit>) {
    let unit: Box<dyn UnitOfWork> = unit;
    unit.commit().await.expect("commit");
}

/// The values of one header in everything that was sent.
pub(crate) fn headers(sender: &FakeSender, name: &str) -> Vec<String> {
    sender.sent().iter().map(|request| header(request, name)).collect()
}

pub(crate) fn header(request: &Outgoing, name: &str) -> String {
    let value = request.headers.iter().find(|(known, _)| *known == name);
    value.map(|(_, value)| value.clone()).expect("the header is sent")
}
