//! How long attempts are kept, and where, on both engines and under a clock of the test's own.

use std::time::Duration;

use sea_orm::{ConnectionTrait as _, Statement, TransactionTrait as _};
use svc_core::unit::UnitOfWork;
use svc_storage_seaorm::{Database, Engine};
use svc_testkit::audit::noted;
use svc_testkit::webhooks::sample::{Samples, scope};
use svc_webhooks::delivery::Delivery;
use svc_webhooks::ports::{Answer, ClaimRequest, Exchange, WebhookUnit};
use svc_webhooks::subscription::Subscription;

use crate::both::on_both;
use crate::fresh::{Fresh, postgres};

on_both! {
    the_log_forgets_by_itself_and_keeps_what_still_waits
    a_removed_subscription_leaves_no_attempt
}

const DAY: Duration = Duration::from_hours(24);
const KEEP: Duration = Duration::from_hours(24 * 30);

/// A server's life on one database, day by day.
struct Life<'a> {
    fresh: &'a Fresh,
    samples: Samples,
    subscription: Subscription,
}

impl<'a> Life<'a> {
    async fn begin(fresh: &'a Fresh) -> Self {
        let samples = Samples::new(61);
        let subscription = samples.subscription(samples.account(), &["contact.create"]);
        let unit = fresh.database.begin().await.expect("a unit");
        assert!(unit.subscriptions().insert(&subscription, 20).await.expect("inserted"));
        noted(&*unit, subscription.account).await.expect("noted");
        unit.commit().await.expect("committed");
        Self { fresh, samples, subscription }
    }

    /// Something happens, and its delivery is attempted once.
    async fn deliver(&self, status: u16) -> Delivery {
        let event = self.samples.event(self.subscription.account, "contact.create");
        let delivery = self.samples.delivery(&event, &self.subscription);
        let unit = self.fresh.database.begin().await.expect("a unit");
        unit.outbox().publish(std::slice::from_ref(&event)).await.expect("published");
        unit.deliveries().insert(std::slice::from_ref(&delivery), None).await.expect("inserted");
        unit.commit().await.expect("committed");
        self.attempt(&delivery, status).await;
        self.fresh.sql("DELETE FROM svc_outbox").await;
        self.samples.clock().advance(Duration::from_millis(1));
        delivery
    }

    async fn attempt(&self, delivery: &Delivery, status: u16) {
        let now = self.samples.now();
        let queue = self.fresh.database.webhooks();
        let claimed = queue.queue().claim(&ClaimRequest::any(9), now, DAY).await.expect("claimed").leased;
        let leased = claimed.into_iter().find(|leased| leased.delivery.id == delivery.id).expect("it is due");
        let settlement = self.samples.settled(&leased, Exchange::ended(Ok(Answer::bare(status))));
        assert_eq!(queue.queue().settle(&[settlement]).await.expect("settled"), 1);
    }

    /// A day passes, and the cleaner comes.
    async fn pass(&self, days: u32) {
        for _ in 0..days {
            self.samples.clock().advance(DAY);
            self.clean(&self.fresh.database).await;
        }
    }

    async fn clean(&self, database: &Database) {
        let (webhooks, now) = (database.webhooks(), self.samples.now());
        webhooks.queue().make_room(now).await.expect("made");
        while webhooks.queue().purge(now.minus(KEEP), 2).await.expect("purged") == 2 {}
    }

    async fn attempts_of(&self, delivery: &Delivery) -> Option<usize> {
        let webhooks = self.fresh.database.webhooks();
        let found = webhooks.deliveries().find(&scope([delivery.account]), delivery.id).await.expect("read");
        found.map(|logged| logged.attempts.len())
    }

    async fn count(&self, sql: &str) -> i64 {
        let raw = self.fresh.raw().await;
        let statement = Statement::from_string(raw.get_database_backend(), sql);
        let row = raw.query_one_raw(statement).await.expect("a query").expect("a row");
        raw.close().await.expect("closed");
        row.try_get_by_index(0).expect("a count")
    }

    async fn attempts(&self) -> i64 {
        self.count("SELECT count(*) FROM svc_delivery_attempts").await
    }

    /// Days that have a part, and attempts outside of them all.
    async fn days_and_rest(&self) -> (i64, i64) {
        let parts = self
            .count("SELECT count(*) FROM pg_inherits WHERE inhparent = CAST('svc_delivery_attempts' AS regclass)")
            .await;
        (parts - 1, self.count("SELECT count(*) FROM svc_delivery_attempts_rest").await)
    }
}

