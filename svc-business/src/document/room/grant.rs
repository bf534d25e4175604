//! What a guest's way into a data room is.

use std::time::Duration;

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, DataRoomGrantId, UserId};
use svc_core::resource::{Resource, ResourceStore, Version};

use super::Sections;
use crate::link::code::Codes;
use crate::link::key::Access;
use crate::party::{Email, LanguageTag};
use crate::ports::DynDocumentUnit;
use crate::record::Record;

/// How long a grant lasts at most, from when it is made or extended.
pub const LONGEST_GRANT: Duration = Duration::from_hours(366 * 24);
/// So many grants of a company let a guest in at a time.
pub const MOST_OPEN_GRANTS: u32 = 200;

/// A guest's way into sections of a data room. It is never erased, so that views go on to name the guest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataRoomGrant {
    /// Its id.
    pub id: DataRoomGrantId,
    /// The company.
    pub company: AccountId,
    /// The address of the guest, to which the link and the codes are sent.
    pub email: Email,
    /// The language of mails and pages.
    pub language: LanguageTag,
    /// What the guest is let into.
    pub sections: Sections,
    /// Whether the guest is given files that contain personal data as well.
    pub personal_data: bool,
    /// From when on it lets the guest in no more.
    pub expires_at: Timestamp,
    /// When it was ended before that.
    pub revoked_at: Option<Timestamp>,
    /// The person who made it.
    pub added_by: Option<UserId>,
    /// What is kept of the link.
    pub access: Access,
    /// What is known of the codes.
    pub codes: Codes,
    /// When the guest was last let in, or given a file: no change that a version counts.
    pub last_visit_at: Option<Timestamp>,
    /// How often the guest was given a file: no change that a version counts.
    pub views: u32,
    /// Counts its changes.
    pub version: Version,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Whether a grant lets its guest in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrantState {
    /// It does.
    Live,
    /// Its time has passed.
    Expired,
    /// It was ended.
    Revoked,
}

/// What grants can be narrowed by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataRoomGrantFilter {
    /// Every company within the scope when empty.
    pub companies: Vec<AccountId>,
}

/// What grants can be sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataRoomGrantSort {
    /// When they were made.
    CreatedAt,
}

impl DataRoomGrant {
    /// Whether it lets the guest in at this instant.
    #[must_use]
    pub fn state(&self, now: Timestamp) -> GrantState {
        match self.revoked_at {
            Some(_) => GrantState::Revoked,
            None if self.expires_at <= now => GrantState::Expired,
            None => GrantState::Live,
        }
    }
}

impl Resource for DataRoomGrant {
    const NAME: &'static str = "data_room_grant";
    type Id = DataRoomGrantId;
    type Filter = DataRoomGrantFilter;
    type SortKey = DataRoomGrantSort;

    fn id(&self) -> DataRoomGrantId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.company
    }

    fn version(&self) -> Version {
        self.version
    }
}

/// The catalogue has no events of grants.
impl Record for DataRoomGrant {
    type Unit = DynDocumentUnit;

    fn store(unit: &Self::Unit) -> &dyn ResourceStore<Self> {
        unit.data_room_grants()
    }

    fn stamped(self, version: Version, at: Timestamp) -> Self {
        Self { version, updated_at: at, ..self }
    }
}
