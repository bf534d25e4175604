//! Cases that run on both engines, with tasks on several threads.

use sea_orm::ConnectionTrait;
use svc_core::clock::Timestamp;
use svc_storage_seaorm::{Database, Keys, Settings};
use tempfile::TempDir;

/// A migrated database, gone with this value (PostgreSQL's goes with its cluster).
pub(crate) struct Fresh {
    pub(crate) database: Database,
    pub(crate) settings: Settings,
    pub(crate) _folder: Option<TempDir>,
}

pub(crate) const NOW: Timestamp = Timestamp::from_unix_seconds(1_738_314_900);

pub(crate) fn keys() -> Keys {
    Keys::new(1, [7; 32])
}

/// Settings of a database file that is not there yet.
pub(crate) fn file() -> (Settings, TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = format!("sqlite://{}", folder.path().join("data/svc.db").display());
    (Settings::new(url, keys()), folder)
}

pub(crate) async fn open(settings: &Settings) -> Database {
    let database = Database::open(settings).await.expect("opened");
    database.migrate(NOW).await.expect("migrated");
    database
}

pub(crate) async fn sqlite() -> Fresh {
    let (settings, folder) = file();
    Fresh { database: open(&settings).await, settings, _folder: Some(folder) }
}

/// `None` where there is no PostgreSQL, which the harness says on the console.
pub(crate) async fn postgres() -> Option<Fresh> {
    let mut settings = Settings::new(svc_testkit::postgres::database()?, keys());
    settings.max_connections = 6;
    Some(Fresh { database: open(&settings).await, settings, _folder: None })
}

/// Runs a case on both engines.
macro_rules! on_both {
    ($($(#[$attribute:meta])* $case:ident)*) => {
        mod sqlite {$(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $case() {
                super::$case(&crate::both::sqlite().await).await;
            }
        )*}
        mod postgres {$(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $case() {
                if let Some(fresh) = crate::both::postgres().await {
                    super::$case(&fresh).await;
                }
            }
        )*}
    };
}
pub(crate) use on_both;

impl Fresh {
    /// Past the ports, for what only a test may do.
    pub(crate) async fn sql(&self, sql: &str) {
        let mut options = sea_orm::ConnectOptions::new(self.settings.url.clone());
        options.max_connections(1).sqlx_logging(false);
        let raw = sea_orm::Database::connect(options).await.expect("a connection");
        raw.execute_unprepared(sql).await.expect("a valid statement");
        raw.close().await.expect("closed");
    }
}
