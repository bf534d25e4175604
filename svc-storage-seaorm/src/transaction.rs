//! A transaction of either engine, as one kind of connection.

mod batcher;
mod commits;
mod defer;
mod lazy;
mod open;
mod pooled;
mod shared;

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult, Statement};
use svc_core::error::StoreError;

pub(crate) use self::defer::DeferInsert;
use self::lazy::Lazy;
pub(crate) use self::shared::Shared;
use crate::statement::Insertion;

/// A transaction; dropping it rolls it back.
///
/// One in which a statement failed, or was given up half-way, does not commit
/// any more. PostgreSQL would answer such a `COMMIT` with success and roll back;
/// SQLite would keep the other statements.
pub(crate) struct Transaction {
    lazy: Lazy,
    /// Statements that have not succeeded: failed, given up half-way, or still running.
    unfinished: AtomicUsize,
    failed: AtomicBool,
}

impl Transaction {
    /// Begins when there is need of it.
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { lazy: Lazy::new(shared), unfinished: AtomicUsize::new(0), failed: AtomicBool::new(false) }
    }

    /// Makes the changes durable.
    pub(crate) async fn commit(self) -> Result<(), StoreError> {
        if self.unfinished.into_inner() > 0 {
            return Err(StoreError::backend("a statement of the unit failed, so nothing of it is kept"));
        }
        self.lazy.commit().await
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
        self.lazy.engine()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.watch(async { self.lazy.transaction().await?.execute_raw(statement).await }).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.watch(async { self.lazy.transaction().await?.execute_unprepared(sql).await }).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.watch(async { self.lazy.transaction().await?.query_one_raw(statement).await }).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.watch(async { self.lazy.transaction().await?.query_all_raw(statement).await }).await
    }
}

#[async_trait]
impl DeferInsert for Transaction {
    async fn defer(&self, insertion: Insertion) -> Result<(), DbErr> {
        self.watch(self.lazy.defer(insertion)).await
    }

    fn reads(&self) -> Option<&DatabaseConnection> {
        self.lazy.reads()
    }
}
