//! What a database is opened with.

use sea_orm::DatabaseConnection;

use crate::executed::{Executed, Listener};
use crate::keys::Keys;
use crate::schema::Schema;

/// Where the data is, and the keys that protect it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// `sqlite://PATH` or `postgres://USER:PASSWORD@HOST:PORT/NAME`.
    pub url: String,
    /// Seals secrets, and gives the pepper of token fingerprints.
    pub keys: Keys,
    /// Connections to PostgreSQL, or readers of SQLite, at most.
    pub max_connections: u32,
    /// When SQLite takes a commit for durable; PostgreSQL has a setting of its own.
    pub sqlite_synchronous: Synchronous,
    /// The tables that it is to have, and where they are.
    pub schema: Schema,
    listener: Option<Listener>,
}

/// When SQLite takes a commit for durable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Synchronous {
    /// Once the disk has it: what was answered survives a power cut.
    #[default]
    Full,
    /// Once the operating system has it: what was answered survives a crash of
    /// the process, but not always one of the machine.
    Normal,
}

impl Settings {
    /// The usual settings for a database with every table.
    #[must_use]
    pub fn new(url: impl Into<String>, keys: Keys) -> Self {
        Self {
            url: url.into(),
            keys,
            max_connections: 16,
            sqlite_synchronous: Synchronous::Full,
            schema: Schema::all(),
            listener: None,
        }
    }

    /// The same for another database.
    #[must_use]
    pub fn url(self, url: impl Into<String>) -> Self {
        Self { url: url.into(), ..self }
    }

    /// With these keys.
    #[must_use]
    pub fn keys(self, keys: Keys) -> Self {
        Self { keys, ..self }
    }

    /// With at most so many connections to PostgreSQL, or readers of SQLite.
    #[must_use]
    pub fn max_connections(self, max_connections: u32) -> Self {
        Self { max_connections, ..self }
    }

    /// With commits of SQLite that are durable from then on.
    #[must_use]
    pub fn sqlite_synchronous(self, sqlite_synchronous: Synchronous) -> Self {
        Self { sqlite_synchronous, ..self }
    }

    /// With these tables.
    #[must_use]
    pub fn schema(self, schema: Schema) -> Self {
        Self { schema, ..self }
    }

    /// With a listener that is told of each statement after it ran: for a log of slow ones, or a test of what is asked
    /// of the database. It is called where the statement was awaited, and must not block.
    #[must_use]
    pub fn on_statement(self, listener: impl Fn(Executed<'_>) + Send + Sync + 'static) -> Self {
        Self { listener: Some(Listener::new(listener)), ..self }
    }

    /// These connections, which the listener hears from now on.
    pub(crate) fn heard(&self, mut connections: DatabaseConnection) -> DatabaseConnection {
        if let Some(listener) = &self.listener {
            listener.listen_to(&mut connections);
        }
        connections
    }
}
