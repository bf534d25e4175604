//! A SQLite file of the test's own.

use std::sync::Arc;

use svc_core::event::Event;
use svc_storage_seaorm::{Database, Keys, Settings, Synchronous};
use svc_testkit::business::sample;
use tempfile::TempDir;

/// A new database, and the folder that it goes with: to be kept by whatever reads the database, since
/// readers open the file when there is need of one more.
pub(crate) async fn database() -> (Database, Arc<TempDir>) {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("svc.db").display());
    let settings = Settings::new(url, Keys::new(1, [7; 32])).sqlite_synchronous(Synchronous::Normal);
    let database = Database::open(&settings).await.unwrap();
    database.migrate(sample::at(0)).await.unwrap();
    (database, Arc::new(folder))
}

/// A new database on PostgreSQL; `None` where there is none.
pub(crate) async fn postgres() -> Option<(Database, Arc<TempDir>)> {
    let keys = || Keys::new(1, [7; 32]);
    let migrated = async |url: String| {
        let database = Database::open(&Settings::new(url, keys())).await.unwrap();
        database.migrate(sample::at(0)).await.unwrap();
        database.close().await;
    };
    let url = svc_testkit::postgres::database_like(migrated).await?;
    let database = Database::open(&Settings::new(url, keys()).max_connections(6)).await.unwrap();
    Some((database, Arc::new(tempfile::tempdir().unwrap())))
}

/// Every event that was committed, in its order.
pub(crate) async fn events(database: &Database) -> Vec<Event> {
    let waiting = database.webhooks().queue().waiting(10_000).await.unwrap();
    waiting.events.into_iter().map(|(_, event)| event).collect()
}
