use svc_business::group::{Group, GroupMember};
use svc_core::id::GroupId;
use svc_core::resource::Version;
use svc_core::tenant::Scope;

use super::fixture::{account, at, companies, everything, fixture, id, is_conflict, page, taken};

pub(super) fn group(number: u128, members: &[u128]) -> Group {
    Group {
        id: id(number),
        name: format!("Group {number}"),
        parent: id(1),
        members: members.iter().map(|member| member_of(*member)).collect(),
        version: Version::FIRST,
        created_at: at(0),
        updated_at: at(0),
    }
}

fn member_of(account: u128) -> GroupMember {
    GroupMember { account: id(account), ownership_percent: Some("33.33".to_owned()), since: at(0) }
}

#[tokio::test]
async fn a_group_shows_the_members_within_the_scope() {
    let db = fixture().await;
    db.add(&account(3)).await;
    let first = group(30, &[1, 2]);
    db.groups().insert(&first).await.expect("a new group");
    let find = async |scope: Scope| db.groups().find(&scope, id(30)).await.expect("an answer");
    assert_eq!(find(everything()).await, Some(first.clone()));
    let seen = find(companies([1, 3])).await.expect("within reach");
    assert_eq!(seen.members, [member_of(1)]);
    assert_eq!(find(companies([3])).await, None);
}

#[tokio::test]
async fn groups_are_replaced_whole_and_a_company_is_in_one_group_only() {
    let db = fixture().await;
    db.add(&account(3)).await;
    db.groups().insert(&group(30, &[1])).await.expect("a new group");
    let grown = Group { version: Version::FIRST.next(), ..group(30, &[1, 2]) };
    db.groups().replace(Version::FIRST, &grown).await.expect("the stored version");
    assert!(is_conflict(&db.groups().replace(Version::FIRST, &grown).await));
    assert_eq!(taken(&db.groups().insert(&group(31, &[2])).await), Some("accountId"));

    db.sql("DELETE FROM company_groups WHERE name = 'Group 31'").await;
    db.groups().insert(&group(32, &[3])).await.expect("a new group");
    let groups =
        async |scope: Scope, number| db.groups().page(&scope, page(number, 1)).await.expect("a page");
    let last = groups(everything(), 2).await;
    assert_eq!((last.total, last.items), (2, vec![group(32, &[3])]));
    let ours: Vec<GroupId> = groups(companies([2]), 1).await.items.iter().map(|group| group.id).collect();
    assert_eq!(ours, [id(30)]);
}
