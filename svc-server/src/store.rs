//! Opening the database that the settings name.

use std::path::Path;

use svc_business::founding;
use svc_core::audit::Actor;
use svc_core::clock::Clock as _;
use svc_core::error::StoreError;
use svc_core::error::chain;
use svc_core::pii::PiiAccess;
use svc_core::system::{OsRandom, SystemClock};
use svc_core::tenant::Scope;
use svc_core::unit::CallContext;
use svc_storage_seaorm::{Database, Keys, MigrateError, OpenError};

use crate::config::{DatabaseUrl, Settings};
use crate::failure::{Failure, IN_USE};

/// The code of a schema that lacks migrations.
pub(crate) const OUTDATED: &str = "schema_outdated";

/// An open database with the keys that its secrets need.
pub(crate) struct Store {
    /// The database.
    pub(crate) database: Database,
    /// Master key: peppers of fingerprints come from it.
    pub(crate) keys: Keys,
}

/// What is done about migrations that were not applied yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Schema {
    /// They are applied.
    Migrate,
    /// They are a reason to refuse.
    Require,
}

impl Store {
    /// Opens the database; makes a new SQLite one with its folder and key only when it may migrate.
    pub(crate) async fn open(settings: &Settings, schema: Schema) -> Result<Self, Failure> {
        Self::open_reporting(settings, schema).await.map(|(store, _)| store)
    }

    /// The same, with the names of the migrations that were applied.
    pub(crate) async fn open_reporting(
        settings: &Settings,
        schema: Schema,
    ) -> Result<(Self, Vec<&'static str>), Failure> {
        if let DatabaseUrl::Sqlite(path) = &settings.database {
            prepare(path, schema)?;
        }
        let keys = settings.keys()?;
        let database =
            Database::open(&storage(settings, &keys)).await.map_err(|error| open_failure(&error))?;
        let outcome = match schema {
            Schema::Migrate => migrate(&database).await,
            Schema::Require => require(&database).await.map(|()| Vec::new()),
        };
        match outcome {
            Ok(applied) => Ok((Self { database, keys }, applied)),
            Err(failure) => {
                database.close().await;
                Err(failure)
            }
        }
    }

    /// Opens the database for reading alone, beside a server that runs.
    pub(crate) async fn look(settings: &Settings) -> Result<Self, Failure> {
        if let DatabaseUrl::Sqlite(path) = &settings.database {
            prepare(path, Schema::Require)?;
        }
        let keys = settings.keys()?;
        let database = look(settings, &keys).await?;
        match require(&database).await {
            Ok(()) => Ok(Self { database, keys }),
            Err(failure) => {
                database.close().await;
                Err(failure)
            }
        }
    }

    /// The numbers of master keys that stored data needs and the settings lack.
    pub(crate) async fn missing_keys(&self) -> Result<Vec<u32>, StoreError> {
        let known: Vec<u32> = self.keys.ids().collect();
        let uses = self.database.key_uses().await?;
        Ok(uses.into_iter().map(|used| used.id).filter(|id| !known.contains(id)).collect())
    }

    /// Closes the database; what was committed stays.
    pub(crate) async fn close(self) {
        self.database.close().await;
    }
}

/// Makes the folder of a new SQLite database, or refuses to make one.
fn prepare(path: &Path, schema: Schema) -> Result<(), Failure> {
    match schema {
        Schema::Require if !path.exists() => {
            Err(Failure::new("database_missing", format!("there is no database {}", path.display()))
                .hint("make one with `svc-server bootstrap`, or set SVC_DATABASE_URL to an existing one"))
        }
        Schema::Require => Ok(()),
        Schema::Migrate => match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            Some(folder) => std::fs::create_dir_all(folder).map_err(|error| {
                let what = format!("the folder {} cannot be made", folder.display());
                Failure::caused("folder_unwritable", &what, &error)
                    .hint("check that this user may write there, or set SVC_DATABASE_URL to another place")
            }),
            None => Ok(()),
        },
    }
}

/// Opens for reading alone, without looking at the schema.
pub(crate) async fn look(settings: &Settings, keys: &Keys) -> Result<Database, Failure> {
    Database::open_read_only(&storage(settings, keys)).await.map_err(|error| open_failure(&error))
}

