//! The one writer of a SQLite database, and commits that several units share.
//!
//! SQLite has one writer at a time, and a commit waits for the disk. So units
//! queue for the writer, and those that queue at the same time share a commit:
//!
//! 1. A unit waits for its turn. The first one opens a transaction with `BEGIN
//!    IMMEDIATE`; one that finds a transaction open joins it in a savepoint.
//! 2. A unit that commits leaves its changes in the transaction and passes the
//!    turn on. Its answer waits.
//! 3. The unit that ends when no other one waits, or the group is [`OLDEST`] old or
//!    [`LARGEST`] large, runs `COMMIT`; then every member gets its answer. When
//!    that fails, all of them fail: no caller was told of a success before.
//! 4. A unit that is dropped undoes its savepoint and passes the turn on.
//!
//! No unit waits on purpose: with no competition a unit is `BEGIN IMMEDIATE` and
//! `COMMIT`. Each step that must not be cut short runs in a task of its own,
//! because callers are dropped when their client hangs up.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use sea_orm::{
    ConnAcquireErr, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, SqliteTransactionMode,
    TransactionOptions, TransactionTrait,
};
use tokio::runtime::Handle;
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};
use tokio::time::timeout;

/// A group that is older commits before the next unit begins.
const OLDEST: Duration = Duration::from_millis(2);
/// A group with so many members commits before the next unit begins.
const LARGEST: usize = 64;
/// How long a unit waits for its turn.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many may wait at a time.
const MOST_WAITING: usize = 10_000;

/// Gives turns on the connection that writes.
#[derive(Clone)]
pub(crate) struct Writer(Arc<Shared>);

struct Shared {
    group: Arc<Mutex<Group>>,
    /// Units that will take the turn when it is passed on.
    waiting: AtomicUsize,
    runtime: Handle,
}

struct Group {
    conn: DatabaseConnection,
    open: Option<Open>,
    runtime: Handle,
}

/// An open transaction with the units that ended in it and wait for its commit.
struct Open {
    transaction: DatabaseTransaction,
    since: Instant,
    members: Vec<Answer>,
}

type Answer = oneshot::Sender<Result<(), DbErr>>;

impl Writer {
    pub(crate) fn new(conn: DatabaseConnection, runtime: Handle) -> Self {
        let group = Group { conn, open: None, runtime: runtime.clone() };
        Self(Arc::new(Shared { group: Arc::new(Mutex::new(group)), waiting: AtomicUsize::new(0), runtime }))
    }

    /// Waits for the turn, and opens or joins a transaction.
    ///
    /// # Errors
    /// [`DbErr::ConnectionAcquire`] when the line is too long, or moves too slowly.
    pub(crate) async fn turn(&self) -> Result<WriterGuard, DbErr> {
        if self.0.waiting.load(Ordering::Relaxed) >= MOST_WAITING {
            return Err(DbErr::ConnectionAcquire(ConnAcquireErr::Timeout));
        }
        self.0.waiting.fetch_add(1, Ordering::SeqCst);
        let shared = self.0.clone();
        // The unit that passes the turn on counts on this one to take it, so it does even when its caller
        // is gone; the turn is then dropped unused.
        let taking = self.0.runtime.spawn(async move {
            let group = shared.group.clone().lock_owned().await;
            shared.waiting.fetch_sub(1, Ordering::SeqCst);
            WriterSlot { group, shared, joined: false }.enter().await.map(|seat| WriterGuard(Some(seat)))
        });
        match timeout(PATIENCE, taking).await {
            Ok(taken) => taken.map_err(|error| DbErr::Custom(error.to_string()))?,
            Err(_) => Err(DbErr::ConnectionAcquire(ConnAcquireErr::Timeout)),
        }
    }

    /// Waits until no unit is open and closes the connection.
    pub(crate) async fn close(&self) {
        let mut group = self.0.group.lock().await;
        group.commit().await;
        if let Err(error) = group.conn.close_by_ref().await {
            tracing::warn!(%error, "the database was not closed in order");
        }
    }
}

/// The turn of one unit: dropped, it undoes what the unit did.
pub(crate) struct WriterGuard(Option<WriterSlot>);

