//! What the units of one database do together.

use std::sync::Arc;

use sea_orm::{ConnAcquireErr, DatabaseConnection, DbBackend, DbErr};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use super::batcher::Batcher;
use super::commits::{Commits, To};
use super::open::Open;
use super::pooled::Pooled;
use crate::outbox::committed::CommittedEvents;
use crate::sqlite::writer::Writer;
use crate::statement::{Insertion, Published};

/// Where units begin, and the work that they gather.
pub(crate) struct Shared {
    home: Home,
    commits: Batcher<Commits>,
    committed: Arc<CommittedEvents>,
    runtime: Handle,
}

enum Home {
    Sqlite(Writer, DatabaseConnection),
    /// The pool, and the turns of its transactions.
    Postgres(DatabaseConnection, Arc<Semaphore>),
}

impl Shared {
    /// What units do on the one writer of SQLite, and what they read beside it.
    pub(crate) fn sqlite(
        writer: Writer,
        readers: DatabaseConnection,
        committed: Arc<CommittedEvents>,
        runtime: Handle,
    ) -> Arc<Self> {
        let to = To::Sqlite(writer.clone());
        let commits = Batcher::new(Commits { to, committed: Arc::clone(&committed) }, runtime.clone());
        Arc::new(Self { home: Home::Sqlite(writer, readers), commits, committed, runtime })
    }

    /// What units do in a pool of PostgreSQL, so many of them at a time, and where they commit and read together.
    pub(crate) fn postgres(
        pool: DatabaseConnection,
        at_a_time: u32,
        commits: DatabaseConnection,
        committed: Arc<CommittedEvents>,
        runtime: Handle,
    ) -> Arc<Self> {
        let to = To::Postgres(commits);
        let commits = Batcher::new(Commits { to, committed: Arc::clone(&committed) }, runtime.clone());
        let turns =
            usize::try_from(at_a_time).unwrap_or(Semaphore::MAX_PERMITS).clamp(1, Semaphore::MAX_PERMITS);
        let home = Home::Postgres(pool, Arc::new(Semaphore::new(turns)));
        Arc::new(Self { home, commits, committed, runtime })
    }

    pub(super) fn engine(&self) -> DbBackend {
        match self.home {
            Home::Sqlite(..) => DbBackend::Sqlite,
            Home::Postgres(..) => DbBackend::Postgres,
        }
    }

    /// The pool that units read from before they begin.
    pub(super) fn pool(&self) -> &DatabaseConnection {
        match &self.home {
            Home::Sqlite(_, pool) | Home::Postgres(pool, _) => pool,
        }
    }

    pub(super) async fn begin(&self) -> Result<Open, DbErr> {
        match &self.home {
            Home::Sqlite(writer, _) => writer.turn().await.map(Open::Sqlite),
            Home::Postgres(pool, turns) => {
                Pooled::begin(pool, turns, &self.runtime).await.map(Open::Postgres)
            }
        }
    }

    /// Makes the rows of a unit durable. A caller who goes away does not stop it half-way.
    pub(super) async fn commit(&self, unit: Vec<Insertion>) -> Result<(), DbErr> {
        self.commits.ask(unit).await.unwrap_or_else(|| Err(given_up()))
    }

    /// Commits a transaction that publishes these events. A caller who goes away does not stop it half-way.
    pub(super) async fn finish(&self, open: Open, published: Published) -> Result<(), DbErr> {
        if published.is_empty() {
            return open.commit().await;
        }
        let committed = Arc::clone(&self.committed);
        let finishing = self.runtime.spawn(async move {
            open.commit().await?;
            committed.add(published);
            Ok(())
        });
        finishing.await.map_err(|error| DbErr::Custom(error.to_string()))?
    }
}

/// Too many wait, or the database did not answer: the same call may pass later.
pub(super) fn given_up() -> DbErr {
    DbErr::ConnectionAcquire(ConnAcquireErr::Timeout)
}
