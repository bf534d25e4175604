//! Companies that know neither people nor groups.
//!
//! The directory of a service that hands out tokens for its tenants by rules of its own. What svc-auth asks of
//! people and groups elsewhere has one answer each here:
//!
//! | asked | answered |
//! |---|---|
//! | what a token reaches | its primary account, as long as the service has that tenant |
//! | who may create or change it | each caller whose [scope](svc_core::unit::CallContext::scope) the tenant is within |
//! | what its creator is | a holder, whether a person is named or none |
//! | another company or a group that it names | unknown: it is not created |

use std::collections::BTreeSet;

use async_trait::async_trait;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, UserId};
use svc_core::role::Role;

use super::{AccountDirectory, CompanyStanding, Standing};

/// Tells which tenants a service has.
///
/// # Implementing this port
/// It is read when a token is created, edited or let in, and its answers are cached as tokens are: a tenant
/// that is gone is noticed at the next [`Authenticator::refresh`](crate::authenticate::Authenticator::refresh)
/// over a storage that counts no changes, and within a minute over others.
#[async_trait]
pub trait TenantDirectory: Send + Sync {
    /// The tenant's name; `None` when the service has no such tenant, or none any more.
    async fn name(&self, id: AccountId) -> Result<Option<String>, StoreError>;
}

/// The directory of a service whose tenants stand alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct StandAlone<T>(pub T);

impl<T: TenantDirectory> StandAlone<T> {
    /// The one company that is named. Of several, one would be reached beside the primary account: none is known.
    async fn standing(
        &self,
        companies: &BTreeSet<AccountId>,
        groups: &BTreeSet<GroupId>,
    ) -> Result<Vec<CompanyStanding>, StoreError> {
        let mut named = companies.iter();
        let (Some(id), None, true) = (named.next(), named.next(), groups.is_empty()) else {
            return Ok(Vec::new());
        };
        let standing = self.0.name(*id).await?.map(|legal_name| CompanyStanding {
            id: *id,
            legal_name,
            group: None,
            merged: false,
            api_access: true,
            membership: Standing::Member(Role::Holder),
        });
        Ok(standing.into_iter().collect())
    }
}

#[async_trait]
impl<T: TenantDirectory> AccountDirectory for StandAlone<T> {
    async fn standings(
        &self,
        _person: UserId,
        companies: &BTreeSet<AccountId>,
        groups: &BTreeSet<GroupId>,
    ) -> Result<Vec<CompanyStanding>, StoreError> {
        self.standing(companies, groups).await
    }

    async fn standings_without_person(
        &self,
        companies: &BTreeSet<AccountId>,
        groups: &BTreeSet<GroupId>,
    ) -> Result<Vec<CompanyStanding>, StoreError> {
        self.standing(companies, groups).await
    }
}
