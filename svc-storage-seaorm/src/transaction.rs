//! A transaction of either engine, as one kind of connection.

mod later;
mod lazy;
mod pooled;

use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_trait::async_trait;
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, ExecResult, QueryResult, Statement};
use svc_core::error::StoreError;
use tokio::runtime::Handle;

pub(crate) use self::later::Later;
use self::lazy::Lazy;
use crate::sqlite::writer::Turn;

/// A transaction; dropping it rolls it back.
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
    /// A transaction on a connection of its own, once there is need of one.
    Postgres(Lazy),
}

impl Transaction {
    pub(crate) fn sqlite(turn: Turn) -> Self {
        Self::over(Link::Sqlite(turn))
    }

    pub(crate) fn postgres(pool: DatabaseConnection, runtime: Handle) -> Self {
        Self::over(Link::Postgres(Lazy::new(pool, runtime)))
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
            Link::Postgres(lazy) => lazy.commit().await,
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
        self.watch(async {
            match &self.link {
                Link::Sqlite(turn) => turn.transaction()?.execute_raw(statement).await,
                Link::Postgres(lazy) => lazy.transaction().await?.execute_raw(statement).await,
            }
        })
        .await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.watch(async {
            match &self.link {
                Link::Sqlite(turn) => turn.transaction()?.execute_unprepared(sql).await,
                Link::Postgres(lazy) => lazy.transaction().await?.execute_unprepared(sql).await,
            }
        })
        .await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.watch(async {
            match &self.link {
                Link::Sqlite(turn) => turn.transaction()?.query_one_raw(statement).await,
                Link::Postgres(lazy) => match lazy.free_for(&statement).await {
                    Some(pool) => pool.query_one_raw(statement).await,
                    None => lazy.transaction().await?.query_one_raw(statement).await,
                },
            }
        })
        .await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.watch(async {
            match &self.link {
                Link::Sqlite(turn) => turn.transaction()?.query_all_raw(statement).await,
                Link::Postgres(lazy) => match lazy.free_for(&statement).await {
                    Some(pool) => pool.query_all_raw(statement).await,
                    None => lazy.transaction().await?.query_all_raw(statement).await,
                },
            }
        })
        .await
    }
}

#[async_trait]
impl Later for Transaction {
    async fn later(&self, statement: Statement) -> Result<(), DbErr> {
        self.watch(async {
            match &self.link {
                Link::Sqlite(turn) => turn.transaction()?.execute_raw(statement).await.map(drop),
                Link::Postgres(lazy) => lazy.later(statement).await,
            }
        })
        .await
    }
}
