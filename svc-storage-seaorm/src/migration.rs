//! Brings a database to the schema of this binary.
//!
//! All migrations that are missing and their entries in `svc_migrations` are one
//! transaction: a database has all of them or is as it was. On PostgreSQL an
//! advisory lock lets one process migrate at a time; on SQLite the lock of the
//! file does. A schema that is newer than the binary is refused, and so is one of
//! the form before the first release. Each part of the schema has migrations of its own.

pub(crate) mod apart;
mod assets;
mod audit;
mod auth;
mod bank;
mod books;
mod budgets;
mod business;
mod core;
mod counts;
mod data_room;
mod documents;
mod jobs;
mod keys;
mod notices;
mod oauth;
pub(crate) mod open_balances;
mod purchases;
mod sales;
mod sessions;
mod signature;
mod tax;
mod texts;
mod types;
mod webhooks;

use sea_orm::{ConnectionTrait, DatabaseBackend, DbErr, Statement, TransactionSession, TransactionTrait};
use svc_core::clock::Timestamp;
use thiserror::Error;

use crate::schema::{Part, Schema};
use crate::statement::Sql;

/// One step of a part of the schema.
struct Migration {
    part: Part,
    name: &'static str,
    statements: fn(DatabaseBackend) -> Vec<String>,
}

/// Every migration in order. Those that a release had are never changed or taken away, only added to.
const MIGRATIONS: &[Migration] = &[
    Migration { part: Part::Core, name: "core_0001", statements: core_tables },
    Migration { part: Part::Webhooks, name: "webhooks_0001", statements: webhooks::statements },
    Migration { part: Part::Auth, name: "auth_0001", statements: auth_tables },
    Migration { part: Part::Business, name: "business_0001", statements: business::statements },
    Migration { part: Part::Business, name: "books_0001", statements: books::statements },
    Migration { part: Part::Business, name: "assets_0001", statements: assets::statements },
    Migration { part: Part::Business, name: "bank_0001", statements: bank::statements },
    Migration { part: Part::Business, name: "sales_0001", statements: sales::statements },
    Migration { part: Part::Business, name: "purchases_0001", statements: purchases::statements },
    Migration { part: Part::Business, name: "jobs_0001", statements: jobs::statements },
    Migration { part: Part::Business, name: "notices_0001", statements: notices::statements },
    Migration { part: Part::Business, name: "tax_0001", statements: tax::statements },
    Migration { part: Part::Business, name: "document_0001", statements: documents::statements },
    Migration { part: Part::Business, name: "signature_0001", statements: signature::statements },
    Migration { part: Part::Business, name: "data_room_0001", statements: data_room::statements },
    Migration { part: Part::Webhooks, name: "webhooks_0002", statements: webhooks::removed },
    Migration { part: Part::Business, name: "books_0002", statements: books::posted_due_dates },
    Migration { part: Part::Business, name: "purchases_0002", statements: purchases::names },
    Migration { part: Part::Business, name: "business_0002", statements: business::email_keys },
    Migration { part: Part::Business, name: "tax_0002", statements: tax::filed },
    Migration { part: Part::Business, name: "bank_0002", statements: bank::places },
    Migration { part: Part::Business, name: "purchases_0003", statements: purchases::waiting },
    Migration { part: Part::Business, name: "business_0003", statements: business::opened_cases },
    Migration { part: Part::Business, name: "books_0003", statements: books::sources },
    Migration { part: Part::Business, name: "bank_0003", statements: bank::sizes },
    Migration { part: Part::Business, name: "business_0004", statements: apart::statements },
    Migration { part: Part::Business, name: "business_0005", statements: counts::folded_by_the_row },
];

/// The first migrations of the forms that databases had before the first release.
const BEFORE_THE_RELEASE: [&str; 4] = ["0001_core", "0002_business", "0001_initial", "0001_tables"];

fn core_tables(engine: DatabaseBackend) -> Vec<String> {
    [core::statements(engine), audit::statements(engine)].concat()
}

fn auth_tables(engine: DatabaseBackend) -> Vec<String> {
    [
        auth::statements(engine),
        sessions::statements(engine),
        budgets::statements(engine),
        oauth::statements(engine),
    ]
    .concat()
}

/// The statements of every migration in order, for tests that need tables alone.
#[cfg(test)]
pub(crate) fn every_statement(engine: DatabaseBackend) -> impl Iterator<Item = String> {
    MIGRATIONS.iter().flat_map(move |migration| (migration.statements)(engine))
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
    /// A name for a schema, and a database that has none.
    #[error("SQLite has no schemas, so there is none of the name `{name}`: leave the name out")]
    NoSchemas {
        /// The name.
        name: String,
    },
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

/// Brings `schema` up to date on a connection of the caller's own, for a service whose migrations are all in one
/// place; answers the names of the migrations applied now.
///
/// It is one transaction, within that of the caller if there is one open. On PostgreSQL time limits and `search_path`
/// are afterwards what they were.
///
/// [`Database::migrate`](crate::Database::migrate) does the same in a transaction of its own, and also what needs
/// the keys: a service calls it at its start in any case.
///
/// # Errors
/// [`MigrateError`]; the schema is as it was.
pub async fn migrate<C: TransactionTrait>(
    conn: &C,
    schema: &Schema,
    now: Timestamp,
) -> Result<Vec<&'static str>, MigrateError> {
    let transaction = conn.begin().await?;
    let applied = migrate_within(&transaction, schema, now).await?;
    transaction.commit().await?;
    Ok(applied)
}

