//! What changes of memberships, groups and API access leave in the audit log.

use serde_json::{Value, json};
use svc_business::account::{self, AccountInput, MergeRequest};
use svc_business::founding;
use svc_business::group::{self, UpdateRequest};
use svc_business::membership;
use svc_core::audit::{Actor, Details, Record};
use svc_core::id::{AccountId, UserId};
use svc_core::patch::Patch;
use svc_core::role::Role;

use super::test_app::{TestApp, company_input, run};
use svc_testkit::business::verbs;

/// Action, subject, state before and state after of each entry of a company.
async fn told(app: &TestApp, company: AccountId) -> Vec<(String, String, Value, Value)> {
    let value = |details: Option<&Details>| {
        details.map_or(Value::Null, |details| serde_json::from_str(details.as_str()).expect("JSON"))
    };
    let entries = app.storage.log(company).await;
    let told = entries.iter().map(|Record { entry, .. }| {
        assert_eq!((entry.at, &entry.actor), (app.now, &Actor::OPERATOR));
        let states = (value(entry.before.as_ref()), value(entry.after.as_ref()));
        (entry.action.name().to_owned(), entry.subject.clone(), states.0, states.1)
    });
    told.collect()
}

async fn actions(app: &TestApp, company: AccountId) -> Vec<String> {
    told(app, company).await.into_iter().map(|(action, ..)| action).collect()
}

fn member(user: UserId, role: &str, status: &str) -> Value {
    json!({ "userId": user, "role": role, "status": status })
}

#[tokio::test]
async fn a_membership_tells_its_whole_life() {
    let (app, company) = TestApp::with_company().await;
    let eva = app.user("eva@x.example").await.id;
    let (by, account) = (Role::Holder, company.id);
    let id = run!(app, membership::add, by, account, eva, Role::Auditor).expect("added").id;
    run!(app, membership::add, by, account, eva, Role::Manager).expect("another role");
    run!(app, verbs::change_role, by, (account, eva), None, Role::Employee).expect("another role");
    run!(app, verbs::end_membership, by, (account, eva), None).expect("ended");
    run!(app, membership::add, by, account, eva, Role::Employee).expect("back again");

    let steps = [
        ("member.add", Value::Null, member(eva, "auditor", "active")),
        ("member.update", member(eva, "auditor", "active"), member(eva, "manager", "active")),
        ("member.update", member(eva, "manager", "active"), member(eva, "employee", "active")),
        ("member.remove", member(eva, "employee", "active"), member(eva, "employee", "ended")),
        ("member.add", member(eva, "employee", "ended"), member(eva, "employee", "active")),
    ];
    let expected = steps.map(|(action, before, after)| (action.to_owned(), id.to_string(), before, after));
    assert_eq!(told(&app, account).await[1..], expected, "after the entry of the holder");
    assert!(!format!("{:?}", app.storage.log(account).await).contains("eva@x.example"));
}

#[tokio::test]
async fn what_changes_nothing_or_is_refused_leaves_no_entry() {
    let (app, company) = TestApp::with_company().await;
    let (by, account) = (Role::Holder, company.id);
    let holder = app.holder(account).await;
    run!(app, membership::add, by, account, holder, Role::Holder).expect("a no-op");
    run!(app, verbs::change_role, by, (account, holder), None, Role::Holder).expect("a no-op");
    run!(app, account::set_api_access, account, true).expect("a no-op");
    run!(app, verbs::end_membership, by, (account, holder), None).expect_err("the last holder");
    run!(app, verbs::end_membership, Role::Auditor, (account, holder), None).expect_err("not theirs to end");
    assert_eq!(actions(&app, account).await, ["member.add"]);
}

#[tokio::test]
async fn a_new_company_begins_with_its_holder() {
    let (app, company) = TestApp::with_company().await;
    let holder = app.holder(company.id).await;
    let page = told(&app, company.id).await;
    assert_eq!(page.len(), 1);
    assert_eq!((page[0].0.as_str(), &page[0].3), ("member.add", &member(holder, "holder", "active")));
    assert!(page[0].1.starts_with("mem_"));
}

