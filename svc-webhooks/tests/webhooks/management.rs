//! What a service's own routes call: one tenant at a time, each call a unit of work of its own.

use std::sync::Arc;

use svc_core::audit::{Actor, Who};
use svc_core::event::{Event, EventCatalogue, EventDeclaration};
use svc_core::id::{DeliveryId, SubscriptionId, TypedId};
use svc_core::page::PageRules;
use svc_core::permission::Permission;
use svc_core::refused::Refused;
use svc_core::tenant::Tenant;
use svc_testkit::fakes::{FakeSender, SeededRandom};
use svc_testkit::webhooks::MemoryWebhooks;
use svc_testkit::webhooks::sample::Samples;
use svc_webhooks::delivery::{AttemptConfig, Status, attempt_once, dispatch_once};
use svc_webhooks::management::{SubscribeError, TenantWebhooks, Webhooks};
use svc_webhooks::names::{HeaderPrefix, Mark, Names};
use svc_webhooks::ports::{DeliveryFilter, WebhookStorage};
use svc_webhooks::subscription::{Author, ChangeError, CreateRequest, UpdateRequest};

const PLACED: EventDeclaration = EventDeclaration::new("order.placed", "order");
const PAID: EventDeclaration =
    EventDeclaration::new("order.paid", "order").requiring(Permission::of("shop:payments.read"));
const URL: &str = "https://hooks.example.com/shop";

struct Shop {
    storage: MemoryWebhooks,
    sender: Arc<FakeSender>,
    samples: Samples,
    webhooks: Webhooks,
}

impl Shop {
    fn new() -> Self {
        let (storage, sender, samples) =
            (MemoryWebhooks::new(), Arc::new(FakeSender::new()), Samples::new(3));
        let catalogue = EventCatalogue::new([PLACED, PAID]).expect("two names");
        let (clock, random) = (samples.clock().clone(), SeededRandom::new(4));
        let webhooks = Webhooks::new(Arc::new(storage.clone()), Arc::clone(&sender) as _, catalogue)
            .clock(Arc::new(clock), Arc::new(random));
        Self { storage, sender, samples, webhooks }
    }

    fn of(&self, name: &str) -> TenantWebhooks<'_> {
        self.webhooks.of(Tenant::named(name).expect("visible"))
    }

    /// Places an order of this tenant, and delivers what is told of it.
    async fn place(&self, name: &str) {
        let tenant = Tenant::named(name).expect("visible");
        let (now, random) = (self.samples.now(), self.samples.random());
        let event = Event::new(&PLACED, tenant, "1", now, random);
        let unit = WebhookStorage::begin(&self.storage).await.expect("begun");
        unit.outbox().publish(&[event]).await.expect("published");
        unit.commit().await.expect("committed");
        let config = AttemptConfig::default();
        dispatch_once(&self.storage, &config.schedule, now, random, 10).await.expect("fanned out");
        let (queue, clock) = (self.storage.queue(), self.samples.clock());
        attempt_once(queue, &*self.sender, clock, &config, 10).await.expect("attempted");
    }
}

fn wanted(events: &[&str]) -> CreateRequest {
    CreateRequest::new("ERP", URL, events.iter().copied())
}

#[tokio::test]
async fn a_tenant_subscribes_and_reaches_what_is_its_own() {
    let shop = Shop::new();
    let made = shop.of("anna").subscribe(wanted(&["order.placed"])).await.expect("made");
    assert!(made.secret.expose().starts_with("whsec_"));
    assert_eq!(made.author, Author::Service, "no token of svc-auth made it");
    let page = PageRules::USUAL.page(None, None).expect("the first");
    assert_eq!(shop.of("anna").subscriptions(page).await.expect("read").items, std::slice::from_ref(&made));
    assert_eq!(shop.of("anna").subscription(made.id).await.expect("found"), made);

    let other = shop.of("bert");
    assert_eq!(other.subscriptions(page).await.expect("read").total, 0);
    assert!(matches!(other.subscription(made.id).await, Err(Refused::NotFound)));
    assert!(matches!(other.rotate_secret(made.id).await, Err(Refused::NotFound)));
    assert!(matches!(other.unsubscribe(made.id).await, Err(Refused::NotFound)));
    let request = UpdateRequest { active: Some(false), ..UpdateRequest::default() };
    assert!(matches!(other.change(made.id, request).await, Err(Refused::NotFound)));
    assert!(matches!(other.test(made.id).await, Err(Refused::NotFound)));
}

#[tokio::test]
async fn a_subscription_is_changed_rotated_and_removed() {
    let shop = Shop::new();
    let anna = shop.of("anna");
    let made = anna.subscribe(wanted(&["order.placed"])).await.expect("made");
    let request = UpdateRequest { name: Some("Books".to_owned()), ..UpdateRequest::default() };
    assert_eq!(anna.change(made.id, request).await.expect("changed").name, "Books");
    let rotated = anna.rotate_secret(made.id).await.expect("rotated");
    assert_ne!(rotated.secret, made.secret);
    assert_eq!(anna.subscription(made.id).await.expect("found"), rotated);
    anna.unsubscribe(made.id).await.expect("removed");
    assert!(matches!(anna.subscription(made.id).await, Err(Refused::NotFound)));
}

