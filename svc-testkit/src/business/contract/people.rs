//! Users and memberships.

use svc_business::membership::{Membership, MembershipStatus};
use svc_business::user::{User, UserStatus};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, UserId};
use svc_core::page::PageRules;
use svc_core::resource::Version;
use svc_core::role::Role;
use svc_core::tenant::Scope;

use super::{Storage, assert_conflict, assert_taken, attempt, put_accounts, whole};
use crate::audit::{assert_unwritten, noted};
use crate::business::sample::{at, id, membership, scope, user};

/// A user comes back whole by id and by e-mail address in any case.
pub async fn a_user_is_found_by_id_and_by_mail_address(storage: Storage) {
    let ana = user(30, "Ana@Correo.example");
    let off = User { status: UserStatus::Disabled, mfa_enabled: false, ..user(31, "off@correo.example") };
    put_users(&storage, &[ana.clone(), off.clone()]).await;
    assert_eq!(storage.people().user(ana.id).await.expect("find"), Some(ana.clone()));
    assert_eq!(storage.people().user(off.id).await.expect("find"), Some(off));
    assert_eq!(storage.people().user(id(99)).await.expect("find"), None);
    let found = storage.people().user_by_email("aNA@correo.EXAMPLE").await;
    assert_eq!(found.expect("find"), Some(ana));
    assert_eq!(storage.people().user_by_email("an_@correo.example").await.expect("find"), None);
}

/// An e-mail address belongs to one user, whatever its case.
pub async fn a_mail_address_is_taken_once(storage: Storage) {
    put_users(&storage, &[user(30, "ana@correo.example")]).await;
    let twin = user(31, "ANA@correo.example");
    assert_taken(&attempt!(storage, |unit| unit.people().insert_user(&twin)), "email");
}

/// A membership comes back whole, and changes only at its version.
pub async fn a_membership_comes_back_whole(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    put_users(&storage, &[user(30, "ana@correo.example")]).await;
    let before = Membership {
        accepted_at: None,
        status: MembershipStatus::Invited,
        ..membership(40, company, id(30), Role::Auditor)
    };
    put_memberships(&storage, std::slice::from_ref(&before)).await;
    let find = async |company: AccountId| storage.people().membership(company, id(30)).await.expect("find");
    assert_eq!(find(company).await, Some(before.clone()));
    assert_eq!(find(other).await, None);
    let after = Membership {
        role: Role::Holder,
        status: MembershipStatus::Suspended,
        accepted_at: Some(at(6)),
        version: before.version.next(),
        updated_at: at(7),
        ..before.clone()
    };
    replace_membership(&storage, before.version, &after).await.expect("replace");
    assert_eq!(find(company).await, Some(after.clone()));
    let stale = Version::from_i64(8);
    assert_conflict(&replace_membership(&storage, stale, &after).await);
}

/// Who may do what in a company would have changed, and its log would be silent about it.
pub async fn a_change_without_its_audit_entry_does_not_commit(storage: Storage) {
    let [company] = put_accounts(&storage).await;
    put_users(&storage, &[user(30, "ana@correo.example"), user(31, "bob@correo.example")]).await;
    let before = membership(40, company, id(30), Role::Auditor);
    put_memberships(&storage, std::slice::from_ref(&before)).await;

    let added = membership(41, company, id(31), Role::Holder);
    assert_unwritten(&attempt!(storage, |unit| unit.people().insert_membership(&added)));
    assert_eq!(storage.people().membership(company, id(31)).await.expect("find"), None);
    let after = Membership { role: Role::Holder, version: before.version.next(), ..before.clone() };
    assert_unwritten(&attempt!(storage, |unit| unit.people().replace_membership(before.version, &after)));
    assert_eq!(storage.people().membership(company, id(30)).await.expect("find"), Some(before.clone()));
    replace_membership(&storage, before.version, &after).await.expect("with an entry it commits");
}

