//! A service with a table and transactions of its own, as `docs/embedding.md` shows it.

use std::collections::BTreeSet;
use std::error::Error;
use std::io::{Read as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use sea_orm::{ConnectOptions, ConnectionTrait as _, DatabaseConnection, Statement};
use svc_core::clock::Clock as _;
use svc_core::event::{Event, EventCatalogue, EventDeclaration};
use svc_core::system::{OsRandom, SystemClock};
use svc_core::tenant::Tenant;
use svc_egress::{EgressConfig, HyperSender};
use svc_storage_seaorm::{Database, Keys, Schema, outbox};
use svc_webhooks::management::Webhooks;
use svc_webhooks::retry::RetrySchedule;
use svc_webhooks::subscription::CreateRequest;
use svc_worker::Deliverer;

type Failure = Box<dyn Error + Send + Sync>;

const PLACED: EventDeclaration = EventDeclaration::new("order.placed", "order");
/// Receivers that fail are asked again soon: a run is short.
const SCHEDULE: RetrySchedule = RetrySchedule::of(&[
    Duration::from_millis(100),
    Duration::from_millis(300),
    Duration::from_secs(1),
    Duration::from_secs(3),
    Duration::from_secs(10),
]);
/// Customers that order at the same time.
const CUSTOMERS: u32 = 4;

async fn pool(url: &str) -> Result<DatabaseConnection, Failure> {
    let mut options = ConnectOptions::new(url.to_owned());
    options.max_connections(4).sqlx_logging(false);
    Ok(sea_orm::Database::connect(options).await?)
}

async fn webhooks(pool: &DatabaseConnection) -> Result<Database, Failure> {
    let database = Database::from_connection(pool, Keys::new(1, [7; 32]), Schema::webhooks()).await?;
    database.migrate(SystemClock.now()).await?;
    Ok(database)
}

fn sender() -> Result<Arc<HyperSender>, Failure> {
    let exempt = vec!["127.0.0.0/8".parse()?];
    Ok(Arc::new(HyperSender::new(EgressConfig::default().exempt(exempt))?))
}

fn tenant() -> Tenant {
    Tenant::named("anna").expect("visible ASCII")
}

/// Makes the tables, and the subscription of a receiver.
///
/// # Panics
/// When it cannot.
pub async fn subscribe(url: &str, receiver: &str) {
    let subscribed = async {
        let pool = pool(url).await?;
        pool.execute_unprepared("CREATE TABLE orders (id text PRIMARY KEY)").await?;
        let database = webhooks(&pool).await?;
        let webhooks = Webhooks::new(database.webhooks(), sender()?, EventCatalogue::new([PLACED])?);
        let request = CreateRequest::new("Receiver", receiver, [PLACED.name()]);
        webhooks.of(tenant()).subscribe(request).await?;
        database.close().await;
        pool.close().await?;
        Ok::<(), Failure>(())
    };
    subscribed.await.expect("subscribed");
}

/// The orders that are committed.
///
/// # Panics
/// When they cannot be read.
pub async fn orders(url: &str) -> BTreeSet<String> {
    let read = async {
        let pool = pool(url).await?;
        let sql = Statement::from_string(pool.get_database_backend(), "SELECT id FROM orders");
        let rows = pool.query_all_raw(sql).await?;
        pool.close().await?;
        Ok::<_, Failure>(rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, _>>()?)
    };
    read.await.expect("read")
}

/// Places orders until standard input ends, writes down each that is committed, and delivers until it is killed.
///
/// # Errors
/// When it cannot start.
pub async fn run(url: &str, number: u32) -> Result<(), Failure> {
    let pool = pool(url).await?;
    let database = webhooks(&pool).await?;
    let _delivering = Deliverer::builder(database.webhooks(), sender()?)
        .schedule(SCHEDULE)
        .woken_by(database.events_committed())
        .build()
        .start();
    let (next, open) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(true)));
    for _ in 0..CUSTOMERS {
        let (pool, database, next, open) = (pool.clone(), database.clone(), next.clone(), open.clone());
        tokio::spawn(async move {
            while open.load(Ordering::Relaxed) {
                let order = format!("{number}-{}", next.fetch_add(1, Ordering::Relaxed));
                // One that fails is tried no more: whether it is committed is seen in the table.
                if let Ok(true) = place(&pool, &database, &order).await {
                    drop(writeln!(std::io::stdout(), "{order}"));
                }
            }
        });
    }
    tokio::task::spawn_blocking(move || {
        let mut until = Vec::new();
        let ended = std::io::stdin().read_to_end(&mut until);
        open.store(false, Ordering::Relaxed);
        ended.map(drop)
    })
    .await??;
    std::future::pending().await
}

/// Places one order, and takes every third back; answers whether it is committed.
async fn place(pool: &DatabaseConnection, database: &Database, order: &str) -> Result<bool, Failure> {
    let transaction = outbox::begin(pool).await?;
    transaction.execute_unprepared(&format!("INSERT INTO orders (id) VALUES ('{order}')")).await?;
    let event = Event::new(&PLACED, tenant(), order, SystemClock.now(), &OsRandom);
    let kept = event.id.to_string().bytes().last().is_none_or(|last| last % 3 > 0);
    outbox::publish(&transaction, &[event]).await?;
    if kept {
        transaction.commit().await?;
        database.published();
    } else {
        transaction.rollback().await?;
    }
    Ok(kept)
}
