//! Which companies a call may see, and tenants with ids of a service's own.

mod own_id;

use std::collections::BTreeSet;

pub use self::own_id::{MalformedTenant, Tenant};
use crate::id::AccountId;

/// The companies that a call reaches: every query of business data needs one.
///
/// A scope is granted by the authority that checked a credential, or opened by
/// a system job that names its reason. Both constructors are on the
/// workspace's list of disallowed methods, so each use stands out in review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope(Reach);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Reach {
    Companies(BTreeSet<AccountId>),
    Everything { reason: &'static str },
}

impl Scope {
    /// The companies that an authenticated principal reaches.
    pub fn granted(companies: impl IntoIterator<Item = AccountId>) -> Self {
        Self(Reach::Companies(companies.into_iter().collect()))
    }

    /// No company at all: for work on credentials by their ids.
    #[must_use]
    pub const fn none() -> Self {
        Self(Reach::Companies(BTreeSet::new()))
    }

    /// Every company, for a job of the service itself.
    #[must_use]
    pub fn system(reason: &'static str) -> Self {
        Self(Reach::Everything { reason })
    }

    /// Whether `company` is within reach.
    #[must_use]
    pub fn contains(&self, company: AccountId) -> bool {
        match &self.0 {
            Reach::Companies(companies) => companies.contains(&company),
            Reach::Everything { .. } => true,
        }
    }

    /// The companies within reach; `None` means every company (a system scope).
    #[must_use]
    pub fn companies(&self) -> Option<&BTreeSet<AccountId>> {
        match &self.0 {
            Reach::Companies(companies) => Some(companies),
            Reach::Everything { .. } => None,
        }
    }

    /// This scope cut down to one company; `None` when it is out of reach.
    #[must_use]
    pub fn only(&self, company: AccountId) -> Option<Self> {
        self.contains(company).then(|| Self(Reach::Companies([company].into())))
    }

    /// This scope cut down to these companies; `None` when one of them is out of reach.
    #[must_use]
    pub fn within(&self, companies: impl IntoIterator<Item = AccountId>) -> Option<Self> {
        let companies: BTreeSet<_> = companies.into_iter().collect();
        companies.iter().all(|company| self.contains(*company)).then_some(Self(Reach::Companies(companies)))
    }
}

/// Why a company is read-only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosedCompany {
    /// Its holder deactivated it; it may be reactivated.
    Deactivated,
    /// Another company absorbed it.
    Merged,
}

impl ClosedCompany {
    /// The wire name of the company's status.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Deactivated => "deactivated",
            Self::Merged => "merged",
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::id::TypedId;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test of the constructors themselves")]
    fn a_scope_narrows_and_never_widens() {
        let [ours, theirs] = [1, 2].map(|n| AccountId::from_uuid(Uuid::from_u128(n)));
        let scope = Scope::granted([ours]);
        assert_eq!(scope.only(ours), Some(scope.clone()));
        assert_eq!(scope.only(theirs), None);
        assert_eq!(scope.within([ours, ours]), Some(scope.clone()));
        assert_eq!(scope.within([ours, theirs]), None);
        assert!(Scope::system("test").contains(theirs));
    }
}