/// Members who have not left are listed oldest first, within the scope only.
pub async fn members_are_listed_with_their_person(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    put_users(&storage, &[30, 31, 32, 33].map(|n| user(n, &format!("u{n}@correo.example")))).await;
    let gone =
        Membership { status: MembershipStatus::Ended, ..membership(42, company, id(32), Role::Manager) };
    let all = [
        membership(43, company, id(33), Role::Employee),
        membership(41, company, id(31), Role::Holder),
        gone,
        membership(40, other, id(30), Role::Holder),
    ];
    put_memberships(&storage, &all).await;
    let page = storage.people().members(&scope(&[company]), company, whole()).await.expect("page");
    let listed: Vec<_> =
        page.items.iter().map(|member| (member.membership.clone(), member.user.id)).collect();
    let [employee, holder, _, _] = all;
    assert_eq!((listed, page.total), (vec![(holder, id::<UserId>(31)), (employee, id(33))], 2));
    let second = PageRules::USUAL.page(Some(2), Some(1)).expect("a page");
    let page = storage.people().members(&scope(&[company]), company, second).await.expect("page");
    assert_eq!(page.items.first().map(|member| member.user.id), Some(id(33)));
    let page = storage.people().members(&scope(&[other]), company, whole()).await.expect("page");
    assert_eq!((page.items.len(), page.total), (0, 0), "out of scope");
}

/// A member is found by the id of the membership, in its own company and within the scope only.
pub async fn a_member_is_found_in_its_company(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    put_users(&storage, &[30, 31].map(|n| user(n, &format!("u{n}@correo.example")))).await;
    let here = membership(40, company, id(30), Role::Manager);
    let gone =
        Membership { status: MembershipStatus::Ended, ..membership(41, company, id(31), Role::Manager) };
    put_memberships(&storage, &[here.clone(), gone.clone()]).await;
    let both = scope(&[company, other]);
    let find =
        async |scope: &Scope, account, id| storage.people().member(scope, account, id).await.expect("find");
    let found = find(&both, company, here.id).await.expect("a member");
    assert_eq!((found.user.id, &found.membership), (id(30), &here));
    assert_eq!(find(&both, other, here.id).await, None, "of another company");
    assert_eq!(find(&scope(&[other]), company, here.id).await, None, "out of scope");
    assert_eq!(find(&both, company, gone.id).await, None, "who has left");
    assert_eq!(find(&both, company, id(49)).await, None, "nobody");
}

/// Only active holders of the company count.
pub async fn active_holders_are_counted(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    put_users(&storage, &[30, 31, 32, 33].map(|n| user(n, &format!("u{n}@correo.example")))).await;
    let suspended =
        Membership { status: MembershipStatus::Suspended, ..membership(42, company, id(32), Role::Holder) };
    put_memberships(
        &storage,
        &[
            membership(40, company, id(30), Role::Holder),
            membership(41, company, id(31), Role::Administrator),
            suspended,
            membership(43, other, id(33), Role::Holder),
        ],
    )
    .await;
    assert_eq!(storage.people().holders(company).await.expect("count"), 1);
    assert_eq!(storage.people().holders(id(99)).await.expect("count"), 0);
}

async fn put_users(storage: &Storage, users: &[User]) {
    let unit = storage.begin().await.expect("begin");
    for user in users {
        unit.people().insert_user(user).await.expect("insert a user");
    }
    unit.commit().await.expect("commit");
}

async fn replace_membership(
    storage: &Storage,
    before: Version,
    after: &Membership,
) -> Result<(), StoreError> {
    let unit = storage.begin().await?;
    unit.people().replace_membership(before, after).await?;
    noted(&*unit, after.account).await?;
    unit.commit().await
}

async fn put_memberships(storage: &Storage, memberships: &[Membership]) {
    let unit = storage.begin().await.expect("begin");
    for membership in memberships {
        unit.people().insert_membership(membership).await.expect("insert a membership");
        noted(&*unit, membership.account).await.expect("noted");
    }
    unit.commit().await.expect("commit");
}
