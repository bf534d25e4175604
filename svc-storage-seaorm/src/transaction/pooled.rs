//! A PostgreSQL transaction that is always ended explicitly.

use sea_orm::{DatabaseConnection, DatabaseTransaction, DbErr, TransactionTrait};
use tokio::runtime::Handle;

/// A PostgreSQL transaction that is always ended explicitly.
///
/// Its begin and its end run in tasks of their own, so that a caller who goes
/// away leaves no connection half-way.
pub(super) struct Pooled {
    transaction: Option<DatabaseTransaction>,
    runtime: Handle,
}

impl Pooled {
    pub(super) async fn begin(pool: &DatabaseConnection, runtime: &Handle) -> Result<Self, DbErr> {
        let (pool, inside) = (pool.clone(), runtime.clone());
        let beginning = runtime.spawn(async move {
            let transaction = pool.begin().await?;
            Ok::<_, DbErr>(Self { transaction: Some(transaction), runtime: inside })
        });
        beginning.await.map_err(|error| DbErr::Custom(error.to_string()))?
    }

    pub(super) fn transaction(&self) -> Result<&DatabaseTransaction, DbErr> {
        self.transaction.as_ref().ok_or_else(|| DbErr::Custom("the unit has ended".to_owned()))
    }

    pub(super) async fn commit(mut self) -> Result<(), DbErr> {
        let Some(transaction) = self.transaction.take() else {
            return Err(DbErr::Custom("the unit has ended".to_owned()));
        };
        let committing = self.runtime.spawn(transaction.commit());
        committing.await.map_err(|error| DbErr::Custom(error.to_string()))?
    }
}

impl Drop for Pooled {
    /// The library's own drop can panic, so the roll-back is made by a task.
    fn drop(&mut self) {
        if let Some(transaction) = self.transaction.take() {
            // A connection goes back to its pool in a task, which needs a runtime.
            let _context = self.runtime.enter();
            self.runtime.spawn(async move {
                if let Err(error) = transaction.rollback().await {
                    tracing::debug!(%error, "a transaction was not rolled back by hand");
                }
            });
        }
    }
}
