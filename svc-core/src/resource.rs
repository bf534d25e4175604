//! The pattern that every plain resource follows: one trait for what it is,
//! one port for where it is kept.

use async_trait::async_trait;

use crate::clock::Timestamp;
use crate::error::StoreError;
use crate::id::{AccountId, TypedId};
use crate::page::{Page, PageRequest, Sort};
use crate::refused::Refused;
use crate::tenant::Scope;
pub use crate::version::Version;

/// What a caller expects of the version of a record: `If-Match` (RFC 9110, section 13.1.1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Expected {
    /// Any version.
    #[default]
    Any,
    /// One of these versions; an empty list expects what cannot be.
    OneOf(Vec<Version>),
}

impl Expected {
    /// Exactly this version.
    #[must_use]
    pub fn only(version: Version) -> Self {
        Self::OneOf(vec![version])
    }

    /// This version, if one is named.
    #[must_use]
    pub fn of(version: Option<Version>) -> Self {
        version.map_or(Self::Any, Self::only)
    }

    /// Passes when the record is at an expected version.
    ///
    /// # Errors
    /// [`Refused::VersionConflict`].
    pub fn check(&self, current: Version) -> Result<(), Refused> {
        match self {
            Self::OneOf(versions) if !versions.contains(&current) => {
                Err(Refused::VersionConflict { current })
            }
            Self::Any | Self::OneOf(_) => Ok(()),
        }
    }
}

/// A record of a company, kept whole and replaced whole.
pub trait Resource: Clone + Send + Sync + 'static {
    /// The resource type name of the specification: `contact`.
    const NAME: &'static str;
    /// Its id.
    type Id: TypedId;
    /// What a list can be narrowed by.
    type Filter: Send + Sync;
    /// What a list can be sorted by.
    type SortKey: Copy + Send + Sync;

    /// Its id.
    fn id(&self) -> Self::Id;
    /// The company that it belongs to.
    fn company(&self) -> AccountId;
    /// How often it was changed.
    fn version(&self) -> Version;
}

/// How a company or a record is locked until the unit of work ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// Other units may lock it so too: each changes records of the company, changes the record or refers to it.
    Shared,
    /// The unit has it alone: it ends the company or the record.
    Exclusive,
}

/// Reads one kind of resource, always within a scope.
///
/// # Implementing this port
/// Every method adds the scope's companies to its predicate. A record out of
/// scope is absent, exactly as one that does not exist. The contract suite is
/// `svc_testkit::business_storage_contract!`.
#[async_trait]
pub trait ResourceReader<R: Resource>: Send + Sync {
    /// The record with this id; `None` when there is none within the scope.
    async fn find(&self, scope: &Scope, id: R::Id) -> Result<Option<R>, StoreError>;

    /// The records with these ids that are within the scope, in no order; ids that name none are left out.
    async fn find_all(&self, scope: &Scope, ids: &[R::Id]) -> Result<Vec<R>, StoreError>;

    /// One page of the records that match, in the order asked for.
    async fn page(
        &self,
        scope: &Scope,
        filter: &R::Filter,
        sort: &Sort<R::SortKey>,
        page: PageRequest,
    ) -> Result<Page<R>, StoreError>;
}

/// Changes one kind of resource, always within a scope.
///
/// # Implementing this port
/// A record is kept with its children (lines, notes, tags) and comes back with them, in their order.
/// Writing a record of a company out of scope is [`StoreError::Conflict`], and so is adding one to a company
/// that is not active; nothing is written. A unique value that is taken is [`StoreError::Taken`], which may
/// be answered by the commit. The contract suite is `svc_testkit::business_storage_contract!`.
#[async_trait]
pub trait ResourceStore<R: Resource>: ResourceReader<R> {
    /// Adds a record.
    async fn insert(&self, scope: &Scope, record: &R) -> Result<(), StoreError>;

    /// Puts `after` in the place of `before`, which has the same id and company.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the stored version is not that of `before`.
    async fn replace(&self, scope: &Scope, before: &R, after: &R) -> Result<(), StoreError>;
}

/// Erases records of a kind whose life may end so.
#[async_trait]
pub trait Erase<R: Resource>: Send + Sync {
    /// Erases the record, if it is still at the version given.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the stored version is another one, or something refers to the record.
    async fn erase(&self, scope: &Scope, record: &R) -> Result<(), StoreError>;
}

/// What refers to records of one kind, whatever area it belongs to.
#[async_trait]
pub trait References<R: Resource>: Send + Sync {
    /// Whether anything refers to the record, tombstones of the same kind included.
    async fn is_referenced(&self, record: &R) -> Result<bool, StoreError>;

    /// Points everything that refers to `from` to `to`, a record of the same company. What refers gets its
    /// next version and `now`, and no event.
    async fn repoint(&self, from: &R, to: &R, now: Timestamp) -> Result<(), StoreError>;
}
