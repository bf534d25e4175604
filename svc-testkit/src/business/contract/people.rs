//! Users and memberships.

use svc_business::account::{Account, AccountStatus};
use svc_business::membership::{Invitation, InvitationHash, Membership, MembershipStatus};
use svc_business::user::{User, UserStatus};
use svc_core::error::StoreError;
use svc_core::id::{AccountId, TypedId, UserId};
use svc_core::page::PageRules;
use svc_core::resource::Version;
use svc_core::role::Role;
use svc_core::tenant::Scope;

use super::{Storage, assert_conflict, assert_taken, attempt, put_accounts, whole};
use crate::audit::{assert_unwritten, noted};
use crate::business::sample::{at, bare_account, everything, id, membership, scope, user};

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
    // A letter with a mark is another letter.
    put_users(&storage, &[user(32, "eva@peña.example")]).await;
    let found = storage.people().user_by_email("EVA@PEÑA.example").await.expect("find");
    assert_eq!(found.map(|user| user.id), Some(id(32)));
    assert_eq!(storage.people().user_by_email("eva@pena.example").await.expect("find"), None);
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
        invited_by: Some(id(30)),
        invited_email: Some("Ana@correo.example".parse().expect("an address")),
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
    assert_eq!(find(&both, company, id(49)).await, None, "an unknown id");
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

/// The open ones of one person, oldest first, those of merged companies left out.
pub async fn invitations_are_listed_with_company_and_inviter(storage: Storage) {
    let [first, second, merged, joined] = put_accounts(&storage).await;
    let (ana, ben) = (user(30, "ana@correo.example"), user(31, "ben@correo.example"));
    put_users(&storage, &[ana.clone(), ben.clone()]).await;
    let later = Membership { invited_at: at(9), ..invited(40, first, &ana, Some(&ben)) };
    let open = [later, invited(42, second, &ana, None)];
    let [of_ben, gone] = [invited(41, first, &ben, None), invited(43, merged, &ana, None)];
    put_memberships(&storage, &open).await;
    put_memberships(&storage, &[of_ben, gone, membership(44, joined, ana.id, Role::Holder)]).await;
    merge(&storage, merged, first).await;

    let list = async |page| storage.people().invitations(ana.id, at(-1), page).await.expect("page");
    let [later, earlier] = &open;
    let expected = [(earlier, None), (later, Some(ben))].map(|(membership, inviter)| Invitation {
        membership: membership.clone(),
        legal_name: bare_account(membership.account.uuid().as_u128()).legal_name,
        inviter,
    });
    let page = list(whole()).await;
    assert_eq!((page.total, page.items.as_slice()), (2, expected.as_slice()));
    let page = list(PageRules::USUAL.page(Some(2), Some(1)).expect("a page")).await;
    assert_eq!((page.total, page.items.as_slice()), (2, &expected[1..]));
    for (since, left) in [(0, &expected[1..]), (8, &expected[1..]), (9, &[])] {
        let page = storage.people().invitations(ana.id, at(since), whole()).await.expect("page");
        assert_eq!((page.total, page.items.as_slice()), (left.len() as u64, left), "after {since}");
    }
}

/// Of the company alone, not answered, and not from before.
pub async fn open_invitations_are_counted(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let [ana, ben, cleo] = [30, 31, 32].map(|n| user(n, &format!("u{n}@correo.example")));
    put_users(&storage, &[ana.clone(), ben.clone(), cleo.clone()]).await;
    let later = Membership { invited_at: at(9), ..invited(40, company, &ana, None) };
    let member = membership(42, company, cleo.id, Role::Holder);
    let elsewhere = invited(43, other, &ana, None);
    put_memberships(&storage, &[later, invited(41, company, &ben, None), member, elsewhere]).await;
    let count = async |company, since| storage.people().open_invitations(company, at(since)).await;
    for (company, since, expected) in
        [(company, -1, 2), (company, 0, 1), (company, 9, 0), (other, -1, 1), (id(99), -1, 0)]
    {
        assert_eq!(count(company, since).await.expect("count"), expected, "{company} after {since}");
    }
}

/// Those who declined, were withdrawn or have not answered, and no member.
pub async fn people_invited_in_vain_are_counted(storage: Storage) {
    let [company, other] = put_accounts(&storage).await;
    let people = [30, 31, 32, 33].map(|n| user(n, &format!("u{n}@correo.example")));
    put_users(&storage, &people).await;
    let [ana, ben, cleo, dan] = &people;
    let ended = Membership { status: MembershipStatus::Ended, ..invited(41, company, ben, None) };
    let late = Membership { invited_at: at(9), ..invited(42, company, cleo, None) };
    let member = membership(43, company, dan.id, Role::Holder);
    let all = [invited(40, company, ana, None), ended, late, member, invited(44, other, ana, None)];
    put_memberships(&storage, &all).await;
    for (company, since, expected) in [(company, -1, 3), (company, 0, 1), (company, 9, 0), (other, -1, 1)] {
        let count = storage.people().invited_in_vain(company, at(since)).await.expect("count");
        assert_eq!(count, expected, "{company} after {since}");
    }
}

