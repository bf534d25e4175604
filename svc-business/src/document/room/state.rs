//! What an entry of a data room is.

use svc_core::audit::{Actor, Who};
use svc_core::clock::Timestamp;
use svc_core::event::EventDeclaration;
use svc_core::id::{AccountId, DataRoomFileId, DataRoomGrantId, FileId, TokenId, UserId};
use svc_core::resource::{Resource, ResourceStore, Version};

use super::Section;
use crate::catalogue::event;
use crate::party::{Email, Extension};
use crate::ports::DynDocumentUnit;
use crate::record::Record;

/// The latest views of an entry that are kept.
pub const MOST_VIEWS: u32 = 10_000;

/// A version of a file that a company shows to others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataRoomFile {
    /// Its id.
    pub id: DataRoomFileId,
    /// The company.
    pub company: AccountId,
    /// The file.
    pub file: FileId,
    /// The number of the version that it shows.
    pub file_version: u32,
    /// Where it stands.
    pub section: Section,
    /// Its place in the section, from 1: never given again.
    pub place: u32,
    /// What people read of it.
    pub title: String,
    /// Whether each page is stamped with who reads it and when, in what is given.
    pub watermark: bool,
    /// Whether its content is given.
    pub downloadable: bool,
    /// From when on its content is not given any more.
    pub expires_at: Option<Timestamp>,
    /// The person who added it; `None` for a token.
    pub added_by: Option<UserId>,
    /// How often its content was given: no change that a version counts.
    pub views: u32,
    /// An integrator's own data.
    pub extension: Extension,
    /// Counts its changes.
    pub version: Version,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// What a data room can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataRoomFilter {
    /// `companyId`: a subset of the scope; every company within it when empty.
    pub companies: Vec<AccountId>,
    /// `section`: this one, and what is below it.
    pub section: Option<Section>,
    /// `fileId`
    pub file: Option<FileId>,
    /// `externalId`
    pub external_id: Option<String>,
    /// `updatedSince`
    pub updated_since: Option<Timestamp>,
}

/// What a data room can be sorted by; creation when nothing is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataRoomSort {
    /// `index`: by section, and by place within it.
    Index,
    /// `updatedAt`
    UpdatedAt,
}

/// A time that the content of an entry was given: never changed once it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataRoomView {
    /// Which one it is, from 1 without gaps.
    pub number: u32,
    /// When.
    pub at: Timestamp,
    /// To whom.
    pub viewer: Viewer,
    /// The address of the guest, if it was one.
    pub guest: Option<Email>,
}

/// To whom a content was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// A token, by the API.
    Token(TokenId),
    /// A person who is signed in.
    Person(UserId),
    /// A guest, by this grant.
    Guest(DataRoomGrantId),
    /// The service itself, or its operator.
    Service,
}

/// How a content was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewChannel {
    /// By the API.
    Api,
    /// In the client area.
    ClientArea,
    /// By the link of a guest.
    Guest,
    /// By the service itself.
    Service,
}

svc_core::wire_names!(ViewChannel { Api = "api", ClientArea = "client_area", Guest = "guest", Service = "service" });

impl Viewer {
    /// Who acts.
    #[must_use]
    pub const fn of(actor: &Actor) -> Self {
        match actor.who {
            Who::Token(token) => Self::Token(token),
            Who::Person { user, .. } => Self::Person(user),
            Who::Operator | Who::Service(_) => Self::Service,
        }
    }

    /// How they came.
    #[must_use]
    pub const fn channel(self) -> ViewChannel {
        match self {
            Self::Token(_) => ViewChannel::Api,
            Self::Person(_) => ViewChannel::ClientArea,
            Self::Guest(_) => ViewChannel::Guest,
            Self::Service => ViewChannel::Service,
        }
    }
}

impl DataRoomFile {
    /// What people quote it by: `1.2.3`.
    #[must_use]
    pub fn index(&self) -> String {
        self.section.index(self.place)
    }

    /// Whether its content is not given any more.
    #[must_use]
    pub fn has_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }
}

impl Resource for DataRoomFile {
    const NAME: &'static str = "data_room_file";
    type Id = DataRoomFileId;
    type Filter = DataRoomFilter;
    type SortKey = DataRoomSort;

    fn id(&self) -> DataRoomFileId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

/// The catalogue has no event of a change, nor of an end.
impl Record for DataRoomFile {
    type Unit = DynDocumentUnit;
    const CREATED: Option<&'static EventDeclaration> = Some(event("data_room_file.create"));

    fn store(unit: &Self::Unit) -> &dyn ResourceStore<Self> {
        unit.data_room()
    }

    fn stamped(self, version: Version, at: Timestamp) -> Self {
        Self { version, updated_at: at, ..self }
    }
}
