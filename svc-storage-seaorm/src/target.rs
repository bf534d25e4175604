//! Where a database is.

use std::path::{Path, PathBuf};

use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseConnectionType, DbBackend, DbErr, Statement};

use crate::open_error::OpenError;
use crate::postgres::Server;
use crate::schema::Schema;

/// Where a database is, and how its server is reached.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    Sqlite(PathBuf),
    Postgres(Box<Server>),
}

impl Target {
    /// What a URL names.
    pub(crate) fn of_url(url: &str) -> Result<Self, OpenError> {
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let server = Server::of_url(url).map_err(|error| OpenError::connect(told(url), error))?;
            return Ok(Self::Postgres(Box::new(server)));
        }
        let Some(path) = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:")) else {
            return Err(OpenError::Url(
                "expected sqlite://PATH or postgres://USER:PASSWORD@HOST/NAME".to_owned(),
            ));
        };
        if path.contains('?') {
            return Err(OpenError::Url(NEEDS_A_FILE.to_owned()));
        }
        Self::file(Path::new(path))
    }

    /// The database that this connection leads to.
    pub(crate) async fn of(conn: &DatabaseConnection) -> Result<Self, OpenError> {
        match &conn.inner {
            #[cfg(feature = "sqlite")]
            DatabaseConnectionType::SqlxSqlitePoolConnection(_) => {
                let path = main_file(conn).await.map_err(OpenError::Backend)?;
                Self::file(Path::new(&path))
            }
            #[cfg(feature = "postgres")]
            DatabaseConnectionType::SqlxPostgresPoolConnection(_) => {
                Ok(Self::Postgres(Box::new(Server::of(conn).await?)))
            }
            _ => Err(OpenError::Url("expected a pool of connections to SQLite or PostgreSQL".to_owned())),
        }
    }

    /// The same, with the tables where `schema` has them.
    pub(crate) fn in_schema(self, schema: &Schema) -> Result<Self, OpenError> {
        match (self, schema.name()) {
            (target, None) => Ok(target),
            (Self::Postgres(options), Some(name)) => {
                Ok(Self::Postgres(Box::new(options.searching(&format!("\"{name}\"")))))
            }
            (Self::Sqlite(_), Some(name)) => Err(OpenError::NoSchemas { name: name.to_owned() }),
        }
    }

    fn file(path: &Path) -> Result<Self, OpenError> {
        let text = path.to_string_lossy();
        if text.is_empty() || text.contains(":memory:") {
            return Err(OpenError::Url(NEEDS_A_FILE.to_owned()));
        }
        Ok(Self::Sqlite(path.to_owned()))
    }
}

/// The file of a SQLite database as SQLite has it open; empty for one in memory.
async fn main_file(conn: &DatabaseConnection) -> Result<String, DbErr> {
    let sql = "SELECT file FROM pragma_database_list WHERE name = 'main'";
    let row = conn.query_one_raw(Statement::from_string(DbBackend::Sqlite, sql)).await?;
    row.map_or(Ok(String::new()), |row| row.try_get_by_index(0))
}

const NEEDS_A_FILE: &str =
    "expected sqlite://PATH with the path of a file (a database in memory is lost with its connection)";

/// A URL without user, password and parameters.
fn told(url: &str) -> String {
    let host = url.rsplit_once('@').map_or(url, |(_, host)| host);
    host.split('?').next().unwrap_or(host).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a message calls it.
    fn told(target: &Target) -> String {
        match target {
            Target::Sqlite(path) => path.display().to_string(),
            Target::Postgres(server) => server.told(),
        }
    }

    #[test]
    fn a_message_names_the_database_and_no_password() {
        for (url, name) in [
            ("postgres://ana:secret@db.example:5433/books?sslmode=require", "db.example:5433/books"),
            ("postgresql://ana:secret@db.example/books", "db.example:5432/books"),
            ("sqlite://data/svc.db", "data/svc.db"),
        ] {
            assert_eq!(Target::of_url(url).as_ref().map(told).ok().as_deref(), Some(name), "{url}");
        }
        let broken = Target::of_url("postgres://ana:secret@db.example:many/books").map(|_| ());
        let told = broken.expect_err("a port is a number").to_string();
        assert!(told.contains("db.example:many/books") && !told.contains("secret"), "{told}");
    }

    #[test]
    fn what_is_no_file_and_no_server_is_refused() {
        for url in
            ["mysql://localhost/a", "data/svc.db", "sqlite::memory:", "sqlite://", "sqlite://a.db?mode=ro"]
        {
            assert!(matches!(Target::of_url(url), Err(OpenError::Url(_))), "{url}");
        }
    }
}
