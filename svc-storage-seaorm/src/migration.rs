//! Brings a database to the schema of this binary.
//!
//! Each migration and its entry in `svc_migrations` are one transaction. On
//! PostgreSQL an advisory lock lets one process migrate at a time; on SQLite
//! the lock of the file does. A schema that is newer than the binary is refused,
//! and so is one of the form before the first release.

mod audit;
mod auth;
mod budgets;
mod business;
mod core;
mod sessions;
mod types;
mod webhooks;

use sea_orm::{ConnectionTrait, DatabaseBackend, DbErr, Statement};
use svc_core::clock::Timestamp;
use thiserror::Error;

use crate::statement::Sql;

/// The name of a migration, and its statements on an engine.
type Migration = (&'static str, fn(DatabaseBackend) -> Vec<String>);

/// Every migration in order. Those that a release had are never changed or taken away, only added to.
const MIGRATIONS: &[Migration] = &[("0001_tables", initial)];

/// The first migrations of the form that databases had before the first release.
const BEFORE_THE_RELEASE: [&str; 3] = ["0001_core", "0002_business", "0001_initial"];

/// The whole schema, area by area.
fn initial(engine: DatabaseBackend) -> Vec<String> {
    let areas = [
        core::statements,
        business::statements,
        auth::statements,
        sessions::statements,
        budgets::statements,
        audit::statements,
        webhooks::statements,
    ];
    areas.iter().flat_map(|statements| statements(engine)).collect()
}

/// The statements of every migration in order, for tests that need tables alone.
#[cfg(test)]
pub(crate) fn every_statement(engine: DatabaseBackend) -> impl Iterator<Item = String> {
    MIGRATIONS.iter().flat_map(move |(_, statements)| statements(engine))
}

/// Why a schema was not brought up to date.
#[derive(Debug, Error)]
pub enum MigrateError {
    /// The database was migrated by a newer version of this program.
    #[error("the database has the migration `{0}` that this version does not know: use a newer version")]
    Newer(String),
    /// The database was made before the first release, in a form that no release takes over.
    #[error(
        "the database was made by a version before the first release, and no later one takes its schema over: \
         make a new database"
    )]
    BeforeTheRelease,
    /// Tables of these names are there already, and no migration of this program made them. Nothing was changed.
    #[error(
        "the database has tables of this program's names that it did not make: {}; use another database, or another \
         schema of PostgreSQL (`search_path`)",
        .0.join(", ")
    )]
    Foreign(Vec<String>),
    /// Another process has sealed data under another key meanwhile.
    #[error("the master key is not the one that this database was made with")]
    WrongMasterKey,
    /// The database failed; the migration under way was rolled back.
    #[error("the database failed: {0}")]
    Backend(#[from] DbErr),
    /// The transaction could not be opened or committed.
    #[error(transparent)]
    Store(#[from] svc_core::error::StoreError),
}

/// Names of the migrations that `conn` does not have yet.
pub(crate) async fn pending(conn: &impl ConnectionTrait) -> Result<Vec<&'static str>, MigrateError> {
    let applied = applied(conn).await?;
    Ok(MIGRATIONS
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| !applied.iter().any(|known| known == name))
        .collect())
}

/// Serialises the migrators of several processes for this transaction.
pub(crate) async fn lock(conn: &impl ConnectionTrait) -> Result<(), MigrateError> {
    if conn.get_database_backend() == DatabaseBackend::Postgres {
        // A long migration is no reason for the next process to fail, nor for itself.
        conn.execute_unprepared("SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0").await?;
        conn.execute_unprepared("SELECT pg_advisory_xact_lock(7382540971)").await?;
    }
    Ok(())
}

/// Applies one pending migration within an open transaction.
pub(crate) async fn apply(
    conn: &impl ConnectionTrait,
    name: &str,
    now: Timestamp,
) -> Result<(), MigrateError> {
    let engine = conn.get_database_backend();
    if !has_table(conn, "svc_migrations").await? {
        refuse_foreign_tables(conn).await?;
    }
    conn.execute_unprepared(
        "CREATE TABLE IF NOT EXISTS svc_migrations (name text NOT NULL PRIMARY KEY, applied_at bigint NOT NULL)",
    )
    .await?;
    let Some((name, statements)) = MIGRATIONS.iter().find(|(known, _)| *known == name) else { return Ok(()) };
    for statement in statements(engine) {
        conn.execute_unprepared(&statement).await?;
    }
    Sql::new(conn, "INSERT INTO svc_migrations (name, applied_at) VALUES (")
        .bind(*name)
        .text(", ")
        .bind(now.unix_micros())
        .text(")")
        .execute(conn)
        .await?;
    Ok(())
}

/// A database that no migration has seen must have no table of a name that one is to make.
async fn refuse_foreign_tables(conn: &impl ConnectionTrait) -> Result<(), MigrateError> {
    let mut foreign = Vec::new();
    for (_, statements) in MIGRATIONS {
        for statement in statements(conn.get_database_backend()) {
            let made = statement.strip_prefix("CREATE TABLE ").and_then(|rest| rest.split([' ', '(']).next());
            if let Some(name) = made
                && has_table(conn, name).await?
            {
                foreign.push(name.to_owned());
            }
        }
    }
    if foreign.is_empty() { Ok(()) } else { Err(MigrateError::Foreign(foreign)) }
}

async fn applied(conn: &impl ConnectionTrait) -> Result<Vec<String>, MigrateError> {
    if !has_table(conn, "svc_migrations").await? {
        return Ok(Vec::new());
    }
    let engine = conn.get_database_backend();
    let rows = conn.query_all_raw(Statement::from_string(engine, "SELECT name FROM svc_migrations")).await?;
    let names: Vec<String> = rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, _>>()?;
    if names.iter().any(|name| BEFORE_THE_RELEASE.contains(&name.as_str())) {
        return Err(MigrateError::BeforeTheRelease);
    }
    match names.iter().find(|name| !MIGRATIONS.iter().any(|(known, _)| known == name)) {
        Some(unknown) => Err(MigrateError::Newer(unknown.clone())),
        None => Ok(names),
    }
}

/// Whether the database has this table.
pub(crate) async fn has_table(conn: &impl ConnectionTrait, name: &str) -> Result<bool, DbErr> {
    let engine = conn.get_database_backend();
    let sql = if engine == DatabaseBackend::Postgres {
        format!("SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = '{name}'")
    } else {
        format!("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '{name}'")
    };
    Ok(conn.query_one_raw(Statement::from_string(engine, sql)).await?.is_some())
}
