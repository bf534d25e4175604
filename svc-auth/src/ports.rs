//! What the rules need from outside.
//!
//! A service that checks tokens alone implements [`AuthStorage`]; one that lets
//! people sign in implements [`SessionStorage`] as well.

mod approvals;
mod budget;
mod calls;
mod directory;
mod documents;
mod hasher;
mod oauth;
mod people;
mod session;
mod stand_alone;
mod uploads;

use std::net::IpAddr;

use async_trait::async_trait;
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TokenId, UserId};
use svc_core::page::{Page, PageRequest};
use svc_core::resource::Version;
use svc_core::tenant::Scope;
use svc_core::unit::UnitOfWork;

pub use self::approvals::{ApprovalReader, ApprovalStore};
pub use self::budget::{BudgetStore, Draw, Drawn};
pub use self::calls::CallStore;
pub use self::directory::{AccountDirectory, CompanyStanding, GroupPlace, Standing};
pub use self::documents::{ClientDocuments, Document, Unreadable};
pub use self::hasher::{HasherError, PasswordHasher, Salt};
pub use self::oauth::{ClientReader, ClientStore, GrantReader, GrantStore, OauthStorage, OauthUnit};
pub use self::people::{PeopleDirectory, Person};
pub use self::session::{
    Failures, PasswordReader, PasswordResetReader, PasswordResetStore, PasswordStore, SecondFactorReader,
    SecondFactorStore, SessionReader, SessionStorage, SessionStore, SessionUnit, SignInAttempts, ThrottleKey,
};
pub use self::stand_alone::{StandAlone, TenantDirectory};
pub use self::uploads::{UploadLinkReader, UploadLinkStore};
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

    /// Reads who may act for which company; [`StandAlone`] where companies know neither people nor groups.
    fn directory(&self) -> &dyn AccountDirectory;
}

/// A unit of work on tokens.
pub trait AuthUnit: UnitOfWork {
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

    /// At most so many connections of assistants that a person made and that are not revoked, the youngest first.
    async fn connections_of(&self, person: UserId, at_most: usize) -> Result<Vec<Token>, StoreError>;

    /// Changes whenever a token, a membership, a group or a company's status changes: caches compare it.
    ///
    /// A storage that counts no changes need not implement it. Its answer `None` makes
    /// [`Authenticator::refresh`](crate::authenticate::Authenticator::refresh) forget what is cached each
    /// time: a change is noticed as soon, and tokens are read as often.
    async fn authority_version(&self) -> Result<Option<i64>, StoreError> {
        Ok(None)
    }
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

/// Counts requests against a company's limits.
///
/// # Implementing this port
/// A refused request must not cost a database write. A store that fails must
/// neither refuse every request nor let a node pass more than the budget.
#[async_trait]
pub trait RateLimiter: Send + Sync {
    /// Takes one request of `account` from its budgets, or refuses it.
    async fn take(&self, account: AccountId, now: Timestamp) -> LimitDecision;

    /// What is left as far as this process knows, without taking anything: for
    /// answers to requests that an earlier check refused.
    fn status(&self, account: AccountId, now: Timestamp) -> LimitStatus;

    /// What is left as far as all processes know, without taking anything: for a page that people look at. What
    /// processes hold to admit later counts as used.
    async fn look_up(&self, account: AccountId, now: Timestamp) -> Result<LimitStatus, StoreError> {
        Ok(self.status(account, now))
    }
}
