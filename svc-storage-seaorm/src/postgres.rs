//! PostgreSQL: a pool that never hands out a connection inside the transaction of another unit.

mod pools;

use std::sync::Arc;
use std::time::Duration;

use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::{ConnectOptions as _, Connection as _};
use sea_orm::{ConnectOptions, Database, DatabaseConnection, DbErr, RuntimeErr};

pub(crate) use self::pools::Pools;
use crate::open_error::OpenError;
use crate::target::Target;

/// What the pool is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Everything.
    Write,
    /// Work that is done again when it is lost: its commits do not wait for the disk.
    Repeatable,
    /// Looking at what is there; the server refuses anything else.
    Read,
}

/// Opens a pool of so many connections, once one of them could be had.
pub(crate) async fn open(
    server: &PgConnectOptions,
    access: Access,
    connections: u32,
) -> Result<DatabaseConnection, OpenError> {
    try_once(server).await.map_err(|error| failed(server, error))?;
    connect(server, access, connections).await
}

/// A `begin` that is cancelled between its round trips would give its connection
/// back inside an open transaction, and the next borrower's writes would be
/// answered and never be visible. The library's own cure is to roll every
/// connection back when it returns: a round trip more for each unit. Here no
/// `begin` is ever cancelled, as each runs in a task of its own, see
/// [`crate::transaction::Transaction`]; nothing else opens a transaction; and the
/// server ends one that does nothing for 15 seconds.
async fn connect(
    server: &PgConnectOptions,
    access: Access,
    connections: u32,
) -> Result<DatabaseConnection, OpenError> {
    let to = server.clone();
    // The URL is that of no server: the options below take its place.
    let mut options = ConnectOptions::new("postgres://");
    options
        .sqlx_logging(false)
        .max_connections(connections)
        .acquire_timeout(Duration::from_secs(10))
        .connect_timeout(Duration::from_secs(10))
        .idle_timeout(Duration::from_mins(10))
        .max_lifetime(Duration::from_hours(1))
        .test_before_acquire(false)
        .test_before_acquire_if_idle_for(Duration::from_secs(30))
        .map_sqlx_postgres_opts(move |_| {
            let postgres = to.clone().application_name("svc").disable_statement_logging();
            // What else is durable is the server's setting: a replica may have to confirm it.
            let own: &[_] = match access {
                Access::Write => &[("default_transaction_read_only", "off")],
                // The queue looks rows up by their keys. A plan that was made while a table was empty reads
                // all of it, and is kept until statistics are gathered, however many rows there are by then.
                // A plan for known values may leave an index out that only the words of the statement find.
                Access::Repeatable => &[
                    ("synchronous_commit", "off"),
                    ("enable_seqscan", "off"),
                    ("enable_bitmapscan", "off"),
                    ("enable_sort", "off"),
                    ("plan_cache_mode", "force_generic_plan"),
                ],
                Access::Read => &[("default_transaction_read_only", "on")],
            };
            postgres.options(own.iter().copied()).options([
                // Compiling a statement takes longer than any of ours.
                ("jit", "off"),
                ("idle_in_transaction_session_timeout", "15s"),
                ("lock_timeout", "10s"),
                ("statement_timeout", "60s"),
            ])
        });
    Database::connect(options).await.map_err(|error| failed(server, error))
}

/// A pool tries again and again and then tells of a time-out alone: one connection first, for the reason.
async fn try_once(server: &PgConnectOptions) -> Result<(), DbErr> {
    let failed = |error| DbErr::Conn(RuntimeErr::SqlxError(Arc::new(error)));
    server.connect().await.map_err(failed)?.close().await.map_err(failed)
}

fn failed(server: &PgConnectOptions, error: DbErr) -> OpenError {
    OpenError::connect(Target::Postgres(Box::new(server.clone())).told(), error)
}
