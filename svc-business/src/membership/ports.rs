//! Where users and memberships are kept.

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, MembershipId, UserId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::tenant::Scope;

use crate::membership::{Invitation, InvitationHash, Linked, Member, Membership};
use crate::user::User;

/// Reads users and memberships.
///
/// # Implementing this port
/// The contract suite is `svc_testkit::business_storage_contract!`.
#[async_trait]
pub trait PeopleReader: Send + Sync {
    /// The user with this id.
    async fn user(&self, id: UserId) -> Result<Option<User>, StoreError>;

    /// The user with this e-mail address, without regard to case.
    async fn user_by_email(&self, email: &str) -> Result<Option<User>, StoreError>;

    /// What `user` is or was in `account`.
    async fn membership(&self, account: AccountId, user: UserId) -> Result<Option<Membership>, StoreError>;

    /// One page of a company's members who have not left, oldest first.
    async fn members(
        &self,
        scope: &Scope,
        account: AccountId,
        page: PageRequest,
    ) -> Result<Page<Member>, StoreError>;

    /// The membership of `account` with this id, of a member who has not left.
    async fn member(
        &self,
        scope: &Scope,
        account: AccountId,
        id: MembershipId,
    ) -> Result<Option<Member>, StoreError>;

    /// The membership of `person` with this id, whatever its state, unless its company was merged.
    async fn invitation(&self, person: UserId, id: MembershipId) -> Result<Option<Invitation>, StoreError>;

    /// One page of what `person` was invited to after `since` and has not answered, oldest invitation
    /// first; companies that were merged are left out.
    async fn invitations(
        &self,
        person: UserId,
        since: Timestamp,
        page: PageRequest,
    ) -> Result<Page<Invitation>, StoreError>;

    /// How many people were invited to `account` after `since` and have not answered. Within a unit no
    /// other unit invites until this one ends, or the later one of both is refused.
    async fn open_invitations(&self, account: AccountId, since: Timestamp) -> Result<u64, StoreError>;

    /// How many people were invited to `account` after `since` and are no members: they have not answered, have declined, or
    /// were withdrawn.
    async fn invited_in_vain(&self, account: AccountId, since: Timestamp) -> Result<u64, StoreError>;

    /// Where the link with this hash leads, whatever became of the invitation, unless the company was merged.
    async fn linked(&self, hash: &InvitationHash) -> Result<Option<Linked>, StoreError>;

    /// How many active holders `account` has.
    async fn holders(&self, account: AccountId) -> Result<u64, StoreError>;
}

/// Changes users and memberships.
#[async_trait]
pub trait PeopleStore: PeopleReader {
    /// Adds a user.
    ///
    /// # Errors
    /// [`StoreError::Taken`] with `email`.
    async fn insert_user(&self, user: &User) -> Result<(), StoreError>;

    /// Puts `after` in the place of the user at the version `before`.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the stored version is another one;
    /// [`StoreError::Taken`] with `email`.
    async fn replace_user(&self, before: Version, after: &User) -> Result<(), StoreError>;

    /// Keeps a link of a membership until it expires, and forgets those that expired before `now`.
    async fn keep_link(
        &self,
        membership: &Membership,
        hash: &InvitationHash,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Adds a membership.
    async fn insert_membership(&self, membership: &Membership) -> Result<(), StoreError>;

    /// Puts `after` in the place of the membership at the version `before`.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the stored version is another one.
    async fn replace_membership(&self, before: Version, after: &Membership) -> Result<(), StoreError>;
}
