//! Groups of companies, domain part 2.2.

mod audit;
mod create;
mod leave;
mod rules;
mod update;

use svc_core::clock::Timestamp;
use svc_core::id::{AccountId, GroupId};
use svc_core::resource::Version;

pub(crate) use self::audit::{joined, left};
pub use self::create::{AddRequest, CreateRequest, add, create};
pub use self::leave::{dissolve, remove};
pub use self::rules::ChangeError;
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
