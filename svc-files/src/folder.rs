//! Content in a folder of this machine, or of a file server that several share.
//!
//! ```text
//! FOLDER/lock                          what deletes takes it alone, what finishes takes it with others
//! FOLDER/quarantine/BEGUN-RANDOM       uploads, by the microsecond they were begun in
//! FOLDER/content/COMPANY/AB/CDEF…      contents, by their digest
//! ```
//!
//! 1. An upload writes a file in quarantine. A process that is killed leaves it there, for the sweep.
//! 2. Finishing syncs the file, renames it to its digest, and syncs the folders: the name is durable before the caller is
//!    told, and a name never stands for half a content. Where the content is already, it becomes new again, and the file
//!    is removed.
//! 3. Deleting looks at the time of the content under the same lock, so it never removes what an upload just made new.

mod delete;
mod download;
mod layout;
mod list;
mod upload;

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use svc_core::clock::{Clock, Timestamp};
use svc_core::content::{Content, ContentError, ContentStore, Digest, Download, Stored, Upload};
use svc_core::id::AccountId;
use svc_core::random::RandomSource;

use self::download::FolderDownload;
use self::layout::{Layout, modified};
use self::upload::FolderUpload;
use crate::quarantine;
use crate::verified::Verified;

/// Keeps content in a folder; clones share it.
///
/// Folders and files are for the user of the process alone (modes 0700 and 0600). Several processes may have one folder,
/// if its file system has locks (`flock`) and atomic renames.
#[derive(Clone)]
pub struct FolderStore {
    layout: Arc<Layout>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn RandomSource>,
}

impl FolderStore {
    /// A store in this folder, which is made if it is not there.
    ///
    /// # Errors
    /// When the folder cannot be made or written.
    pub fn open(
        folder: impl AsRef<Path>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn RandomSource>,
    ) -> io::Result<Self> {
        Ok(Self { layout: Arc::new(Layout::open(folder.as_ref())?), clock, random })
    }

    /// Runs work of the disk where it blocks no other task.
    async fn on_disk<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Layout) -> io::Result<T> + Send + 'static,
    ) -> Result<T, ContentError> {
        let layout = Arc::clone(&self.layout);
        on_disk(move || work(&layout)).await
    }
}

#[async_trait]
impl ContentStore for FolderStore {
    async fn begin(&self, company: AccountId, limit: u64) -> Result<Box<dyn Upload>, ContentError> {
        let name = quarantine::name(self.clock.now(), &*self.random);
        let file = self.on_disk(move |layout| layout.quarantine(&name)).await?;
        Ok(Box::new(FolderUpload::new(self.clone(), company, limit, file)))
    }

    async fn read(
        &self,
        company: AccountId,
        digest: Digest,
        range: Option<Range<u64>>,
    ) -> Result<Box<dyn Download>, ContentError> {
        let whole = range.is_none();
        let download = self
            .on_disk(move |layout| FolderDownload::open(&layout.content(company, digest), range))
            .await
            .map_err(missing)?;
        Ok(if whole { Box::new(Verified::new(download, digest)) } else { Box::new(download) })
    }

    async fn find(&self, company: AccountId, digest: Digest) -> Result<Option<Stored>, ContentError> {
        self.on_disk(move |layout| {
            let Some(metadata) = layout::metadata(&layout.content(company, digest))? else { return Ok(None) };
            let content = Content { digest, size: metadata.len() };
            Ok(Some(Stored { content, at: modified(&metadata)? }))
        })
        .await
    }

    async fn list(
        &self,
        company: AccountId,
        after: Option<Digest>,
        limit: usize,
    ) -> Result<Vec<Stored>, ContentError> {
        self.on_disk(move |layout| list::page(&layout.company(company), after, limit)).await
    }

    async fn delete(&self, company: AccountId, digest: Digest) -> Result<(), ContentError> {
        self.on_disk(move |layout| delete::content(layout, company, digest, None)).await.map(drop)
    }

    async fn delete_stored_before(
        &self,
        company: AccountId,
        digest: Digest,
        instant: Timestamp,
    ) -> Result<bool, ContentError> {
        self.on_disk(move |layout| delete::content(layout, company, digest, Some(instant))).await
    }

    async fn delete_all(&self, company: AccountId) -> Result<u64, ContentError> {
        self.on_disk(move |layout| delete::all(layout, company)).await
    }

    async fn sweep(&self, begun_before: Timestamp) -> Result<u64, ContentError> {
        self.on_disk(move |layout| delete::abandoned(layout, begun_before)).await
    }
}

impl fmt::Debug for FolderStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FolderStore").field("layout", &self.layout).finish_non_exhaustive()
    }
}

/// Runs work of the disk on a thread that may block.
async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, ContentError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(ContentError::backend),
        Err(ended) => Err(ContentError::backend(ended)),
    }
}

/// A file that is not there is a content that is missing.
fn missing(error: ContentError) -> ContentError {
    match error {
        ContentError::Backend(source) if is_not_found(&*source) => ContentError::Missing,
        other @ (ContentError::Backend(_) | ContentError::Missing | ContentError::TooLarge { .. }) => other,
    }
}

fn is_not_found(error: &(dyn std::error::Error + Send + Sync + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}
