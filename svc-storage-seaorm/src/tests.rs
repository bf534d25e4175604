//! What the contract suites do not ask: sealing, damaged rows, order within an instant.

mod glance;
mod long_reads;
mod migration;
mod plans;
mod references;
mod whole_tables;

use std::sync::Arc;
use std::time::Duration;

use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, Statement};
use svc_core::id::{TokenId, TypedId};
use svc_core::idempotency::{Caller, Claim, Reply, ReplyStore, RequestHash, RequestKey};
use svc_core::outbox::Outbox;
use svc_testkit::business::sample::everything;
use svc_testkit::webhooks::sample::Samples;
use svc_webhooks::delivery::Delivery;
use svc_webhooks::ports::{
    Answer, ClaimRequest, DeliveryStore, Exchange, SubscriptionReader, SubscriptionStore,
};
use svc_webhooks::subscription::Subscription;
use tempfile::TempDir;

use crate::keys::Keys;
use crate::outbox::ReadsReceivers as _;
use crate::seal::Sealer;
use crate::settings::Settings;
use crate::store::SeaStore;

/// The writer of an empty file of SQLite, opened as the product opens it.
pub(crate) async fn sqlite() -> (DatabaseConnection, TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("test.db");
    let file = crate::sqlite::open(path, &Settings::new("", keys())).await.expect("a database");
    (file.writer, folder)
}

/// One connection to a database of PostgreSQL.
async fn postgres(url: &str) -> DatabaseConnection {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    Database::connect(options).await.expect("a connection")
}

fn keys() -> Keys {
    Keys::new(1, [7; 32])
}

/// The steps by which SQLite would carry out a statement.
pub(crate) async fn explained(conn: &DatabaseConnection, statement: Statement) -> Vec<String> {
    let plan = Statement { sql: format!("EXPLAIN QUERY PLAN {}", statement.sql), ..statement };
    let steps = conn.query_all_raw(plan).await.expect("a plan");
    steps.iter().map(|step| step.try_get("", "detail").expect("a step")).collect()
}

struct Fixture {
    store: SeaStore<DatabaseConnection>,
    samples: Samples,
    _folder: TempDir,
}

async fn fixture() -> Fixture {
    let (conn, folder) = sqlite().await;
    let engine = conn.get_database_backend();
    for statement in crate::migration::every_statement(engine) {
        conn.execute_unprepared(&statement).await.expect("a valid statement");
    }
    let store = SeaStore::new(conn, Arc::new(Sealer::new(keys())));
    Fixture { store, samples: Samples::new(1), _folder: folder }
}

impl Fixture {
    /// A subscription with one delivery in the queue.
    async fn queued(&self) -> (Subscription, Delivery) {
        let subscription = self.samples.subscription(self.samples.account(), &["contact.create"]);
        SubscriptionStore::insert(&self.store, &subscription, 20).await.expect("added");
        let event = self.samples.event(subscription.account, "contact.create");
        self.store.publish(std::slice::from_ref(&event)).await.expect("published");
        let delivery = self.samples.delivery(&event, &subscription);
        DeliveryStore::insert(&self.store, std::slice::from_ref(&delivery), None).await.expect("queued");
        (subscription, delivery)
    }

    async fn change(&self, sql: &str) {
        let changed = self.store.conn.execute_unprepared(sql).await.expect("a valid statement");
        assert_eq!(changed.rows_affected(), 1);
    }
}

#[tokio::test]
async fn events_of_one_instant_keep_the_order_in_which_they_were_published() {
    let Fixture { store, samples, _folder } = fixture().await;
    let account = samples.account();
    let mut events: Vec<_> = (0..9).map(|_| samples.event(account, "contact.create")).collect();
    events.reverse();
    store.publish(&events).await.expect("published");
    let (waiting, all) = store.waiting_events(10).await.expect("readable");
    assert!(all);
    assert_eq!(waiting.into_iter().map(|(_, event)| event).collect::<Vec<_>>(), events);
}

#[tokio::test]
async fn a_sealed_value_opens_in_its_own_row_alone() {
    let fixture = fixture().await;
    let ((first, _), (second, _)) = (fixture.queued().await, fixture.queued().await);
    assert_eq!(fixture.store.active(&[first.account]).await.expect("readable"), std::slice::from_ref(&first));
    let [from, to] = [&first, &second].map(|one| one.id.uuid().simple().to_string());
    fixture
        .change(&format!(
            "UPDATE svc_subscriptions SET secret = (SELECT secret FROM svc_subscriptions WHERE id = x'{from}') \
             WHERE id = x'{to}'"
        ))
        .await;
    // It does not open, and stands in no other process's way.
    assert_eq!(fixture.store.active(&[second.account]).await.expect("readable"), []);
    assert!(SubscriptionReader::find(&fixture.store, &everything(), second.id).await.is_err());
}

