//! Users, memberships and groups.

use svc_business::group;
use svc_business::membership::{self, MembershipStatus};
use svc_business::ports::BusinessStorage;
use svc_business::user;
use svc_core::role::Role;
use svc_testkit::business::sample::{everything, id};

use super::world::{World, findings, run};

#[tokio::test]
async fn a_user_has_one_mail_address_and_a_name() {
    let world = World::new();
    let ana = world.user("ana.nunez@correo.example").await;
    assert_eq!((ana.name.as_str(), ana.locale.as_str()), ("ana.nunez", "es"));
    let request = |email: &str, name: Option<&str>, locale: Option<&str>| user::CreateRequest {
        email: email.to_owned(),
        name: name.map(str::to_owned),
        locale: locale.map(str::to_owned),
    };
    let outcome = run!(world, user::create, request("ANA.nunez@correo.example", None, None));
    assert!(matches!(outcome, Err(user::CreateError::EmailTaken)));
    let outcome = run!(world, user::create, request("x", Some(""), Some("?")));
    let Err(user::CreateError::Invalid(invalid)) = outcome else { panic!("expected findings") };
    assert_eq!(findings(&invalid), ["email invalid_email", "name required", "locale invalid_language"]);
}

#[tokio::test]
async fn an_active_company_keeps_a_holder() {
    let (world, company) = World::with_company().await;
    let members = world.storage.people();
    let page = svc_core::page::PageRules::USUAL.page(None, None).expect("a page");
    let first = members.members(&everything(), company.id, page).await.expect("page").items[0].user.id;
    let last = |outcome: Result<_, membership::ChangeError>| {
        matches!(outcome, Err(membership::ChangeError::LastHolder))
    };
    assert!(last(run!(world, membership::end, company.id, first)));
    assert!(last(run!(world, membership::add, company.id, first, Role::Manager)));

    let second = world.user("second@x.example").await.id;
    run!(world, membership::add, company.id, second, Role::Holder).expect("a second holder");
    let ended = run!(world, membership::end, company.id, first).expect("one is left");
    assert_eq!(ended.status, MembershipStatus::Ended);
    assert!(matches!(
        run!(world, membership::end, company.id, first),
        Err(membership::ChangeError::NotMember)
    ));
    let back = run!(world, membership::add, company.id, first, Role::Auditor).expect("back again");
    assert_eq!((back.id, back.role, back.status), (ended.id, Role::Auditor, MembershipStatus::Active));
    let same = run!(world, membership::add, company.id, first, Role::Auditor).expect("a no-op");
    assert_eq!(same, back);
    assert!(last(run!(world, membership::end, company.id, second)));
    assert!(matches!(
        run!(world, membership::add, id(1), second, Role::Holder),
        Err(membership::ChangeError::UnknownAccount)
    ));
    assert!(matches!(
        run!(world, membership::add, company.id, id(1), Role::Holder),
        Err(membership::ChangeError::UnknownUser)
    ));
    assert_eq!(world.events(), Vec::<String>::new(), "the catalogue has no event for members");
}

#[tokio::test]
async fn a_company_joins_one_group() {
    let (world, top) = World::with_company().await;
    let other = world.company("Otra SL").await;
    world.events();
    let request = group::CreateRequest { name: "Grupo".to_owned(), parent: top.id };
    let made = run!(world, group::create, request.clone()).expect("a group");
    let add = |share: &str| group::AddRequest {
        group: made.id,
        account: other.id,
        ownership_percent: Some(share.to_owned()),
    };
    let outcome = run!(world, group::add, add("51.555"));
    assert!(matches!(outcome, Err(group::ChangeError::Invalid(_))));
    let after = run!(world, group::add, add("51.50")).expect("added");
    let shares: Vec<_> = after.members.iter().map(|member| member.ownership_percent.as_deref()).collect();
    assert_eq!(shares, [None, Some("51.5")]);
    let member = world.account(other.id).await;
    assert_eq!((member.group, member.parent, member.version.as_i64()), (Some(made.id), Some(top.id), 2));
    let expected = [top.id, other.id].map(|id| format!("account.update {id}"));
    assert_eq!(world.events(), expected);
    assert!(
        matches!(run!(world, group::add, add("1")), Err(group::ChangeError::InGroup(id)) if id == other.id)
    );
    assert!(matches!(run!(world, group::create, request), Err(group::ChangeError::InGroup(_))));
    let unknown = group::AddRequest { group: id(1), ..add("1") };
    assert!(matches!(run!(world, group::add, unknown), Err(group::ChangeError::NotFound)));
    let unknown = group::AddRequest { account: id(1), ..add("1") };
    assert!(matches!(run!(world, group::add, unknown), Err(group::ChangeError::UnknownAccount(_))));
}
