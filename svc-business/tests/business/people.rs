//! Users and memberships.

use svc_business::membership::{self, ChangeError, MembershipStatus};
use svc_business::user;
use svc_core::refused::Refused;
use svc_core::role::Role;
use svc_testkit::business::sample::id;

use super::test_app::{TestApp, findings, run};
use svc_testkit::business::verbs;

#[tokio::test]
async fn a_user_has_one_mail_address_and_a_name() {
    let app = TestApp::new().await;
    let ana = app.user("ana.nunez@correo.example").await;
    assert_eq!((ana.name.as_str(), ana.locale.as_str()), ("ana.nunez", "es"));
    let request = |email: &str, name: Option<&str>, locale: Option<&str>| user::CreateRequest {
        email: email.to_owned(),
        name: name.map(str::to_owned),
        locale: locale.map(str::to_owned),
    };
    let outcome = run!(app, user::create, request("ANA.nunez@correo.example", None, None));
    assert!(matches!(outcome, Err(Refused::Taken { field: "email" })));
    let outcome = run!(app, user::create, request("x", Some(""), Some("?")));
    let Err(Refused::Invalid(invalid)) = outcome else { panic!("expected findings") };
    assert_eq!(findings(&invalid), ["email invalid_email", "name required", "locale invalid_language"]);
}

#[tokio::test]
async fn an_active_company_keeps_a_holder() {
    let (app, company) = TestApp::with_company().await;
    let first = app.holder(company.id).await;
    let last = |outcome: Result<_, Refused<ChangeError>>| {
        matches!(outcome, Err(Refused::Own(ChangeError::LastHolder)))
    };
    assert!(last(run!(app, verbs::end_membership, Role::Holder, (company.id, first), None)));
    assert!(last(run!(app, membership::add, Role::Holder, company.id, first, Role::Manager)));

    let second = app.user("second@x.example").await.id;
    run!(app, membership::add, Role::Holder, company.id, second, Role::Holder).expect("a second holder");
    let ended =
        run!(app, verbs::end_membership, Role::Holder, (company.id, first), None).expect("one is left");
    assert_eq!(ended.status, MembershipStatus::Ended);
    assert!(matches!(
        run!(app, verbs::end_membership, Role::Holder, (company.id, first), None),
        Err(Refused::NotFound)
    ));
    let back =
        run!(app, membership::add, Role::Holder, company.id, first, Role::Auditor).expect("back again");
    assert_eq!((back.id, back.role, back.status), (ended.id, Role::Auditor, MembershipStatus::Active));
    let same = run!(app, membership::add, Role::Holder, company.id, first, Role::Auditor).expect("a no-op");
    assert_eq!(same, back);
    assert!(last(run!(app, verbs::end_membership, Role::Holder, (company.id, second), None)));
    assert!(matches!(
        run!(app, membership::add, Role::Holder, id(1), second, Role::Holder),
        Err(Refused::UnknownCompany)
    ));
    assert!(matches!(
        run!(app, membership::add, Role::Holder, company.id, id(1), Role::Holder),
        Err(Refused::Own(ChangeError::UnknownUser))
    ));
    assert_eq!(app.events().await, Vec::<String>::new(), "the catalogue has no event for members");
}

