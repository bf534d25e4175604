//! The company at the top of a group decides about it, so nobody takes its place unseen.

use svc_business::account::{self, Account, AccountInput, MergeError, MergeRequest, UpdateError};
use svc_business::group::{self, Group};
use svc_business::ports::BusinessStorage;
use svc_core::id::{AccountId, GroupId};
use svc_core::patch::Patch;
use svc_testkit::business::sample::everything;

use super::world::{World, company_input, run};

async fn subsidiary(world: &World, parent: AccountId, name: &str) -> Account {
    let creator = world.holder(parent).await;
    let input = AccountInput { parent: Patch::Value(parent), ..company_input(name) };
    run!(world, account::create_subsidiary, input, creator).expect("a subsidiary")
}

async fn find(world: &World, id: Option<GroupId>) -> Option<Group> {
    world.storage.groups().find(&everything(), id.expect("in a group")).await.expect("find")
}

async fn merge(world: &World, survivor: AccountId, absorbed: AccountId) -> Result<Account, MergeError> {
    let request = MergeRequest::default();
    run!(world, account::merge, survivor, None, absorbed, request, survivor)
}

async fn below(world: &World, company: AccountId, parent: Patch<AccountId>) -> Result<Account, UpdateError> {
    let input = AccountInput { parent, ..AccountInput::default() };
    run!(world, account::update, company, None, input)
}

#[tokio::test]
async fn a_company_of_a_group_does_not_go_to_the_top_of_it_by_itself() {
    let (world, top) = World::with_company().await;
    let middle = subsidiary(&world, top.id, "Medio SL").await;
    let bottom = subsidiary(&world, middle.id, "Abajo SL").await;
    world.events();
    for company in [&middle, &bottom] {
        let refused = below(&world, company.id, Patch::Null).await;
        assert!(
            matches!(refused, Err(UpdateError::Parentless(id)) if Some(id) == middle.group),
            "{refused:?}"
        );
        assert_eq!(world.account(company.id).await, *company);
    }
    assert_eq!(world.events(), Vec::<String>::new());
    let same = below(&world, top.id, Patch::Null).await.expect("the top has none");
    assert_eq!(same, world.account(top.id).await);
}

#[tokio::test]
async fn the_parent_of_a_group_is_not_merged_away_from_its_companies() {
    let (world, top) = World::with_company().await;
    let middle = subsidiary(&world, top.id, "Medio SL").await;
    let bottom = subsidiary(&world, middle.id, "Abajo SL").await;
    let outside = world.company("Fuera SL").await;
    // Nothing active is below the top, and still it decides about the two.
    for company in [bottom.id, middle.id] {
        run!(world, account::deactivate, company, None, top.id).expect("deactivated");
    }
    let before = find(&world, middle.group).await;
    let refused = merge(&world, outside.id, top.id).await;
    assert!(matches!(refused, Err(MergeError::ParentStays)), "{refused:?}");
    run!(world, account::reactivate, bottom.id, None).expect("active, below one that is not");
    for survivor in [outside.id, bottom.id] {
        let refused = merge(&world, survivor, top.id).await;
        assert!(matches!(refused, Err(MergeError::ParentStays)), "{refused:?}");
    }
    assert_eq!(find(&world, middle.group).await, before);
    assert_eq!(world.account(bottom.id).await.parent, Some(middle.id));

    let id = before.expect("the group").id;
    for company in [bottom.id, middle.id] {
        run!(world, group::remove, id, None, company).expect("left");
    }
    merge(&world, outside.id, top.id).await.expect("it is alone now");
    assert_eq!(find(&world, Some(id)).await, None, "the group ends with it");
}

#[tokio::test]
async fn what_was_below_a_merged_company_stays_in_the_tree_of_the_group() {
    let (world, top) = World::with_company().await;
    let merged = subsidiary(&world, top.id, "Absorbida SL").await;
    let [below_it, other] =
        [subsidiary(&world, merged.id, "Baja SL").await, subsidiary(&world, top.id, "Otra SL").await];
    run!(world, account::deactivate, below_it.id, None, top.id).expect("deactivated");
    merge(&world, other.id, merged.id).await.expect("merged within the group");
    assert_eq!(world.account(below_it.id).await.parent, Some(other.id));

    let outside = world.company("Fuera SL").await;
    merge(&world, outside.id, other.id).await.expect("merged out of the group");
    assert_eq!(world.account(below_it.id).await.parent, Some(top.id));
    let after = find(&world, merged.group).await.expect("the group");
    let members: Vec<_> = after.members.iter().map(|member| member.account).collect();
    assert_eq!((after.parent, members), (top.id, vec![top.id, below_it.id]));
}

#[tokio::test]
async fn a_merge_into_a_company_further_down_makes_no_cycle() {
    let (world, top) = World::with_company().await;
    let merged = subsidiary(&world, top.id, "Absorbida SL").await;
    let between = subsidiary(&world, merged.id, "Entre SL").await;
    let survivor = subsidiary(&world, between.id, "Queda SL").await;
    for company in [survivor.id, between.id] {
        run!(world, account::deactivate, company, None, top.id).expect("deactivated");
    }
    run!(world, account::reactivate, survivor.id, None).expect("active, below one that is not");
    merge(&world, survivor.id, merged.id).await.expect("merged");
    assert_eq!(world.account(between.id).await.parent, Some(top.id));
    assert_eq!(world.account(survivor.id).await.parent, Some(between.id));
}
