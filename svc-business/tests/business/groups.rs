//! Groups of companies.

use svc_business::account::{self, AccountInput};
use svc_business::group::{self, ChangeError, Group, UpdateRequest};
use svc_business::ports::BusinessStorage;
use svc_core::id::{AccountId, GroupId, UserId};
use svc_core::patch::Patch;
use svc_testkit::business::sample::{everything, id, scope};

use super::world::{World, company_input, findings, run};

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
    assert!(matches!(outcome, Err(ChangeError::Invalid(_))));
    let after = run!(world, group::add, add("51.50")).expect("added");
    let shares: Vec<_> = after.members.iter().map(|member| member.ownership_percent.as_deref()).collect();
    assert_eq!(shares, [None, Some("51.5")]);
    let member = world.account(other.id).await;
    assert_eq!((member.group, member.parent, member.version.as_i64()), (Some(made.id), Some(top.id), 2));
    let expected = [top.id, other.id].map(|id| format!("account.update {id}"));
    assert_eq!(world.events(), expected);
    assert!(matches!(run!(world, group::add, add("1")), Err(ChangeError::InGroup(id)) if id == other.id));
    assert!(matches!(run!(world, group::create, request), Err(ChangeError::InGroup(_))));
    let unknown = group::AddRequest { group: id(1), ..add("1") };
    assert!(matches!(run!(world, group::add, unknown), Err(ChangeError::NotFound)));
    let unknown = group::AddRequest { account: id(1), ..add("1") };
    assert!(matches!(run!(world, group::add, unknown), Err(ChangeError::UnknownAccount(_))));
}

/// A group of three: one at the top, one below it, one below that.
async fn tree() -> (World, Group, [AccountId; 3]) {
    let (world, top) = World::with_company().await;
    let creator = world.holder(top.id).await;
    let middle = subsidiary(&world, top.id, creator).await;
    let bottom = subsidiary(&world, middle, creator).await;
    let group = world.account(top.id).await.group.expect("it has subsidiaries");
    world.events();
    let group = find(&world, group).await.expect("the group");
    (world, group, [top.id, middle, bottom])
}

async fn subsidiary(world: &World, parent: AccountId, creator: UserId) -> AccountId {
    let input = AccountInput { parent: Patch::Value(parent), ..company_input("Hija SL") };
    run!(world, account::create_subsidiary, input, creator).expect("a subsidiary").id
}

async fn find(world: &World, group: GroupId) -> Option<Group> {
    world.storage.groups().find(&everything(), group).await.expect("find")
}

/// Group and parent of a company.
async fn place(world: &World, company: AccountId) -> (Option<GroupId>, Option<AccountId>) {
    let company = world.account(company).await;
    (company.group, company.parent)
}

fn rename(name: &str) -> UpdateRequest {
    UpdateRequest { name: Some(name.to_owned()) }
}

#[tokio::test]
async fn a_group_is_renamed_at_the_version_that_the_caller_knows() {
    let (world, before, _) = tree().await;
    let expected = Some(before.version);
    let outcome = run!(world, group::update, before.id, expected, rename(" "));
    assert!(matches!(outcome, Err(ChangeError::Invalid(it)) if findings(&it) == ["name required"]));
    let after = run!(world, group::update, before.id, expected, rename("Grupo Sol")).expect("renamed");
    assert_eq!(find(&world, before.id).await.as_ref(), Some(&after));
    let renamed = Group {
        name: "Grupo Sol".to_owned(),
        version: before.version.next(),
        updated_at: world.now,
        ..before.clone()
    };
    assert_eq!(after, renamed);
    let same = run!(world, group::update, before.id, None, rename("Grupo Sol")).expect("a no-op");
    assert_eq!(same, after);
    let none = run!(world, group::update, before.id, None, UpdateRequest::default()).expect("a no-op");
    assert_eq!(none, after);
    let stale = run!(world, group::update, before.id, expected, rename("Otro"));
    assert!(matches!(stale, Err(ChangeError::VersionConflict { current }) if current == after.version));
    assert_eq!(world.events(), Vec::<String>::new(), "a company's group is told by its id");
}

