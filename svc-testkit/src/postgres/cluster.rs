//! A PostgreSQL server of one's own: it may be restarted, and its data is as safe as its defaults make it.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::{as_owner, base, binaries, make_cluster, query, text};

/// A private cluster; the watchdog stops and removes it a moment after the process has ended.
#[derive(Debug)]
pub struct Cluster {
    bin: PathBuf,
    folder: PathBuf,
    base: String,
    databases: AtomicU32,
    /// Held for the life of the process, see the module.
    _user: fs::File,
}

impl Cluster {
    /// Makes and starts one below `parent`, with the default settings of PostgreSQL and these (`-c name=value`);
    /// `None` where there is no PostgreSQL.
    ///
    /// # Panics
    /// When it cannot be made.
    #[must_use]
    pub fn start(parent: &Path, settings: &str) -> Option<Self> {
        let bin = binaries()?;
        Some(Self::make(bin, parent, settings).expect("a private PostgreSQL cluster starts"))
    }

    fn make(bin: PathBuf, parent: &Path, settings: &str) -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = parent.join(format!("svc-postgres-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let user = OpenOptions::new().create(true).truncate(false).write(true).open(folder.join("users"))?;
        user.lock_shared()?;
        let port = make_cluster(&bin, &folder, settings)?;
        Ok(Self { bin, folder, base: base(&port), databases: AtomicU32::new(0), _user: user })
    }

    /// The URL of a new, empty database.
    ///
    /// # Panics
    /// When it cannot be made.
    #[must_use]
    pub fn database(&self) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        drop(query(&format!("{}/postgres", self.base), &format!("CREATE DATABASE {name}")));
        format!("{}/{name}", self.base)
    }

    /// The id of its first process, the parent of all others.
    ///
    /// # Panics
    /// When it does not run.
    #[must_use]
    pub fn process(&self) -> u32 {
        let file = fs::read_to_string(self.folder.join("cluster").join("postmaster.pid")).expect("it runs");
        file.lines().next().and_then(|id| id.trim().parse().ok()).expect("a number")
    }

    /// Restarts it as after a crash: nothing is written out before, and it recovers from its log.
    ///
    /// # Panics
    /// When it does not start again.
    pub fn crash(&self) {
        let data = self.folder.join("cluster");
        let (data, log) = (text(&data), text(&data.join("log")));
        as_owner(&self.bin, "pg_ctl", &["-D", &data, "-w", "-m", "immediate", "-l", &log, "restart"])
            .expect("PostgreSQL starts again");
    }
}
