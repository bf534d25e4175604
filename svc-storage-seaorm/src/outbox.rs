//! Events, and the outbox that holds those not fanned out yet; publishing in a transaction of one's own.

mod ahead;
pub(crate) mod committed;
mod waiting;

use std::collections::HashMap;

use async_trait::async_trait;
use sea_orm::entity::prelude::*;
use sea_orm::{
    ConnectionTrait, DatabaseBackend, DatabaseConnection, DatabaseTransaction, SqliteTransactionMode,
    TransactionOptions, TransactionTrait,
};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::event::Event;
use svc_core::id::TypedId;
use svc_core::outbox::Outbox;

pub(crate) use self::ahead::{ReadsReceivers, Receivers};
use crate::database::Database;
use crate::error::backend;
use crate::statement::{Insertion, ROWS, Sql};
use crate::store::SeaStore;
use crate::transaction::DeferInsert;
use crate::value::broken;

#[async_trait]
impl<C: DeferInsert + Send + Sync> Outbox for SeaStore<C> {
    async fn publish(&self, events: &[Event]) -> Result<(), StoreError> {
        for some in events.chunks(ROWS) {
            for insertion in insertions(None, some) {
                self.conn.defer(insertion).await.map_err(backend)?;
            }
        }
        Ok(())
    }
}

/// Begins a transaction that is to publish, on a pool of the service's own.
///
/// On SQLite it waits for the one writer from the start: begun as a reader, it could meet another writer when it is too
/// late to wait. On PostgreSQL it is not cut short when the caller goes away, which would hand the connection back inside
/// an open transaction (sqlx 0.9), so that the next borrower's commit is never visible.
///
/// # Errors
/// When the database failed.
pub async fn begin(pool: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let pool = pool.clone();
    let beginning = tokio::spawn(async move {
        let is_sqlite = pool.get_database_backend() == DatabaseBackend::Sqlite;
        let sqlite_transaction_mode = is_sqlite.then_some(SqliteTransactionMode::Immediate);
        let options = TransactionOptions { sqlite_transaction_mode, ..TransactionOptions::default() };
        pool.begin_with_options(options).await
    });
    beginning.await.map_err(|error| DbErr::Custom(error.to_string()))?
}

/// Adds events to the outbox within a transaction of the caller's own, in the order in which they happened.
///
/// They are delivered once that transaction has committed, also when the process ends in that moment, and never
/// when it rolls back. After the commit, [`Database::published`](crate::Database::published) lets the fan-out
/// begin at once. `conn` is an open transaction of SeaORM on a database with this schema: given a pool, each of
/// the statements commits by itself, and a crash between two leaves an event that is never delivered.
///
/// On SQLite there is one writer at a time: a transaction that is to publish becomes the writer as it [begins](begin),
/// and until it ends no unit of work of the [`Database`] on the same file may be awaited, since each
/// would wait for the other.
///
/// ```
/// # use sea_orm::DatabaseConnection;
/// # use svc_core::event::{Event, EventDeclaration};
/// # use svc_storage_seaorm::{Database, outbox};
/// # async fn place(pool: &DatabaseConnection, database: &Database, order: Event)
/// # -> Result<(), Box<dyn std::error::Error>> {
/// let transaction = outbox::begin(pool).await?;
/// // …what the service changes…
/// outbox::publish(&transaction, &[order]).await?;
/// transaction.commit().await?;
/// database.published();
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When the database failed; the transaction should be rolled back then.
pub async fn publish(conn: &impl ConnectionTrait, events: &[Event]) -> Result<(), StoreError> {
    publish_into(None, conn, events).await
}

impl Database {
    /// As [`publish`], where the tables are in a [schema of their own](crate::Schema::named), which the caller's
    /// connection need not search.
    ///
    /// # Errors
    /// When the database failed; the transaction should be rolled back then.
    pub async fn publish(&self, conn: &impl ConnectionTrait, events: &[Event]) -> Result<(), StoreError> {
        publish_into(self.0.schema.name(), conn, events).await
    }
}

async fn publish_into(
    schema: Option<&str>,
    conn: &impl ConnectionTrait,
    events: &[Event],
) -> Result<(), StoreError> {
    for some in events.chunks(ROWS) {
        let insertions = insertions(schema, some);
        if conn.get_database_backend() == DatabaseBackend::Postgres {
            Insertion::run_together(insertions.into(), conn).await.map_err(backend)?;
        } else {
            for insertion in insertions {
                insertion.run(conn).await.map_err(backend)?;
            }
        }
    }
    Ok(())
}

/// The rows of these events, and of the outbox.
fn insertions(schema: Option<&str>, events: &[Event]) -> [Insertion; 2] {
    for event in events {
        // Within the span of the request that causes it: so its id leads to the deliveries.
        tracing::debug!(target: "svc_webhooks::outbox", event = %event.id, kind = event.kind.name(), "published");
    }
    let rows = events.iter().map(|event| {
        [
            event.id.uuid().into(),
            event.kind.name().into(),
            event.occurred_at.unix_micros().into(),
            event.account().map(TypedId::uuid).into(),
            event.object_id.as_str().into(),
            event.body().into(),
        ]
    });
    let place = schema.map(|name| format!("\"{name}\".")).unwrap_or_default();
    let columns =
        format!("INSERT INTO {place}svc_events (id, type, occurred_at, account_id, object_id, body)");
    let waiting = events.iter().map(|event| [event.id.uuid().into()]);
    let outbox = format!("INSERT INTO {place}svc_outbox (event_id)");
    [Insertion::new(columns, rows), Insertion::new(outbox, waiting).publishing(events)]
}

/// The rows of these events.
pub(crate) async fn find(
    conn: &impl ConnectionTrait,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, Model>, StoreError> {
    let found = Sql::new(conn, "SELECT * FROM svc_events WHERE id").among(ids.iter().copied()).statement();
    let rows = Entity::find().from_raw_sql(found).all(conn).await.map_err(backend)?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "svc_events")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub r#type: String,
    pub occurred_at: i64,
    pub account_id: Option<Uuid>,
    pub object_id: String,
    pub body: Vec<u8>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// The event of a row.
pub(crate) fn read(row: &Model) -> Result<Event, StoreError> {
    Event::from_body(&row.body, Timestamp::from_unix_micros(row.occurred_at))
        .map_err(|_| broken("events.body"))
}