#[tokio::test]
async fn an_event_with_a_permission_is_for_callers_that_hold_it() {
    let shop = Shop::new();
    let refused = shop.of("anna").subscribe(wanted(&["order.paid"])).await.expect_err("refused");
    let Refused::Own(SubscribeError::Change(ChangeError::MissingPermissions(missing))) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(missing, [Permission::of("shop:payments.read")]);
    let held = "shop:payments.read".parse().expect("a grant");
    shop.of("anna").holding(held).subscribe(wanted(&["order.paid"])).await.expect("made");
}

#[tokio::test]
async fn a_request_that_breaks_a_rule_is_refused_by_the_name_of_its_member() {
    let refused = Shop::new().of("anna").subscribe(wanted(&["order.lost"])).await.expect_err("refused");
    let Refused::Invalid(errors) = refused else { panic!("{refused:?}") };
    assert_eq!(errors.0.iter().map(|error| error.field.as_str()).collect::<Vec<_>>(), ["events[0]"]);
}

#[tokio::test]
async fn the_log_shows_what_was_sent_and_it_can_be_sent_again() {
    let shop = Shop::new();
    let (anna, page) = (shop.of("anna"), PageRules::USUAL.page(None, None).expect("the first"));
    let made = anna.subscribe(wanted(&["order.placed"])).await.expect("made");
    shop.place("bert").await;
    shop.place("anna").await;
    let filter = DeliveryFilter::default();
    let log = anna.deliveries(made.id, &filter, page).await.expect("read").items;
    let [sent] = log.as_slice() else { panic!("one delivery: {log:?}") };
    assert_eq!(sent.delivery.status(), Status::Delivered);
    assert_eq!(anna.delivery(sent.delivery.id).await.expect("found").attempts.len(), 1);
    let again = anna.redeliver(sent.delivery.id).await.expect("sent again");
    assert_eq!((again.event, again.status()), (sent.delivery.event, Status::Pending));
    assert_eq!(shop.of("bert").deliveries(made.id, &filter, page).await.expect("read").total, 0);
    assert!(matches!(shop.of("bert").redeliver(sent.delivery.id).await, Err(Refused::NotFound)));
    let unknown = DeliveryId::generate(shop.samples.now(), shop.samples.random());
    assert!(matches!(anna.delivery(unknown).await, Err(Refused::NotFound)));
}

#[tokio::test]
async fn a_receiver_is_tested_with_one_attempt() {
    let shop = Shop::new();
    let made = shop.of("anna").subscribe(wanted(&["order.placed"])).await.expect("made");
    let report = shop.of("anna").test(made.id).await.expect("tested");
    assert_eq!((report.delivery.status(), report.delivery.attempts), (Status::Delivered, 1));
    let unknown = SubscriptionId::generate(shop.samples.now(), shop.samples.random());
    assert!(matches!(shop.of("anna").test(unknown).await, Err(Refused::NotFound)));
}

#[tokio::test]
async fn secrets_and_headers_are_called_as_the_service_says() {
    const NAMES: Names = Names::new(HeaderPrefix::of("X-Shop"), Mark::of("shopsec_"));
    let shop = Shop::new();
    let webhooks = Webhooks::new(
        Arc::new(shop.storage.clone()),
        Arc::clone(&shop.sender) as _,
        EventCatalogue::new([PLACED]).expect("one name"),
    )
    .names(NAMES);
    let anna = webhooks.of(Tenant::named("anna").expect("visible"));
    let made = anna.subscribe(wanted(&["order.placed"])).await.expect("made");
    let rotated = anna.rotate_secret(made.id).await.expect("rotated");
    assert!([&made, &rotated].iter().all(|one| one.secret.expose().starts_with("shopsec_")));
    let mut own = wanted(&["order.placed"]);
    own.headers.insert("X-Shop-Webhook-Signature".to_owned(), "forged".to_owned().into());
    assert!(matches!(anna.subscribe(own).await, Err(Refused::Invalid(_))));
}

#[tokio::test]
async fn the_audit_log_tells_of_the_caller_that_the_service_names() {
    let shop = Shop::new();
    shop.of("anna").subscribe(wanted(&["order.placed"])).await.expect("made");
    shop.of("anna").by(Actor::OPERATOR).subscribe(wanted(&["order.placed"])).await.expect("made");
    let account = Tenant::named("anna").expect("visible").account();
    let actors: Vec<Who> =
        shop.storage.audit().entries(account).into_iter().map(|entry| entry.actor.who).collect();
    assert!(matches!(actors.as_slice(), [Who::Service(_), Who::Operator]), "{actors:?}");
}
