//! Storage of tokens and sessions, and of the rows that decide what a token or a person may do.

mod approvals;
mod attempts;
mod binding;
mod budgets;
mod calls;
#[cfg(feature = "business")]
mod directory;
mod factors;
mod oauth;
mod passwords;
#[cfg(feature = "business")]
mod people;
mod resets;
mod row;
mod sessions;
pub(crate) mod tokens;
mod uploads;

use sea_orm::ConnectionTrait;
use svc_core::error::StoreError;

use crate::statement::Sql;

/// Tells every node that who may do what has changed; at the end of a unit of work, see
/// [`SeaStore::move_authority`](crate::store::SeaStore::move_authority).
///
/// The row stays locked until the unit ends: versions become visible in the order of commits, and no
/// cache reads a version before what it stands for.
pub(crate) async fn bump_authority(conn: &impl ConnectionTrait) -> Result<(), StoreError> {
    Sql::new(conn, "UPDATE svc_authority SET version = version + 1").execute(conn).await.map(|_| ())
}
