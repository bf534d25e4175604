//! One opened database.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};
use svc_core::audit::ChainKeys;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use tokio::runtime::Handle;

use crate::error::backend;
use crate::keys::Keys;
use crate::migration::{self, MigrateError};
use crate::open_error::OpenError;
use crate::outbox::committed::CommittedEvents;
use crate::postgres::{self, Pools};
use crate::readers::Readers;
use crate::schema::{Part, Schema};
use crate::seal::Sealer;
use crate::settings::Settings;
use crate::sqlite;
use crate::sqlite::writer::Writer;
use crate::store::SeaStore;
use crate::target::Target;
use crate::transaction::{Shared, Transaction};
use crate::unit::SeaUnit;

/// Which database engine it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Embedded, one process.
    Sqlite,
    /// A server, several processes.
    Postgres,
}

/// Connections to PostgreSQL beside the pool of a service.
const BESIDE: u32 = 9;

/// An opened database. Cheap to clone: clones share connections and lock.
#[derive(Clone)]
pub struct Database(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    /// Reads committed data.
    pub(crate) reader: SeaStore<Readers>,
    writes: Writes,
    pub(crate) sealer: Arc<Sealer>,
    pub(crate) schema: Schema,
    pub(crate) chain: Arc<ChainKeys>,
    /// What this process committed and is about to fan out.
    pub(crate) committed: Arc<CommittedEvents>,
}

enum Writes {
    Sqlite {
        writer: Writer,
        shared: Arc<Shared>,
        lookup: DatabaseConnection,
        /// Keeps other processes out until the database is closed.
        lock: Mutex<Option<File>>,
        path: PathBuf,
    },
    Postgres(Pools),
    /// Opened for reading alone; a SQLite file is known by its path.
    None(Option<PathBuf>),
}

impl Writes {
    /// Where events are fanned out.
    #[cfg(feature = "webhooks")]
    fn fans_out(&self, readers: &Readers) -> Option<Readers> {
        match self {
            Self::Postgres(pools) => Some(pools.fan_out.clone().into()),
            Self::Sqlite { .. } => Some(readers.clone()),
            Self::None(_) => None,
        }
    }
}

impl Database {
    /// Opens a database; a SQLite file is created with its folder. The schema is left as it is.
    ///
    /// # Errors
    /// [`OpenError`], each in words that an operator can act on.
    pub async fn open(settings: &Settings) -> Result<Self, OpenError> {
        Self::open_at(Target::of_url(&settings.url)?, settings).await
    }

    /// Opens the database that a service has a pool of connections to, for what the service publishes in its
    /// own transactions: see [`outbox::publish`](crate::outbox::publish).
    ///
    /// It has connections of its own beside that pool, nine to PostgreSQL: what is done here must not meet a
    /// transaction that a cancelled request left open on a connection of the pool. The schema is left as it is.
    ///
    /// # Errors
    /// [`OpenError`], for a database in memory too, which no second connection can reach.
    pub async fn from_connection(
        conn: &DatabaseConnection,
        keys: Keys,
        schema: Schema,
    ) -> Result<Self, OpenError> {
        let settings = Settings::new("", keys).max_connections(BESIDE).schema(schema);
        Self::open_at(Target::of(conn).await?, &settings).await
    }

    async fn open_at(target: Target, settings: &Settings) -> Result<Self, OpenError> {
        let target = target.in_schema(&settings.schema)?;
        let committed = Arc::default();
        let (readers, writes) = match target {
            Target::Postgres(server) => {
                let pools = Pools::open(&server, settings, &committed).await?;
                (pools.any.clone().into(), Writes::Postgres(pools))
            }
            Target::Sqlite(path) => {
                let file = sqlite::open(path, settings).await?;
                end_leases_of_the_dead(&file.writer).await.map_err(OpenError::Backend)?;
                let writer = Writer::new(file.writer, Handle::current());
                let lock = Mutex::new(Some(file.lock));
                let (lookup, committed) = (file.lookup.clone(), Arc::clone(&committed));
                let shared = Shared::sqlite(writer.clone(), lookup, committed, Handle::current());
                let readers = Readers::Timed(file.readers);
                (readers, Writes::Sqlite { writer, shared, lookup: file.lookup, lock, path: file.path })
            }
        };
        Self::opened(settings, readers, writes, committed).await
    }

