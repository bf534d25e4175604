//! Connections to PostgreSQL, as each use of them needs it.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::sqlx::{ConnectOptions as _, Connection as _};
use sea_orm::{ConnectOptions, Database, DatabaseConnection, DbErr, RuntimeErr};

use super::{Access, Server};
use crate::open_error::OpenError;
use crate::settings::Settings;

/// A `begin` that is cancelled between its round trips would give its connection
/// back inside an open transaction, and the next borrower's writes would be
/// answered and never be visible. The library's own cure is to roll every
/// connection back when it returns: a round trip more for each unit. Here no
/// `begin` is ever cancelled, as each runs in a task of its own, see
/// [`crate::transaction::Transaction`]; nothing else opens a transaction; and the
/// server ends one that does nothing for 15 seconds.
pub(super) async fn connect(
    server: &Server,
    settings: &Settings,
    access: Access,
    connections: u32,
) -> Result<DatabaseConnection, OpenError> {
    let to = server.options().clone();
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
                Access::Write | Access::Together => &[("default_transaction_read_only", "off")],
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
            let patience = match access {
                Access::Together => "1s",
                Access::Write | Access::Repeatable | Access::Read => "10s",
            };
            postgres.options(own.iter().copied()).options([
                // Compiling a statement takes longer than any of ours.
                ("jit", "off"),
                ("idle_in_transaction_session_timeout", "15s"),
                ("lock_timeout", patience),
                ("statement_timeout", "60s"),
                // What is read behind a lock is what was committed before it: another level would read what was there
                // before the wait.
                ("default_transaction_isolation", "read committed"),
            ])
        });
    let connections = Database::connect(options).await.map_err(|error| failed(server, error))?;
    Ok(settings.heard(connections))
}

/// A pool tries again and again and then tells of a time-out alone: one connection first, for the reason.
pub(super) async fn try_once(server: &Server) -> Result<(), OpenError> {
    let once = async { server.options().connect().await?.close().await };
    once.await.map_err(|error| failed(server, DbErr::Conn(RuntimeErr::SqlxError(Arc::new(error)))))
}

fn failed(server: &Server, error: DbErr) -> OpenError {
    OpenError::connect(server.told(), error)
}
