//! What the rules need from outside.

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, ContactId, GroupId, MembershipId, UserId};
use svc_core::page::{Page, PageRequest};
use svc_core::pii::Pii;
use svc_core::resource::{ResourceReader, ResourceStore, Version};
use svc_core::tenant::Scope;
use svc_core::unit::UnitOfWork;

use crate::account::Account;
use crate::contact::Contact;
use crate::group::Group;
use crate::membership::{Invitation, Member, Membership};
use crate::party::TaxId;
use crate::user::User;

/// Where business data is kept.
///
/// # Implementing this port
/// Reads go to committed data. The contract suite is
/// `svc_testkit::business_storage_contract!`.
#[async_trait]
pub trait BusinessStorage: Send + Sync {
    /// Opens a unit of work.
    async fn begin(&self) -> Result<Box<dyn BusinessUnit>, StoreError>;

    /// Reads companies.
    fn accounts(&self) -> &dyn AccountReader;

    /// Reads contacts.
    fn contacts(&self) -> &dyn ContactReader;

    /// Reads groups.
    fn groups(&self) -> &dyn GroupReader;

    /// Reads users and memberships.
    fn people(&self) -> &dyn PeopleReader;
}

/// A unit of work on business data.
pub trait BusinessUnit: UnitOfWork {
    /// Changes companies within this unit.
    fn accounts(&self) -> &dyn AccountStore;

    /// Changes contacts within this unit.
    fn contacts(&self) -> &dyn ContactStore;

    /// Changes groups within this unit.
    fn groups(&self) -> &dyn GroupStore;

    /// Changes users and memberships within this unit.
    fn people(&self) -> &dyn PeopleStore;
}

/// Reads companies.
#[async_trait]
pub trait AccountReader: ResourceReader<Account> {
    /// Other companies of the scope with the same tax id, merged ones left out.
    async fn with_tax_id(
        &self,
        scope: &Scope,
        tax_id: &Pii<TaxId>,
        except: AccountId,
    ) -> Result<Vec<AccountId>, StoreError>;

    /// How many active companies have `parent` as their parent, in any scope.
    async fn active_subsidiaries(&self, parent: AccountId) -> Result<u64, StoreError>;

    /// Whether there is any company at all.
    async fn any(&self) -> Result<bool, StoreError>;
}

/// Changes companies.
#[async_trait]
pub trait AccountStore: AccountReader + ResourceStore<Account> {
    /// The company under which this unit is about to add something and nothing else.
    ///
    /// It may be read before the unit begins, together with what other units look for. So a store in which
    /// that could be told from a read within the unit refuses the addition with [`StoreError::Conflict`]
    /// when the company is no longer active by then.
    async fn find_to_add_to(&self, scope: &Scope, id: AccountId) -> Result<Option<Account>, StoreError> {
        self.find(scope, id).await
    }
}

/// Reads contacts.
#[async_trait]
pub trait ContactReader: ResourceReader<Contact> {
    /// The active contact of `company` with this tax id, if there is one.
    async fn active_with_tax_id(
        &self,
        company: AccountId,
        tax_id: &Pii<TaxId>,
        except: Option<ContactId>,
    ) -> Result<Option<ContactId>, StoreError>;

    /// Up to `limit` active or archived contacts of the same company that share the tax id, an
    /// e-mail, a phone or the normalised name with `contact`, oldest first.
    async fn possible_duplicates(&self, contact: &Contact, limit: u32) -> Result<Vec<Contact>, StoreError>;

    /// Whether anything refers to the contact: child contacts and tombstones included.
    async fn in_use(&self, contact: &Contact) -> Result<bool, StoreError>;
}

/// Changes contacts.
#[async_trait]
pub trait ContactStore: ContactReader + ResourceStore<Contact> {
    /// Points everything that refers to `from` to `to`: child contacts and tombstones included.
    /// What refers gets its next version and `now`; answers how many contacts that were.
    async fn repoint(
        &self,
        company: AccountId,
        from: ContactId,
        to: ContactId,
        now: Timestamp,
    ) -> Result<u64, StoreError>;

    /// Moves every contact of one company to another one, keeping ids and versions.
    ///
    /// # Errors
    /// [`StoreError::Taken`] when an `externalId` or the tax id of an active contact is on both sides.
    async fn move_all(&self, from: AccountId, to: AccountId) -> Result<u64, StoreError>;
}

/// Reads groups. A scope reaches a group when it reaches one of its companies;
/// members out of scope are left out.
#[async_trait]
pub trait GroupReader: Send + Sync {
    /// The group with this id.
    async fn find(&self, scope: &Scope, id: GroupId) -> Result<Option<Group>, StoreError>;

    /// One page of the groups, oldest first.
    async fn page(&self, scope: &Scope, page: PageRequest) -> Result<Page<Group>, StoreError>;
}

/// Changes groups.
#[async_trait]
pub trait GroupStore: GroupReader {
    /// Adds a group with its members.
    async fn insert(&self, group: &Group) -> Result<(), StoreError>;

    /// Puts `after` with its members in the place of the group at the version `before`.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the stored version is another one.
    async fn replace(&self, before: Version, after: &Group) -> Result<(), StoreError>;

    /// Removes a group that no company names any more.
    ///
    /// # Implementing this method
    /// Caches compare the authority's version: this moves it, as every change of a group does.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the stored version is another one.
    async fn remove(&self, group: &Group) -> Result<(), StoreError>;
}

/// Reads users and memberships.
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

    /// Adds a membership.
    async fn insert_membership(&self, membership: &Membership) -> Result<(), StoreError>;

    /// Puts `after` in the place of the membership at the version `before`.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the stored version is another one.
    async fn replace_membership(&self, before: Version, after: &Membership) -> Result<(), StoreError>;
}
