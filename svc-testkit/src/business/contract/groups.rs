//! Groups: members in order, and hidden when out of scope.

use svc_business::group::Group;
use svc_core::id::AccountId;
use svc_core::page::{PageRules, Sort};
use svc_core::resource::Version;

use super::{Storage, assert_conflict, attempt, insert_group, put_accounts, whole};
use crate::business::sample::{at, everything, group, id, scope};

/// A group comes back with its members, oldest first, before and after a change.
pub async fn a_group_comes_back_with_its_members(storage: Storage) {
    let [first, second, third] = put_accounts(&storage).await;
    let before = group(20, &[first, second]);
    insert_group(&storage, &before).await;
    assert_eq!(storage.groups().find(&everything(), before.id).await.expect("find"), Some(before.clone()));

    let changed = group(20, &[first, second, third]);
    let after = Group {
        name: "Otro nombre".to_owned(),
        parent: third,
        members: changed.members.into_iter().filter(|member| member.account != second).collect(),
        version: before.version.next(),
        updated_at: at(30),
        ..before.clone()
    };
    attempt!(storage, |unit| unit.groups().replace(&everything(), &before, &after)).expect("replace");
    assert_eq!(storage.groups().find(&everything(), before.id).await.expect("find"), Some(after.clone()));
    assert_conflict(&attempt!(storage, |unit| unit.groups().replace(&everything(), &before, &after)));
    let unknown = Group { id: id(99), version: Version::from_i64(2), ..after };
    assert_conflict(&attempt!(storage, |unit| unit.groups().replace(&everything(), &before, &unknown)));
}

/// A removed group is gone with its members, who may join another one; the stored version counts.
pub async fn a_removed_group_lets_its_members_go(storage: Storage) {
    let [first, second] = put_accounts(&storage).await;
    let before = group(20, &[first, second]);
    insert_group(&storage, &before).await;
    let stale = Group { version: before.version.next(), ..before.clone() };
    assert_conflict(&attempt!(storage, |unit| unit.groups().erase(&everything(), &stale)));
    let unknown = Group { id: id(99), ..before.clone() };
    assert_conflict(&attempt!(storage, |unit| unit.groups().erase(&everything(), &unknown)));
    assert_eq!(storage.groups().find(&everything(), before.id).await.expect("find"), Some(before.clone()));

    attempt!(storage, |unit| unit.groups().erase(&everything(), &before)).expect("remove");
    assert_eq!(storage.groups().find(&everything(), before.id).await.expect("find"), None);
    assert_eq!(
        storage
            .groups()
            .page(&scope(&[first, second]), &(), &Sort::default(), whole())
            .await
            .expect("page")
            .total,
        0
    );
    assert_conflict(&attempt!(storage, |unit| unit.groups().erase(&everything(), &before)));
    insert_group(&storage, &group(21, &[second])).await;
}

/// A scope reaches a group through any member, and sees only the members that it reaches.
pub async fn members_out_of_scope_are_left_out(storage: Storage) {
    let [first, second, stranger] = put_accounts(&storage).await;
    insert_group(&storage, &group(20, &[first, second])).await;
    let found = storage.groups().find(&scope(&[second]), id(20)).await.expect("find");
    let members: Vec<AccountId> =
        found.into_iter().flat_map(|group| group.members).map(|member| member.account).collect();
    assert_eq!(members, [second]);
    assert_eq!(storage.groups().find(&scope(&[stranger]), id(20)).await.expect("find"), None);
    assert_eq!(storage.groups().find(&scope(&[]), id(20)).await.expect("find"), None);
    assert_eq!(
        storage.groups().page(&scope(&[stranger]), &(), &Sort::default(), whole()).await.expect("page").total,
        0
    );
}

/// A caller of several companies sees a group whose parent is another one.
pub async fn a_group_is_listed_through_any_of_its_members(storage: Storage) {
    let [parent, second, third, stranger] = put_accounts(&storage).await;
    insert_group(&storage, &group(20, &[parent, second, third])).await;
    insert_group(&storage, &group(21, &[stranger])).await;
    let reached = scope(&[second, third]);
    let page = storage.groups().page(&reached, &(), &Sort::default(), whole()).await.expect("page");
    let found: Vec<_> = page.items.into_iter().map(|group| (group.id, group.members.len())).collect();
    assert_eq!((page.total, found), (1, vec![(id(20), 2)]));
}

/// Groups are listed oldest first, each once, in pages.
pub async fn groups_are_listed_oldest_first(storage: Storage) {
    let [first, second, third, fourth] = put_accounts(&storage).await;
    let old = Group { created_at: at(-10), ..group(22, &[third, fourth]) };
    for group in [&group(21, &[second]), &old, &group(20, &[first])] {
        insert_group(&storage, group).await;
    }
    let mut listed = Vec::new();
    for number in 1..=3 {
        let request = PageRules::USUAL.page(Some(number), Some(2)).expect("a page");
        let page = storage.groups().page(&everything(), &(), &Sort::default(), request).await.expect("page");
        assert_eq!(page.total, 3);
        listed.extend(page.items.into_iter().map(|group| (group.id, group.members.len())));
    }
    assert_eq!(listed, [(id(22), 2), (id(20), 1), (id(21), 1)]);
}
