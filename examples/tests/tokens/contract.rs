//! The file keeps the contract that every adapter of svc-auth keeps, and tokens in it live as the model says.

use async_trait::async_trait;
use svc_auth::ports::{AuthStorage, GroupPlace, Standing};
use svc_core::id::{AccountId, GroupId, UserId};
use svc_core::role::Role;
use svc_examples::tokens::state::{Company, State};
use svc_examples::tokens::store::FileStore;
use svc_testkit::auth::{AuthFixture, AuthSeed};
use tempfile::TempDir;

use super::test_app;

svc_testkit::auth_storage_contract!(file, fixture);
svc_testkit::auth_storage_model!(model, fixture);

struct Fixture {
    store: FileStore,
    _folder: TempDir,
}

#[expect(clippy::unused_async, reason = "the contract awaits what makes its storage")]
async fn fixture() -> Option<Fixture> {
    let folder = tempfile::tempdir().expect("a folder");
    Some(Fixture { store: test_app::open(folder.path()), _folder: folder })
}

impl Fixture {
    async fn change(&self, change: impl FnOnce(&mut State) + Send) {
        self.store.change(change).await.expect("changed");
    }

    async fn company(&self, id: AccountId, change: impl FnOnce(&mut Company) + Send) {
        self.change(|state| change(state.companies.get_mut(&id).expect("it was added"))).await;
    }

    async fn standing(&self, person: UserId, company: AccountId, standing: Standing) {
        self.change(|state| {
            state.standings.insert((company, person), standing);
        })
        .await;
    }
}

impl AuthFixture for Fixture {
    fn storage(&self) -> &dyn AuthStorage {
        &self.store
    }
}

#[async_trait]
impl AuthSeed for Fixture {
    /// This service keeps no people: an id is one.
    async fn add_user(&self, _: UserId) {}

    async fn disable_user(&self, id: UserId) {
        self.change(|state| {
            state.disabled.insert(id);
        })
        .await;
    }

    /// Nor groups: a group is what companies name.
    async fn add_group(&self, _: GroupId) {}

    async fn add_company(&self, id: AccountId, legal_name: &str, group: Option<GroupId>) {
        let group = group.map(GroupPlace::subsidiary);
        let company = Company { legal_name: legal_name.to_owned(), group, merged: false, api_access: true };
        self.change(|state| {
            state.companies.insert(id, company);
        })
        .await;
    }

    async fn set_parent(&self, group: GroupId, company: AccountId) {
        self.change(|state| {
            for (id, member) in &mut state.companies {
                if let Some(place) = member.group.as_mut().filter(|place| place.id == group) {
                    place.is_parent = *id == company;
                }
            }
        })
        .await;
    }

    async fn set_role(&self, person: UserId, company: AccountId, role: Role) {
        self.standing(person, company, Standing::Member(role)).await;
    }

    /// Nor invitations.
    async fn invite(&self, _: UserId, _: AccountId, _: Role) {}

    async fn end_membership(&self, person: UserId, company: AccountId) {
        self.change(|state| {
            if let Some(standing) = state.standings.get_mut(&(company, person)) {
                *standing = Standing::Former;
            }
        })
        .await;
    }

    async fn merge(&self, _: AccountId, absorbed: AccountId) {
        self.company(absorbed, |company| company.merged = true).await;
    }

    async fn set_api_access(&self, company: AccountId, on: bool) {
        self.company(company, |company| company.api_access = on).await;
    }
}
