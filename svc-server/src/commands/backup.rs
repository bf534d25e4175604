//! `backup`: a copy of the SQLite database.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::commands::Context;
use crate::config::DatabaseUrl;
use crate::failure::Failure;
use crate::store::Store;

/// `backup`
#[derive(Args, Debug)]
#[command(
    after_help = "Works beside a running server. Keep the key file with the copy, in another place: one is worth nothing without the \
                        other.\n\nExample:\n  svc-server backup /backups/svc-monday.db"
)]
pub(crate) struct Backup {
    /// The new file; it must not exist
    file: PathBuf,
}

impl Backup {
    pub(crate) async fn run(self, context: &Context) -> Result<(), Failure> {
        let settings = context.settings(Vec::new())?;
        match &settings.database {
            DatabaseUrl::Sqlite(_) => {}
            DatabaseUrl::Postgres(_) => {
                return Err(Failure::usage("backup_unsupported", "PostgreSQL has its own backups")
                    .hint("use pg_dump or a base backup, and keep the master key in another place"));
            }
        }
        if self.file.exists() {
            return Err(Failure::new("backup_exists", format!("{} exists already", self.file.display()))
                .hint("name a file that does not exist yet"));
        }
        let store = Store::look(&settings).await?;
        let copied = store.database.backup(&self.file).await;
        store.close().await;
        copied.map_err(|error| {
            Failure::caused("backup_failed", &format!("{} could not be written", self.file.display()), &error)
                .hint("check that the folder is there and has room")
        })?;
        let key = settings.key.path();
        context.output.either(&json!({"file": self.file, "keyFile": key}), || {
            let key = key.map(|key| format!("; keep a copy of {} too", key.display())).unwrap_or_default();
            format!("copied to {}{key}", self.file.display())
        });
        Ok(())
    }
}
