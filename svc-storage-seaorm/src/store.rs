//! One store type for pool and transaction alike: each port is implemented once.

use std::sync::Arc;

use sea_orm::ConnectionTrait;

use crate::seal::Sealer;

/// Implements the ports on a connection: the pool of readers, or an open transaction.
pub(crate) struct SeaStore<C> {
    /// Where queries go.
    pub(crate) conn: C,
    /// What secrets at rest are sealed with.
    pub(crate) sealer: Arc<Sealer>,
}

impl<C: ConnectionTrait> SeaStore<C> {
    /// Wraps a connection.
    pub(crate) const fn new(conn: C, sealer: Arc<Sealer>) -> Self {
        Self { conn, sealer }
    }
}
