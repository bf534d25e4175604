//! Groups of companies.

use svc_business::account::AccountInput;
use svc_business::founding;
use svc_business::group::{self, ChangeError, Group, UpdateRequest};
use svc_core::id::{AccountId, GroupId, UserId};
use svc_core::patch::Patch;
use svc_core::refused::Refused;
use svc_testkit::business::sample::{everything, id, scope};

use super::test_app::{TestApp, company_input, findings, run};
use svc_testkit::business::verbs;

#[tokio::test]
async fn a_company_joins_one_group() {
    let (app, top) = TestApp::with_company().await;
    let other = app.company("Otra SL").await;
    app.events().await;
    let request = group::CreateRequest { name: "Grupo".to_owned(), parent: top.id };
    let made = run!(app, group::create, request.clone()).expect("a group");
    let add = |share: &str| group::AddRequest {
        group: made.id,
        account: other.id,
        ownership_percent: Some(share.to_owned()),
    };
    let outcome = run!(app, group::add, add("51.555"));
    assert!(matches!(outcome, Err(Refused::Invalid(_))));
    let after = run!(app, group::add, add("51.50")).expect("added");
    let shares: Vec<_> = after.members.iter().map(|member| member.ownership_percent.as_deref()).collect();
    assert_eq!(shares, [None, Some("51.5")]);
    let member = app.account(other.id).await;
    assert_eq!((member.group, member.parent, member.version.as_i64()), (Some(made.id), Some(top.id), 2));
    let expected = [top.id, other.id].map(|id| format!("account.update {id}"));
    assert_eq!(app.events().await, expected);
    assert!(
        matches!(run!(app, group::add, add("1")), Err(Refused::Own(ChangeError::InGroup(id))) if id == other.id)
    );
    assert!(matches!(run!(app, group::create, request), Err(Refused::Own(ChangeError::InGroup(_)))));
    let unknown = group::AddRequest { group: id(1), ..add("1") };
    assert!(matches!(run!(app, group::add, unknown), Err(Refused::NotFound)));
    let unknown = group::AddRequest { account: id(1), ..add("1") };
    assert!(matches!(run!(app, group::add, unknown), Err(Refused::Own(ChangeError::UnknownAccount(_)))));
}

/// A group of three: one at the top, one below it, one below that.
async fn tree() -> (TestApp, Group, [AccountId; 3]) {
    let (app, top) = TestApp::with_company().await;
    let creator = app.holder(top.id).await;
    let middle = subsidiary(&app, top.id, creator).await;
    let bottom = subsidiary(&app, middle, creator).await;
    let group = app.account(top.id).await.group.expect("it has subsidiaries");
    app.events().await;
    let group = find(&app, group).await.expect("the group");
    (app, group, [top.id, middle, bottom])
}

async fn subsidiary(app: &TestApp, parent: AccountId, creator: UserId) -> AccountId {
    let input = AccountInput { parent: Patch::Value(parent), ..company_input("Hija SL") };
    run!(app, founding::create_subsidiary, input, creator).expect("a subsidiary").id
}

async fn find(app: &TestApp, group: GroupId) -> Option<Group> {
    app.storage.groups().find(&everything(), group).await.expect("find")
}

/// Group and parent of a company.
async fn place(app: &TestApp, company: AccountId) -> (Option<GroupId>, Option<AccountId>) {
    let company = app.account(company).await;
    (company.group, company.parent)
}

fn rename(name: &str) -> UpdateRequest {
    UpdateRequest { name: Some(name.to_owned()) }
}

#[tokio::test]
async fn a_group_is_renamed_at_the_version_that_the_caller_knows() {
    let (app, before, _) = tree().await;
    let expected = Some(before.version);
    let outcome = run!(app, verbs::update_group, before.id, expected, rename(" "));
    assert!(matches!(outcome, Err(Refused::Invalid(it)) if findings(&it) == ["name required"]));
    let after = run!(app, verbs::update_group, before.id, expected, rename("Grupo Sol")).expect("renamed");
    assert_eq!(find(&app, before.id).await.as_ref(), Some(&after));
    let renamed = Group {
        name: "Grupo Sol".to_owned(),
        version: before.version.next(),
        updated_at: app.now,
        ..before.clone()
    };
    assert_eq!(after, renamed);
    let same = run!(app, verbs::update_group, before.id, None, rename("Grupo Sol")).expect("a no-op");
    assert_eq!(same, after);
    let none = run!(app, verbs::update_group, before.id, None, UpdateRequest::default()).expect("a no-op");
    assert_eq!(none, after);
    let stale = run!(app, verbs::update_group, before.id, expected, rename("Otro"));
    assert!(matches!(stale, Err(Refused::VersionConflict { current }) if current == after.version));
    assert_eq!(app.events().await, Vec::<String>::new(), "a company's group is told by its id");
}

