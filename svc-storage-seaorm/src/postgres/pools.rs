//! The pools of a server.
//!
//! A pool hands its connections out in turn, and each is a process of PostgreSQL
//! with memory of its own: one that has done nothing for a while can need
//! three times as long for the same statement. So work of which one thing is under way
//! at most has a connection of its own.

use std::sync::Arc;

use sea_orm::DatabaseConnection;
use tokio::runtime::Handle;

use super::{Access, Server, connect, open};
use crate::open_error::OpenError;
use crate::outbox::committed::CommittedEvents;
use crate::settings::Settings;
use crate::transaction::Shared;

/// One for each of claims and settlements, and one to give leases back with.
const FOR_THE_QUEUE: u32 = 3;
/// Those with one connection each.
const SINGLE: u32 = 3;
/// What transactions leave to readers, at least; a quarter of all where that is more.
const FOR_READERS: u32 = 1;
/// What is left for everything else, at least: two transactions, and a reader beside them.
const FOR_THE_REST: u32 = 3;

/// The connections of a server: as many as the settings say, nine at least.
pub(crate) struct Pools {
    /// Everything else.
    pub(crate) any: DatabaseConnection,
    /// The same, with the commits and reads that units share.
    pub(crate) durable: Arc<Shared>,
    /// Claims and settlements, whose commits do not wait for the disk.
    pub(crate) queue: Arc<Shared>,
    /// From the outbox to the queue; commits do not wait either.
    pub(crate) fan_out: DatabaseConnection,
    /// Settlements of last attempts; commits do not wait either.
    pub(crate) settle: DatabaseConnection,
    own: Vec<DatabaseConnection>,
}

impl Pools {
    pub(crate) async fn open(
        server: &Server,
        settings: &Settings,
        committed: &Arc<CommittedEvents>,
    ) -> Result<Self, OpenError> {
        let pool = |access, connections| connect(server, settings, access, connections);
        let rest = settings.max_connections.saturating_sub(FOR_THE_QUEUE + SINGLE).max(FOR_THE_REST);
        let any = open(server, settings, Access::Write, rest).await?;
        let commits = pool(Access::Together, 1).await?;
        let queue = pool(Access::Repeatable, FOR_THE_QUEUE).await?;
        let fan_out = pool(Access::Repeatable, 1).await?;
        let settle = pool(Access::Repeatable, 1).await?;
        let own = [&commits, &queue, &fan_out, &settle].map(DatabaseConnection::clone).into();
        let shared = |pool, at_a_time, commits| {
            Shared::postgres(pool, at_a_time, commits, Arc::clone(committed), Handle::current())
        };
        let durable = shared(any.clone(), rest - (rest / 4).max(FOR_READERS), commits);
        let queue = shared(queue.clone(), FOR_THE_QUEUE, queue);
        Ok(Self { any, durable, queue, fan_out, settle, own })
    }

    /// All but the first, which readers have too.
    pub(crate) fn own(&self) -> &[DatabaseConnection] {
        &self.own
    }
}
