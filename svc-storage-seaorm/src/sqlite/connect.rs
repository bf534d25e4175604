//! Connections of SQLite, as each use of them needs it.

use std::path::Path;
use std::time::Duration;

use sea_orm::{ConnectOptions, Database, DatabaseConnection, DbErr, RuntimeErr, sqlx};

use super::Access;
use super::timed::Deadline;
use crate::open_error::OpenError;
use crate::settings::{Settings, Synchronous};

/// Steps of SQLite's machine between two looks at the deadline: well below a millisecond.
const STEPS: i32 = 10_000;

/// Opens the connections for one use of a file.
pub(super) async fn connect(
    path: &Path,
    settings: &Settings,
    access: Access,
) -> Result<DatabaseConnection, OpenError> {
    let mut options = ConnectOptions::new("sqlite::memory:");
    let file = path.to_owned();
    // The writer changes pages of every index. Readers are many, and the system keeps the file in memory for them all.
    let (cache, statements) = match access {
        Access::Write => ("-16384", 256),
        Access::Lookup => ("-4096", 64),
        Access::Read | Access::Look => ("-2048", 64),
    };
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
            Access::Write | Access::Read | Access::Lookup => 1,
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
                .pragma("cache_size", cache)
                .pragma("temp_store", "MEMORY")
                // For a statement about some hundred rows SQLite would rather read all of a table, and look each
                // of its rows up in an index of those that it makes for the moment, than look some hundred up.
                .pragma("automatic_index", "OFF")
                .statement_cache_capacity(statements)
        });
    let connected = Database::connect(options).await;
    let connections = connected.map_err(|error| OpenError::connect(path.display().to_string(), error))?;
    Ok(settings.heard(connections))
}

/// Has the one connection of a pool end each statement that goes on beyond the deadline.
pub(super) async fn end_by(pool: &DatabaseConnection, deadline: Deadline) -> Result<(), DbErr> {
    let broken = |error: sqlx::Error| DbErr::Conn(RuntimeErr::SqlxError(error.into()));
    let mut conn = pool.get_sqlite_connection_pool().acquire().await.map_err(broken)?;
    let mut conn = conn.lock_handle().await.map_err(broken)?;
    conn.set_progress_handler(STEPS, move || deadline.is_ahead());
    Ok(())
}

/// One connection to a file, beside all others.
pub(super) async fn alone(from: &Path) -> Result<DatabaseConnection, DbErr> {
    let mut options = ConnectOptions::new("sqlite::memory:");
    let file = from.to_owned();
    // A connection of its own: the readers may not write, and no request waits for this one.
    options.sqlx_logging(false).max_connections(1).map_sqlx_sqlite_opts(move |sqlite| {
        sqlite.filename(&file).in_memory(false).shared_cache(false).busy_timeout(Duration::from_secs(10))
    });
    Database::connect(options).await
}
