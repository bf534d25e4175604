//! One store type for pool and transaction alike: each port is implemented once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sea_orm::{ConnectionTrait, QueryResult};
use svc_core::error::StoreError;

use crate::seal::Sealer;
use crate::statement::Sql;
use crate::transaction::DeferInsert;

/// Implements the ports on a connection: the pool of readers, or an open transaction.
pub(crate) struct SeaStore<C> {
    /// Where queries go.
    pub(crate) conn: C,
    /// What secrets at rest are sealed with.
    pub(crate) sealer: Arc<Sealer>,
    owes_entry: AtomicBool,
    moves_authority: AtomicBool,
}

impl<C: ConnectionTrait> SeaStore<C> {
    /// Wraps a connection.
    pub(crate) fn new(conn: C, sealer: Arc<Sealer>) -> Self {
        Self { conn, sealer, owes_entry: AtomicBool::new(false), moves_authority: AtomicBool::new(false) }
    }

    /// Remembers that a credential, a membership or a subscription was changed: the unit of work does
    /// not commit unless the audit log is told of it.
    pub(crate) fn owe_entry(&self) {
        self.owes_entry.store(true, Ordering::Relaxed);
    }

    /// Remembers that who may do what has changed: the unit of work tells every node as it ends. Every
    /// change takes the one row for it, so a unit that took it early could wait for a row of another
    /// unit that waits for this one.
    pub(crate) fn move_authority(&self) {
        self.moves_authority.store(true, Ordering::Relaxed);
    }

    /// Whether who may do what has changed.
    pub(crate) fn moves_authority(&self) -> bool {
        self.moves_authority.load(Ordering::Relaxed)
    }

    /// Whether something was changed that the audit log must tell of.
    pub(crate) fn owes_entry(&self) -> bool {
        self.owes_entry.load(Ordering::Relaxed)
    }
}

impl<C: DeferInsert + Send + Sync> SeaStore<C> {
    /// A statement for this connection that starts with `text`.
    pub(crate) fn sql(&self, text: &str) -> Sql {
        Sql::new(&self.conn, text)
    }

    /// The rows of a plain read.
    pub(crate) async fn rows(&self, sql: Sql) -> Result<Vec<QueryResult>, StoreError> {
        match self.conn.reads() {
            Some(pool) => sql.all(pool).await,
            None => sql.all(&self.conn).await,
        }
    }

    /// The count of a plain read.
    pub(crate) async fn count_of(&self, sql: Sql) -> Result<u64, StoreError> {
        match self.conn.reads() {
            Some(pool) => sql.count(pool).await,
            None => sql.count(&self.conn).await,
        }
    }
}
