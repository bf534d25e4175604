//! The pattern that every plain resource follows: one trait for what it is,
//! one port for where it is kept.

use std::fmt;

use async_trait::async_trait;

use crate::error::StoreError;
use crate::id::{AccountId, TypedId};
use crate::page::{Page, PageRequest, Sort};
use crate::tenant::Scope;

/// Counts the changes of a resource, from 1; its text in quotes is the `ETag`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(i64);

impl Version {
    /// The version of a resource that was just created.
    pub const FIRST: Self = Self(1);

    /// Wraps a stored value.
    #[must_use]
    pub const fn from_i64(value: i64) -> Self {
        Self(value)
    }

    /// The stored value.
    #[must_use]
    pub const fn as_i64(self) -> i64 {
        self.0
    }

    /// The version after one more change.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
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
/// Writing a record of a company out of scope is [`StoreError::Conflict`], and
/// nothing is written. A unique value that is taken is [`StoreError::Taken`].
#[async_trait]
pub trait ResourceStore<R: Resource>: ResourceReader<R> {
    /// Adds a record.
    async fn insert(&self, scope: &Scope, record: &R) -> Result<(), StoreError>;

    /// Puts `after` in the place of the record with its id and the version `before`.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the stored version is another one.
    async fn replace(&self, scope: &Scope, before: Version, after: &R) -> Result<(), StoreError>;

    /// Erases the record, if it is still at the version given.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the stored version is another one.
    async fn delete(&self, scope: &Scope, record: &R) -> Result<(), StoreError>;
}
