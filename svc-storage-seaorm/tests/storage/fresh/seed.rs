//! People and companies for the contracts whose ports only read them.

use async_trait::async_trait;
use svc_auth::ports::Person;
use svc_business::account::{Account, AccountStatus};
use svc_business::group::{Group, GroupMember};
use svc_business::membership::{Membership, MembershipStatus, Offer};
use svc_business::party::{Email, LanguageTag};
use svc_business::user::{User, UserStatus};
use svc_core::id::{AccountId, GroupId, MembershipId, TypedId, UserId};
use svc_core::resource::Version;
use svc_core::role::Role;
use svc_testkit::audit::noted;
use svc_testkit::auth::AuthSeed;
use svc_testkit::business::sample::bare_account;
use svc_testkit::session::PeopleSeed;
use uuid::Uuid;

use super::{Fresh, NOW, everything};

/// One change in a unit of its own.
macro_rules! change {
    ($fresh:expr, |$unit:ident| $change:expr) => {{
        let $unit = $fresh.business.begin().await.expect("a unit");
        $change.expect("the change is taken");
        noted(&*$unit, AccountId::from_uuid(Uuid::from_u128(1))).await.expect("noted");
        $unit.commit().await.expect("the change is committed");
    }};
}

#[async_trait]
impl AuthSeed for Fresh {
    async fn add_user(&self, id: UserId) {
        let email = format!("{id}@example.com");
        self.add_person(&Person { id, email, name: "Somebody".to_owned(), active: true }).await;
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
        change!(self, |unit| unit.groups().insert(&everything(), &group).await);
    }

    async fn add_company(&self, id: AccountId, legal_name: &str, group: Option<GroupId>) {
        let mut account = bare_account(1);
        account.id = id;
        legal_name.clone_into(&mut account.legal_name);
        account.group = group;
        account.api_access = true;
        change!(self, |unit| unit.accounts().insert(&everything(), &account).await);
        if let Some(group) = group {
            let member = GroupMember { account: id, ownership_percent: None, since: NOW };
            self.change_group(group, |group| group.members.push(member)).await;
        }
    }

    async fn set_parent(&self, group: GroupId, company: AccountId) {
        self.change_group(group, |group| group.parent = company).await;
    }

    async fn set_role(&self, person: UserId, company: AccountId, role: Role) {
        let active = membership(person, company, role, MembershipStatus::Active);
        match self.business.people().membership(company, person).await.expect("read") {
            None => change!(self, |unit| unit.people().insert_membership(&active).await),
            Some(before) => {
                let after = Membership { id: before.id, version: before.version.next(), ..active };
                change!(self, |unit| unit.people().replace_membership(before.version, &after).await);
            }
        }
    }

    async fn invite(&self, person: UserId, company: AccountId, role: Role) {
        let invited = membership(person, company, role, MembershipStatus::Invited);
        match self.business.people().membership(company, person).await.expect("read") {
            None => change!(self, |unit| unit.people().insert_membership(&invited).await),
            Some(before) => {
                let after =
                    before.clone().invite(Offer { role, by: None, email: None }, NOW).expect("it ended");
                change!(self, |unit| unit.people().replace_membership(before.version, &after).await);
            }
        }
    }

    async fn end_membership(&self, person: UserId, company: AccountId) {
        self.set_status(person, company, MembershipStatus::Ended).await;
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

#[async_trait]
impl PeopleSeed for Fresh {
    async fn add_person(&self, person: &Person) {
        let user = User {
            id: person.id,
            email: Email::from_stored(person.email.clone()),
            name: person.name.clone(),
            locale: LanguageTag::from_stored("es".to_owned()),
            mfa_enabled: false,
            status: if person.active { UserStatus::Active } else { UserStatus::Disabled },
            version: Version::FIRST,
            created_at: NOW,
            updated_at: NOW,
        };
        change!(self, |unit| unit.people().insert_user(&user).await);
    }

    async fn suspend(&self, person: UserId, company: AccountId) {
        self.set_status(person, company, MembershipStatus::Suspended).await;
    }
}

impl Fresh {
    async fn change_account(&self, id: AccountId, change: impl FnOnce(&mut Account)) {
        let mut account =
            self.business.accounts().find(&everything(), id).await.expect("read").expect("there");
        let before = account.clone();
        account.version = before.version.next();
        change(&mut account);
        change!(self, |unit| unit.accounts().replace(&everything(), &before, &account).await);
    }

    async fn change_group(&self, id: GroupId, change: impl FnOnce(&mut Group)) {
        let mut group = self.business.groups().find(&everything(), id).await.expect("read").expect("there");
        let before = group.clone();
        group.version = before.version.next();
        change(&mut group);
        change!(self, |unit| unit.groups().replace(&everything(), &before, &group).await);
    }

    async fn set_status(&self, person: UserId, company: AccountId, status: MembershipStatus) {
        let before = self.business.people().membership(company, person).await.expect("read").expect("there");
        let after = Membership { status, version: before.version.next(), ..before.clone() };
        change!(self, |unit| unit.people().replace_membership(before.version, &after).await);
    }
}

fn membership(person: UserId, company: AccountId, role: Role, status: MembershipStatus) -> Membership {
    let id = person.uuid().as_u128().rotate_left(64) ^ company.uuid().as_u128();
    Membership {
        id: MembershipId::from_uuid(Uuid::from_u128(id)),
        user: person,
        account: company,
        role,
        status,
        invited_at: NOW,
        invited_by: None,
        invited_email: None,
        accepted_at: (status != MembershipStatus::Invited).then_some(NOW),
        version: Version::FIRST,
        created_at: NOW,
        updated_at: NOW,
    }
}
