//! The storage in memory as the contract fills it.

use async_trait::async_trait;
use svc_auth::ports::{Person, SessionStorage, Standing};
use svc_core::id::{AccountId, GroupId, UserId};
use svc_core::role::Role;

use super::MemorySessions;
use crate::auth::AuthSeed;
use crate::session::contract::{PeopleSeed, SessionFixture};

#[async_trait]
impl AuthSeed for MemorySessions {
    async fn add_user(&self, id: UserId) {
        let (email, name) = (format!("{id}@example.com"), "A person".to_owned());
        self.put_person(Person { id, email, name, active: true });
    }

    async fn disable_user(&self, id: UserId) {
        self.auth.disable_user(id).await;
    }

    async fn add_group(&self, id: GroupId) {
        self.auth.add_group(id).await;
    }

    async fn add_company(&self, id: AccountId, legal_name: &str, group: Option<GroupId>) {
        self.auth.add_company(id, legal_name, group).await;
    }

    async fn set_parent(&self, group: GroupId, company: AccountId) {
        self.auth.set_parent(group, company).await;
    }

    async fn set_role(&self, person: UserId, company: AccountId, role: Role) {
        self.auth.set_role(person, company, role).await;
    }

    async fn invite(&self, person: UserId, company: AccountId, role: Role) {
        self.auth.invite(person, company, role).await;
    }

    async fn end_membership(&self, person: UserId, company: AccountId) {
        self.auth.end_membership(person, company).await;
    }

    async fn merge(&self, survivor: AccountId, absorbed: AccountId) {
        self.auth.merge(survivor, absorbed).await;
    }

    async fn set_api_access(&self, company: AccountId, on: bool) {
        self.auth.set_api_access(company, on).await;
    }
}

#[async_trait]
impl PeopleSeed for MemorySessions {
    async fn add_person(&self, person: &Person) {
        self.put_person(person.clone());
    }

    async fn suspend(&self, person: UserId, company: AccountId) {
        self.auth.put_standing(person, company, Standing::Former);
    }
}

impl SessionFixture for MemorySessions {
    fn session_storage(&self) -> &dyn SessionStorage {
        self
    }
}
