//! A PostgreSQL transaction that is always ended explicitly.

use std::sync::Arc;
use std::time::Duration;

use sea_orm::{DatabaseConnection, DatabaseTransaction, DbErr, TransactionTrait};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::shared::given_up;

/// No unit waits longer for its turn, as none waits longer for a connection.
const PATIENCE: Duration = Duration::from_secs(10);

/// A PostgreSQL transaction that is always ended explicitly.
///
/// Its begin and its end run in tasks of their own, so that a caller who goes
/// away leaves no connection half-way.
///
/// Transactions take turns, fewer than the pool has connections. A unit that holds a lock may need to read beside its
/// transaction before it commits; were all connections held by those that wait for its lock, it never could.
pub(super) struct Pooled {
    transaction: Option<(DatabaseTransaction, OwnedSemaphorePermit)>,
    runtime: Handle,
}

impl Pooled {
    pub(super) async fn begin(
        pool: &DatabaseConnection,
        turns: &Arc<Semaphore>,
        runtime: &Handle,
    ) -> Result<Self, DbErr> {
        let turn = tokio::time::timeout(PATIENCE, Arc::clone(turns).acquire_owned()).await;
        let turn = turn.map_err(|_| given_up())?.map_err(|_| given_up())?;
        let (pool, inside) = (pool.clone(), runtime.clone());
        let beginning = runtime.spawn(async move {
            let transaction = pool.begin().await?;
            Ok::<_, DbErr>(Self { transaction: Some((transaction, turn)), runtime: inside })
        });
        beginning.await.map_err(|error| DbErr::Custom(error.to_string()))?
    }

    pub(super) fn transaction(&self) -> Result<&DatabaseTransaction, DbErr> {
        let open = self.transaction.as_ref().map(|(transaction, _)| transaction);
        open.ok_or_else(|| DbErr::Custom("the unit has ended".to_owned()))
    }

    pub(super) async fn commit(mut self) -> Result<(), DbErr> {
        let Some((transaction, turn)) = self.transaction.take() else {
            return Err(DbErr::Custom("the unit has ended".to_owned()));
        };
        let committing = self.runtime.spawn(async move {
            let committed = transaction.commit().await;
            drop(turn);
            committed
        });
        committing.await.map_err(|error| DbErr::Custom(error.to_string()))?
    }
}

impl Drop for Pooled {
    /// The library's own drop can panic, so the roll-back is made by a task.
    fn drop(&mut self) {
        if let Some((transaction, turn)) = self.transaction.take() {
            // A connection goes back to its pool in a task, which needs a runtime.
            let _context = self.runtime.enter();
            self.runtime.spawn(async move {
                if let Err(error) = transaction.rollback().await {
                    tracing::debug!(%error, "a transaction was not rolled back by hand");
                }
                drop(turn);
            });
        }
    }
}
