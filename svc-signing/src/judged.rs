//! Whether files can be sealed, told before a unit of work begins: it stays open across no reading of contents.

use std::collections::HashMap;

use svc_business::document::file::{File, FileVersion};
use svc_business::ports::BusinessStorage;
use svc_core::content::{ContentStore, read_whole};
use svc_core::error::StoreError;
use svc_core::id::FileId;
use svc_core::tenant::Scope;
use svc_core::trail::Digest;
use svc_seal::PdfRefused;
use tokio::sync::Semaphore;

use crate::PDF;

/// So many files are judged at a time, each with what it unpacks to in memory; the others wait.
static JUDGING: Semaphore = Semaphore::const_new(2);

/// Which contents can be sealed.
#[derive(Debug, Default)]
pub struct Judged(HashMap<Digest, Result<svc_seal::Judged, PdfRefused>>);

impl Judged {
    /// Reads and judges the latest versions of these files, one after the other; those that are unknown or deleted have none.
    ///
    /// # Errors
    /// When either store failed.
    pub async fn of(
        storage: &dyn BusinessStorage,
        contents: &dyn ContentStore,
        scope: &Scope,
        files: &[FileId],
    ) -> Result<Self, StoreError> {
        let mut judged = HashMap::new();
        if files.is_empty() {
            return Ok(Self(judged));
        }
        let found: Vec<File> = storage.files().find_all(scope, files).await?;
        for file in found.iter().filter(|file| !file.is_deleted()) {
            if let Some(version) = file.versions.last()
                && !judged.contains_key(&version.content.digest)
            {
                judged.insert(version.content.digest, judge(contents, version).await?);
            }
        }
        Ok(Self(judged))
    }

    /// Whether a version can be sealed; `None` when it was not looked at.
    pub(crate) fn version(&self, version: &FileVersion) -> Option<Result<svc_seal::Judged, PdfRefused>> {
        self.0.get(&version.content.digest).copied()
    }
}

async fn judge(
    contents: &dyn ContentStore,
    version: &FileVersion,
) -> Result<Result<svc_seal::Judged, PdfRefused>, StoreError> {
    if version.mime_type != PDF {
        return Ok(Err(PdfRefused::NotPdf));
    }
    if usize::try_from(version.content.size).map_or(true, |size| size > svc_seal::MOST_BYTES) {
        return Ok(Err(PdfRefused::TooLarge));
    }
    let _turn = JUDGING.acquire().await.map_err(StoreError::backend)?;
    let bytes =
        read_whole(contents, version.kept_for, version.content.digest).await.map_err(StoreError::backend)?;
    tokio::task::spawn_blocking(move || svc_seal::judge(&bytes)).await.map_err(StoreError::backend)
}
