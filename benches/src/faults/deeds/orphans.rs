//! What is in the content store and belongs to no file, before the collector ran and after it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use svc_business::document::file::collect;
use svc_business::job::{Job, JobKind};
use svc_core::audit::Actor;
use svc_core::clock::Clock as _;
use svc_core::content::{ContentStore, Digest};
use svc_core::id::{AccountId, JobId, TypedId as _};
use svc_core::pii::PiiAccess;
use svc_core::system::SystemClock;
use svc_core::unit::CallContext;
use svc_files::FolderStore;
use svc_storage_seaorm::{Database, Settings};
use svc_testkit::business::sample::everything;
use svc_testkit::fakes::{ManualClock, SeededRandom};

use super::super::{Report, Site};
use super::uploader::Uploads;

/// The collector and the sweep leave alone what is younger than a day.
const LATER: Duration = Duration::from_hours(48);
const PART: usize = 500;

/// Runs the collector and the sweep as the service does two days later, when no server runs; counts what is left.
pub(super) async fn judge(site: &Site, folder: &Path, company: &str, uploads: &Uploads, report: &mut Report) {
    let company: AccountId = company.parse().expect("an id");
    let database = Database::open(&Settings::new(site.url.clone(), Site::keys())).await.expect("it opens");
    let (clock, random) = (ManualClock::at(SystemClock.now().plus(LATER)), Arc::new(SeededRandom::new(1)));
    let now = clock.now();
    let contents = FolderStore::open(folder, Arc::new(clock), Arc::clone(&random) as _).expect("a folder");
    let (scope, actor) = (everything(), Actor::service("kills"));
    let call = CallContext { scope: &scope, access: PiiAccess::Masked, actor: &actor, now, random: &*random };
    let (id, body) = (JobId::generate(now, &*random), String::new());
    let job = Job { id, kind: JobKind::FileContents, company: Some(company), body, failures: 0, claim: 1 };
    let business = database.business();
    let (collected, _) = collect(&*business, &contents, call, &job).await.expect("collected");
    let swept = contents.sweep(now.minus(LATER / 2)).await.expect("swept");

    let (mut stored, mut orphans, mut bytes) = (BTreeSet::new(), 0_usize, 0_u64);
    loop {
        let part = contents.list(company, stored.last().copied(), PART).await.expect("listed");
        let digests: Vec<Digest> = part.iter().map(|one| one.content.digest).collect();
        if digests.is_empty() {
            break;
        }
        let named = business.files().named(company, &digests).await.expect("read");
        orphans += digests.iter().filter(|digest| !named.contains(digest)).count();
        bytes += part.iter().map(|one| one.content.size).sum::<u64>();
        stored.extend(digests);
    }
    database.close().await;
    let lost = uploads.0.values().filter(|digest| !stored.contains(digest)).count();
    report.shown("contents of no file that the collector removed", collected.deleted);
    report.shown("uploads cut off that the sweep removed", swept);
    report.shown("contents after the collector", stored.len());
    report.most("contents of no file after it", orphans, 0);
    report.most("bytes on the disk of no file after it", size(folder).abs_diff(bytes), 0);
    report.most("acknowledged contents that it removed", lost, 0);
}

/// The bytes of all files below a folder.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().map_while(Result::ok);
    entries
        .map(|entry| {
            let path = entry.path();
            if path.is_dir() { size(&path) } else { entry.metadata().map_or(0, |known| known.len()) }
        })
        .sum()
}
