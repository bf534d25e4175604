//! A client that uploads files of random bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::time::Duration;

use svc_core::digest::Digest;
use svc_core::random::RandomSource as _;
use tokio::time::sleep;

use super::super::numbers::all;
use super::super::writers::below;
use super::super::{Client, Report};
use super::door::Door;
use super::{member, text};

const NAME: &str = "random.bin";
const PAUSE: Duration = Duration::from_millis(100);

/// What was acknowledged: the digests of files by their ids.
pub(super) struct Uploads(pub(super) BTreeMap<String, Digest>);

/// Uploads until the door is closed.
pub(super) async fn work(mut door: Door) -> Uploads {
    let mut known = BTreeMap::new();
    while door.is_open() {
        let content = content(&door);
        let to = door.server().await;
        let answer = door.client.upload(to, "/api/v1/files", NAME, &content).await;
        if let Some(answer) = door.taken("an upload", answer, &[201]) {
            known.insert(answer.text("id"), Digest::of(&content));
        }
        sleep(PAUSE).await;
    }
    Uploads(known)
}

/// From 1 KB to 2 MB: as many of each order of magnitude.
fn content(door: &Door) -> Vec<u8> {
    let least = 1024_u64 << below(&door.random, 11);
    let size = usize::try_from(least + below(&door.random, least)).unwrap_or_default();
    let mut content = vec![0; size];
    door.random.fill(&mut content);
    content
}

impl Uploads {
    /// Reads each file that was acknowledged, whole, and all that are listed.
    pub(super) async fn judge(&self, client: &mut Client, server: SocketAddr, report: &mut Report) {
        let mut lost = 0_usize;
        for (id, digest) in &self.0 {
            let answer = client.get(server, &format!("/api/v1/files/{id}/content")).await.expect("answered");
            lost += usize::from(answer.status != 200 || Digest::of(&answer.body) != *digest);
        }
        let files = all(client, server, "/api/v1/files", "items").await;
        let sums: Vec<String> = files
            .iter()
            .filter(|file| member(file, "name") == NAME)
            .map(|file| text(file, "sha256"))
            .collect();
        let distinct: BTreeSet<&String> = sums.iter().collect();
        report.shown("uploads acknowledged with 201", self.0.len());
        report.shown("uploads stored", sums.len());
        report.most("acknowledged uploads lost, or with other bytes", lost, 0);
        report.most("uploads stored twice", sums.len() - distinct.len(), 0);
    }
}