#[tokio::test]
async fn a_member_is_given_another_role_at_the_version_that_the_caller_knows() {
    let (mut app, company) = TestApp::with_company().await;
    let eva = app.user("eva@x.example").await.id;
    let added = run!(app, membership::add, Role::Holder, company.id, eva, Role::Auditor).expect("added");
    app.later();
    let change = |expected, role| (Role::Holder, company.id, eva, expected, role);
    let (by, account, user, expected, role) = change(Some(added.version), Role::Manager);
    let after = run!(app, verbs::change_role, by, (account, user), expected, role).expect("changed");
    assert_eq!((after.id, after.role, after.version), (added.id, Role::Manager, added.version.next()));
    assert_eq!((after.accepted_at, after.updated_at), (added.accepted_at, app.now));
    let stale = run!(app, verbs::change_role, by, (account, user), expected, Role::Auditor);
    assert!(matches!(stale, Err(Refused::VersionConflict { current }) if current == after.version));
    let stale = run!(app, verbs::end_membership, by, (account, user), expected);
    assert!(matches!(stale, Err(Refused::VersionConflict { current }) if current == after.version));
    let same = run!(app, verbs::change_role, by, (account, user), None, role).expect("a no-op");
    assert_eq!(same, after);
    let stranger = run!(app, verbs::change_role, by, (account, id(1)), None, role);
    assert!(matches!(stranger, Err(Refused::NotFound)));
    run!(app, verbs::end_membership, by, (account, user), None).expect("ended");
    let gone = run!(app, verbs::change_role, by, (account, user), None, role);
    assert!(matches!(gone, Err(Refused::NotFound)));
}

#[tokio::test]
async fn the_last_holder_is_not_given_another_role() {
    let (app, company) = TestApp::with_company().await;
    let holder = app.holder(company.id).await;
    let outcome =
        run!(app, verbs::change_role, Role::Holder, (company.id, holder), None, Role::Administrator);
    assert!(matches!(outcome, Err(Refused::Own(ChangeError::LastHolder))));
}

#[tokio::test]
async fn an_administrator_changes_everybody_but_holders_and_makes_none() {
    let (app, company) = TestApp::with_company().await;
    let by = Role::Administrator;
    let holder = app.holder(company.id).await;
    let second = app.user("second@x.example").await.id;
    run!(app, membership::add, Role::Holder, company.id, second, Role::Holder).expect("a second holder");
    let holders_only = |outcome: Result<_, Refused<ChangeError>>| {
        matches!(outcome, Err(Refused::Own(ChangeError::HoldersOnly)))
    };
    assert!(holders_only(run!(app, verbs::end_membership, by, (company.id, holder), None)));
    assert!(holders_only(run!(app, membership::add, by, company.id, holder, Role::Administrator)));
    let outcome = run!(app, verbs::change_role, by, (company.id, holder), None, Role::Manager);
    assert!(holders_only(outcome));

    let eva = app.user("eva@x.example").await.id;
    assert!(holders_only(run!(app, membership::add, by, company.id, eva, Role::Holder)));
    run!(app, membership::add, by, company.id, eva, Role::Employee).expect("added");
    let outcome = run!(app, verbs::change_role, by, (company.id, eva), None, Role::Holder);
    assert!(holders_only(outcome));
    run!(app, verbs::change_role, by, (company.id, eva), None, by).expect("an administrator more");
    run!(app, verbs::end_membership, by, (company.id, eva), None).expect("ended");

    run!(app, verbs::end_membership, Role::Holder, (company.id, second), None).expect("one holder is left");
    let back = run!(app, membership::add, by, company.id, second, Role::Auditor);
    assert_eq!(back.expect("holds nothing any more").role, Role::Auditor);
}

#[tokio::test]
async fn lesser_roles_change_no_membership() {
    let (app, company) = TestApp::with_company().await;
    let eva = app.user("eva@x.example").await.id;
    run!(app, membership::add, Role::Holder, company.id, eva, Role::Employee).expect("added");
    for by in Role::ALL.into_iter().filter(|role| !role.administers()) {
        let outcomes = [
            run!(app, membership::add, by, company.id, eva, Role::Auditor),
            run!(app, verbs::change_role, by, (company.id, eva), None, Role::Auditor),
            run!(app, verbs::end_membership, by, (company.id, eva), None),
        ];
        for outcome in outcomes {
            assert!(
                matches!(outcome, Err(Refused::Own(ChangeError::AdministratorsOnly))),
                "{by}: {outcome:?}"
            );
        }
    }
    let stored = app.storage.people().membership(company.id, eva).await.expect("find");
    assert_eq!(stored.map(|member| member.role), Some(Role::Employee));
}