/// Each of them to its own, whatever became of it; and to none of a merged company.
pub async fn a_link_leads_to_its_invitation_until_it_is_forgotten(storage: Storage) {
    let [company, merged] = put_accounts(&storage).await;
    let (ana, ben) = (user(30, "ana@correo.example"), user(31, "ben@correo.example"));
    put_users(&storage, &[ana.clone(), ben.clone()]).await;
    let (open, elsewhere) = (invited(40, company, &ana, Some(&ben)), invited(41, merged, &ben, None));
    put_memberships(&storage, &[open.clone(), elsewhere.clone()]).await;
    let keep = async |membership: &Membership, number: u8, seconds| {
        let unit = storage.begin().await.expect("begin");
        unit.people().keep_link(membership, &InvitationHash([number; 32]), at(seconds)).await.expect("kept");
        unit.commit().await.expect("commit");
    };
    let find = async |number: u8| {
        let found = storage.people().linked(&InvitationHash([number; 32])).await.expect("read");
        found.map(|linked| (linked.invitation.membership, linked.person, linked.expires_at))
    };
    keep(&open, 1, 0).await;
    keep(&open, 2, 0).await;
    keep(&elsewhere, 3, 0).await;
    let until = open.invited_at.plus(Membership::OPEN_FOR);
    for number in [1, 2] {
        assert_eq!(find(number).await, Some((open.clone(), ana.clone(), until)), "{number}");
    }
    assert_eq!(find(3).await.map(|found| found.1), Some(ben));
    assert_eq!(find(4).await, None);
    let ended = Membership { status: MembershipStatus::Ended, version: open.version.next(), ..open.clone() };
    replace_membership(&storage, open.version, &ended).await.expect("replaced");
    assert_eq!(find(1).await.map(|found| found.0), Some(ended.clone()), "it tells what became of it");
    merge(&storage, merged, company).await;
    assert_eq!(find(3).await, None, "of a merged company");
    // Those that are dead are forgotten with the next one.
    let again = Membership { invited_at: until, ..ended };
    let dead = i64::try_from(Membership::OPEN_FOR.as_secs()).expect("days");
    keep(&again, 5, dead + 1).await;
    assert_eq!((find(1).await, find(2).await), (None, None));
    assert_eq!(find(5).await.map(|found| found.2), Some(until.plus(Membership::OPEN_FOR)));
}

/// Whatever its state; none of another person, and none of a merged company.
pub async fn an_invitation_is_found_by_its_own_person(storage: Storage) {
    let [company, merged] = put_accounts(&storage).await;
    let (ana, ben) = (user(30, "ana@correo.example"), user(31, "ben@correo.example"));
    put_users(&storage, &[ana.clone(), ben.clone()]).await;
    let open = invited(40, company, &ana, Some(&ben));
    put_memberships(&storage, &[open.clone(), invited(41, merged, &ana, None)]).await;
    let find = async |person, id| storage.people().invitation(person, id).await.expect("find");
    let found = find(ana.id, open.id).await.expect("hers");
    assert_eq!((&found.membership, found.inviter.as_ref()), (&open, Some(&ben)));
    assert_eq!(find(ben.id, open.id).await, None, "not his");
    assert_eq!(find(ana.id, id(49)).await, None, "another person's");
    assert!(find(ana.id, id(41)).await.is_some());
    merge(&storage, merged, company).await;
    assert_eq!(find(ana.id, id(41)).await, None, "of a merged company");
    let active = Membership {
        status: MembershipStatus::Active,
        accepted_at: Some(at(9)),
        version: open.version.next(),
        ..open.clone()
    };
    replace_membership(&storage, open.version, &active).await.expect("replaced");
    assert_eq!(find(ana.id, open.id).await.map(|found| found.membership), Some(active));
}

fn invited(number: u128, account: AccountId, person: &User, by: Option<&User>) -> Membership {
    Membership {
        status: MembershipStatus::Invited,
        invited_by: by.map(|user| user.id),
        accepted_at: None,
        ..membership(number, account, person.id, Role::Auditor)
    }
}

async fn merge(storage: &Storage, absorbed: AccountId, into: AccountId) {
    let before = storage.accounts().find(&everything(), absorbed).await.expect("find").expect("there");
    let status = AccountStatus::Merged { into, at: at(8) };
    let after = Account { status, version: before.version.next(), ..before.clone() };
    let unit = storage.begin().await.expect("begin");
    unit.accounts().replace(&everything(), &before, &after).await.expect("replaced");
    unit.commit().await.expect("commit");
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
