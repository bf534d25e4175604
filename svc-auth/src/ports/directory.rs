//! Which person may act for which company.

use std::collections::BTreeSet;

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, UserId};
use svc_core::role::Role;

/// A company as the authority sees it, with what one person is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompanyStanding {
    /// The company.
    pub id: AccountId,
    /// Its legal name.
    pub legal_name: String,
    /// Its place in its group, if it is in one.
    pub group: Option<GroupPlace>,
    /// Whether it was merged into another one: no token and no person reaches it any more.
    pub merged: bool,
    /// Whether tokens may be created, edited and rotated for it.
    pub api_access: bool,
    /// What the person is there.
    pub membership: Standing,
}

impl CompanyStanding {
    /// Whether the person holds or administers the company, and it still exists.
    #[must_use]
    pub const fn is_administered(&self) -> bool {
        !self.merged && matches!(self.membership, Standing::Member(role) if role.administers())
    }

    /// Whether the company is in the group.
    #[must_use]
    pub fn is_in(&self, group: GroupId) -> bool {
        self.group.is_some_and(|place| place.id == group)
    }

    /// Whether the company is the parent company of the group.
    #[must_use]
    pub fn is_parent_of(&self, group: GroupId) -> bool {
        self.group == Some(GroupPlace::parent(group))
    }
}

/// A company's place in a group (specification, domain part 2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupPlace {
    /// The group.
    pub id: GroupId,
    /// Whether the company is the group's parent company, which decides about it. A group has one at most;
    /// a token cannot name a group without one.
    pub is_parent: bool,
}

impl GroupPlace {
    /// At the top of the group.
    #[must_use]
    pub const fn parent(id: GroupId) -> Self {
        Self { id, is_parent: true }
    }

    /// Anywhere below its top.
    #[must_use]
    pub const fn subsidiary(id: GroupId) -> Self {
        Self { id, is_parent: false }
    }
}

/// What a person is in a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Never a member: an invitation that they did not accept makes them none.
    Stranger,
    /// An active member with this role.
    Member(Role),
    /// Was a member, or is suspended; also while they are invited to come back.
    Former,
}

/// Tells what a person is in which company.
///
/// # Implementing this port
/// A service whose companies know neither people nor groups takes [`StandAlone`](super::StandAlone), which
/// implements it. The contract suite is `svc_testkit::auth_storage_contract!`.
#[async_trait]
pub trait AccountDirectory: Send + Sync {
    /// The named companies and every member company of the named groups, each
    /// with what `person` is there. Every company comes once, also when it is
    /// named twice over; unknown ids are left out; a disabled person is
    /// [`Standing::Former`] everywhere.
    async fn standings(
        &self,
        person: UserId,
        companies: &BTreeSet<AccountId>,
        groups: &BTreeSet<GroupId>,
    ) -> Result<Vec<CompanyStanding>, StoreError>;

    /// The same for a token that no person created.
    ///
    /// None, unless a directory says otherwise: where people answer for tokens, one without a person can
    /// neither be created nor used.
    async fn standings_without_person(
        &self,
        _companies: &BTreeSet<AccountId>,
        _groups: &BTreeSet<GroupId>,
    ) -> Result<Vec<CompanyStanding>, StoreError> {
        Ok(Vec::new())
    }
}
