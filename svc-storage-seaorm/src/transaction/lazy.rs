//! A PostgreSQL transaction that begins when there is need of one.
//!
//! A round trip to the server costs more than most statements, and a unit that
//! reads a little and adds a few rows would spend more of them on `BEGIN` and
//! `COMMIT` than on its work. So:
//!
//! - A plain read before the first change runs by itself. Under READ COMMITTED
//!   each statement sees what is committed when it starts, in a transaction or not.
//! - Insertions that are put off ([`Later`](super::Later)) wait for each other.
//! - If nothing else comes, the commit runs them as one statement, which takes
//!   effect as a whole without a transaction around it.
//! - Everything else begins the transaction, in which what waits comes first.

use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, Statement};
use svc_core::error::StoreError;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, OnceCell};

use super::later::together;
use super::pooled::Pooled;
use crate::error::backend;

pub(super) struct Lazy {
    pool: DatabaseConnection,
    runtime: Handle,
    open: OnceCell<Pooled>,
    /// Insertions that were put off. Locked while they run, so that nothing runs before them.
    waiting: Mutex<Vec<Statement>>,
}

impl Lazy {
    pub(super) fn new(pool: DatabaseConnection, runtime: Handle) -> Self {
        Self { pool, runtime, open: OnceCell::new(), waiting: Mutex::default() }
    }

    /// The open transaction, after all that was put off.
    pub(super) async fn transaction(&self) -> Result<&DatabaseTransaction, DbErr> {
        let begin = || Pooled::begin(&self.pool, &self.runtime);
        let open = self.open.get_or_try_init(begin).await?.transaction()?;
        let mut waiting = self.waiting.lock().await;
        if let Some(statement) = together(std::mem::take(&mut *waiting)) {
            open.execute_raw(statement).await?;
        }
        Ok(open)
    }

    /// Where a statement can run before there is a transaction; `None` when it needs one.
    pub(super) async fn free_for(&self, statement: &Statement) -> Option<&DatabaseConnection> {
        let unchanged = self.open.get().is_none() && self.waiting.lock().await.is_empty();
        (unchanged && reads_alone(&statement.sql)).then_some(&self.pool)
    }

    /// Puts an insertion off. Parts of one statement have no order, so of each table one insertion waits
    /// at most: rows get their positions in the order in which they were added.
    pub(super) async fn later(&self, insertion: Statement) -> Result<(), DbErr> {
        let waits = |one: &Statement| table(&one.sql) == table(&insertion.sql);
        if self.waiting.lock().await.iter().any(waits) {
            self.transaction().await?;
        }
        self.waiting.lock().await.push(insertion);
        Ok(())
    }

    pub(super) async fn commit(self) -> Result<(), StoreError> {
        let Self { pool, runtime, open, waiting } = self;
        let last = together(waiting.into_inner());
        let Some(open) = open.into_inner() else {
            let Some(only) = last else { return Ok(()) };
            // A caller who goes away must not stop it half-way.
            let running = runtime.spawn(async move { pool.execute_raw(only).await });
            return running.await.map_err(StoreError::backend)?.map(drop).map_err(backend);
        };
        if let Some(last) = last {
            open.transaction().map_err(backend)?.execute_raw(last).await.map_err(backend)?;
        }
        open.commit().await.map_err(backend)
    }
}

/// What comes before the columns: `INSERT INTO` and the table.
fn table(insertion: &str) -> &str {
    insertion.split_once('(').map_or(insertion, |(before, _)| before)
}

/// Whether it is a selection as the query builder writes them, quoted from the first column on, and locks
/// nothing. What is written by hand may call functions that change or lock something.
fn reads_alone(sql: &str) -> bool {
    sql.starts_with("SELECT \"") && !sql.contains(" FOR ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_locks_or_may_change_something_needs_the_transaction() {
        assert!(reads_alone("SELECT \"accounts\".\"id\" FROM \"accounts\" WHERE \"id\" = $1"));
        assert!(!reads_alone("SELECT \"accounts\".\"id\" FROM \"accounts\" FOR UPDATE"));
        assert!(!reads_alone("SELECT pg_advisory_xact_lock($1)"));
        assert!(!reads_alone("INSERT INTO \"a\" DEFAULT VALUES"));
    }
}
