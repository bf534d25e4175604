//! The content store that a setting names.

use std::fmt;
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use svc_core::clock::Clock;
use svc_core::content::ContentStore;
use svc_core::random::RandomSource;
use thiserror::Error;

use crate::folder::FolderStore;

/// A content store of either kind: what a setting names. Clones share it.
///
/// It dereferences to the port, [`ContentStore`].
#[derive(Clone)]
pub struct Files(Arc<dyn ContentStore>);

/// Why an address names no content store.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// It begins with neither `file://` nor `s3://`.
    #[error("write the address as file://FOLDER or s3://BUCKET/PREFIX?endpoint=URL&region=NAME")]
    Scheme,
    /// The folder cannot be made or written.
    #[error("{} cannot be used: name a folder that this user may make and write", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// This program was built without S3.
    #[error("build with the feature `s3` of svc-files for an address that begins with s3://")]
    WithoutS3,
    /// The address of S3 has a part that is missing, wrong or not known.
    #[error("{0}")]
    Address(String),
    /// The client of S3 cannot be set up, for instance for want of a credential's other half.
    #[error("S3 cannot be set up: check the AWS_ variables of this process")]
    Setup(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Files {
    /// The store at this address.
    ///
    /// - `file://FOLDER`: [`FolderStore`] in a folder, absolute (`file:///var/lib/svc/files`) or below the present one
    ///   (`file://data/files`). The name is taken as it is written, without escapes.
    /// - `s3://BUCKET/PREFIX?endpoint=URL&region=NAME` with the feature `s3`: an `S3Store`, with the credentials of the
    ///   environment. The prefix and the parameters may be left out.
    ///
    /// # Errors
    /// [`OpenError`], which says how the address is mended. A bucket that cannot be reached is none: its first use fails.
    pub fn open(
        address: &str,
        clock: Arc<dyn Clock>,
        random: Arc<dyn RandomSource>,
    ) -> Result<Self, OpenError> {
        if let Some(folder) = address.strip_prefix("file://").filter(|folder| !folder.is_empty()) {
            let failed = |source| OpenError::Folder { folder: Path::new(folder).to_owned(), source };
            return FolderStore::open(folder, clock, random).map(Self::from).map_err(failed);
        }
        if address.starts_with("s3://") {
            #[cfg(feature = "s3")]
            return crate::s3::S3Store::open(address, None, clock, random).map(Self::from);
            #[cfg(not(feature = "s3"))]
            return Err(OpenError::WithoutS3);
        }
        Err(OpenError::Scheme)
    }
}

impl From<FolderStore> for Files {
    fn from(store: FolderStore) -> Self {
        Self(Arc::new(store))
    }
}

#[cfg(feature = "s3")]
impl From<crate::s3::S3Store> for Files {
    fn from(store: crate::s3::S3Store) -> Self {
        Self(Arc::new(store))
    }
}

impl From<Files> for Arc<dyn ContentStore> {
    fn from(files: Files) -> Self {
        files.0
    }
}

impl Deref for Files {
    type Target = dyn ContentStore;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Files").finish_non_exhaustive()
    }
}
