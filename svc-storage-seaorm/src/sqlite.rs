//! SQLite: one writer, readers that cannot write, and a lock that keeps other processes out.

pub(crate) mod writer;

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};
use svc_core::error::StoreError;

use crate::error::backend;
use crate::open_error::OpenError;
use crate::settings::{Settings, Synchronous};

/// Versions before this one can corrupt the file when the WAL is reset.
const OLDEST_SQLITE: (u32, u32, u32) = (3, 51, 3);

/// An opened file: its sets of connections, and the lock that is held with it.
pub(crate) struct SqliteFile {
    /// The one connection that writes.
    pub(crate) writer: DatabaseConnection,
    /// Connections that only read.
    pub(crate) readers: DatabaseConnection,
    /// One that reads what units look for before they become the writer.
    pub(crate) lookup: DatabaseConnection,
    /// Held as long as the file is open.
    pub(crate) lock: File,
    /// Where it is.
    pub(crate) path: PathBuf,
}

/// Opens a file, which is created with its folder when it is not there.
pub(crate) async fn open(path: PathBuf, settings: &Settings) -> Result<SqliteFile, OpenError> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)
            .map_err(|source| OpenError::File { path: folder.to_owned(), source })?;
    }
    let lock = lock(&path)?;
    // It holds personal data: it belongs to its owner from its first byte on.
    owned(&path, false).map_err(|source| OpenError::File { path: path.clone(), source })?;
    let writer = connect(&path, settings, Access::Write).await?;
    refuse_old_sqlite(&writer).await?;
    let readers = connect(&path, settings, Access::Read).await?;
    let lookup = connect(&path, settings, Access::Lookup).await?;
    Ok(SqliteFile { writer, readers, lookup, lock, path })
}

/// Opens a file that is there for reading alone, whichever process has it: readers of a write-ahead
/// log hinder no writer, and see what was committed when their statement began.
pub(crate) async fn look(path: &Path, settings: &Settings) -> Result<DatabaseConnection, OpenError> {
    File::open(path).map_err(|source| OpenError::File { path: path.to_owned(), source })?;
    let readers = connect(path, settings, Access::Look).await?;
    refuse_old_sqlite(&readers).await?;
    Ok(readers)
}

/// Writes a consistent copy of the database, secrets still sealed, into a new file.
pub(crate) async fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    let path = to.to_str().ok_or_else(|| StoreError::backend("the path is not UTF-8"))?;
    owned(to, true).map_err(StoreError::backend)?;
    let mut options = ConnectOptions::new("sqlite::memory:");
    let file = from.to_owned();
    // A connection of its own: the readers may not write, and no request waits for this one.
    options.sqlx_logging(false).max_connections(1).map_sqlx_sqlite_opts(move |sqlite| {
        sqlite.filename(&file).in_memory(false).shared_cache(false).busy_timeout(Duration::from_secs(10))
    });
    let conn = Database::connect(options).await.map_err(backend)?;
    let statement = Statement::from_sql_and_values(DbBackend::Sqlite, "VACUUM INTO ?", [path.into()]);
    let copied = conn.execute_raw(statement).await;
    conn.close().await.map_err(backend)?;
    copied.map(drop).map_err(backend)
}

/// What SQLite finds wrong with a file: broken pages and indexes, and references to nothing.
pub(crate) async fn damage(conn: &DatabaseConnection) -> Result<Vec<String>, sea_orm::DbErr> {
    let mut damage = Vec::new();
    for row in conn.query_all_raw(Statement::from_string(DbBackend::Sqlite, "PRAGMA integrity_check")).await?
    {
        damage.push(row.try_get_by_index::<String>(0)?);
    }
    damage.retain(|line| line != "ok");
    let sql = "SELECT \"table\" || ' refers to nothing in ' || parent FROM pragma_foreign_key_check";
    for row in conn.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await? {
        damage.push(row.try_get_by_index::<String>(0)?);
    }
    Ok(damage)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Write,
    Read,
    /// As `Read`, for what units look for before they become the writer: long reads do not hold it up.
    Lookup,
    /// As `Read`, of a file that another process may have, or none: even its journal stays as it is.
    Look,
}

/// Opens or creates a file that only its owner may read.
fn owned(path: &Path, new: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).create_new(new).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Takes the lock file beside the database for as long as the handle lives.
fn lock(path: &Path) -> Result<File, OpenError> {
    let mut name = path.as_os_str().to_owned();
    name.push("-lock");
    let lock_path = PathBuf::from(name);
    let file =
        owned(&lock_path, false).map_err(|source| OpenError::File { path: lock_path.clone(), source })?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse { path: path.to_owned() }),
        Err(TryLockError::Error(source)) => Err(OpenError::File { path: lock_path, source }),
    }
}

async fn connect(path: &Path, settings: &Settings, access: Access) -> Result<DatabaseConnection, OpenError> {
    let mut options = ConnectOptions::new("sqlite::memory:");
    let file = path.to_owned();
    let synchronous = match settings.sqlite_synchronous {
        Synchronous::Full => "FULL",
        Synchronous::Normal => "NORMAL",
    };
    options
        .sqlx_logging(false)
        .test_before_acquire(false)
        // A connection that is closed forgets its open transaction, so none ever is.
        .idle_timeout(None)
        .max_lifetime(None)
        .acquire_timeout(Duration::from_secs(30))
        .max_connections(match access {
            Access::Write | Access::Lookup => 1,
            Access::Read => settings.max_connections.clamp(1, 8),
            Access::Look => 2,
        })
        .min_connections(1)
        .map_sqlx_sqlite_opts(move |sqlite| {
            let sqlite = match access {
                Access::Write => sqlite.create_if_missing(true).pragma("query_only", "OFF"),
                Access::Read | Access::Lookup | Access::Look => {
                    sqlite.create_if_missing(false).pragma("query_only", "ON")
                }
            };
            let sqlite = match access {
                Access::Write | Access::Read | Access::Lookup => sqlite.pragma("journal_mode", "WAL"),
                Access::Look => sqlite,
            };
            sqlite
                .filename(&file)
                .in_memory(false)
                .shared_cache(false)
                .busy_timeout(Duration::from_secs(10))
                .foreign_keys(true)
                .pragma("synchronous", synchronous)
                .pragma("cache_size", "-16384")
                .pragma("temp_store", "MEMORY")
                // For a statement about some hundred rows SQLite would rather read all of a table, and look each
                // of its rows up in an index of those that it makes for the moment, than look some hundred up.
                .pragma("automatic_index", "OFF")
                .statement_cache_capacity(256)
        });
    Database::connect(options).await.map_err(|error| OpenError::connect(path.display().to_string(), error))
}

async fn refuse_old_sqlite(conn: &DatabaseConnection) -> Result<(), OpenError> {
    let row = conn
        .query_one_raw(Statement::from_string(DbBackend::Sqlite, "SELECT sqlite_version()"))
        .await
        .map_err(OpenError::Backend)?;
    let version: String =
        row.map(|row| row.try_get_by_index(0)).transpose().map_err(OpenError::Backend)?.unwrap_or_default();
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    if (next(), next(), next()) < OLDEST_SQLITE {
        return Err(OpenError::OldSqlite { version });
    }
    Ok(())
}
