//! Groups: a company that joins one is reached by tokens that name the group.

use svc_business::account::{AccountInput, MergeRequest};
use svc_business::founding;
use svc_business::group::{self, AddRequest, CreateRequest, Group, UpdateRequest};
use svc_core::audit::Action;
use svc_core::id::AccountId;
use svc_core::patch::Patch;
use svc_testkit::business::verbs;

use crate::audited::test_app::{Case, TestApp, case, input, told};

/// A group with this company at the top and another one in it.
async fn group(app: &TestApp, top: AccountId, member: AccountId) -> Group {
    let request = CreateRequest { name: "Grupo".to_owned(), parent: top };
    let made = told!(app, |unit, call| group::create(&*unit, call, request)).0;
    let request = AddRequest { group: made.id, account: member, ownership_percent: None };
    told!(app, |unit, call| group::add(&*unit, call, request)).0
}

pub(super) async fn joined(app: &TestApp) -> Vec<Case> {
    let (acme, beta) = (app.acme, app.beta);
    let request = CreateRequest { name: "Grupo".to_owned(), parent: acme };
    let (made, told) = told!(app, |unit, call| group::create(&*unit, call, request));
    let created = Case::new("group::create", told, [(acme, Action::GroupJoin)]);
    let request = AddRequest { group: made.id, account: beta, ownership_percent: None };
    let added = case!(
        app,
        "group::add",
        |unit, call| group::add(&*unit, call, request),
        [beta, acme].map(|company| (company, Action::GroupJoin))
    );
    let below = AccountInput { parent: Patch::Value(acme), ..input("Hija") };
    let (daughter, told) = told!(app, |unit, call| founding::create_subsidiary(&*unit, call, below, app.ana));
    let expected =
        [(daughter.id, Action::MemberAdd), (daughter.id, Action::GroupJoin), (acme, Action::GroupJoin)];
    vec![created, added, Case::new("founding::create_subsidiary in a group", told, expected)]
}

pub(super) async fn left(app: &TestApp) -> Vec<Case> {
    let (acme, beta) = (app.acme, app.beta);
    let made = group(app, acme, beta).await;
    let removed = case!(
        app,
        "group::remove",
        |unit, call| verbs::leave_group(&*unit, call, made.id, None, beta),
        [beta, acme].map(|company| (company, Action::GroupLeave))
    );
    let request = AddRequest { group: made.id, account: beta, ownership_percent: None };
    told!(app, |unit, call| group::add(&*unit, call, request));
    let dissolved = case!(
        app,
        "group::dissolve",
        |unit, call| verbs::dissolve_group(&*unit, call, made.id, None),
        [acme, beta, acme].map(|company| (company, Action::GroupLeave))
    );
    group(app, acme, beta).await;
    let request = MergeRequest::default();
    let merged = case!(
        app,
        "account::merge",
        |unit, call| verbs::merge_account(&*unit, call, acme, None, beta, request, acme),
        [beta, acme].map(|company| (company, Action::GroupLeave))
    );
    vec![removed, dissolved, merged]
}

pub(super) async fn renamed(app: &TestApp) -> Vec<Case> {
    let (acme, beta) = (app.acme, app.beta);
    let made = group(app, acme, beta).await;
    let rename = UpdateRequest { name: Some("Otro nombre".to_owned()) };
    vec![case!(
        app,
        "group::update",
        |unit, call| verbs::update_group(&*unit, call, made.id, None, rename),
        [acme, beta].map(|company| (company, Action::GroupUpdate))
    )]
}

pub(super) async fn without_change(app: &TestApp) -> Vec<Case> {
    let daughter = app.subsidiary(app.acme).await;
    let group = daughter.group.expect("in its parent's group");
    vec![case!(
        app,
        "group::update without a new name",
        |unit, call| verbs::update_group(&*unit, call, group, None, UpdateRequest::default()),
        []
    )]
}
