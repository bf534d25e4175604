//! New, empty databases of both engines.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use svc_auth::ports::AuthStorage;
use svc_business::account::{Account, AccountStatus};
use svc_business::group::{Group, GroupMember};
use svc_business::membership::{Membership, MembershipStatus};
use svc_business::party::{Email, LanguageTag};
use svc_business::ports::{
    AccountReader, BusinessStorage, BusinessUnit, ContactReader, GroupReader, PeopleReader,
};
use svc_business::user::{User, UserStatus};
use svc_core::clock::Timestamp;
use svc_core::error::StoreError;
use svc_core::id::{AccountId, GroupId, MembershipId, TypedId, UserId};
use svc_core::idempotency::IdempotencyStore;
use svc_core::resource::Version;
use svc_core::role::Role;
use svc_core::tenant::Scope;
use svc_core::unit::Unit;
use svc_storage_seaorm::{Database, Keys, Settings};
use svc_testkit::auth::{AuthFixture, AuthSeed};
use svc_testkit::business::sample::bare_account;
use svc_testkit::idempotency::Fixture;
use svc_webhooks::ports::WebhookStorage;
use tempfile::TempDir;
use uuid::Uuid;

pub(crate) const NOW: Timestamp = Timestamp::from_unix_seconds(1_738_314_900);

/// A migrated database, and the folder that it lives in.
pub(crate) struct Fresh {
    pub(crate) database: Database,
    auth: Arc<dyn AuthStorage>,
    webhooks: Arc<dyn WebhookStorage>,
    business: Arc<dyn BusinessStorage>,
    idempotency: Arc<dyn IdempotencyStore>,
    pub(crate) settings: Settings,
    folder: Option<TempDir>,
}

pub(crate) fn keys() -> Keys {
    Keys::new(1, [7; 32])
}

pub(crate) async fn sqlite() -> Fresh {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = format!("sqlite://{}", folder.path().join("data/svc.db").display());
    fresh(Settings::new(url, keys()), Some(folder)).await
}

pub(crate) async fn postgres() -> Option<Fresh> {
    let url = svc_testkit::postgres::database()?;
    Some(fresh(Settings { max_connections: 5, ..Settings::new(url, keys()) }, None).await)
}

async fn fresh(settings: Settings, folder: Option<TempDir>) -> Fresh {
    let database = Database::open(&settings).await.expect("the database opens");
    database.migrate(NOW).await.expect("the schema is made");
    Fresh {
        auth: database.auth(),
        webhooks: database.webhooks(),
        business: database.business(),
        idempotency: database.idempotency(),
        database,
        settings,
        folder,
    }
}

impl Fresh {
    /// The folder of a SQLite database.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.as_ref().expect("only SQLite has a folder").path().join("data")
    }
}

/// For contracts that ask for the port of webhooks.
impl Deref for Fresh {
    type Target = dyn WebhookStorage;

    fn deref(&self) -> &Self::Target {
        &*self.webhooks
    }
}

/// For contracts that ask for the port of idempotent requests.
pub(crate) struct Keyed(pub(crate) Fresh);

impl Deref for Keyed {
    type Target = Self;

    fn deref(&self) -> &Self {
        self
    }
}

#[async_trait]
impl Fixture for Keyed {
    fn store(&self) -> &dyn IdempotencyStore {
        &*self.0.idempotency
    }

    async fn begin(&self) -> Result<Box<dyn Unit>, StoreError> {
        Ok(self.0.database.begin().await?)
    }
}

#[async_trait]
impl BusinessStorage for Fresh {
    async fn begin(&self) -> Result<Box<dyn BusinessUnit>, StoreError> {
        self.business.begin().await
    }

    fn accounts(&self) -> &dyn AccountReader {
        self.business.accounts()
    }

    fn contacts(&self) -> &dyn ContactReader {
        self.business.contacts()
    }

    fn groups(&self) -> &dyn GroupReader {
        self.business.groups()
    }

    fn people(&self) -> &dyn PeopleReader {
        self.business.people()
    }
}

impl AuthFixture for Fresh {
    fn storage(&self) -> &dyn AuthStorage {
        &*self.auth
    }
}

#[expect(clippy::disallowed_methods, reason = "the test plays the service itself")]
pub(crate) fn everything() -> Scope {
    Scope::system("test")
}