#[tokio::test]
async fn a_subscription_that_cannot_be_read_stops_no_other_delivery() {
    let fixture = fixture().await;
    let ((broken, _), (_, delivery)) = (fixture.queued().await, fixture.queued().await);
    let id = broken.id.uuid().simple().to_string();
    fixture.change(&format!("UPDATE svc_subscriptions SET secret = x'00' WHERE id = x'{id}'")).await;
    let now = fixture.samples.now();
    let claimed = fixture
        .store
        .claim(&ClaimRequest::any(9), now, Duration::from_secs(30))
        .await
        .expect("claimed")
        .leased;
    assert_eq!(claimed.into_iter().map(|leased| leased.delivery).collect::<Vec<_>>(), [delivery]);
}

#[tokio::test]
async fn what_happens_while_a_secret_cannot_be_opened_is_delivered_once_it_can() {
    let fixture = fixture().await;
    let (subscription, _) = fixture.queued().await;
    let now = fixture.samples.now();
    let lease = Duration::from_secs(30);
    let claim = async || {
        let claimed = fixture.store.claim(&ClaimRequest::any(9), now, lease).await.expect("claimed");
        claimed.leased.into_iter().map(|leased| leased.delivery.event).collect::<Vec<_>>()
    };
    claim().await;
    let id = subscription.id.uuid().simple().to_string();
    let broken =
        format!("UPDATE svc_subscriptions SET name = hex(secret), secret = x'00' WHERE id = x'{id}'");
    fixture.change(&broken).await;
    let event = fixture.samples.event(subscription.account, "contact.create");
    fixture.store.publish(std::slice::from_ref(&event)).await.expect("published");
    let receivers = fixture.store.receivers_of(subscription.account).await.expect("read");
    let [(receiver, Some(backoff))] = receivers.as_slice() else { panic!("{receivers:?}") };
    assert!(backoff.may_be_active() && receiver.wants(&event));
    let delivery = fixture.samples.delivery(&event, receiver);
    DeliveryStore::insert(&fixture.store, &[delivery], None).await.expect("queued");
    assert_eq!(claim().await, [], "it cannot be sent, and waits");
    fixture.change(&format!("UPDATE svc_subscriptions SET secret = unhex(name) WHERE id = x'{id}'")).await;
    let later = now.plus(Duration::from_secs(31));
    let claimed = fixture.store.claim(&ClaimRequest::any(9), later, lease).await.expect("claimed").leased;
    assert!(claimed.iter().any(|leased| leased.delivery.event == event.id), "{claimed:?}");
}

#[tokio::test]
async fn a_success_soon_after_a_change_proves_nothing_of_the_present_url() {
    let fixture = fixture().await;
    let (subscription, _) = fixture.queued().await;
    let claim = async || {
        let (now, lease) = (fixture.samples.now(), Duration::from_secs(30));
        fixture.store.claim(&ClaimRequest::any(9), now, lease).await.expect("claimed").leased.remove(0)
    };
    let has_succeeded = async || {
        let event = fixture.samples.event(subscription.account, "contact.create");
        fixture.store.publish(std::slice::from_ref(&event)).await.expect("published");
        let delivery = fixture.samples.delivery(&event, &subscription);
        DeliveryStore::insert(&fixture.store, &[delivery], None).await.expect("queued");
        claim().await.backoff.has_succeeded
    };
    let answered = Exchange::ended(Ok(Answer::bare(200)));
    let settled = fixture.samples.settled(&claim().await, answered);
    assert_eq!(fixture.store.settle(&[settled]).await.expect("settled"), 1);
    // The attempt may have gone to the former URL.
    assert!(!has_succeeded().await);
    fixture.change("UPDATE svc_subscriptions SET updated_at = updated_at - 61000000").await;
    assert!(has_succeeded().await);
}

#[tokio::test]
async fn a_delivery_by_hand_needs_an_event_that_is_still_there() {
    let fixture = fixture().await;
    let (subscription, _) = fixture.queued().await;
    let purged = fixture.samples.event(subscription.account, "contact.create");
    let delivery = Delivery { automatic: false, ..fixture.samples.delivery(&purged, &subscription) };
    let added = DeliveryStore::insert(&fixture.store, &[delivery], None).await;
    assert!(matches!(added, Err(svc_core::error::StoreError::Conflict)), "{added:?}");
}

#[tokio::test]
async fn a_reply_is_not_replayed_from_another_key() {
    let fixture = fixture().await;
    let now = fixture.samples.now();
    let [first, second] = ["first", "second"].map(|key| RequestKey {
        caller: Caller::Token(TokenId::from_uuid(uuid::Uuid::nil())),
        key: key.to_owned(),
    });
    let request = RequestHash([7; 32]);
    for key in [&first, &second] {
        let claim = fixture.store.claim_key(key, request, now).await.expect("claimed");
        let Claim::Held(fence) = claim else { panic!("{claim:?}") };
        let masked = key.key.clone().into_bytes();
        let reply = Reply { status: 200, headers: Vec::new(), masked, full: None, companies: Vec::new() };
        fixture.store.keep(key, fence, &reply).await.expect("kept");
    }
    fixture
        .change(
            "UPDATE svc_idempotency SET reply = (SELECT reply FROM svc_idempotency WHERE key = 'first') \
             WHERE key = 'second'",
        )
        .await;
    assert!(matches!(fixture.store.claim_key(&first, request, now).await, Ok(Claim::Done(_))));
    assert!(fixture.store.claim_key(&second, request, now).await.is_err());
}
