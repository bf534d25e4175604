//! New, empty databases of both engines.

mod ports;
mod seed;

use std::path::PathBuf;
use std::sync::Arc;

use sea_orm::{ConnectionTrait, DatabaseConnection};
use svc_auth::ports::{AuthStorage, SessionStorage};
use svc_business::ports::BusinessStorage;
use svc_core::audit::AuditReader;
use svc_core::clock::Timestamp;
use svc_core::idempotency::IdempotencyStore;
use svc_core::tenant::Scope;
use svc_storage_seaorm::{Database, Engine, Keys, Settings};
use svc_testkit::postgres::Made;
use tempfile::TempDir;

pub(crate) use self::ports::Port;

pub(crate) const NOW: Timestamp = Timestamp::from_unix_seconds(1_738_314_900);

/// A migrated database, gone with this value (PostgreSQL's goes with its thread, unless it is held), and its ports.
pub(crate) struct Fresh {
    pub(crate) database: Database,
    pub(crate) settings: Settings,
    auth: Arc<dyn AuthStorage>,
    sessions: Arc<dyn SessionStorage>,
    business: Arc<dyn BusinessStorage>,
    audit: Arc<dyn AuditReader>,
    idempotency: Arc<dyn IdempotencyStore>,
    folder: Option<TempDir>,
    held: Option<Made>,
}

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
    fresh(settings, Some(folder)).await
}

/// `None` where there is no PostgreSQL, which the harness says on the console.
pub(crate) async fn postgres() -> Option<Fresh> {
    let url = svc_testkit::postgres::database_like(migrated).await?;
    Some(fresh(Settings::new(url, keys()).max_connections(6), None).await)
}

/// Brings the schema of a database up to date.
pub(crate) async fn migrated(url: String) {
    open(&Settings::new(url, keys())).await.close().await;
}

pub(crate) async fn fresh(settings: Settings, folder: Option<TempDir>) -> Fresh {
    let database = open(&settings).await;
    Fresh {
        auth: database.auth(),
        sessions: database.sessions(),
        business: database.business(),
        audit: database.audit(),
        idempotency: database.idempotency(),
        database,
        settings,
        folder,
        held: None,
    }
}

#[expect(clippy::disallowed_methods, reason = "the test plays the service itself")]
pub(crate) fn everything() -> Scope {
    Scope::system("test")
}

impl Fresh {
    /// The same, and its PostgreSQL database goes with it.
    pub(crate) fn with(mut self, made: Made) -> Self {
        self.held = Some(made);
        self
    }

    /// Past the ports, for what only a test may do.
    pub(crate) async fn raw(&self) -> DatabaseConnection {
        let mut options = sea_orm::ConnectOptions::new(self.settings.url.clone());
        options.max_connections(1).sqlx_logging(false);
        sea_orm::Database::connect(options).await.expect("a connection")
    }

    pub(crate) async fn sql(&self, sql: &str) {
        let raw = self.raw().await;
        raw.execute_unprepared(sql).await.expect("a valid statement");
        raw.close().await.expect("closed");
    }

    /// What several processes have open: PostgreSQL takes as many as come, a SQLite file one.
    pub(crate) async fn nodes(&self) -> Vec<Database> {
        let mut nodes = vec![self.database.clone()];
        if self.database.engine() == Engine::Postgres {
            nodes.push(open(&self.settings).await);
        }
        nodes
    }

    /// The folder of a SQLite database.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.as_ref().expect("only SQLite has a folder").path().join("data")
    }
}
