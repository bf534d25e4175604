//! SQLite: one writer, readers that cannot write, and a lock that keeps other processes out.

#[cfg(not(feature = "sqlite"))]
mod absent;
#[cfg(feature = "sqlite")]
mod connect;
pub(crate) mod timed;
pub(crate) mod writer;

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement};
use svc_core::error::StoreError;

use crate::error::backend;
use crate::migration::has_table;
use crate::open_error::OpenError;
use crate::settings::Settings;

#[cfg(not(feature = "sqlite"))]
use self::absent as connect;
use self::connect::connect;
use self::timed::{LONGEST_READ, TimedConnections};

/// Versions before this one can corrupt the file when the WAL is reset.
const OLDEST_SQLITE: (u32, u32, u32) = (3, 51, 3);
/// Connections that read, at most: each has a thread.
const MOST_READERS: u32 = 8;

/// An opened file: its sets of connections, and the lock that is held with it.
pub(crate) struct SqliteFile {
    /// The one connection that writes.
    pub(crate) writer: DatabaseConnection,
    /// Connections that only read.
    pub(crate) readers: Arc<TimedConnections>,
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
    forget_statistics(&writer).await.map_err(OpenError::Backend)?;
    let mut readers = Vec::new();
    for _ in 0..settings.max_connections.clamp(1, MOST_READERS) {
        readers.push(connect(&path, settings, Access::Read).await?);
    }
    let readers = TimedConnections::new(readers, LONGEST_READ).await.map_err(OpenError::Backend)?;
    let readers = Arc::new(readers);
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

/// Writes a consistent copy of the database, secrets still sealed, into a new file. It has its name once it is whole and
/// on the disk: until then it is `FILE.partial`, which the next copy begins anew.
pub(crate) async fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    let partial = to.with_added_extension("partial");
    forget(&partial).map_err(StoreError::backend)?;
    let copied = match copy_into(from, &partial).await {
        Ok(()) => keep(&partial, to).map_err(StoreError::backend),
        Err(error) => Err(error),
    };
    if copied.is_err() {
        forget(&partial).map_err(StoreError::backend)?;
    }
    copied
}

async fn copy_into(from: &Path, to: &Path) -> Result<(), StoreError> {
    let path = to.to_str().ok_or_else(|| StoreError::backend("the path is not UTF-8"))?;
    owned(to, true).map_err(StoreError::backend)?;
    let conn = connect::alone(from).await.map_err(backend)?;
    let statement = Statement::from_sql_and_values(DbBackend::Sqlite, "VACUUM INTO ?", [path.into()]);
    let copied = conn.execute_raw(statement).await;
    conn.close().await.map_err(backend)?;
    copied.map(drop).map_err(backend)
}

/// Gives a whole file its name, which no other file has.
fn keep(partial: &Path, to: &Path) -> io::Result<()> {
    File::open(partial)?.sync_all()?;
    if to.try_exists()? {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    std::fs::rename(partial, to)?;
    #[cfg(unix)]
    if let Some(folder) = to.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

fn forget(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// What SQLite finds wrong with a file: broken pages and indexes, and references to nothing.
pub(crate) async fn damage(path: &Path) -> Result<Vec<String>, sea_orm::DbErr> {
    // A connection of its own, which has as much time as the file takes.
    let conn = connect::alone(path).await?;
    let damage = damage_found_by(&conn).await;
    conn.close().await?;
    damage
}

async fn damage_found_by(conn: &DatabaseConnection) -> Result<Vec<String>, sea_orm::DbErr> {
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

/// Forgets what another program has made SQLite know of the tables: where they have grown since, it would rather read
/// all of one than look into an index. Without, it always looks.
async fn forget_statistics(conn: &DatabaseConnection) -> Result<(), sea_orm::DbErr> {
    if has_table(conn, "sqlite_stat1").await? {
        let forget = "DELETE FROM sqlite_stat1 WHERE tbl GLOB 'svc_*'; ANALYZE sqlite_schema";
        conn.execute_unprepared(forget).await?;
    }
    Ok(())
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
