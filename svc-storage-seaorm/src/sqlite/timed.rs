//! Connections of SQLite that read, and end a statement that takes too long.
//!
//! SQLite has no time limit of statements: a sort of all contacts of a company goes on after its caller has left, and
//! keeps one of the few connections from all others. Here each connection has a handler that SQLite calls as the
//! statement goes on, and a time by which it has to end: [`LONGEST_READ`] from its start, or at once when its caller
//! goes away.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait, DatabaseConnection, DbErr};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How long a statement may read.
pub(crate) const LONGEST_READ: Duration = Duration::from_secs(30);

/// The time by which the statement on a connection has to end.
#[derive(Clone, Debug)]
pub(super) struct Deadline {
    opened: Instant,
    /// Milliseconds since then.
    at: Arc<AtomicU64>,
}

impl Deadline {
    fn new() -> Self {
        Self { opened: Instant::now(), at: Arc::new(AtomicU64::new(u64::MAX)) }
    }

    /// Whether the statement goes on.
    pub(super) fn is_ahead(&self) -> bool {
        self.now() < self.at.load(Ordering::Relaxed)
    }

    fn begin(&self, longest: Duration) {
        let millis = u64::try_from(longest.as_millis()).unwrap_or(u64::MAX);
        self.at.store(self.now().saturating_add(millis), Ordering::Relaxed);
    }

    fn end_now(&self) {
        self.at.store(0, Ordering::Relaxed);
    }

    fn now(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// Pools of one connection each, so that it is known which one a statement runs on.
#[derive(Debug)]
pub(crate) struct TimedConnections {
    all: Vec<DatabaseConnection>,
    free: Mutex<Vec<Timed>>,
    permits: Arc<Semaphore>,
    longest: Duration,
}

#[derive(Debug)]
struct Timed {
    conn: DatabaseConnection,
    deadline: Deadline,
}

impl TimedConnections {
    /// Of these pools, each of which has one connection.
    pub(crate) async fn new(pools: Vec<DatabaseConnection>, longest: Duration) -> Result<Self, DbErr> {
        let mut free = Vec::new();
        for conn in &pools {
            let deadline = Deadline::new();
            super::connect::end_by(conn, deadline.clone()).await?;
            free.push(Timed { conn: conn.clone(), deadline });
        }
        let permits = Arc::new(Semaphore::new(free.len()));
        Ok(Self { all: pools, free: Mutex::new(free), permits, longest })
    }

    /// A connection that is free, as soon as there is one; its statement begins now.
    pub(crate) async fn begin(self: &Arc<Self>) -> Result<Read, DbErr> {
        let closed = |_| DbErr::Custom("the database is closed".to_owned());
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(closed)?;
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        // There are as many permits as connections.
        let timed = free.ok_or_else(|| DbErr::Custom("no connection is free".to_owned()))?;
        timed.deadline.begin(self.longest);
        Ok(Read { of: Arc::clone(self), taken: Some((timed, permit)) })
    }

    /// Closes all connections.
    pub(crate) async fn close(&self) -> Result<(), DbErr> {
        self.permits.close();
        for conn in &self.all {
            conn.close_by_ref().await?;
        }
        Ok(())
    }

    fn put_back(&self, timed: Timed, permit: OwnedSemaphorePermit) {
        timed.deadline.at.store(u64::MAX, Ordering::Relaxed);
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(timed);
        drop(permit);
    }
}

/// One statement that reads.
#[derive(Debug)]
pub(crate) struct Read {
    of: Arc<TimedConnections>,
    taken: Option<(Timed, OwnedSemaphorePermit)>,
}

impl Read {
    /// Where it runs.
    pub(crate) fn conn(&self) -> &DatabaseConnection {
        let (timed, _) = self.taken.as_ref().expect("a read has a connection until it ends");
        &timed.conn
    }

    /// It has ended.
    pub(crate) fn ended(mut self) {
        if let Some((timed, permit)) = self.taken.take() {
            self.of.put_back(timed, permit);
        }
    }
}

impl Drop for Read {
    /// Its caller went away: the statement ends now, and the connection is free once it has.
    fn drop(&mut self) {
        let Some((timed, permit)) = self.taken.take() else { return };
        timed.deadline.end_now();
        let of = Arc::clone(&self.of);
        let Ok(runtime) = Handle::try_current() else { return of.put_back(timed, permit) };
        runtime.spawn(async move {
            // Waits behind the statement; it is over before SQLite asks whether it goes on.
            if let Err(error) = timed.conn.execute_unprepared("SELECT 1").await {
                tracing::debug!(%error, "a connection did not answer after a read was left");
            }
            of.put_back(timed, permit);
        });
    }
}
