//! What clients do beside writing contacts while servers are killed: they upload files and import statements.
//!
//! Each remembers what was acknowledged. At the end that is laid beside what is stored: nothing acknowledged is lost, nothing
//! is there in part or twice, and no bytes are kept that belong to nothing.

mod door;
mod importer;
mod orphans;
mod uploader;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use self::door::{Hall, Tally};
use self::importer::Imports;
use self::uploader::Uploads;
use super::fleet::Plan;
use super::{Client, Report, Site};

/// One statement for so many kills is long: a kill in the job of one is waited for, five minutes, which short runs are not.
const KILLS_EACH: usize = 10;

/// The clients at work.
pub(super) struct Deeds {
    hall: Hall,
    folder: PathBuf,
    company: String,
    uploads: JoinHandle<Uploads>,
    imports: JoinHandle<Imports>,
}

/// What they were told.
pub(super) struct Done {
    folder: PathBuf,
    tally: Tally,
    uploads: Uploads,
    imports: Imports,
    company: String,
}

impl Deeds {
    /// A site whose contents are where they are looked for at the end.
    pub(super) fn equip(site: Site) -> Site {
        let files = site.folder().join("contents");
        site.with("SVC_FILES__URL", &format!("file://{}", files.display()))
    }

    /// Prepares what they need with one server, and starts them; they use any of the servers that are `up`.
    pub(super) async fn start(
        site: &Site,
        server: SocketAddr,
        token: &str,
        up: watch::Receiver<Vec<SocketAddr>>,
        plan: Plan,
    ) -> Self {
        let mut client = Client::new(token);
        let who = client.get(server, "/api/v1/auth/whoami").await.expect("answered");
        let account = importer::account(&mut client, server, "Importada").await;
        let (over, tally) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::default()));
        let hall = Hall { token: token.to_owned(), up, over, tally, seed: plan.seed };
        Self {
            uploads: tokio::spawn(uploader::work(hall.door(1))),
            imports: tokio::spawn(importer::work(hall.door(2), account, plan.kills / KILLS_EACH)),
            folder: site.folder().join("contents"),
            company: who.text("primaryAccountId"),
            hall,
        }
    }

    /// Lets them finish what they began; answers what they were told.
    ///
    /// # Panics
    /// When one of them did.
    pub(super) async fn stop(self) -> Done {
        self.hall.over.store(true, Ordering::Relaxed);
        let ended = "no client failed";
        let (uploads, imports) = (self.uploads.await.expect(ended), self.imports.await.expect(ended));
        Done {
            folder: self.folder,
            uploads,
            imports,
            company: self.company,
            tally: self.hall.tally.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }
}

impl Done {
    /// Waits for the jobs, and lays what was acknowledged beside what a server has.
    pub(super) async fn judge(&self, server: SocketAddr, token: &str, report: &mut Report) {
        self.imports.settled(server, token).await;
        let mut client = Client::new(token);
        self.uploads.judge(&mut client, server, report).await;
        self.imports.judge(&mut client, server, report).await;
        self.tally.report(report);
    }

    /// Looks for bytes that belong to no file, when no server runs.
    pub(super) async fn collect(&self, site: &Site, report: &mut Report) {
        orphans::judge(site, &self.folder, &self.company, &self.uploads, report).await;
    }
}

/// A text of a record; empty when it is not there.
fn member<'a>(of: &'a Value, name: &str) -> &'a str {
    of.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn text(of: &Value, name: &str) -> String {
    member(of, name).to_owned()
}
