//! PostgreSQL: a pool that never hands out a connection inside the transaction of another unit.

#[cfg(not(feature = "postgres"))]
mod absent;
#[cfg(feature = "postgres")]
mod connect;
mod pools;
#[cfg(feature = "postgres")]
mod server;

use sea_orm::DatabaseConnection;

pub(crate) use self::pools::Pools;
use crate::open_error::OpenError;
use crate::settings::Settings;

#[cfg(not(feature = "postgres"))]
use self::absent as connect;
#[cfg(not(feature = "postgres"))]
use self::absent as server;
use self::connect::{connect, try_once};
pub(crate) use self::server::Server;

/// What the pool is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Everything.
    Write,
    /// Everything, of many units together: one that waits for a lock holds up all others, and so does not wait long.
    Together,
    /// Work that is done again when it is lost: its commits do not wait for the disk.
    Repeatable,
    /// Looking at what is there; the server refuses anything else.
    Read,
}

/// Opens a pool of so many connections, once one of them could be had.
pub(crate) async fn open(
    server: &Server,
    settings: &Settings,
    access: Access,
    connections: u32,
) -> Result<DatabaseConnection, OpenError> {
    try_once(server).await?;
    connect(server, settings, access, connections).await
}
