//! Groups of companies (specification, domain part 2.2).

mod audit;
mod create;
mod leave;
mod ports;
mod rules;
mod update;

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, GroupId};
use svc_core::resource::{Resource, Version};

pub(crate) use self::audit::{joined, left};
pub use self::create::{AddRequest, CreateRequest, add, add_to, create};
pub use self::leave::{dissolve, remove};
pub use self::ports::{GroupReader, GroupStore};
pub(crate) use self::rules::save;
pub use self::rules::{ChangeError, OpenedGroup, has_member, open};
pub use self::update::{UpdateRequest, update};

/// A group of companies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its id.
    pub id: GroupId,
    /// Its name.
    pub name: String,
    /// The company at the top.
    pub parent: AccountId,
    /// Its companies, the parent among them, oldest member first.
    pub members: Vec<GroupMember>,
    /// Counts its changes.
    pub version: Version,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// A company in a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupMember {
    /// The company.
    pub account: AccountId,
    /// Share that the group owns, in percent with at most two decimals, as canonical text.
    pub ownership_percent: Option<String>,
    /// Member since.
    pub since: Timestamp,
}

/// What a list of groups can be sorted by: creation, and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupSort {}

/// A group belongs to the company at its top; a scope reaches it through any of its companies.
impl Resource for Group {
    const NAME: &'static str = "group";
    type Id = GroupId;
    type Filter = ();
    type SortKey = GroupSort;

    fn id(&self) -> GroupId {
        self.id
    }

    fn company(&self) -> AccountId {
        self.parent
    }

    fn version(&self) -> Version {
        self.version
    }
}