/// One change in a unit of its own.
macro_rules! change {
    ($fresh:expr, |$unit:ident| $change:expr) => {{
        let $unit = $fresh.business.begin().await.expect("a unit");
        $change.expect("the change is taken");
        $unit.commit().await.expect("the change is committed");
    }};
}

impl Fresh {
    async fn change_account(&self, id: AccountId, change: impl FnOnce(&mut Account)) {
        let mut account =
            self.business.accounts().find(&everything(), id).await.expect("read").expect("there");
        let before = account.version;
        account.version = before.next();
        change(&mut account);
        change!(self, |unit| unit.accounts().replace(&everything(), before, &account).await);
    }
}

#[async_trait]
impl AuthSeed for Fresh {
    async fn add_user(&self, id: UserId) {
        let user = User {
            id,
            email: Email::from_stored(format!("{id}@example.com")),
            name: "Somebody".to_owned(),
            locale: LanguageTag::from_stored("es".to_owned()),
            mfa_enabled: false,
            status: UserStatus::Active,
            version: Version::FIRST,
            created_at: NOW,
            updated_at: NOW,
        };
        change!(self, |unit| unit.people().insert_user(&user).await);
    }

    async fn disable_user(&self, id: UserId) {
        let mut user = self.business.people().user(id).await.expect("read").expect("there");
        let before = user.version;
        user.version = before.next();
        user.status = UserStatus::Disabled;
        change!(self, |unit| unit.people().replace_user(before, &user).await);
    }

    async fn add_group(&self, id: GroupId) {
        // A group has a company at its top, which is not a member here.
        let top = AccountId::from_uuid(Uuid::from_u128(id.uuid().as_u128().wrapping_add(1 << 64)));
        let mut parent = bare_account(1);
        parent.id = top;
        change!(self, |unit| unit.accounts().insert(&everything(), &parent).await);
        let group = Group {
            id,
            name: "Group".to_owned(),
            parent: top,
            members: Vec::new(),
            version: Version::FIRST,
            created_at: NOW,
            updated_at: NOW,
        };
        change!(self, |unit| unit.groups().insert(&group).await);
    }

    async fn add_company(&self, id: AccountId, legal_name: &str, group: Option<GroupId>) {
        let mut account = bare_account(1);
        account.id = id;
        legal_name.clone_into(&mut account.legal_name);
        account.group = group;
        account.api_access = true;
        change!(self, |unit| unit.accounts().insert(&everything(), &account).await);
        if let Some(group) = group {
            let mut group =
                self.business.groups().find(&everything(), group).await.expect("read").expect("there");
            let before = group.version;
            group.version = before.next();
            group.members.push(GroupMember { account: id, ownership_percent: None, since: NOW });
            change!(self, |unit| unit.groups().replace(before, &group).await);
        }
    }

    async fn set_role(&self, person: UserId, company: AccountId, role: Role) {
        let present = self.business.people().membership(company, person).await.expect("read");
        let membership = Membership {
            id: MembershipId::from_uuid(Uuid::from_u128(
                person.uuid().as_u128().rotate_left(64) ^ company.uuid().as_u128(),
            )),
            user: person,
            account: company,
            role,
            status: MembershipStatus::Active,
            invited_at: NOW,
            accepted_at: Some(NOW),
            version: Version::FIRST,
            created_at: NOW,
            updated_at: NOW,
        };
        match present {
            None => change!(self, |unit| unit.people().insert_membership(&membership).await),
            Some(before) => {
                let after = Membership { id: before.id, version: before.version.next(), ..membership };
                change!(self, |unit| unit.people().replace_membership(before.version, &after).await);
            }
        }
    }

    async fn end_membership(&self, person: UserId, company: AccountId) {
        let before = self.business.people().membership(company, person).await.expect("read").expect("there");
        let after =
            Membership { status: MembershipStatus::Ended, version: before.version.next(), ..before.clone() };
        change!(self, |unit| unit.people().replace_membership(before.version, &after).await);
    }

    async fn merge(&self, survivor: AccountId, absorbed: AccountId) {
        self.change_account(absorbed, |account| {
            account.status = AccountStatus::Merged { into: survivor, at: NOW };
        })
        .await;
    }

    async fn set_api_access(&self, company: AccountId, on: bool) {
        self.change_account(company, |account| account.api_access = on).await;
    }
}
