//! Giving the content of an entry of a data room.

use svc_core::error::StoreError;
use svc_core::id::DataRoomFileId;
use svc_core::refused::Refused;
use svc_core::unit::CallContext;
use thiserror::Error;

use super::{DataRoomFile, Sections, Viewer};
use crate::document::file::FileVersion;
use crate::ports::{BusinessStorage, DynDocumentUnit};

/// Why the content of an entry is not given.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum NotShown {
    /// The file contains personal data, and the caller sees it masked.
    #[error("the file contains personal data, which the token does not see")]
    Withheld,
    /// It is not for download.
    #[error("the file is listed in the data room, and not for download")]
    NotDownloadable,
    /// Its time has passed.
    #[error("the time has passed until when the data room gives the file")]
    Expired,
}

/// A content that is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Showing {
    /// The entry.
    pub entry: DataRoomFile,
    /// The name of the file.
    pub name: String,
    /// The version of the file that the entry pins.
    pub version: FileVersion,
}

/// Who reads.
pub(super) struct Reader<'a> {
    /// What they are let into; all of it when nothing is said.
    pub(super) sections: Option<&'a Sections>,
    /// Whether they are given files that contain personal data.
    pub(super) personal_data: bool,
}

/// Judges whether the content of an entry is given to the caller. One that is begins to be read, and then is
/// [written down](viewed) before its first byte goes out.
///
/// # Errors
/// [`Refused::NotFound`]; [`Refused::Own`] with [`NotShown`].
pub async fn show(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    id: DataRoomFileId,
) -> Result<Showing, Refused<NotShown>> {
    show_to(storage, call, Reader { sections: None, personal_data: call.access.is_full() }, id).await
}

/// The same for this reader.
pub(super) async fn show_to(
    storage: &dyn BusinessStorage,
    call: CallContext<'_>,
    reader: Reader<'_>,
    id: DataRoomFileId,
) -> Result<Showing, Refused<NotShown>> {
    let entry = storage.data_room().find(call.scope, id).await?.ok_or(Refused::NotFound)?;
    if reader.sections.is_some_and(|sections| !sections.have(&entry.section)) {
        return Err(Refused::NotFound);
    }
    // Both move together when their company is absorbed, and the entry may have been removed meanwhile.
    let file = storage.files().find(call.scope, entry.file).await?.ok_or(Refused::NotFound)?;
    if file.contains_personal_data && !reader.personal_data {
        return Err(Refused::Own(NotShown::Withheld));
    }
    if !entry.downloadable {
        return Err(Refused::Own(NotShown::NotDownloadable));
    }
    if entry.has_expired(call.now) {
        return Err(Refused::Own(NotShown::Expired));
    }
    let version = file.version_of(Some(entry.file_version)).cloned();
    let version = version.ok_or_else(|| StoreError::backend("a version that a data room pins is missing"))?;
    Ok(Showing { entry, name: file.name, version })
}

/// Writes a view of an entry down that the caller is given. Emits nothing, and the version of the entry stays.
///
/// # Errors
/// [`Refused::NotFound`] when the entry was removed meanwhile.
pub async fn viewed(
    unit: &DynDocumentUnit,
    call: CallContext<'_>,
    entry: &DataRoomFile,
) -> Result<(), Refused> {
    let counted = unit.data_room().view(entry, call.now, Viewer::of(call.actor)).await?;
    counted.map(drop).ok_or(Refused::NotFound)
}
