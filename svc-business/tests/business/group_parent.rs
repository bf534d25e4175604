//! The company at the top of a group decides about it, so no other one takes its place unseen.

use svc_business::account::{Account, AccountInput, MergeError, MergeRequest, UpdateError};
use svc_business::founding;
use svc_business::group::Group;
use svc_core::id::{AccountId, GroupId};
use svc_core::patch::Patch;
use svc_core::refused::Refused;
use svc_testkit::business::sample::everything;

use super::test_app::{TestApp, company_input, run};
use svc_testkit::business::verbs;

async fn subsidiary(app: &TestApp, parent: AccountId, name: &str) -> Account {
    let creator = app.holder(parent).await;
    let input = AccountInput { parent: Patch::Value(parent), ..company_input(name) };
    run!(app, founding::create_subsidiary, input, creator).expect("a subsidiary")
}

async fn find(app: &TestApp, id: Option<GroupId>) -> Option<Group> {
    app.storage.groups().find(&everything(), id.expect("in a group")).await.expect("find")
}

async fn merge(
    app: &TestApp,
    survivor: AccountId,
    absorbed: AccountId,
) -> Result<Account, Refused<MergeError>> {
    let request = MergeRequest::default();
    run!(app, verbs::merge_account, survivor, None, absorbed, request, survivor)
}

async fn below(
    app: &TestApp,
    company: AccountId,
    parent: Patch<AccountId>,
) -> Result<Account, Refused<UpdateError>> {
    let input = AccountInput { parent, ..AccountInput::default() };
    run!(app, verbs::update_account, company, None, input)
}

#[tokio::test]
async fn a_company_of_a_group_does_not_go_to_the_top_of_it_by_itself() {
    let (app, top) = TestApp::with_company().await;
    let middle = subsidiary(&app, top.id, "Medio SL").await;
    let bottom = subsidiary(&app, middle.id, "Abajo SL").await;
    app.events().await;
    for company in [&middle, &bottom] {
        let refused = below(&app, company.id, Patch::Null).await;
        assert!(
            matches!(refused, Err(Refused::Own(UpdateError::Parentless(id))) if Some(id) == middle.group),
            "{refused:?}"
        );
        assert_eq!(app.account(company.id).await, *company);
    }
    assert_eq!(app.events().await, Vec::<String>::new());
    let same = below(&app, top.id, Patch::Null).await.expect("the top has none");
    assert_eq!(same, app.account(top.id).await);
}

#[tokio::test]
async fn the_parent_of_a_group_is_not_merged_away_from_its_companies() {
    let (app, top) = TestApp::with_company().await;
    let middle = subsidiary(&app, top.id, "Medio SL").await;
    let bottom = subsidiary(&app, middle.id, "Abajo SL").await;
    let outside = app.company("Fuera SL").await;
    // Nothing active is below the top, and still it decides about the two.
    for company in [bottom.id, middle.id] {
        run!(app, verbs::deactivate_account, company, None, top.id).expect("deactivated");
    }
    let before = find(&app, middle.group).await;
    let refused = merge(&app, outside.id, top.id).await;
    assert!(matches!(refused, Err(Refused::Own(MergeError::ParentStays))), "{refused:?}");
    run!(app, verbs::reactivate_account, bottom.id, None).expect("active, below one that is not");
    for survivor in [outside.id, bottom.id] {
        let refused = merge(&app, survivor, top.id).await;
        assert!(matches!(refused, Err(Refused::Own(MergeError::ParentStays))), "{refused:?}");
    }
    assert_eq!(find(&app, middle.group).await, before);
    assert_eq!(app.account(bottom.id).await.parent, Some(middle.id));

    let id = before.expect("the group").id;
    for company in [bottom.id, middle.id] {
        run!(app, verbs::leave_group, id, None, company).expect("left");
    }
    merge(&app, outside.id, top.id).await.expect("it is alone now");
    assert_eq!(find(&app, Some(id)).await, None, "the group ends with it");
}

#[tokio::test]
async fn what_was_below_a_merged_company_stays_in_the_tree_of_the_group() {
    let (app, top) = TestApp::with_company().await;
    let merged = subsidiary(&app, top.id, "Absorbida SL").await;
    let [below_it, other] =
        [subsidiary(&app, merged.id, "Baja SL").await, subsidiary(&app, top.id, "Otra SL").await];
    run!(app, verbs::deactivate_account, below_it.id, None, top.id).expect("deactivated");
    merge(&app, other.id, merged.id).await.expect("merged within the group");
    assert_eq!(app.account(below_it.id).await.parent, Some(other.id));

    let outside = app.company("Fuera SL").await;
    merge(&app, outside.id, other.id).await.expect("merged out of the group");
    assert_eq!(app.account(below_it.id).await.parent, Some(top.id));
    let after = find(&app, merged.group).await.expect("the group");
    let members: Vec<_> = after.members.iter().map(|member| member.account).collect();
    assert_eq!((after.parent, members), (top.id, vec![top.id, below_it.id]));
}

#[tokio::test]
async fn a_merge_into_a_company_further_down_makes_no_cycle() {
    let (app, top) = TestApp::with_company().await;
    let merged = subsidiary(&app, top.id, "Absorbida SL").await;
    let between = subsidiary(&app, merged.id, "Entre SL").await;
    let survivor = subsidiary(&app, between.id, "Queda SL").await;
    for company in [survivor.id, between.id] {
        run!(app, verbs::deactivate_account, company, None, top.id).expect("deactivated");
    }
    run!(app, verbs::reactivate_account, survivor.id, None).expect("active, below one that is not");
    merge(&app, survivor.id, merged.id).await.expect("merged");
    assert_eq!(app.account(between.id).await.parent, Some(top.id));
    assert_eq!(app.account(survivor.id).await.parent, Some(between.id));
}
