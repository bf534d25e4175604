//! What a folder is.

use std::str::FromStr;

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, FolderId, IdError};
use svc_core::resource::{Resource, ResourceStore, Version};

use crate::party::Extension;
use crate::ports::DynDocumentUnit;
use crate::record::Record;

/// A folder of a company's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// Its id.
    pub id: FolderId,
    /// The company.
    pub company: AccountId,
    /// What people call it, as a name that files may have: once within its parent, whatever its case.
    pub name: String,
    /// The folder that it is in; none at the top.
    pub parent: Option<FolderId>,
    /// An integrator's own data.
    pub extension: Extension,
    /// Counts its changes.
    pub version: Version,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Where the folders or files of a list are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// In no folder: `none`
    Top,
    /// In this one.
    Folder(FolderId),
}

impl FromStr for Within {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        if text == "none" { Ok(Self::Top) } else { text.parse().map(Self::Folder) }
    }
}

/// What a list of folders can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderFilter {
    /// `companyId`: a subset of the scope; every company within it when empty.
    pub companies: Vec<AccountId>,
    /// `parentId`
    pub parent: Option<Within>,
    /// `externalId`
    pub external_id: Option<String>,
    /// `updatedSince`
    pub updated_since: Option<Timestamp>,
}

/// What a list of folders can be sorted by; creation when nothing is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolderSort {
    /// `name`, without regard to case.
    Name,
    /// `updatedAt`
    UpdatedAt,
}

impl Resource for Folder {
    const NAME: &'static str = "folder";
    type Id = FolderId;
    type Filter = FolderFilter;
    type SortKey = FolderSort;

    fn id(&self) -> FolderId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

/// The catalogue has no events of folders.
impl Record for Folder {
    type Unit = DynDocumentUnit;

    fn store(unit: &Self::Unit) -> &dyn ResourceStore<Self> {
        unit.folders()
    }

    fn stamped(self, version: Version, at: Timestamp) -> Self {
        Self { version, updated_at: at, ..self }
    }
}
