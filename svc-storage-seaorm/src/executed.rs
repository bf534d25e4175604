//! What is told of each statement after it ran.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use sea_orm::DatabaseConnection;

/// A statement that ran, without the values in it, which may be personal data or secrets.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Executed<'a> {
    /// Its text, with `$1`, `$2`, … on PostgreSQL and `?` on SQLite in the places of its values.
    pub sql: &'a str,
    /// How long it took, the time until a connection was free included.
    pub took: Duration,
    /// Whether the database refused it.
    pub failed: bool,
}

/// Is told of each statement.
#[derive(Clone)]
pub(crate) struct Listener(Arc<dyn Fn(Executed<'_>) + Send + Sync>);

impl Listener {
    pub(crate) fn new(listener: impl Fn(Executed<'_>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(listener))
    }

    /// Is told of what these connections run from now on.
    pub(crate) fn listen_to(&self, connections: &mut DatabaseConnection) {
        let Self(listener) = self.clone();
        connections.set_metric_callback(move |info| {
            let (sql, took, failed) = (info.statement.sql.as_str(), info.elapsed, info.failed);
            listener(Executed { sql, took, failed });
        });
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}