async fn migrate_within(
    conn: &impl ConnectionTrait,
    schema: &Schema,
    now: Timestamp,
) -> Result<Vec<&'static str>, MigrateError> {
    if conn.get_database_backend() != DatabaseBackend::Postgres {
        return match schema.name() {
            Some(name) => Err(MigrateError::NoSchemas { name: name.to_owned() }),
            None => apply(conn, schema, now).await,
        };
    }
    let mut before = Vec::new();
    for setting in CHANGED_MEANWHILE {
        before.push((setting, setting_of(conn, setting).await?));
    }
    if let Some(name) = schema.name() {
        set(conn, "search_path", &format!("\"{name}\"")).await?;
    }
    let applied = apply(conn, schema, now).await?;
    for (setting, value) in before {
        set(conn, setting, &value).await?;
    }
    Ok(applied)
}

/// Settings of PostgreSQL that a migration changes for its transaction; what the caller does after it has its own.
const CHANGED_MEANWHILE: [&str; 3] = ["search_path", "lock_timeout", "statement_timeout"];

/// Where this connection of PostgreSQL finds its tables: SeaORM may set it after the connection was opened.
pub(crate) async fn search_path(conn: &impl ConnectionTrait) -> Result<String, DbErr> {
    setting_of(conn, "search_path").await
}

async fn setting_of(conn: &impl ConnectionTrait, name: &str) -> Result<String, DbErr> {
    let sql = "SELECT current_setting($1)";
    let statement = Statement::from_sql_and_values(DatabaseBackend::Postgres, sql, [name.into()]);
    conn.query_one_raw(statement).await?.map_or(Ok(String::new()), |row| row.try_get_by_index(0))
}

/// Sets it for the rest of the transaction.
async fn set(conn: &impl ConnectionTrait, name: &str, value: &str) -> Result<(), DbErr> {
    let sql = "SELECT set_config($1, $2, true)";
    let statement =
        Statement::from_sql_and_values(DatabaseBackend::Postgres, sql, [name.into(), value.into()]);
    conn.query_one_raw(statement).await.map(drop)
}

/// Whether PostgreSQL has this schema. To make one needs a right, also where it is there already.
async fn has_schema(conn: &impl ConnectionTrait, name: &str) -> Result<bool, DbErr> {
    let sql = "SELECT 1 FROM pg_namespace WHERE nspname = $1";
    let statement = Statement::from_sql_and_values(DatabaseBackend::Postgres, sql, [name.into()]);
    Ok(conn.query_one_raw(statement).await?.is_some())
}

/// Names of the migrations of `schema` that `conn` does not have yet.
pub(crate) async fn pending(
    conn: &impl ConnectionTrait,
    schema: &Schema,
) -> Result<Vec<&'static str>, MigrateError> {
    Ok(missing(conn, schema).await?.iter().map(|migration| migration.name).collect())
}

/// Makes what is missing of `schema`, within an open transaction; answers the names of the migrations.
///
/// Other processes that migrate wait until the transaction has ended.
pub(crate) async fn apply(
    conn: &impl ConnectionTrait,
    schema: &Schema,
    now: Timestamp,
) -> Result<Vec<&'static str>, MigrateError> {
    lock(conn).await?;
    let missing = missing(conn, schema).await?;
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    let engine = conn.get_database_backend();
    let statements: Vec<String> =
        missing.iter().flat_map(|migration| (migration.statements)(engine)).collect();
    refuse_foreign_tables(conn, &statements).await?;
    if let Some(name) = schema.name()
        && !has_schema(conn, name).await?
    {
        conn.execute_unprepared(&format!("CREATE SCHEMA \"{name}\"")).await?;
    }
    conn.execute_unprepared(
        "CREATE TABLE IF NOT EXISTS svc_migrations (name text NOT NULL PRIMARY KEY, applied_at bigint NOT NULL)",
    )
    .await?;
    for statement in statements {
        conn.execute_unprepared(&statement).await?;
    }
    let entries = missing.iter().map(|migration| [migration.name.into(), now.unix_micros().into()]);
    let entries = Sql::new(conn, "INSERT INTO svc_migrations (name, applied_at)").rows(entries);
    entries.execute(conn).await?;
    Ok(missing.iter().map(|migration| migration.name).collect())
}

/// Serialises the migrators of several processes for this transaction.
async fn lock(conn: &impl ConnectionTrait) -> Result<(), MigrateError> {
    if conn.get_database_backend() == DatabaseBackend::Postgres {
        // A long migration is no reason for the next process to fail, nor for itself.
        conn.execute_unprepared("SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0").await?;
        conn.execute_unprepared("SELECT pg_advisory_xact_lock(7382540971)").await?;
    }
    Ok(())
}

/// What a migration is to make must not be there.
async fn refuse_foreign_tables(
    conn: &impl ConnectionTrait,
    statements: &[String],
) -> Result<(), MigrateError> {
    let mut foreign = Vec::new();
    for statement in statements {
        let made = statement.strip_prefix("CREATE TABLE ").and_then(|rest| rest.split([' ', '(']).next());
        if let Some(name) = made
            && has_table(conn, name).await?
        {
            foreign.push(name.to_owned());
        }
    }
    if foreign.is_empty() { Ok(()) } else { Err(MigrateError::Foreign(foreign)) }
}

async fn missing(
    conn: &impl ConnectionTrait,
    schema: &Schema,
) -> Result<Vec<&'static Migration>, MigrateError> {
    let applied = applied(conn).await?;
    let is_missing = |migration: &&Migration| {
        schema.has(migration.part) && !applied.iter().any(|known| known == migration.name)
    };
    Ok(MIGRATIONS.iter().filter(is_missing).collect())
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
    match names.iter().find(|name| !MIGRATIONS.iter().any(|known| known.name == *name)) {
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