impl WriterGuard {
    pub(crate) fn transaction(&self) -> Result<&DatabaseTransaction, DbErr> {
        let open = self.0.as_ref().and_then(|seat| seat.group.open.as_ref());
        open.map(|open| &open.transaction).ok_or_else(|| DbErr::Custom("the unit has ended".to_owned()))
    }

    /// Keeps what the unit did; returns when it is on the disk.
    pub(crate) async fn commit(mut self) -> Result<(), DbErr> {
        let custom = |text: &str| DbErr::Custom(text.to_owned());
        let Some(seat) = self.0.take() else { return Err(custom("the unit has ended")) };
        let (answer, committed) = oneshot::channel();
        seat.shared.runtime.clone().spawn(seat.keep(answer));
        committed.await.unwrap_or_else(|_| Err(custom("the writer stopped before the commit")))
    }
}

impl Drop for WriterGuard {
    fn drop(&mut self) {
        if let Some(seat) = self.0.take() {
            seat.shared.runtime.clone().spawn(seat.undo());
        }
    }
}

/// The writer, held.
struct WriterSlot {
    group: OwnedMutexGuard<Group>,
    shared: Arc<Shared>,
    /// Whether this unit is in a savepoint of a transaction that others began.
    joined: bool,
}

impl WriterSlot {
    async fn enter(mut self) -> Result<Self, DbErr> {
        if let Some(open) = &self.group.open {
            let joined = open.transaction.execute_unprepared("SAVEPOINT unit").await;
            if let Err(error) = joined {
                self.group.fail(error.clone()).await;
                return Err(error);
            }
            self.joined = true;
            return Ok(self);
        }
        let options = TransactionOptions {
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        };
        let transaction = self.group.conn.begin_with_options(options).await?;
        self.group.open = Some(Open { transaction, since: Instant::now(), members: Vec::new() });
        Ok(self)
    }

    async fn keep(mut self, answer: Answer) {
        let Some(open) = &mut self.group.open else { return };
        open.members.push(answer);
        if self.joined
            && let Err(error) = open.transaction.execute_unprepared("RELEASE unit").await
        {
            // SQLite undid the whole transaction, for example because the disk is full.
            self.group.fail(error).await;
            return;
        }
        self.pass_on().await;
    }

    async fn undo(mut self) {
        let Some(open) = &self.group.open else { return };
        if self.joined {
            if let Err(error) = open.transaction.execute_unprepared("ROLLBACK TO unit; RELEASE unit").await {
                self.group.fail(error).await;
                return;
            }
            self.pass_on().await;
        } else {
            // The first of its group: no other unit has done anything yet.
            self.group.roll_back().await;
        }
    }

    async fn pass_on(mut self) {
        let full = self
            .group
            .open
            .as_ref()
            .is_some_and(|open| open.members.len() >= LARGEST || open.since.elapsed() >= OLDEST);
        if full || self.shared.waiting.load(Ordering::SeqCst) == 0 {
            self.group.commit().await;
        }
    }
}

impl Group {
    async fn commit(&mut self) {
        let Some(Open { transaction, members, .. }) = self.open.take() else { return };
        let outcome = transaction.commit().await;
        if let Err(error) = &outcome {
            tracing::error!(%error, units = members.len(), "a commit failed");
        }
        tell(members, &outcome);
    }

    async fn roll_back(&mut self) {
        let Some(Open { transaction, .. }) = self.open.take() else { return };
        if let Err(error) = transaction.rollback().await {
            tracing::warn!(%error, "a transaction was not rolled back in order");
        }
    }

    /// Gives up the open transaction and tells its members why.
    async fn fail(&mut self, error: DbErr) {
        let members = self.open.as_mut().map(|open| std::mem::take(&mut open.members)).unwrap_or_default();
        tracing::error!(%error, units = members.len(), "a transaction was lost");
        self.roll_back().await;
        tell(members, &Err(error));
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // A transaction gives its connection back in a task, which needs a runtime.
        let _context = self.runtime.enter();
        self.open = None;
    }
}

fn tell(members: Vec<Answer>, outcome: &Result<(), DbErr>) {
    for member in members {
        // A member whose caller is gone does not hear of it.
        let _gone = member.send(outcome.clone());
    }
}
