//! The storage in memory as the contract fills it.

use async_trait::async_trait;
use svc_auth::ports::{AuthStorage, Standing};
use svc_core::audit::AuditReader;
use svc_core::id::{AccountId, GroupId, UserId};
use svc_core::role::Role;

use super::MemoryAuth;
use crate::auth::contract::{AuthFixture, AuthSeed};

#[async_trait]
impl AuthSeed for MemoryAuth {
    async fn add_user(&self, _: UserId) {}

    async fn disable_user(&self, id: UserId) {
        self.put_disabled(id);
    }

    async fn add_group(&self, _: GroupId) {}

    async fn add_company(&self, id: AccountId, legal_name: &str, group: Option<GroupId>) {
        self.put_company(id, legal_name, group);
    }

    async fn set_parent(&self, group: GroupId, company: AccountId) {
        self.put_parent(group, company);
    }

    async fn set_role(&self, person: UserId, company: AccountId, role: Role) {
        self.put_standing(person, company, Standing::Member(role));
    }

    /// To the authority an invitation is nothing.
    async fn invite(&self, _: UserId, _: AccountId, _: Role) {}

    async fn end_membership(&self, person: UserId, company: AccountId) {
        self.end_standing(person, company);
    }

    async fn merge(&self, _: AccountId, absorbed: AccountId) {
        self.put_merged(absorbed);
    }

    async fn set_api_access(&self, company: AccountId, on: bool) {
        self.put_api_access(company, on);
    }
}

impl AuthFixture for MemoryAuth {
    fn storage(&self) -> &dyn AuthStorage {
        self
    }

    fn log(&self) -> Option<&dyn AuditReader> {
        Some(self.audit())
    }
}
