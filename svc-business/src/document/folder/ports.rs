//! What the rules of folders need from outside.

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::resource::{Erase, References, ResourceReader, ResourceStore};

use super::Folder;

/// Reads folders.
#[async_trait]
pub trait FolderReader: ResourceReader<Folder> {
    /// How many folders are within one another below this one, at most `limit`: 0 where it has none.
    async fn levels_below(&self, folder: &Folder, limit: u32) -> Result<u32, StoreError>;
}

/// Changes folders.
///
/// # Implementing this port
/// Two folders of a company and parent whose names differ in nothing but case are [`StoreError::Taken`] with `name`. What
/// refers to a folder is the folders and the files in it. The contract suite is `svc_testkit::business_storage_contract!`.
pub trait FolderStore: FolderReader + ResourceStore<Folder> + Erase<Folder> + References<Folder> {}
