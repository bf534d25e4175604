//! What clients do beside writing contacts while servers are killed: they upload files, import statements, reconcile
//! movements, and send and sign envelopes.
//!
//! Each remembers what was acknowledged. At the end that is laid beside what is stored: nothing acknowledged is lost, nothing
//! is there in part or twice, and no bytes are kept that belong to nothing.

mod door;
mod importer;
mod orphans;
mod post;
mod reconciler;
mod signatory;
mod trails;
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
use self::reconciler::{Desk, Reconciled};
use self::signatory::Sent;
use self::trails::Envelopes;
use self::uploader::Uploads;
use super::fleet::Plan;
use super::{Client, Report, Site};

/// Clients that send envelopes: each waits for the mails of one at a time.
const SIGNATORIES: u64 = 6;
/// One statement for so many kills is long: a kill in the job of one is waited for, five minutes, which short runs are not.
const KILLS_EACH: usize = 10;

/// The clients at work.
pub(super) struct Deeds {
    hall: Hall,
    folder: PathBuf,
    uploads: JoinHandle<Uploads>,
    imports: JoinHandle<Imports>,
    reconciled: JoinHandle<Reconciled>,
    envelopes: Vec<JoinHandle<Vec<Sent>>>,
}

/// What they were told.
pub(super) struct Done {
    folder: PathBuf,
    tally: Tally,
    uploads: Uploads,
    imports: Imports,
    reconciled: Reconciled,
    envelopes: Envelopes,
}

impl Deeds {
    /// A site whose contents and mails are where these clients look for them.
    pub(super) fn equip(site: Site) -> Site {
        let (files, mails) = (site.folder().join("contents"), site.folder().join("mail"));
        site.with("SVC_FILES__URL", &format!("file://{}", files.display()))
            .with("SVC_MAIL__FOLDER", &mails.display().to_string())
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
        let desk = Desk::prepare(&mut client, server, token).await;
        let account = importer::account(&mut client, server, "Importada").await;
        let (over, tally) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::default()));
        let hall = Hall { token: token.to_owned(), up, over, tally, seed: plan.seed };
        let mails = site.folder().join("mail");
        Self {
            uploads: tokio::spawn(uploader::work(hall.door(1))),
            imports: tokio::spawn(importer::work(hall.door(2), account, plan.kills / KILLS_EACH)),
            reconciled: tokio::spawn(reconciler::work(hall.door(3), desk)),
            envelopes: (4..4 + SIGNATORIES)
                .map(|number| tokio::spawn(signatory::work(hall.door(number), number, mails.clone())))
                .collect(),
            folder: site.folder().join("contents"),
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
        let mut envelopes = Vec::new();
        for signatory in self.envelopes {
            envelopes.extend(signatory.await.expect(ended));
        }
        let (uploads, imports) = (self.uploads.await.expect(ended), self.imports.await.expect(ended));
        Done {
            folder: self.folder,
            uploads,
            imports,
            reconciled: self.reconciled.await.expect(ended),
            envelopes: Envelopes(envelopes),
            tally: self.hall.tally.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }
}

impl Done {
    /// Waits for the jobs, and lays what was acknowledged beside what a server has.
    pub(super) async fn judge(&self, server: SocketAddr, token: &str, report: &mut Report) {
        self.imports.settled(server, token).await;
        self.envelopes.settled(server, token).await;
        let mut client = Client::new(token);
        self.uploads.judge(&mut client, server, report).await;
        self.imports.judge(&mut client, server, report).await;
        self.reconciled.judge(&mut client, server, report).await;
        self.envelopes.judge(&mut client, server, report).await;
        self.tally.report(report);
    }

    /// Looks for bytes that belong to no file, when no server runs.
    pub(super) async fn collect(&self, site: &Site, report: &mut Report) {
        orphans::judge(site, &self.folder, self.reconciled.company(), &self.uploads, report).await;
    }
}

/// A text of a record; empty when it is not there.
fn member<'a>(of: &'a Value, name: &str) -> &'a str {
    of.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn text(of: &Value, name: &str) -> String {
    member(of, name).to_owned()
}