#[tokio::test]
async fn a_company_that_leaves_stands_alone_and_what_was_below_it_goes_to_the_top() {
    let (world, before, [top, middle, bottom]) = tree().await;
    run!(world, group::remove, before.id, Some(before.version), middle).expect("left");
    assert_eq!(place(&world, middle).await, (None, None));
    assert_eq!(place(&world, bottom).await, (Some(before.id), Some(top)));
    let after = find(&world, before.id).await.expect("the group");
    assert_eq!(after.version, before.version.next());
    let members: Vec<_> = after.members.iter().map(|member| member.account).collect();
    assert_eq!(members, [top, bottom]);
    assert_eq!(world.events(), [bottom, middle].map(|id| format!("account.update {id}")));
    let again = run!(world, group::remove, before.id, None, middle);
    assert!(matches!(again, Err(ChangeError::NotInGroup(id)) if id == middle));
}

#[tokio::test]
async fn the_parent_leaves_last_and_the_group_ends_with_it() {
    let (world, group, [top, middle, bottom]) = tree().await;
    let outcome = run!(world, group::remove, group.id, None, top);
    assert!(matches!(outcome, Err(ChangeError::ParentStays)));
    for company in [middle, bottom, top] {
        run!(world, group::remove, group.id, None, company).expect("left");
    }
    assert_eq!(find(&world, group.id).await, None);
    for company in [top, middle, bottom] {
        assert_eq!(place(&world, company).await, (None, None));
    }
}

#[tokio::test]
async fn a_dissolved_group_leaves_every_company_alone() {
    let (world, group, companies) = tree().await;
    run!(world, account::deactivate, companies[2], None, companies[0]).expect("deactivated");
    let group = find(&world, group.id).await.expect("the group");
    world.events();
    let stale = Some(group.version.next());
    let outcome = run!(world, group::dissolve, group.id, stale);
    assert!(matches!(outcome, Err(ChangeError::VersionConflict { current }) if current == group.version));
    run!(world, group::dissolve, group.id, Some(group.version)).expect("dissolved");
    assert_eq!(find(&world, group.id).await, None);
    for company in companies {
        assert_eq!(place(&world, company).await, (None, None));
    }
    let mut events = world.events();
    events.sort();
    let mut expected = companies.map(|id| format!("account.update {id}"));
    expected.sort();
    assert_eq!(events, expected);
    assert!(matches!(run!(world, group::dissolve, group.id, None), Err(ChangeError::NotFound)));
}

#[tokio::test]
async fn the_parent_decides_about_a_group_and_a_company_about_itself() {
    let (mut world, group, [top, middle, bottom]) = tree().await;
    let other = world.company("Otra SL").await.id;
    world.scope = scope(&[middle, other]);
    let outcomes = [
        run!(world, group::update, group.id, None, rename("Nuestro")).map(|_| ()),
        run!(world, group::dissolve, group.id, None),
        run!(world, group::remove, group.id, None, bottom),
        run!(world, group::remove, group.id, None, top),
        run!(world, group::add, add(group.id, other)).map(|_| ()),
    ];
    for outcome in outcomes {
        assert!(matches!(outcome, Err(ChangeError::ParentOnly)), "{outcome:?}");
    }
    assert_eq!(find(&world, group.id).await, Some(group.clone()));
    run!(world, group::remove, group.id, None, middle).expect("goes by itself");
    assert_eq!(place(&world, middle).await, (None, None));
    let gone = run!(world, group::dissolve, group.id, None);
    assert!(matches!(gone, Err(ChangeError::NotFound)), "out of reach now: {gone:?}");

    world.scope = scope(&[top]);
    let outcome = run!(world, group::add, add(group.id, other));
    assert!(matches!(outcome, Err(ChangeError::UnknownAccount(id)) if id == other), "{outcome:?}");
    run!(world, group::remove, group.id, None, bottom).expect("the parent decides");
}

fn add(group: GroupId, account: AccountId) -> group::AddRequest {
    group::AddRequest { group, account, ownership_percent: None }
}
