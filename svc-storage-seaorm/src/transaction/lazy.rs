//! A transaction that begins when there is need of one.
//!
//! A round trip to PostgreSQL costs more than most statements, and so does the
//! one writer of SQLite. A unit that reads a little and adds a few rows would
//! spend more on `BEGIN` and `COMMIT` than on its work. So:
//!
//! - A plain read of a record before the first change runs by itself. Under READ COMMITTED each statement
//!   sees what is committed when it starts, in a transaction or not. A read that later reads must agree with
//!   locks something first, which begins the transaction.
//! - Insertions that are put off ([`DeferInsert`](super::DeferInsert)) wait for each other.
//! - If nothing else comes, they are committed together with those of other units.
//! - Everything else begins the transaction, in which what waits comes first.

use std::sync::{Arc, PoisonError};

use sea_orm::{DatabaseConnection, DatabaseTransaction, DbBackend, DbErr};
use svc_core::error::StoreError;
use tokio::sync::{Mutex, OnceCell};

use super::open::Open;
use super::shared::Shared;
use crate::error::backend;
use crate::statement::{Insertion, Published};

pub(super) struct Lazy {
    shared: Arc<Shared>,
    open: OnceCell<Open>,
    /// Insertions that were put off. Locked while they run, so that nothing runs before them.
    waiting: Mutex<Vec<Insertion>>,
    /// Events that are in the outbox once this is committed.
    published: std::sync::Mutex<Published>,
}

impl Lazy {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self {
            shared,
            open: OnceCell::new(),
            waiting: Mutex::default(),
            published: std::sync::Mutex::default(),
        }
    }

    pub(super) fn engine(&self) -> DbBackend {
        self.shared.engine()
    }

    /// The open transaction, after all that was put off.
    pub(super) async fn transaction(&self) -> Result<&DatabaseTransaction, DbErr> {
        let open = self.open.get_or_try_init(|| self.shared.begin()).await?;
        let mut waiting = self.waiting.lock().await;
        let published = open.add(std::mem::take(&mut *waiting)).await?;
        self.published.lock().unwrap_or_else(PoisonError::into_inner).extend(published);
        open.transaction()
    }

    /// Where it may read before its first change; `None` once there is a transaction.
    pub(super) fn reads(&self) -> Option<&DatabaseConnection> {
        let nothing_waits = || self.waiting.try_lock().is_ok_and(|waiting| waiting.is_empty());
        (self.open.get().is_none() && nothing_waits()).then(|| self.shared.pool())
    }

    /// Puts an insertion off. What is put off together has no order, so of each table one insertion waits
    /// at most: rows get their positions in the order in which they were added.
    pub(super) async fn defer(&self, insertion: Insertion) -> Result<(), DbErr> {
        let mut waiting = self.waiting.lock().await;
        let Some(too_many) = insertion.join(&mut waiting) else { return Ok(()) };
        drop(waiting);
        self.transaction().await?;
        self.waiting.lock().await.push(too_many);
        Ok(())
    }

    pub(super) async fn commit(self) -> Result<(), StoreError> {
        let Self { shared, open, waiting, published } = self;
        let last = waiting.into_inner();
        match open.into_inner() {
            None if last.is_empty() => Ok(()),
            None => shared.commit(last).await.map_err(backend),
            Some(open) => {
                let mut published = published.into_inner().unwrap_or_else(PoisonError::into_inner);
                published.extend(open.add(last).await.map_err(backend)?);
                shared.finish(open, published).await.map_err(backend)
            }
        }
    }
}