async fn the_log_forgets_by_itself_and_keeps_what_still_waits(fresh: &Fresh) {
    let life = Life::begin(fresh).await;
    let ended = [life.deliver(200).await, life.deliver(204).await, life.deliver(200).await];
    let waiting = life.deliver(500).await;
    life.pass(1).await;
    let younger = life.deliver(200).await;

    life.pass(28).await;
    assert_eq!(life.attempts_of(&ended[0]).await, Some(1), "not a day too early");
    life.pass(1).await;
    for forgotten in &ended {
        assert_eq!(life.attempts_of(forgotten).await, None);
    }
    assert_eq!(life.attempts_of(&waiting).await, Some(1), "it waits for its next attempt");
    life.pass(1).await;
    assert_eq!(life.attempts_of(&younger).await, None);

    life.attempt(&waiting, 200).await;
    assert_eq!(life.attempts_of(&waiting).await, Some(2), "all attempts of a delivery end together");
    life.pass(1).await;
    assert_eq!(life.attempts_of(&waiting).await, None);
    assert_eq!(life.attempts().await, 0);
    assert_eq!(life.count("SELECT count(*) FROM svc_events").await, 0);
}

async fn a_removed_subscription_leaves_no_attempt(fresh: &Fresh) {
    let life = Life::begin(fresh).await;
    life.deliver(200).await;
    life.pass(1).await;
    life.deliver(200).await;
    life.samples.clock().advance(DAY * 20);
    life.deliver(500).await;
    assert_eq!(life.attempts().await, 3);

    let unit = fresh.database.begin().await.expect("a unit");
    unit.subscriptions().remove(&life.subscription).await.expect("removed");
    noted(&*unit, life.subscription.account).await.expect("noted");
    unit.commit().await.expect("committed");
    while fresh.database.webhooks().queue().forget_removed(2).await.expect("forgotten") {}

    assert_eq!(life.attempts().await, 0);
    assert_eq!(life.count("SELECT count(*) FROM svc_deliveries").await, 0);
    assert_eq!(life.count("SELECT count(*) FROM svc_removed_subscriptions").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn days_are_made_ahead_and_go_as_a_whole() {
    let Some(fresh) = postgres().await else { return };
    let life = Life::begin(&fresh).await;
    assert_eq!(fresh.database.engine(), Engine::Postgres);
    assert_eq!(life.days_and_rest().await, (3, 0), "made at the start");
    for _ in 0..33 {
        life.deliver(200).await;
        life.pass(1).await;
    }
    // Thirty days with attempts, and three made ahead.
    assert_eq!(life.days_and_rest().await, (33, 0));
    assert_eq!(life.attempts().await, 30);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attempts_of_a_day_without_a_part_move_there_once_it_has_one() {
    let Some(fresh) = postgres().await else { return };
    let life = Life::begin(&fresh).await;
    // A clock far ahead, or no cleaner for long.
    life.samples.clock().advance(DAY * 20);
    let delivery = life.deliver(200).await;
    assert_eq!(life.days_and_rest().await, (3, 1));
    life.clean(&fresh.database).await;
    assert_eq!(life.days_and_rest().await, (6, 0));
    assert_eq!(life.attempts_of(&delivery).await, Some(1));
    // The days between were never used and are as old as any other.
    life.pass(31).await;
    assert_eq!(life.attempts().await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn servers_side_by_side_make_and_drop_each_day_once() {
    let Some(fresh) = postgres().await else { return };
    let life = Life::begin(&fresh).await;
    let other = Database::open(&fresh.settings).await.expect("opens");
    for _ in 0..3 {
        life.deliver(200).await;
        life.samples.clock().advance(DAY * 16);
        tokio::join!(life.clean(&fresh.database), life.clean(&other), life.clean(&other));
        life.clean(&other).await;
    }
    assert_eq!(life.attempts().await, 1);
    assert_eq!(life.days_and_rest().await.1, 0);
    other.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_reader_of_the_log_stops_neither_writers_nor_the_cleaner() {
    let Some(fresh) = postgres().await else { return };
    let life = Life::begin(&fresh).await;
    life.deliver(200).await;
    let raw = fresh.raw().await;
    let reading = raw.begin().await.expect("begun");
    reading.execute_unprepared("SELECT count(*) FROM svc_delivery_attempts").await.expect("read");

    life.samples.clock().advance(DAY * 32);
    life.clean(&fresh.database).await;
    life.deliver(200).await;
    assert_eq!(life.attempts().await, 2, "the old day is in use and stays");

    reading.rollback().await.expect("ended");
    life.clean(&fresh.database).await;
    assert_eq!(life.attempts().await, 1);
}
