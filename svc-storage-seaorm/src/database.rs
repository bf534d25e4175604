//! One opened database, and the ports that it implements.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};
use svc_auth::ports::AuthStorage;
use svc_business::ports::BusinessStorage;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::idempotency::IdempotencyStore;
use svc_webhooks::ports::WebhookStorage;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::error::backend;
use crate::migration::{self, MigrateError};
use crate::open_error::OpenError;
use crate::seal::{Place, Sealer};
use crate::settings::Settings;
use crate::sqlite::writer::Writer;
use crate::statement::Sql;
use crate::store::SeaStore;
use crate::transaction::{Pooled, Transaction};
use crate::unit::SeaUnit;
use crate::{postgres, sqlite};

/// Which database engine it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Embedded, one process.
    Sqlite,
    /// A server, several processes.
    Postgres,
}

/// An opened database. Cheap to clone: clones share connections and lock.
#[derive(Clone)]
pub struct Database(Arc<Inner>);

pub(crate) struct Inner {
    /// Reads committed data.
    pub(crate) reader: SeaStore<DatabaseConnection>,
    writes: Writes,
    sealer: Arc<Sealer>,
    committed: Arc<Notify>,
}

enum Writes {
    Sqlite {
        writer: Writer,
        /// Keeps other processes out until the database is closed.
        lock: Mutex<Option<File>>,
        path: PathBuf,
    },
    Postgres {
        pool: DatabaseConnection,
        runtime: Handle,
    },
}

impl Database {
    /// Opens a database; a SQLite file is created with its folder. The schema is left as it is.
    ///
    /// # Errors
    /// [`OpenError`], each in words that an operator can act on.
    pub async fn open(settings: &Settings) -> Result<Self, OpenError> {
        let sealer = Arc::new(Sealer::new(settings.keys.clone()));
        let (readers, writes) =
            if settings.url.starts_with("postgres://") || settings.url.starts_with("postgresql://") {
                let pool = postgres::open(settings).await?;
                (pool.clone(), Writes::Postgres { pool, runtime: Handle::current() })
            } else if settings.url.starts_with("sqlite:") {
                let file = sqlite::open(settings).await?;
                end_leases_of_the_dead(&file.writer).await.map_err(OpenError::Backend)?;
                let writer = Writer::new(file.writer, Handle::current());
                let lock = Mutex::new(Some(file.lock));
                (file.readers, Writes::Sqlite { writer, lock, path: file.path })
            } else {
                return Err(OpenError::Url(
                    "expected sqlite://PATH or postgres://USER:PASSWORD@HOST/NAME".to_owned(),
                ));
            };
        let reader = SeaStore::new(readers, Arc::clone(&sealer));
        let database = Self(Arc::new(Inner { reader, writes, sealer, committed: Arc::default() }));
        if let Err(error) = database.refuse_wrong_key().await {
            database.close().await;
            return Err(error);
        }
        Ok(database)
    }

