//! Deleting contents that no file names any more.

use std::collections::HashSet;
use std::fmt;
use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::content::{ContentError, ContentStore};
use svc_core::error::StoreError;
use svc_core::unit::CallContext;

use crate::job::Job;
use crate::ports::BusinessStorage;

/// How long the contents of a deleted file are kept.
pub const KEPT_FOR: Duration = Duration::from_hours(30 * 24);
/// A content that no file names is left alone for so long: its record may be about to be committed.
const UNNAMED_FOR: Duration = Duration::from_hours(24);
/// From one run to the next.
const EVERY: Duration = Duration::from_hours(24);
/// Contents that are looked at together.
const PART: usize = 500;
/// Files whose contents are taken from them together.
const FILES: u32 = 200;

/// What a run of the collector came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CollectReport {
    /// Deleted files whose contents were kept long enough.
    pub purged: u64,
    /// Contents that were looked at.
    pub seen: u64,
    /// Contents that were deleted.
    pub deleted: u64,
}

impl fmt::Display for CollectReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { purged, seen, deleted } = self;
        write!(f, "{deleted} of {seen} contents deleted; {purged} files purged")
    }
}

/// Takes their contents from files of a job's company that were deleted long enough ago, and then deletes the contents that
/// are kept for the company and that no file names; answers what was done and when the job is due again.
///
/// Contents are looked at in the order of their digests, a few hundred at a time, so a run holds little and one that broke off
/// is simply run again.
///
/// # Errors
/// When either store failed; what was done stays done.
pub async fn collect(
    storage: &dyn BusinessStorage,
    contents: &dyn ContentStore,
    call: CallContext<'_>,
    job: &Job,
) -> Result<(CollectReport, Timestamp), StoreError> {
    let company = job.home()?;
    let mut report = CollectReport::default();
    loop {
        let unit = storage.begin().await?;
        let purged = unit.files().purge(company, call.now.minus(KEPT_FOR), FILES).await?;
        unit.commit().await?;
        report.purged = report.purged.saturating_add(purged);
        if purged < u64::from(FILES) {
            break;
        }
    }
    let old = call.now.minus(UNNAMED_FOR);
    let mut after = None;
    loop {
        let part = contents.list(company, after, PART).await.map_err(failed)?;
        let Some(last) = part.last() else { break };
        after = Some(last.content.digest);
        report.seen = report.seen.saturating_add(u64::try_from(part.len()).unwrap_or(u64::MAX));
        let digests: Vec<_> =
            part.iter().filter(|stored| stored.at < old).map(|stored| stored.content.digest).collect();
        let named: HashSet<_> = storage.files().named(company, &digests).await?.into_iter().collect();
        for digest in digests.into_iter().filter(|digest| !named.contains(digest)) {
            let is_gone = contents.delete_stored_before(company, digest, old).await.map_err(failed)?;
            report.deleted = report.deleted.saturating_add(u64::from(is_gone));
        }
    }
    Ok((report, call.now.plus(EVERY)))
}

fn failed(error: ContentError) -> StoreError {
    StoreError::backend(error)
}
