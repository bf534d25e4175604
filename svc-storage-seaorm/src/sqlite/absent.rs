//! What stands in for SQLite in a build without the feature `sqlite`.

use std::path::Path;

use sea_orm::{DatabaseConnection, DbErr};

use super::Access;
use super::timed::Deadline;
use crate::open_error::OpenError;
use crate::settings::Settings;

pub(super) async fn connect(
    _path: &Path,
    _settings: &Settings,
    _access: Access,
) -> Result<DatabaseConnection, OpenError> {
    Err(OpenError::NotBuilt { feature: "sqlite" })
}

pub(super) async fn end_by(_pool: &DatabaseConnection, _deadline: Deadline) -> Result<(), DbErr> {
    Ok(())
}

pub(super) async fn alone(_from: &Path) -> Result<DatabaseConnection, DbErr> {
    Err(DbErr::Custom("this program was built without the feature `sqlite`".to_owned()))
}
