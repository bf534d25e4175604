//! What the rules need from outside.
//!
//! Whoever checks tokens alone implements [`AuthStorage`]; whoever lets people
//! sign in implements [`SessionStorage`] as well.

mod budget;
mod hasher;
mod people;
mod session;

use std::collections::BTreeSet;
use std::net::IpAddr;

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, TokenId, UserId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::role::Role;
use svc_core::tenant::Scope;
use svc_core::unit::Unit;

pub use self::budget::{BudgetStore, Draw, Drawn};
pub use self::hasher::{HasherError, PasswordHasher, Salt};
pub use self::people::{PeopleDirectory, Person};
pub use self::session::{
    Failures, PasswordReader, PasswordStore, SessionReader, SessionStorage, SessionStore, SessionUnit,
    SignInAttempts, ThrottleKey,
};
use crate::limit::{LimitDecision, LimitStatus};
use crate::token::{Fingerprint, Token};

/// Where tokens are kept.
///
/// # Implementing this port
/// The contract suite is `svc_testkit::auth_storage_contract!`.
#[async_trait]
pub trait AuthStorage: Send + Sync {
    /// Opens a unit of work.
    async fn begin(&self) -> Result<Box<dyn AuthUnit>, StoreError>;

    /// Reads tokens.
    fn tokens(&self) -> &dyn TokenReader;

    /// Reads who may act for which company.
    fn directory(&self) -> &dyn AccountDirectory;
}

/// A unit of work on tokens.
pub trait AuthUnit: Unit {
    /// Changes tokens within this unit.
    fn tokens(&self) -> &dyn TokenStore;

    /// Reads who may act for which company, as this unit sees it.
    fn directory(&self) -> &dyn AccountDirectory;
}

/// Reads tokens.
#[async_trait]
pub trait TokenReader: Send + Sync {
    /// The token with this id.
    async fn find(&self, id: TokenId) -> Result<Option<Token>, StoreError>;

    /// The token with one of these fingerprints (one per pepper in use).
    async fn find_by_fingerprint(&self, candidates: &[Fingerprint]) -> Result<Option<Token>, StoreError>;

    /// One page of the tokens whose primary account is within the scope, oldest first.
    async fn page(&self, scope: &Scope, page: PageRequest) -> Result<Page<Token>, StoreError>;

    /// Changes whenever a token, a membership, a group or a company's status changes: caches compare it.
    async fn authority_version(&self) -> Result<i64, StoreError>;
}

/// When and from where a token was last used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The token.
    pub token: TokenId,
    /// When.
    pub at: Timestamp,
    /// From which address, when it is known.
    pub from: Option<IpAddr>,
}

/// Changes tokens.
#[async_trait]
pub trait TokenStore: TokenReader {
    /// Adds a token.
    ///
    /// # Errors
    /// [`StoreError::Taken`] when another token has its fingerprint.
    async fn insert(&self, token: &Token) -> Result<(), StoreError>;

    /// Puts `after` in the place of the token with its id at the version
    /// `before`, except for its last use, which only [`Self::touch`] writes.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the stored version is another one.
    async fn replace(&self, before: Version, after: &Token) -> Result<(), StoreError>;

    /// Writes last uses in one batch; an older one never replaces a newer one.
    /// A use is no change: it moves neither the token's version nor the authority's.
    async fn touch(&self, uses: &[Use]) -> Result<(), StoreError>;
}

/// A company as the authority sees it, with what one person is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompanyStanding {
    /// The company.
    pub id: AccountId,
    /// Its legal name.
    pub legal_name: String,
    /// Its group, if it is in one.
    pub group: Option<GroupId>,
    /// Whether it was merged into another one: nobody reaches it any more.
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
}

/// What a person is in a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Never a member.
    Stranger,
    /// An active member with this role.
    Member(Role),
    /// Was a member, or is suspended or only invited.
    Former,
}

/// Tells who may act for which company.
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
}

/// Counts requests against a company's limits.
///
/// # Implementing this port
/// A refused request must not cost a database write. A store that fails must
/// neither refuse everybody nor let a node pass more than the budget.
#[async_trait]
pub trait RateLimiter: Send + Sync {
    /// Takes one request of `account` from its budgets, or refuses it.
    async fn take(&self, account: AccountId, now: Timestamp) -> LimitDecision;

    /// What is left as far as this process knows, without taking anything: for
    /// answers to requests that an earlier check refused.
    fn status(&self, account: AccountId, now: Timestamp) -> LimitStatus;
}
