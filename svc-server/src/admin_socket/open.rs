//! The way to a database: opened by this process, or asked of the server that has it.

use std::path::Path;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::connection::Connection;
use super::{has_room, path_of};
use crate::config::{DatabaseUrl, Settings};
use crate::failure::Failure;
use crate::store::{Schema, Store};

/// How long a file that is taken is waited for while no server answers for it: a command has it, or a
/// server that starts or ends.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often it is tried meanwhile.
const STEP: Duration = Duration::from_millis(50);

/// How a database can be worked on.
pub(crate) enum Opened {
    /// This process has it.
    Here(Store),
    /// A running server has it.
    ByServer {
        /// The server, or why it is none for this command.
        server: Result<Connection, Failure>,
        /// Why this process cannot have it.
        taken: Failure,
    },
}

/// Opens the database, or finds the server that has it.
///
/// # Errors
/// When neither is possible.
pub(crate) async fn open(settings: &Settings, schema: Schema) -> Result<Opened, Failure> {
    let give_up = Instant::now() + PATIENCE;
    loop {
        let taken = match Store::open(settings, schema).await {
            Ok(store) => return Ok(Opened::Here(store)),
            Err(failure) => failure,
        };
        let DatabaseUrl::Sqlite(database) = &settings.database else { return Err(taken) };
        // A command needs no key for what the server does, so a server is looked for whatever failed.
        let server = match Connection::open(database).await {
            Ok(Some(server)) => Ok(server),
            Err(failure) if taken.is_in_use() => Err(failure),
            Ok(None) if taken.is_in_use() && Instant::now() < give_up => {
                sleep(STEP).await;
                continue;
            }
            Ok(None) | Err(_) => return Err(explained(taken, database)),
        };
        return Ok(Opened::ByServer { server, taken });
    }
}

/// A server that has the file may have no socket.
fn explained(taken: Failure, database: &Path) -> Failure {
    if taken.is_in_use() && !has_room(&path_of(database)) {
        return taken.hint(
            "the path is too long for the socket of a server: stop the server first, or run server and command in \
             the folder of the database, with a relative path",
        );
    }
    taken
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use tokio::time::timeout;

    use super::*;
    use crate::config::sources::{Flag, Sources};

    #[tokio::test]
    async fn a_file_that_a_command_has_is_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = format!("sqlite://{}", folder.path().join("svc.db").display());
        let flag = Flag { name: "test", key: "database_url", value: database };
        let settings = Settings::check(&Sources::isolated(vec![flag])).expect("valid");
        let lock = File::create(folder.path().join("svc.db-lock")).expect("made");
        lock.lock().expect("locked");
        let opening = open(&settings, Schema::Migrate);
        tokio::pin!(opening);
        assert!(timeout(STEP, &mut opening).await.is_err(), "it is taken");
        drop(lock);
        let Ok(Opened::Here(store)) = opening.await else { panic!("it is free and was not opened") };
        store.close().await;
    }
}