fn storage(settings: &Settings, keys: &Keys) -> svc_storage_seaorm::Settings {
    let url = match &settings.database {
        DatabaseUrl::Sqlite(path) => format!("sqlite://{}", path.display()),
        DatabaseUrl::Postgres(url) => url.clone(),
    };
    svc_storage_seaorm::Settings::new(url, keys.clone())
        .max_connections(settings.max_connections)
        .sqlite_synchronous(settings.sqlite_synchronous)
}

/// Applies what is pending; answers its names.
async fn migrate(database: &Database) -> Result<Vec<&'static str>, Failure> {
    let applied = database.migrate(SystemClock.now()).await.map_err(|error| schema_failure(&error))?;
    if let Some(newest) = applied.last() {
        tracing::info!(applied = applied.len(), newest, "the schema was brought up to date");
    }
    // Whether or not anything was applied now: an earlier start may have ended before this.
    let begun = complete(database).await.map_err(|error| backend(&error))?;
    if begun > 0 {
        tracing::info!(begun, "companies that lacked books, a tax profile or jobs have them now");
    }
    Ok(applied)
}

/// Gives companies what they would have been founded with today.
async fn complete(database: &Database) -> Result<u64, StoreError> {
    #[expect(clippy::disallowed_methods, reason = "a migration is about every company")]
    let scope = Scope::system("a migration is about every company");
    let (actor, now) = (Actor::service("migrate"), SystemClock.now());
    let call =
        CallContext { scope: &scope, access: PiiAccess::Masked, actor: &actor, now, random: &OsRandom };
    founding::complete(&*database.business(), call).await
}

async fn require(database: &Database) -> Result<(), Failure> {
    let pending = database.pending_migrations().await.map_err(|error| schema_failure(&error))?;
    if pending.is_empty() {
        return Ok(());
    }
    Err(Failure::new(OUTDATED, format!("the schema lacks {} migrations", pending.len()))
        .hint("run `svc-server migrate` first"))
}

/// A failure of the store in the middle of a command.
pub(crate) fn backend(error: &StoreError) -> Failure {
    Failure::caused("database_failed", "the database could not be used", error)
        .hint("`svc-server doctor` checks settings and database")
}

fn open_failure(error: &OpenError) -> Failure {
    let failure = |code, hint: &str| Failure::new(code, chain(error)).hint(hint);
    match error {
        OpenError::Url(_) | OpenError::NoSchemas { .. } | OpenError::NotBuilt { .. } => failure("database_url", "set SVC_DATABASE_URL to one of the two forms"),
        OpenError::File { .. } => {
            failure("database_failed", "check that the folder is there and that this user may write to it")
        }
        OpenError::InUse { path } => {
            Failure::new(IN_USE, format!("{} is in use by another process", path.display()))
                .hint("with SQLite one process has the file: wait for the command or stop the server that has it, or use PostgreSQL")
        }
        OpenError::OldSqlite { .. } => {
            failure("database_too_old", "build against the bundled SQLite, as this crate does by default")
        }
        OpenError::Connect { .. } => failure(
            "database_unreachable",
            "check SVC_DATABASE_URL, and that the server is up and takes this user; a SQLite file must be one",
        ),
        OpenError::WrongMasterKey => failure(
            "wrong_master_key",
            "set SVC_MASTER_KEY or SVC_MASTER_KEY_FILE to the key that the database was made with; after a change of \
             key, list the one before in SVC_MASTER_KEYS_OLD",
        ),
        OpenError::Backend(_) => {
            failure("database_failed", "`svc-server doctor` checks settings and database")
        }
    }
}

fn schema_failure(error: &MigrateError) -> Failure {
    match error {
        MigrateError::WrongMasterKey => Failure::new("wrong_master_key", error.to_string())
            .hint("set SVC_MASTER_KEY or SVC_MASTER_KEY_FILE to the key that the other processes use"),
        MigrateError::Newer(_) => Failure::new("schema_newer", error.to_string())
            .hint("run the version that migrated the database, or a newer one"),
        MigrateError::Foreign(_) => Failure::new("schema_foreign", error.to_string())
            .hint("nothing was changed in it"),
        MigrateError::BeforeTheRelease => Failure::new("schema_before_release", error.to_string())
            .hint("name another database in SVC_DATABASE_URL, or move this one away, and run `svc-server bootstrap`"),
        MigrateError::NoSchemas { .. } | MigrateError::Backend(_) | MigrateError::Store(_) => {
            Failure::caused("migration_failed", "the schema could not be brought up to date", error)
                .hint("nothing is lost; mend the cause and run `svc-server migrate` again")
        }
    }
}
