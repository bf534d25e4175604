//! A service with a pool and a table of its own, which publishes in its own transactions.

use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, TransactionTrait};
use svc_core::event::{Event, EventDeclaration};
use svc_core::id::EventId;
use svc_storage_seaorm::{Database, OpenError, Schema, outbox};
use svc_testkit::webhooks::sample::Samples;

use crate::both::on_both;
use crate::fresh::{Fresh, keys};

on_both! {
    what_commits_with_the_service_s_own_change_is_fanned_out_in_its_order
    what_rolls_back_with_it_is_not
    nothing_is_seen_of_a_transaction_under_way_and_all_of_many_events_after_it
    without_a_word_of_the_commit_the_next_look_finds_it
    a_caller_that_goes_away_leaves_no_connection_inside_a_transaction
    transactions_that_begin_together_wait_for_each_other
}

const PLACED: EventDeclaration = EventDeclaration::new("order.placed", "order");

/// The service: its pool, and the database that it was given beside it.
struct Service {
    pool: DatabaseConnection,
    database: Database,
    samples: Samples,
}

impl Service {
    async fn new(fresh: &Fresh) -> Self {
        fresh.database.close().await;
        let mut options = sea_orm::ConnectOptions::new(fresh.settings.url.clone());
        options.max_connections(4).sqlx_logging(false);
        let pool = sea_orm::Database::connect(options).await.expect("a pool");
        pool.execute_unprepared("CREATE TABLE orders (number integer PRIMARY KEY)").await.expect("a table");
        let database = Database::from_connection(&pool, keys(), Schema::webhooks()).await.expect("opened");
        database.migrate(Samples::new(1).now()).await.expect("migrated");
        Self { pool, database, samples: Samples::new(1) }
    }

    async fn begin(&self) -> DatabaseTransaction {
        outbox::begin(&self.pool).await.expect("begun")
    }

    /// Places orders with these numbers, and answers their events.
    async fn place(&self, on: &DatabaseTransaction, numbers: std::ops::Range<u32>) -> Vec<Event> {
        let (account, now, random) = (self.samples.account(), self.samples.now(), self.samples.random());
        let mut events = Vec::new();
        for number in numbers {
            let sql = format!("INSERT INTO orders (number) VALUES ({number})");
            on.execute_unprepared(&sql).await.expect("inserted");
            events.push(Event::new(&PLACED, account, number, now, random).with("total", 12.5));
        }
        outbox::publish(on, &events).await.expect("published");
        events
    }

    async fn orders(&self) -> usize {
        let sql = "SELECT number FROM orders".to_owned();
        let statement = sea_orm::Statement::from_string(self.pool.get_database_backend(), sql);
        self.pool.query_all_raw(statement).await.expect("read").len()
    }

    async fn waiting(&self) -> Vec<Event> {
        let waiting = self.database.webhooks().queue().waiting(10_000).await.expect("read");
        waiting.events.into_iter().map(|(_, event)| event).collect()
    }
}

fn ids(events: &[Event]) -> Vec<EventId> {
    events.iter().map(|event| event.id).collect()
}

async fn what_commits_with_the_service_s_own_change_is_fanned_out_in_its_order(fresh: &Fresh) {
    let service = Service::new(fresh).await;
    assert_eq!(service.waiting().await, [], "looked at, so that the next ones are not found by chance");
    let transaction = service.begin().await;
    let mut events = service.place(&transaction, 0..3).await;
    transaction.commit().await.expect("committed");
    service.database.published();
    let transaction = service.begin().await;
    events.extend(service.place(&transaction, 3..4).await);
    transaction.commit().await.expect("committed");
    service.database.published();
    assert_eq!(service.waiting().await, events);
    assert_eq!(service.orders().await, 4);
}

async fn what_rolls_back_with_it_is_not(fresh: &Fresh) {
    let service = Service::new(fresh).await;
    let transaction = service.begin().await;
    service.place(&transaction, 0..2).await;
    transaction.rollback().await.expect("rolled back");
    service.database.published();
    assert_eq!((service.waiting().await, service.orders().await), (Vec::new(), 0));
}

async fn nothing_is_seen_of_a_transaction_under_way_and_all_of_many_events_after_it(fresh: &Fresh) {
    let service = Service::new(fresh).await;
    let transaction = service.begin().await;
    let events = service.place(&transaction, 0..2_500).await;
    assert_eq!(service.waiting().await, []);
    transaction.commit().await.expect("committed");
    service.database.published();
    assert_eq!(ids(&service.waiting().await), ids(&events));
}

async fn without_a_word_of_the_commit_the_next_look_finds_it(fresh: &Fresh) {
    let service = Service::new(fresh).await;
    let transaction = service.begin().await;
    let events = service.place(&transaction, 0..1).await;
    transaction.commit().await.expect("committed");
    assert_eq!(service.waiting().await, events);
}

async fn a_caller_that_goes_away_leaves_no_connection_inside_a_transaction(fresh: &Fresh) {
    let service = Service::new(fresh).await;
    for turns in 0..60 {
        // Given up after so many steps.
        let mut begun = Box::pin(outbox::begin(&service.pool));
        for _ in 0..turns % 6 {
            if futures_util::poll!(&mut begun).is_ready() {
                break;
            }
            tokio::task::yield_now().await;
        }
    }
    for number in 0..8 {
        let sql = format!("INSERT INTO orders (number) VALUES ({number})");
        service.pool.execute_unprepared(&sql).await.expect("inserted");
        let seen = service.orders().await;
        assert_eq!(seen, number + 1, "each connection sees what the others committed");
    }
}

