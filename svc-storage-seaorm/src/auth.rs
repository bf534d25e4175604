//! Storage of tokens, and of what the authority of everybody is worked out from.

mod directory;
mod row;
mod tokens;

use sea_orm::ConnectionTrait;
use svc_core::error::StoreError;

use crate::statement::Sql;

/// Tells every node that who may do what has changed.
///
/// The row stays locked until the unit of work ends: versions become visible in the order of commits,
/// and no cache reads a version before what it stands for.
pub(crate) async fn bump_authority(conn: &impl ConnectionTrait) -> Result<(), StoreError> {
    Sql::new(conn, "UPDATE authority SET version = version + 1").execute(conn).await.map(|_| ())
}