#[tokio::test]
async fn a_company_that_leaves_stands_alone_and_what_was_below_it_goes_to_the_top() {
    let (app, before, [top, middle, bottom]) = tree().await;
    run!(app, verbs::leave_group, before.id, Some(before.version), middle).expect("left");
    assert_eq!(place(&app, middle).await, (None, None));
    assert_eq!(place(&app, bottom).await, (Some(before.id), Some(top)));
    let after = find(&app, before.id).await.expect("the group");
    assert_eq!(after.version, before.version.next());
    let members: Vec<_> = after.members.iter().map(|member| member.account).collect();
    assert_eq!(members, [top, bottom]);
    assert_eq!(app.events().await, [bottom, middle].map(|id| format!("account.update {id}")));
    let again = run!(app, verbs::leave_group, before.id, None, middle);
    assert!(matches!(again, Err(Refused::Own(ChangeError::NotInGroup(id))) if id == middle));
}

#[tokio::test]
async fn the_parent_leaves_last_and_the_group_ends_with_it() {
    let (app, group, [top, middle, bottom]) = tree().await;
    let outcome = run!(app, verbs::leave_group, group.id, None, top);
    assert!(matches!(outcome, Err(Refused::Own(ChangeError::ParentStays))));
    for company in [middle, bottom, top] {
        run!(app, verbs::leave_group, group.id, None, company).expect("left");
    }
    assert_eq!(find(&app, group.id).await, None);
    for company in [top, middle, bottom] {
        assert_eq!(place(&app, company).await, (None, None));
    }
}

#[tokio::test]
async fn a_dissolved_group_leaves_every_company_alone() {
    let (app, group, companies) = tree().await;
    run!(app, verbs::deactivate_account, companies[2], None, companies[0]).expect("deactivated");
    let group = find(&app, group.id).await.expect("the group");
    app.events().await;
    let stale = Some(group.version.next());
    let outcome = run!(app, verbs::dissolve_group, group.id, stale);
    assert!(matches!(outcome, Err(Refused::VersionConflict { current }) if current == group.version));
    run!(app, verbs::dissolve_group, group.id, Some(group.version)).expect("dissolved");
    assert_eq!(find(&app, group.id).await, None);
    for company in companies {
        assert_eq!(place(&app, company).await, (None, None));
    }
    let mut events = app.events().await;
    events.sort();
    let mut expected = companies.map(|id| format!("account.update {id}"));
    expected.sort();
    assert_eq!(events, expected);
    assert!(matches!(run!(app, verbs::dissolve_group, group.id, None), Err(Refused::NotFound)));
}

#[tokio::test]
async fn the_parent_decides_about_a_group_and_a_company_about_itself() {
    let (mut app, group, [top, middle, bottom]) = tree().await;
    let other = app.company("Otra SL").await.id;
    app.scope = scope(&[middle, other]);
    let outcomes = [
        run!(app, verbs::update_group, group.id, None, rename("Nuestro")).map(|_| ()),
        run!(app, verbs::dissolve_group, group.id, None),
        run!(app, verbs::leave_group, group.id, None, bottom),
        run!(app, verbs::leave_group, group.id, None, top),
        run!(app, group::add, add(group.id, other)).map(|_| ()),
    ];
    for outcome in outcomes {
        assert!(matches!(outcome, Err(Refused::Own(ChangeError::ParentOnly))), "{outcome:?}");
    }
    assert_eq!(find(&app, group.id).await, Some(group.clone()));
    run!(app, verbs::leave_group, group.id, None, middle).expect("goes by itself");
    assert_eq!(place(&app, middle).await, (None, None));
    let gone = run!(app, verbs::dissolve_group, group.id, None);
    assert!(matches!(gone, Err(Refused::NotFound)), "out of reach now: {gone:?}");

    app.scope = scope(&[top]);
    let outcome = run!(app, group::add, add(group.id, other));
    assert!(
        matches!(outcome, Err(Refused::Own(ChangeError::UnknownAccount(id))) if id == other),
        "{outcome:?}"
    );
    run!(app, verbs::leave_group, group.id, None, bottom).expect("the parent decides");
}

fn add(group: GroupId, account: AccountId) -> group::AddRequest {
    group::AddRequest { group, account, ownership_percent: None }
}