    /// Opens a database for reading alone, beside the process that has a SQLite file; whatever
    /// would change something fails. Nothing is created.
    ///
    /// # Errors
    /// [`OpenError`].
    pub async fn open_read_only(settings: &Settings) -> Result<Self, OpenError> {
        let (readers, path) = match Target::of_url(&settings.url)?.in_schema(&settings.schema)? {
            Target::Postgres(server) => {
                let most = settings.max_connections;
                (postgres::open(&server, settings, postgres::Access::Read, most).await?, None)
            }
            Target::Sqlite(path) => (sqlite::look(&path, settings).await?, Some(path)),
        };
        Self::opened(settings, readers.into(), Writes::None(path), Arc::default()).await
    }

    async fn opened(
        settings: &Settings,
        readers: Readers,
        writes: Writes,
        committed: Arc<CommittedEvents>,
    ) -> Result<Self, OpenError> {
        let sealer = Arc::new(Sealer::new(settings.keys.clone()));
        let chain = Arc::new(settings.keys.chain_keys());
        #[cfg(feature = "webhooks")]
        if let Some(conn) = writes.fans_out(&readers) {
            committed.ahead().read_by(Arc::new(SeaStore::new(conn, Arc::clone(&sealer))));
        }
        let reader = SeaStore::new(readers, Arc::clone(&sealer));
        let schema = settings.schema.clone();
        let database = Self(Arc::new(Inner { reader, writes, sealer, schema, chain, committed }));
        if let Err(error) = database.refuse_wrong_key().await {
            database.close().await;
            return Err(error);
        }
        Ok(database)
    }

    /// Brings the schema up to date; answers the names of the migrations applied now.
    ///
    /// # Errors
    /// [`MigrateError`]; the schema is as it was.
    pub async fn migrate(&self, now: Timestamp) -> Result<Vec<&'static str>, MigrateError> {
        let transaction = self.0.transaction()?;
        let applied = migration::apply(&transaction, &self.0.schema, now).await?;
        transaction.commit().await?;
        self.remember_key().await?;
        self.refuse_wrong_key().await.map_err(|_| MigrateError::WrongMasterKey)?;
        #[cfg(feature = "auth")]
        if self.0.schema.has(Part::Auth) {
            self.renew_passwords().await?;
        }
        #[cfg(feature = "webhooks")]
        if self.0.schema.has(Part::Webhooks) {
            self.0.make_days_ahead(now).await;
        }
        Ok(applied)
    }

    /// Names of the migrations that are missing.
    ///
    /// # Errors
    /// [`MigrateError`].
    pub async fn pending_migrations(&self) -> Result<Vec<&'static str>, MigrateError> {
        migration::pending(&self.0.reader.conn, &self.0.schema).await
    }

    /// Opens a unit of work on every port at once. Its transaction begins when there is need of one.
    ///
    /// # Errors
    /// When the database was opened for reading alone.
    #[expect(clippy::unused_async, reason = "as the ports have it: to begin may take time")]
    pub async fn begin(&self) -> Result<Box<SeaUnit>, StoreError> {
        self.0.begin().map(Box::new)
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
        self.0.engine()
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
            Writes::Sqlite { path, .. } | Writes::None(Some(path)) => sqlite::copy(path, to).await,
            Writes::Postgres(_) | Writes::None(None) => {
                Err(StoreError::backend("back up PostgreSQL with pg_dump"))
            }
        }
    }

    /// What is damaged in a SQLite file, a line for each place; PostgreSQL has tools of its own.
    ///
    /// Reads the whole file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn integrity(&self) -> Result<Vec<String>, StoreError> {
        match &self.0.writes {
            Writes::Sqlite { path, .. } | Writes::None(Some(path)) => {
                sqlite::damage(path).await.map_err(backend)
            }
            Writes::Postgres(_) | Writes::None(None) => Ok(Vec::new()),
        }
    }

    /// Waits for open units and closes every connection; what is asked afterwards fails.
    pub async fn close(&self) {
        let own = match &self.0.writes {
            Writes::Sqlite { writer, lookup, .. } => {
                writer.close().await;
                std::slice::from_ref(lookup)
            }
            Writes::Postgres(pools) => pools.own(),
            Writes::None(_) => &[],
        };
        let left = |error| tracing::debug!(%error, "a connection was not closed");
        for pool in own {
            pool.close_by_ref().await.unwrap_or_else(left);
        }
        self.0.reader.conn.close().await.unwrap_or_else(left);
        if let Writes::Sqlite { lock, .. } = &self.0.writes {
            drop(lock.lock().unwrap_or_else(PoisonError::into_inner).take());
        }
    }
}

