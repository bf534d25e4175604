//! What stands in for PostgreSQL in a build without the feature `postgres`: there is no server.

use sea_orm::{DatabaseConnection, DbErr};

use super::Access;
use crate::open_error::OpenError;
use crate::settings::Settings;

#[derive(Clone, Debug)]
pub(crate) enum Server {}

impl Server {
    pub(crate) fn of_url(_url: &str) -> Result<Self, DbErr> {
        Err(DbErr::Custom("this program was built without the feature `postgres`".to_owned()))
    }

    pub(crate) fn searching(self, _schemas: &str) -> Self {
        match self {}
    }

    pub(crate) fn told(&self) -> String {
        match *self {}
    }
}

pub(super) async fn try_once(server: &Server) -> Result<(), OpenError> {
    match *server {}
}

pub(super) async fn connect(
    server: &Server,
    _settings: &Settings,
    _access: Access,
    _connections: u32,
) -> Result<DatabaseConnection, OpenError> {
    match *server {}
}
