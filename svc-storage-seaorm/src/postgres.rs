//! PostgreSQL: a pool that never hands out a connection inside somebody else's transaction.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::sqlx::{ConnectOptions as _, Connection as _};
use sea_orm::{ConnectOptions, Database, DatabaseConnection, DbErr, RuntimeErr};

use crate::open_error::OpenError;
use crate::settings::Settings;

/// Ends whatever transaction a connection is in.
///
/// A plain `ROLLBACK` outside a transaction leaves a warning in the server's
/// log each time; after `BEGIN` it does not.
const RESET: &str = "BEGIN; ROLLBACK";

/// What the pool is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Everything.
    Write,
    /// Looking at what is there; the server refuses anything else.
    Read,
}

/// Opens the pool.
///
/// A `begin` that is cancelled between its round trips gives its connection
/// back inside an open transaction; the next borrower's writes would be
/// answered and never be visible. So every connection is rolled back when it
/// returns, and one that cannot be is thrown away.
pub(crate) async fn open(settings: &Settings, access: Access) -> Result<DatabaseConnection, OpenError> {
    try_once(&settings.url).await.map_err(|error| OpenError::connect(&settings.url, error))?;
    let mut options = ConnectOptions::new(&settings.url);
    options
        .sqlx_logging(false)
        .max_connections(settings.max_connections.max(2))
        .acquire_timeout(Duration::from_secs(10))
        .connect_timeout(Duration::from_secs(10))
        .idle_timeout(Duration::from_mins(10))
        .max_lifetime(Duration::from_hours(1))
        .test_before_acquire(false)
        .test_before_acquire_if_idle_for(Duration::from_secs(30))
        .set_application_name("svc")
        .map_sqlx_postgres_opts(move |postgres| {
            let read_only = if access == Access::Read { "on" } else { "off" };
            postgres.options([
                ("default_transaction_read_only", read_only),
                ("idle_in_transaction_session_timeout", "15s"),
                ("lock_timeout", "10s"),
                ("statement_timeout", "60s"),
                // A roll-back outside a transaction is the usual case below, and no news.
                ("client_min_messages", "error"),
            ])
        })
        .map_sqlx_postgres_pool_opts(|pool| {
            pool.after_release(|conn, _| {
                Box::pin(async move {
                    use sea_orm::sqlx::Executor as _;
                    conn.execute(RESET).await.map(|_| true)
                })
            })
        });
    Database::connect(options).await.map_err(|error| OpenError::connect(&settings.url, error))
}

/// A pool tries again and again and then tells of a time-out alone: one connection first, for the reason.
async fn try_once(url: &str) -> Result<(), DbErr> {
    let failed = |error| DbErr::Conn(RuntimeErr::SqlxError(Arc::new(error)));
    let options: PgConnectOptions = url.parse().map_err(failed)?;
    options.connect().await.map_err(failed)?.close().await.map_err(failed)
}