#[tokio::test]
async fn a_first_subsidiary_brings_both_companies_into_a_group() {
    let (app, parent) = TestApp::with_company().await;
    let creator = app.holder(parent.id).await;
    let input = AccountInput { parent: Patch::Value(parent.id), ..company_input("Hija SL") };
    let daughter = run!(app, founding::create_subsidiary, input, creator).expect("a subsidiary");
    let group = daughter.group.expect("in its parent's group").to_string();
    let joined = |company: AccountId| {
        let view = json!({
            "accountId": company, "name": "Sol SL", "parentAccountId": parent.id, "ownershipPercent": null,
        });
        ("group.join".to_owned(), group.clone(), Value::Null, view)
    };
    assert_eq!(told(&app, parent.id).await[1..], [joined(parent.id), joined(daughter.id)]);
    assert_eq!(actions(&app, daughter.id).await, ["member.add", "group.join"]);
    assert_eq!(told(&app, daughter.id).await[1], joined(daughter.id));

    // A subsidiary of the subsidiary joins the group too, and its top is told.
    let input = AccountInput { parent: Patch::Value(daughter.id), ..company_input("Nieta SL") };
    let grandchild = run!(app, founding::create_subsidiary, input, creator).expect("a second one");
    assert_eq!(told(&app, parent.id).await[3..], [joined(grandchild.id)]);
    assert_eq!(told(&app, grandchild.id).await[1], joined(grandchild.id));
    assert_eq!(actions(&app, daughter.id).await.len(), 2, "it decides about nothing");
    run!(app, verbs::merge_account, parent.id, None, grandchild.id, MergeRequest::default(), parent.id)
        .expect("merged");
    assert_eq!(actions(&app, grandchild.id).await, ["member.add", "group.join", "group.leave"]);
    let left = told(&app, parent.id).await.pop().expect("an entry");
    assert_eq!((left.0.as_str(), &left.2), ("group.leave", &joined(grandchild.id).3));
}

#[tokio::test]
async fn each_company_is_told_when_it_joins_or_leaves_a_group_and_of_its_name() {
    let (app, top) = TestApp::with_company().await;
    let [second, third] = [app.company("Segunda SL").await.id, app.company("Tercera SL").await.id];
    let request = group::CreateRequest { name: "Grupo".to_owned(), parent: top.id };
    let made = run!(app, group::create, request).expect("a group");
    for account in [second, third] {
        let share = Some("51.50".to_owned());
        let request = group::AddRequest { group: made.id, account, ownership_percent: share };
        run!(app, group::add, request).expect("added");
    }
    let request = UpdateRequest { name: Some("Grupo Sol".to_owned()) };
    run!(app, verbs::update_group, made.id, None, request).expect("renamed");
    run!(app, verbs::leave_group, made.id, None, second).expect("left");
    run!(app, verbs::dissolve_group, made.id, None).expect("dissolved");

    let view = |company: AccountId, name: &str, share: Option<&str>| {
        json!({
            "accountId": company, "name": name, "parentAccountId": top.id, "ownershipPercent": share,
        })
    };
    let entry = |(action, before, after): (&str, Value, Value)| {
        (action.to_owned(), made.id.to_string(), before, after)
    };
    let share = Some("51.5");
    let [renamed_top, renamed_second, renamed_third] =
        [(top.id, None), (second, share), (third, share)].map(|(company, share)| {
            ("group.update", view(company, "Grupo", share), view(company, "Grupo Sol", share))
        });
    let joined = |company, share| ("group.join", Value::Null, view(company, "Grupo", share));
    let left = |company, share| ("group.leave", view(company, "Grupo Sol", share), Value::Null);
    for (company, renamed) in [(second, renamed_second), (third, renamed_third)] {
        let expected = [joined(company, share), renamed, left(company, share)].map(entry);
        assert_eq!(told(&app, company).await[1..], expected, "after the entry of the holder");
    }
    let expected = [
        joined(top.id, None),
        joined(second, share),
        joined(third, share),
        renamed_top,
        left(second, share),
        left(top.id, None),
        left(third, share),
    ];
    assert_eq!(
        told(&app, top.id).await[1..],
        expected.map(entry),
        "who is at the top hears of every company"
    );
}

#[tokio::test]
async fn api_access_tells_what_it_was_and_is() {
    let (app, company) = TestApp::with_company().await;
    run!(app, account::set_api_access, company.id, false).expect("off");
    run!(app, account::set_api_access, company.id, true).expect("on");
    let state = |on: bool| json!({ "apiAccessEnabled": on });
    let step = |before, after| {
        ("account.api_access".to_owned(), company.id.to_string(), state(before), state(after))
    };
    assert_eq!(told(&app, company.id).await[1..], [step(true, false), step(false, true)]);
}
