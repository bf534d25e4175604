//! What a file is.

use svc_core::clock::Timestamp;
use svc_core::content::Content;
use svc_core::event::EventDeclaration;
use svc_core::id::{AccountId, FileId, FolderId, UserId};
use svc_core::resource::{Resource, ResourceStore, Version};
use time::Date;

use super::FileLink;
use crate::catalogue::event;
use crate::document::folder::Within;
use crate::party::Extension;
use crate::ports::DynDocumentUnit;
use crate::record::Record;

/// Links of one file.
pub const MOST_LINKS: usize = 50;
/// Versions of one file.
pub const MOST_VERSIONS: usize = 100;

/// A file of a company.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its id.
    pub id: FileId,
    /// The company.
    pub company: AccountId,
    /// What people call it: [safe](svc_core::content::safe_name) to save by.
    pub name: String,
    /// The folder that it is in; none at the top.
    pub folder: Option<FolderId>,
    /// Its contents, the first one first; one at least.
    pub versions: Vec<FileVersion>,
    /// What it belongs to, in the order given; at most [`MOST_LINKS`].
    pub links: Vec<FileLink>,
    /// Free labels, in the order given.
    pub tags: Vec<String>,
    /// Whether its content goes to those alone who see personal data.
    pub contains_personal_data: bool,
    /// The last day on which it is to be kept, by the company's calendar.
    pub retain_until: Option<Date>,
    /// Whether it was deleted.
    pub status: FileStatus,
    /// An integrator's own data.
    pub extension: Extension,
    /// Counts its changes.
    pub version: Version,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// One content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileVersion {
    /// Its number, from 1.
    pub number: u32,
    /// What it is, and how large.
    pub content: Content,
    /// The company for which the content store keeps it.
    pub kept_for: AccountId,
    /// Its media type, as its first bytes tell it.
    pub mime_type: String,
    /// When it was uploaded.
    pub at: Timestamp,
    /// The person who uploaded it; `None` for a token.
    pub by: Option<UserId>,
}

/// Whether a file was deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileStatus {
    /// It was not.
    Active,
    /// It was.
    Deleted {
        /// When.
        at: Timestamp,
        /// Whether its contents are its own no more.
        purged: bool,
    },
}

svc_core::state_names!(FileStatus { Active = "active", Deleted { .. } = "deleted" });

/// The statuses that a list of files can be narrowed by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileStatusFilter {
    /// `active`
    #[default]
    Active,
    /// `deleted`
    Deleted,
}

svc_core::wire_names!(FileStatusFilter { Active = "active", Deleted = "deleted" });

/// What a list of files can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileFilter {
    /// `companyId`: a subset of the scope; every company within it when empty.
    pub companies: Vec<AccountId>,
    /// `status`
    pub status: FileStatusFilter,
    /// `folderId`
    pub folder: Option<Within>,
    /// `linkType` and `linkId`
    pub link: Option<FileLink>,
    /// `mimeType`: that of the latest version.
    pub mime_type: Option<String>,
    /// `tag`
    pub tag: Option<String>,
    /// `q`: in the name, without regard to case.
    pub text: Option<String>,
    /// `externalId`
    pub external_id: Option<String>,
    /// `updatedSince`
    pub updated_since: Option<Timestamp>,
    /// `from`: created on this date or later, in UTC.
    pub from: Option<Date>,
    /// `to`: created on this date or earlier, in UTC.
    pub to: Option<Date>,
}

/// What a list of files can be sorted by; creation when nothing is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileSort {
    /// `name`, without regard to case.
    Name,
    /// `updatedAt`
    UpdatedAt,
}

impl File {
    /// The version with this number; the latest one when none is named.
    #[must_use]
    pub fn version_of(&self, number: Option<u32>) -> Option<&FileVersion> {
        match number {
            None => self.versions.last(),
            Some(number) => self.versions.iter().find(|version| version.number == number),
        }
    }

    /// Whether it is what the signing of an envelope came to.
    #[must_use]
    pub fn is_of_envelope(&self) -> bool {
        self.links.iter().any(|link| matches!(link, FileLink::Envelope(_)))
    }

    /// Whether it was deleted.
    #[must_use]
    pub const fn is_deleted(&self) -> bool {
        matches!(self.status, FileStatus::Deleted { .. })
    }
}

impl Resource for File {
    const NAME: &'static str = "file";
    type Id = FileId;
    type Filter = FileFilter;
    type SortKey = FileSort;

    fn id(&self) -> FileId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

impl Record for File {
    type Unit = DynDocumentUnit;
    const CREATED: Option<&'static EventDeclaration> = Some(event("file.create"));
    const CHANGED: Option<&'static EventDeclaration> = Some(event("file.update"));

    fn store(unit: &Self::Unit) -> &dyn ResourceStore<Self> {
        unit.files()
    }

    fn stamped(self, version: Version, at: Timestamp) -> Self {
        Self { version, updated_at: at, ..self }
    }
}
