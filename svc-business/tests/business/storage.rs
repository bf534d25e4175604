//! A SQLite file of the test's own, and what was told in it.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use svc_business::ports::BusinessStorage;
use svc_core::audit::Record;
use svc_core::event::Event;
use svc_core::id::AccountId;
use svc_storage_seaorm::{Database, Keys, Settings, Synchronous};
use svc_testkit::business::sample;
use tempfile::TempDir;

/// The ports of a new database, which goes with this value.
pub(crate) struct Storage {
    database: Database,
    business: Arc<dyn BusinessStorage>,
    /// Events that the test has looked at.
    seen: AtomicUsize,
    _folder: TempDir,
}

impl Storage {
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let url = format!("sqlite://{}", folder.path().join("svc.db").display());
        let settings = Settings::new(url, Keys::new(1, [7; 32])).sqlite_synchronous(Synchronous::Normal);
        let database = Database::open(&settings).await.expect("opened");
        database.migrate(sample::at(0)).await.expect("migrated");
        Self { business: database.business(), database, seen: AtomicUsize::new(0), _folder: folder }
    }

    /// The events that were committed since the last look, in their order.
    pub(crate) async fn take_events(&self) -> Vec<Event> {
        let waiting = self.database.webhooks().queue().waiting(10_000).await.expect("read").events;
        let seen = self.seen.swap(waiting.len(), Ordering::Relaxed);
        waiting.into_iter().skip(seen).map(|(_, event)| event).collect()
    }

    /// The records of a company's audit log, in their order.
    pub(crate) async fn log(&self, company: AccountId) -> Vec<Record> {
        let rows = self.database.audit().records(company, 0, 10_000).await.expect("read");
        rows.into_iter().map(|row| row.expect("as it was written")).collect()
    }
}

impl Deref for Storage {
    type Target = dyn BusinessStorage;

    fn deref(&self) -> &Self::Target {
        &*self.business
    }
}
