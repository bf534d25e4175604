//! Why a database could not be opened, in words that an operator can act on.

use std::io;
use std::path::PathBuf;

use sea_orm::DbErr;
use thiserror::Error;

/// Why a database could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The URL is neither of the two forms.
    #[error("the database URL is not valid: {0}")]
    Url(String),
    /// The engine is none of those that were chosen.
    #[error("this program was built without the feature `{feature}` of svc-storage-seaorm")]
    NotBuilt {
        /// The feature.
        feature: &'static str,
    },
    /// A name for a schema, and a database that has none.
    #[error("SQLite has no schemas, so there is none of the name `{name}`: leave the name out")]
    NoSchemas {
        /// The name.
        name: String,
    },
    /// A file or folder could not be made or opened.
    #[error("cannot open {}: {source}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process has the SQLite file open.
    #[error("{} is in use by another process: stop it first, or use PostgreSQL for several", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The SQLite library can corrupt its file.
    #[error("SQLite {version} is too old: 3.51.3 or newer is needed")]
    OldSqlite {
        /// Its version.
        version: String,
    },
    /// No connection.
    #[error("cannot connect to {target}: {source}")]
    Connect {
        /// Host and database, without the password.
        target: String,
        /// Why.
        source: DbErr,
    },
    /// The stored data was sealed under another key.
    #[error("the master key is not the one that this database was made with")]
    WrongMasterKey,
    /// The database refused a first statement.
    #[error("the database refused a first statement: {0}")]
    Backend(#[source] DbErr),
}

impl OpenError {
    /// A failed connection to this database.
    pub(crate) fn connect(target: impl Into<String>, source: DbErr) -> Self {
        Self::Connect { target: target.into(), source }
    }
}
