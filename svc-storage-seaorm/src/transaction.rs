//! An open transaction of either engine, as one kind of connection.

use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult,
    Statement, TransactionTrait,
};
use svc_core::error::StoreError;
use tokio::runtime::Handle;

use crate::error::backend;
use crate::sqlite::writer::Turn;

/// An open transaction; dropping it rolls it back.
///
/// One in which a statement failed, or was given up half-way, does not commit
/// any more. PostgreSQL would answer such a `COMMIT` with success and roll back;
/// SQLite would keep the other statements.
pub(crate) struct Transaction {
    link: Link,
    /// Statements that have not succeeded: failed, given up half-way, or still running.
    unfinished: AtomicUsize,
    failed: AtomicBool,
}

enum Link {
    /// A turn of the one writer.
    Sqlite(Turn),
    /// A transaction on a connection of its own.
    Postgres(Pooled),
}

impl Transaction {
    pub(crate) fn sqlite(turn: Turn) -> Self {
        Self::over(Link::Sqlite(turn))
    }

    pub(crate) fn postgres(pooled: Pooled) -> Self {
        Self::over(Link::Postgres(pooled))
    }

    fn over(link: Link) -> Self {
        Self { link, unfinished: AtomicUsize::new(0), failed: AtomicBool::new(false) }
    }

    /// Makes the changes durable.
    pub(crate) async fn commit(self) -> Result<(), StoreError> {
        if self.unfinished.into_inner() > 0 {
            return Err(StoreError::backend("a statement of the unit failed, so nothing of it is kept"));
        }
        match self.link {
            Link::Sqlite(turn) => turn.commit().await,
            Link::Postgres(pooled) => pooled.commit().await,
        }
    }

    fn open(&self) -> Result<&DatabaseTransaction, DbErr> {
        match &self.link {
            Link::Sqlite(turn) => turn.transaction(),
            Link::Postgres(pooled) => pooled.transaction(),
        }
    }

    async fn watch<T>(&self, statement: impl Future<Output = Result<T, DbErr>>) -> Result<T, DbErr> {
        if self.failed.load(Ordering::Relaxed) {
            return Err(DbErr::Custom("an earlier statement of the unit failed".to_owned()));
        }
        self.unfinished.fetch_add(1, Ordering::Relaxed);
        let outcome = statement.await;
        if outcome.is_ok() {
            self.unfinished.fetch_sub(1, Ordering::Relaxed);
        } else {
            self.failed.store(true, Ordering::Relaxed);
        }
        outcome
    }
}

#[async_trait]
impl ConnectionTrait for Transaction {
    fn get_database_backend(&self) -> DbBackend {
        match self.link {
            Link::Sqlite(_) => DbBackend::Sqlite,
            Link::Postgres(_) => DbBackend::Postgres,
        }
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.watch(self.open()?.execute_raw(statement)).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.watch(self.open()?.execute_unprepared(sql)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.watch(self.open()?.query_one_raw(statement)).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.watch(self.open()?.query_all_raw(statement)).await
    }
}

/// A PostgreSQL transaction that is always ended explicitly.
///
/// Its begin and its end run in tasks of their own, so that a caller who goes
/// away leaves no connection half-way.
pub(crate) struct Pooled {
    transaction: Option<DatabaseTransaction>,
    runtime: Handle,
}

impl Pooled {
    pub(crate) async fn begin(pool: &DatabaseConnection, runtime: &Handle) -> Result<Self, StoreError> {
        let (pool, inside) = (pool.clone(), runtime.clone());
        let beginning = runtime.spawn(async move {
            let transaction = pool.begin().await?;
            Ok::<_, DbErr>(Self { transaction: Some(transaction), runtime: inside })
        });
        beginning.await.map_err(StoreError::backend)?.map_err(backend)
    }

    fn transaction(&self) -> Result<&DatabaseTransaction, DbErr> {
        self.transaction.as_ref().ok_or_else(|| DbErr::Custom("the unit has ended".to_owned()))
    }

    async fn commit(mut self) -> Result<(), StoreError> {
        let Some(transaction) = self.transaction.take() else {
            return Err(StoreError::backend("the unit has ended"));
        };
        let committing = self.runtime.spawn(transaction.commit());
        committing.await.map_err(StoreError::backend)?.map_err(backend)
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