impl Inner {
    pub(crate) fn engine(&self) -> Engine {
        match self.writes {
            Writes::Sqlite { .. } | Writes::None(Some(_)) => Engine::Sqlite,
            Writes::Postgres(_) | Writes::None(None) => Engine::Postgres,
        }
    }

    pub(crate) fn begin(&self) -> Result<SeaUnit, StoreError> {
        self.transaction().map(|transaction| self.unit(transaction))
    }

    /// The pools of PostgreSQL.
    pub(crate) fn pools(&self) -> Option<&Pools> {
        match &self.writes {
            Writes::Postgres(pools) => Some(pools),
            Writes::Sqlite { .. } | Writes::None(_) => None,
        }
    }

    /// The ports over a connection of a pool, on which each statement commits by itself.
    pub(crate) fn over(&self, pool: &DatabaseConnection) -> SeaStore<Readers> {
        SeaStore::new(pool.clone().into(), Arc::clone(&self.sealer))
    }

    /// A unit whose commit does not wait for the disk on PostgreSQL: right for what is done again when
    /// it is lost, wrong for what a client was told of.
    pub(crate) fn begin_repeatable(&self) -> Result<SeaUnit, StoreError> {
        match &self.writes {
            Writes::Postgres(pools) => Ok(self.unit(Transaction::new(Arc::clone(&pools.queue)))),
            Writes::Sqlite { .. } | Writes::None(_) => self.begin(),
        }
    }

    fn unit(&self, transaction: Transaction) -> SeaUnit {
        let store = SeaStore::new(transaction, Arc::clone(&self.sealer));
        SeaUnit::new(store, Arc::clone(&self.chain), Arc::clone(&self.committed))
    }

    pub(crate) fn transaction(&self) -> Result<Transaction, StoreError> {
        let shared = match &self.writes {
            Writes::Sqlite { shared, .. } => shared,
            Writes::Postgres(pools) => &pools.durable,
            Writes::None(_) => return Err(StoreError::backend("the database was opened for reading alone")),
        };
        Ok(Transaction::new(Arc::clone(shared)))
    }
}

/// The process that leased a delivery of a SQLite file is gone: the file is ours alone now. On PostgreSQL
/// other processes may be alive, and leases end by themselves.
async fn end_leases_of_the_dead(conn: &DatabaseConnection) -> Result<(), sea_orm::DbErr> {
    if migration::has_table(conn, "svc_delivery_queue").await? {
        let sql = "UPDATE svc_delivery_queue SET lease_until = NULL, lease_token = NULL WHERE lease_until IS NOT NULL";
        conn.execute_unprepared(sql).await?;
        // A lane whose rows were leased is due when their leases would have ended. One that is looked at too soon is put
        // down again.
        conn.execute_unprepared("UPDATE svc_delivery_lanes SET due_at = 0 WHERE due_at IS NOT NULL").await?;
    }
    Ok(())
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Database").field(&self.engine()).finish()
    }
}
