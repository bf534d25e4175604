//! How a server of PostgreSQL is reached.

use std::sync::Arc;

use sea_orm::sqlx::postgres::PgConnectOptions;
use sea_orm::{DatabaseConnection, DbErr, RuntimeErr};

use crate::migration;
use crate::open_error::OpenError;

/// Address, user and options of the connections to a server.
#[derive(Clone, Debug)]
pub(crate) struct Server(PgConnectOptions);

impl Server {
    /// What a URL names.
    pub(crate) fn of_url(url: &str) -> Result<Self, DbErr> {
        url.parse().map(Self).map_err(|error| DbErr::Conn(RuntimeErr::SqlxError(Arc::new(error))))
    }

    /// What the connections of this pool lead to, with the tables where they look for them.
    pub(crate) async fn of(pool: &DatabaseConnection) -> Result<Self, OpenError> {
        let options = pool.get_postgres_connection_pool().connect_options();
        let schemas = migration::search_path(pool).await.map_err(OpenError::Backend)?;
        Ok(Self(options.as_ref().clone()).searching(&schemas))
    }

    /// The same, with the tables in these schemas.
    pub(crate) fn searching(self, schemas: &str) -> Self {
        Self(self.0.options([("search_path", schemas)]))
    }

    /// In a message: without a password.
    pub(crate) fn told(&self) -> String {
        let name = self.0.get_database().unwrap_or_else(|| self.0.get_username());
        format!("{}:{}/{name}", self.0.get_host(), self.0.get_port())
    }

    pub(super) fn options(&self) -> &PgConnectOptions {
        &self.0
    }
}
