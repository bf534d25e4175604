//! Databases that are made and removed again, and the one that they are copies of.

use std::fs::{self, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use super::{Server, psql, query, server};

/// A database, which is removed when this is dropped.
#[derive(Debug)]
pub struct Made {
    administration: String,
    base: String,
    name: String,
}

impl Made {
    /// A new database with all that `prepare` writes into the one whose URL it is given, as
    /// [`database_like`](super::database_like) has it.
    ///
    /// # Panics
    /// As [`database`](super::database) does.
    pub async fn like<F: Future<Output = ()>>(prepare: impl FnOnce(String) -> F) -> Option<Self> {
        let server = server()?;
        // A server that is not ours keeps nothing of this program.
        let Some(folder) = &server.folder else {
            let made = Self::new(server, None);
            prepare(made.url()).await;
            return Some(made);
        };
        let name = prepared(server, folder, prepare).await;
        Some(Self::new(server, Some(&name)))
    }

    /// An empty one, or a copy of one to which no session is connected.
    pub(super) fn new(server: &Server, template: Option<&str>) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let administration = server.url("postgres");
        let template = template.map(|name| format!(" TEMPLATE {name}")).unwrap_or_default();
        drop(query(&administration, &format!("CREATE DATABASE {name}{template}")));
        Self { administration, base: server.base.clone(), name }
    }

    /// Its URL.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}/{}", self.base, self.name)
    }
}

/// So many databases are removed at a time: each removal has PostgreSQL write down all that it holds in memory, of
/// which little is left after the first.
const BATCH: usize = 16;

impl Drop for Made {
    /// Those that cannot be removed go with their cluster; the outcomes of the tests stand already.
    fn drop(&mut self) {
        static ENDED: Mutex<Vec<String>> = Mutex::new(Vec::new());
        let mut ended = ENDED.lock().unwrap_or_else(PoisonError::into_inner);
        ended.push(format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
        if ended.len() < BATCH {
            return;
        }
        let batch = std::mem::take(&mut *ended);
        drop(ended);
        let mut command = psql(&self.administration, "SELECT 1");
        for removal in &batch {
            command.args(["-c", removal]);
        }
        drop(command.output());
    }
}

/// The name of the database that this program prepares; the first of its processes to come here makes it, the others
/// wait meanwhile.
async fn prepared<F: Future<Output = ()>>(
    server: &Server,
    folder: &Path,
    prepare: impl FnOnce(String) -> F,
) -> String {
    let name = format!("prepared_{}", program());
    let mut options = OpenOptions::new();
    let mut state = options.create(true).read(true).append(true).open(folder.join(&name)).expect("a file");
    state.lock().expect("a lock");
    let mut said = String::new();
    state.read_to_string(&mut said).expect("a text");
    if said.is_empty() {
        let administration = server.url("postgres");
        // What a killed process left half prepared.
        drop(query(&administration, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")));
        drop(query(&administration, &format!("CREATE DATABASE {name}")));
        prepare(server.url(&name)).await;
        state.write_all(b"prepared").expect("written");
    }
    name
}

/// Tells this program from others, and from what it was before it was built anew.
fn program() -> String {
    let file = std::env::current_exe().and_then(fs::metadata).expect("the program has a file");
    format!("{}_{}_{}_{}", file.dev(), file.ino(), file.mtime(), file.mtime_nsec())
}
