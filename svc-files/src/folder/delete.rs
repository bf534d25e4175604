//! Deleting contents, and what is left of uploads.

use std::fs;
use std::io;
use std::path::Path;

use svc_core::clock::Timestamp;
use svc_core::content::Digest;
use svc_core::id::AccountId;

use super::layout::{Layout, metadata, modified, sync_folder};
use super::list::names;
use crate::quarantine::begun;

/// Deletes a content, unless it was stored at this instant or later; tells whether it did.
pub(super) fn content(
    layout: &Layout,
    company: AccountId,
    digest: Digest,
    stored_before: Option<Timestamp>,
) -> io::Result<bool> {
    let place = layout.content(company, digest);
    let _held = layout.lock()?;
    let Some(metadata) = metadata(&place)? else { return Ok(false) };
    if let Some(instant) = stored_before
        && modified(&metadata)? >= instant
    {
        return Ok(false);
    }
    let deleted = remove(&place)?;
    place.parent().map(sync_folder).transpose()?;
    Ok(deleted)
}

/// Deletes the contents of a company with its folder.
pub(super) fn all(layout: &Layout, company: AccountId) -> io::Result<u64> {
    let folder = layout.company(company);
    let _held = layout.lock()?;
    let mut deleted = 0;
    for shard in names(&folder)? {
        for name in names(&folder.join(&shard))? {
            let is_content = format!("{shard}{name}").parse::<Digest>().is_ok();
            deleted += u64::from(remove(&folder.join(&shard).join(&name))? && is_content);
        }
        fs::remove_dir(folder.join(&shard))?;
    }
    if metadata(&folder)?.is_some() {
        fs::remove_dir(&folder)?;
        folder.parent().map(sync_folder).transpose()?;
    }
    Ok(deleted)
}

/// Removes uploads that were begun before an instant; tells how many.
pub(super) fn abandoned(layout: &Layout, begun_before: Timestamp) -> io::Result<u64> {
    let folder = layout.uploads();
    let mut removed = 0;
    for name in names(&folder)? {
        if begun(&name).is_some_and(|begun| begun < begun_before) {
            removed += u64::from(remove(&folder.join(name))?);
        }
    }
    Ok(removed)
}

/// Whether the file was there.
fn remove(path: &Path) -> io::Result<bool> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        other => other.map(|()| true),
    }
}