async fn transactions_that_begin_together_wait_for_each_other(fresh: &Fresh) {
    let service = Service::new(fresh).await;
    let place = async |number: u32| {
        let transaction = service.begin().await;
        let read = transaction.execute_unprepared("SELECT number FROM orders").await;
        read.expect("read");
        tokio::task::yield_now().await;
        service.place(&transaction, number..number + 1).await;
        transaction.commit().await.expect("committed");
    };
    futures_util::future::join_all((0..12).map(place)).await;
    assert_eq!((service.orders().await, service.waiting().await.len()), (12, 12));
}

#[tokio::test]
async fn a_database_in_memory_is_refused_with_the_reason() {
    for url in ["sqlite::memory:", "sqlite://shop?mode=memory"] {
        let pool = sea_orm::Database::connect(url).await.expect("a pool");
        let refused = Database::from_connection(&pool, keys(), Schema::webhooks())
            .await
            .map(drop)
            .expect_err("not a file");
        assert!(matches!(&refused, OpenError::Url(reason) if reason.contains("in memory")), "{refused}");
    }
}

#[tokio::test]
async fn the_tables_are_in_the_schema_that_the_pool_searches() {
    let Some(url) = svc_testkit::postgres::database() else { return };
    let mut options = sea_orm::ConnectOptions::new(url);
    options.max_connections(2).sqlx_logging(false).set_schema_search_path("Shop floor,public");
    let pool = sea_orm::Database::connect(options).await.expect("a pool");
    pool.execute_unprepared("CREATE SCHEMA \"Shop floor\"").await.expect("a schema");
    let database = Database::from_connection(&pool, keys(), Schema::webhooks()).await.expect("opened");
    let samples = Samples::new(1);
    database.migrate(samples.now()).await.expect("migrated");
    let event = Event::new(&PLACED, samples.account(), 1, samples.now(), samples.random());
    outbox::publish(&pool, std::slice::from_ref(&event)).await.expect("published");
    let waiting = database.webhooks().queue().waiting(10).await.expect("read").events;
    assert_eq!(waiting.into_iter().map(|(_, event)| event).collect::<Vec<_>>(), [event]);
    for table in ["svc_outbox", "svc_migrations"] {
        let sql = format!("SELECT 1 FROM \"Shop floor\".{table}");
        pool.execute_unprepared(&sql).await.expect("it is there");
    }
}

/// Two connections to an empty database of PostgreSQL.
async fn postgres() -> Option<DatabaseConnection> {
    let mut options = sea_orm::ConnectOptions::new(svc_testkit::postgres::database()?);
    options.max_connections(2).sqlx_logging(false);
    Some(sea_orm::Database::connect(options).await.expect("a pool"))
}

#[tokio::test]
async fn the_tables_are_in_a_schema_of_their_own_which_the_pool_need_not_search() {
    let Some(pool) = postgres().await else { return };
    let schema = Schema::webhooks().named("order").expect("a name");
    let database = Database::from_connection(&pool, keys(), schema).await.expect("opened");
    let samples = Samples::new(1);
    database.migrate(samples.now()).await.expect("migrated");
    assert_eq!(database.pending_migrations().await.expect("read"), [""; 0]);
    let event = Event::new(&PLACED, samples.account(), 1, samples.now(), samples.random());
    outbox::publish(&pool, std::slice::from_ref(&event)).await.expect_err("not where the pool looks");
    database.publish(&pool, std::slice::from_ref(&event)).await.expect("published");
    let waiting = database.webhooks().queue().waiting(10).await.expect("read").events;
    assert_eq!(waiting.into_iter().map(|(_, event)| event).collect::<Vec<_>>(), [event]);
    pool.execute_unprepared("SELECT 1 FROM \"order\".svc_migrations").await.expect("it is there");
}

#[tokio::test]
async fn the_tables_can_be_made_in_a_transaction_of_the_service_s_own() {
    let Some(pool) = postgres().await else { return };
    let schema = Schema::webhooks().named("order").expect("a name");
    let now = Samples::new(1).now();
    for commits in [false, true] {
        let transaction = pool.begin().await.expect("begun");
        transaction.execute_unprepared("SET LOCAL lock_timeout = '7s'").await.expect("set");
        svc_storage_seaorm::migrate(&transaction, &schema, now).await.expect("migrated");
        let limits = "SELECT CAST(1 / CAST(current_setting('lock_timeout') = '7s' AS integer) AS text)";
        transaction.execute_unprepared(limits).await.expect("what the service has set holds again");
        // What else the transaction makes is where the service has its tables.
        transaction.execute_unprepared("CREATE TABLE orders (number integer)").await.expect("made");
        if commits {
            transaction.commit().await.expect("committed");
        } else {
            transaction.rollback().await.expect("rolled back");
        }
        let made = pool.execute_unprepared("SELECT 1 FROM \"order\".svc_outbox, public.orders").await;
        assert_eq!(made.is_ok(), commits);
    }
}

#[tokio::test]
async fn sqlite_says_that_it_has_no_schemas() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = format!("sqlite://{}/shop.db?mode=rwc", folder.path().display());
    let pool = sea_orm::Database::connect(url).await.expect("a pool");
    let schema = Schema::webhooks().named("order").expect("a name");
    let refused = Database::from_connection(&pool, keys(), schema.clone()).await.map(drop);
    assert!(matches!(refused, Err(OpenError::NoSchemas { name }) if name == "order"));
    let refused = svc_storage_seaorm::migrate(&pool, &schema, Samples::new(1).now()).await;
    assert!(refused.expect_err("refused").to_string().contains("leave the name out"));
}