    /// Brings the schema up to date; answers the names of the migrations applied now.
    ///
    /// # Errors
    /// [`MigrateError`]; the migration that failed was rolled back, those before it stay.
    pub async fn migrate(&self, now: Timestamp) -> Result<Vec<&'static str>, MigrateError> {
        let mut applied = Vec::new();
        loop {
            let transaction = self.0.transaction().await?;
            migration::lock(&transaction).await?;
            let Some(next) = migration::pending(&transaction).await?.first().copied() else { break };
            migration::apply(&transaction, next, now).await?;
            transaction.commit().await?;
            applied.push(next);
        }
        self.remember_key().await?;
        match self.refuse_wrong_key().await {
            Ok(()) => Ok(applied),
            Err(_) => Err(MigrateError::WrongMasterKey),
        }
    }

    /// Names of the migrations that are missing.
    ///
    /// # Errors
    /// [`MigrateError`].
    pub async fn pending_migrations(&self) -> Result<Vec<&'static str>, MigrateError> {
        migration::pending(&self.0.reader.conn).await
    }

    /// Opens a unit of work on every port at once.
    ///
    /// # Errors
    /// When no transaction could be opened.
    pub async fn begin(&self) -> Result<Box<SeaUnit>, StoreError> {
        self.0.begin().await.map(Box::new)
    }

    /// The business ports.
    #[must_use]
    pub fn business(&self) -> Arc<dyn BusinessStorage> {
        Arc::clone(&self.0) as Arc<dyn BusinessStorage>
    }

    /// The token ports.
    #[must_use]
    pub fn auth(&self) -> Arc<dyn AuthStorage> {
        Arc::clone(&self.0) as Arc<dyn AuthStorage>
    }

    /// The webhook ports.
    #[must_use]
    pub fn webhooks(&self) -> Arc<dyn WebhookStorage> {
        Arc::clone(&self.0) as Arc<dyn WebhookStorage>
    }

    /// The port of idempotent requests.
    #[must_use]
    pub fn idempotency(&self) -> Arc<dyn IdempotencyStore> {
        Arc::clone(&self.0) as Arc<dyn IdempotencyStore>
    }

    /// Notified after a commit of this process that published events.
    #[must_use]
    pub fn events_committed(&self) -> Arc<Notify> {
        Arc::clone(&self.0.committed)
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.0.reader.conn.execute_unprepared("SELECT 1").await.map(drop).map_err(backend)
    }

    /// Which engine it is.
    #[must_use]
    pub fn engine(&self) -> Engine {
        match self.0.writes {
            Writes::Sqlite { .. } => Engine::Sqlite,
            Writes::Postgres { .. } => Engine::Postgres,
        }
    }

    /// The version that the engine says it has.
    ///
    /// # Errors
    /// When it does not answer.
    pub async fn server_version(&self) -> Result<String, StoreError> {
        let (engine, sql) = match self.engine() {
            Engine::Sqlite => (DbBackend::Sqlite, "SELECT sqlite_version()"),
            Engine::Postgres => (DbBackend::Postgres, "SHOW server_version"),
        };
        let row =
            self.0.reader.conn.query_one_raw(Statement::from_string(engine, sql)).await.map_err(backend)?;
        let version: Option<String> = row.map(|row| row.try_get_by_index(0)).transpose().map_err(backend)?;
        Ok(version.unwrap_or_default())
    }

    /// Writes a consistent copy of a SQLite database to a file that must not exist yet.
    ///
    /// # Errors
    /// On PostgreSQL, and when the file cannot be written.
    pub async fn backup(&self, to: &Path) -> Result<(), StoreError> {
        match &self.0.writes {
            Writes::Sqlite { path, .. } => sqlite::copy(path, to).await,
            Writes::Postgres { .. } => Err(StoreError::backend("back up PostgreSQL with pg_dump")),
        }
    }

    /// Waits for open units and closes every connection; what is asked afterwards fails.
    pub async fn close(&self) {
        if let Writes::Sqlite { writer, .. } = &self.0.writes {
            writer.close().await;
        }
        if let Err(error) = self.0.reader.conn.close_by_ref().await {
            tracing::debug!(%error, "a connection was not closed");
        }
        if let Writes::Sqlite { lock, .. } = &self.0.writes {
            drop(lock.lock().unwrap_or_else(PoisonError::into_inner).take());
        }
    }

    /// A value sealed once under the master key: it tells a wrong key before anything is read with it.
    async fn remember_key(&self) -> Result<(), MigrateError> {
        if self.key_check().await.map_err(MigrateError::Backend)?.is_none() {
            let transaction = self.0.transaction().await?;
            let sealed = self.0.sealer.seal(&KEY_CHECK, KEY_CHECK_TEXT);
            Sql::new(&transaction, "INSERT INTO svc_key_check (id, sealed) VALUES (1, ")
                .bind(sealed)
                .text(") ON CONFLICT DO NOTHING")
                .execute(&transaction)
                .await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    async fn refuse_wrong_key(&self) -> Result<(), OpenError> {
        match self.key_check().await.map_err(OpenError::Backend)? {
            Some(sealed) if self.0.sealer.open(&KEY_CHECK, &sealed).is_err() => {
                Err(OpenError::WrongMasterKey)
            }
            Some(_) | None => Ok(()),
        }
    }

    async fn key_check(&self) -> Result<Option<Vec<u8>>, sea_orm::DbErr> {
        let conn = &self.0.reader.conn;
        if !migration::has_table(conn, "svc_key_check").await? {
            return Ok(None);
        }
        let engine = conn.get_database_backend();
        let row =
            conn.query_one_raw(Statement::from_string(engine, "SELECT sealed FROM svc_key_check")).await?;
        row.map(|row| row.try_get_by_index(0)).transpose()
    }
}

const KEY_CHECK: Place<'static> =
    Place { table: "svc_key_check", column: "sealed", company: Uuid::nil(), row: &[1] };
const KEY_CHECK_TEXT: &[u8] = b"svc";

impl Inner {
    pub(crate) async fn begin(&self) -> Result<SeaUnit, StoreError> {
        let store = SeaStore::new(self.transaction().await?, Arc::clone(&self.sealer));
        Ok(SeaUnit::new(store, Arc::clone(&self.committed)))
    }

    async fn transaction(&self) -> Result<Transaction, StoreError> {
        match &self.writes {
            Writes::Sqlite { writer, .. } => writer.turn().await.map(Transaction::sqlite),
            Writes::Postgres { pool, runtime } => {
                Pooled::begin(pool, runtime).await.map(Transaction::postgres)
            }
        }
    }
}

/// Whoever leased a delivery of a SQLite file is gone: the file is ours alone now. On PostgreSQL
/// other processes may be alive, and leases end by themselves.
async fn end_leases_of_the_dead(conn: &DatabaseConnection) -> Result<(), sea_orm::DbErr> {
    if migration::has_table(conn, "delivery_queue").await? {
        let sql =
            "UPDATE delivery_queue SET lease_until = NULL, lease_token = NULL WHERE lease_until IS NOT NULL";
        conn.execute_unprepared(sql).await?;
    }
    Ok(())
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Database").field(&self.engine()).finish()
    }
}
