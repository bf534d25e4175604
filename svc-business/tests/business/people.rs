//! Users and memberships.

use svc_business::membership::{self, ChangeError, MembershipStatus};
use svc_business::user;
use svc_core::resource::Expected;
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
    assert!(matches!(outcome, Err(user::CreateError::EmailTaken)));
    let outcome = run!(app, user::create, request("x", Some(""), Some("?")));
    let Err(user::CreateError::Invalid(invalid)) = outcome else { panic!("expected findings") };
    assert_eq!(findings(&invalid), ["email invalid_email", "name required", "locale invalid_language"]);
}

#[tokio::test]
async fn an_active_company_keeps_a_holder() {
    let (app, company) = TestApp::with_company().await;
    let first = app.holder(company.id).await;
    let last = |outcome: Result<_, ChangeError>| matches!(outcome, Err(ChangeError::LastHolder));
    assert!(last(run!(app, membership::end, Role::Holder, company.id, first, &Expected::Any)));
    assert!(last(run!(app, membership::add, Role::Holder, company.id, first, Role::Manager)));

    let second = app.user("second@x.example").await.id;
    run!(app, membership::add, Role::Holder, company.id, second, Role::Holder).expect("a second holder");
    let ended =
        run!(app, membership::end, Role::Holder, company.id, first, &Expected::Any).expect("one is left");
    assert_eq!(ended.status, MembershipStatus::Ended);
    assert!(matches!(
        run!(app, membership::end, Role::Holder, company.id, first, &Expected::Any),
        Err(ChangeError::NotMember)
    ));
    let back =
        run!(app, membership::add, Role::Holder, company.id, first, Role::Auditor).expect("back again");
    assert_eq!((back.id, back.role, back.status), (ended.id, Role::Auditor, MembershipStatus::Active));
    let same = run!(app, membership::add, Role::Holder, company.id, first, Role::Auditor).expect("a no-op");
    assert_eq!(same, back);
    assert!(last(run!(app, membership::end, Role::Holder, company.id, second, &Expected::Any)));
    assert!(matches!(
        run!(app, membership::add, Role::Holder, id(1), second, Role::Holder),
        Err(ChangeError::UnknownAccount)
    ));
    assert!(matches!(
        run!(app, membership::add, Role::Holder, company.id, id(1), Role::Holder),
        Err(ChangeError::UnknownUser)
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
    let after = run!(app, membership::change_role, by, account, user, &verbs::expected(expected), role)
        .expect("changed");
    assert_eq!((after.id, after.role, after.version), (added.id, Role::Manager, added.version.next()));
    assert_eq!((after.accepted_at, after.updated_at), (added.accepted_at, app.now));
    let stale =
        run!(app, membership::change_role, by, account, user, &verbs::expected(expected), Role::Auditor);
    assert!(matches!(stale, Err(ChangeError::VersionConflict { current }) if current == after.version));
    let stale = run!(app, membership::end, by, account, user, &verbs::expected(expected));
    assert!(matches!(stale, Err(ChangeError::VersionConflict { current }) if current == after.version));
    let same = run!(app, membership::change_role, by, account, user, &Expected::Any, role).expect("a no-op");
    assert_eq!(same, after);
    let stranger = run!(app, membership::change_role, by, account, id(1), &Expected::Any, role);
    assert!(matches!(stranger, Err(ChangeError::NotMember)));
    run!(app, membership::end, by, account, user, &Expected::Any).expect("ended");
    let gone = run!(app, membership::change_role, by, account, user, &Expected::Any, role);
    assert!(matches!(gone, Err(ChangeError::NotMember)));
}

#[tokio::test]
async fn the_last_holder_is_not_given_another_role() {
    let (app, company) = TestApp::with_company().await;
    let holder = app.holder(company.id).await;
    let outcome = run!(
        app,
        membership::change_role,
        Role::Holder,
        company.id,
        holder,
        &Expected::Any,
        Role::Administrator
    );
    assert!(matches!(outcome, Err(ChangeError::LastHolder)));
}

#[tokio::test]
async fn an_administrator_changes_everybody_but_holders_and_makes_none() {
    let (app, company) = TestApp::with_company().await;
    let by = Role::Administrator;
    let holder = app.holder(company.id).await;
    let second = app.user("second@x.example").await.id;
    run!(app, membership::add, Role::Holder, company.id, second, Role::Holder).expect("a second holder");
    let holders_only = |outcome: Result<_, ChangeError>| matches!(outcome, Err(ChangeError::HoldersOnly));
    assert!(holders_only(run!(app, membership::end, by, company.id, holder, &Expected::Any)));
    assert!(holders_only(run!(app, membership::add, by, company.id, holder, Role::Administrator)));
    let outcome = run!(app, membership::change_role, by, company.id, holder, &Expected::Any, Role::Manager);
    assert!(holders_only(outcome));

    let eva = app.user("eva@x.example").await.id;
    assert!(holders_only(run!(app, membership::add, by, company.id, eva, Role::Holder)));
    run!(app, membership::add, by, company.id, eva, Role::Employee).expect("added");
    let outcome = run!(app, membership::change_role, by, company.id, eva, &Expected::Any, Role::Holder);
    assert!(holders_only(outcome));
    run!(app, membership::change_role, by, company.id, eva, &Expected::Any, by)
        .expect("an administrator more");
    run!(app, membership::end, by, company.id, eva, &Expected::Any).expect("ended");

    run!(app, membership::end, Role::Holder, company.id, second, &Expected::Any).expect("one holder is left");
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
            run!(app, membership::change_role, by, company.id, eva, &Expected::Any, Role::Auditor),
            run!(app, membership::end, by, company.id, eva, &Expected::Any),
        ];
        for outcome in outcomes {
            assert!(matches!(outcome, Err(ChangeError::AdministratorsOnly)), "{by}: {outcome:?}");
        }
    }
    let stored = app.storage.people().membership(company.id, eva).await.expect("find");
    assert_eq!(stored.map(|member| member.role), Some(Role::Employee));
}
