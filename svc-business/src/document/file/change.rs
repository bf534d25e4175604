//! Changing and deleting a file.

use svc_core::error::Validator;
use svc_core::refused::Refused;
use thiserror::Error;

use super::create::{refer, version};
use super::input::apply;
use super::{File, FileHold, FileInput, FileStatus, MOST_VERSIONS, Uploaded, hold};
use crate::catalogue::event;
use crate::record::Opened;

/// Why a file is not changed or deleted.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum FileRefused {
    /// It was deleted.
    #[error("the file was deleted")]
    Deleted,
    /// Something holds it.
    #[error("the file stays as it is: {0}")]
    InUse(FileHold),
    /// It has as many versions as it may have.
    #[error("the file has {MOST_VERSIONS} versions, the most that a file may have")]
    Full,
}

/// Applies a merge patch. One that changes nothing keeps the version and emits nothing; any other emits `file.update`.
///
/// # Errors
/// [`Refused`] with [`FileRefused::Deleted`]; findings on the members of the input. Nothing was changed.
pub async fn update(opened: Opened<'_, File>, input: FileInput) -> Result<File, Refused<FileRefused>> {
    present(&opened)?;
    let (home, before) = (&opened.home, &opened.before);
    let mut validator = Validator::new();
    let mut after = apply(&mut validator, before, input);
    // A caller does not show itself what is withheld from it.
    let shows = before.contains_personal_data && !after.contains_personal_data;
    let message = "only a caller who sees personal data says that a file has none";
    validator.require(!shows || home.call.access.is_full(), "containsPersonalData", "not_allowed", message);
    refer(&mut validator, home, Some(before), &mut after).await?;
    validator.finish()?;
    opened.save(after).await
}

/// Adds a version whose content is stored. Emits `file.update`.
///
/// # Errors
/// [`Refused`] with [`FileRefused`]; nothing was changed, and the content is the collector's.
pub async fn add_version(opened: Opened<'_, File>, uploaded: Uploaded) -> Result<File, Refused<FileRefused>> {
    present(&opened)?;
    // What an envelope came to is evidence: it stays as it is.
    if opened.before.is_of_envelope() {
        return Err(Refused::Own(FileRefused::InUse(FileHold::Signed)));
    }
    let mut after = opened.before.clone();
    if after.versions.len() >= MOST_VERSIONS {
        return Err(Refused::Own(FileRefused::Full));
    }
    let number = after.versions.last().map_or(1, |latest| latest.number.saturating_add(1));
    after.versions.push(version(&opened.home, uploaded, number));
    opened.save(after).await
}

/// Deletes a file that was opened [alone](crate::record::alone): it leaves its folder, and its contents are deleted
/// [thirty days](super::KEPT_FOR) later. Emits `file.delete`.
///
/// # Errors
/// [`Refused`] with [`FileRefused`]; nothing was changed.
pub async fn delete(opened: Opened<'_, File>) -> Result<File, Refused<FileRefused>> {
    present(&opened)?;
    if let Some(hold) = hold::of(&opened).await? {
        return Err(Refused::Own(FileRefused::InUse(hold)));
    }
    let status = FileStatus::Deleted { at: opened.home.call.now, purged: false };
    let after = opened.replace(File { status, folder: None, ..opened.before.clone() }).await?;
    opened.home.publish(const { event("file.delete") }, &after, None).await?;
    Ok(after)
}

fn present(opened: &Opened<'_, File>) -> Result<(), Refused<FileRefused>> {
    if opened.before.is_deleted() { Err(Refused::Own(FileRefused::Deleted)) } else { Ok(()) }
}
