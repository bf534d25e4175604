//! What a token reaches, and how that follows its creator's roles.

use std::time::Duration;

use svc_auth::ports::{CompanyStanding, GroupPlace, Standing};
use svc_auth::scope::Via;
use svc_auth::scope::resolve;
use svc_auth::token::{Connection, ConnectionRole, CreateRequest, Token};
use svc_core::id::AccountId;
use svc_core::role::Role;
use svc_testkit::auth::token;

use crate::test_app::{ADMINISTRATOR, HOLDER, MANAGER, TestApp, account, group, user};

/// At the top of the group.
fn top() -> GroupPlace {
    GroupPlace::parent(group(1))
}

/// Below the top of the group.
fn below() -> GroupPlace {
    GroupPlace::subsidiary(group(1))
}

fn company(number: u128, name: &str, place: Option<GroupPlace>, membership: Standing) -> CompanyStanding {
    CompanyStanding {
        id: account(number),
        legal_name: name.into(),
        group: place,
        merged: false,
        api_access: true,
        membership,
    }
}

fn reach(token: &Token, standings: &[CompanyStanding]) -> Option<Vec<(AccountId, Via)>> {
    resolve(token, standings)
        .map(|reach| reach.companies().iter().map(|company| (company.id, company.via)).collect())
}

fn primary_only() -> Token {
    token(1, user(1), account(1))
}

#[test]
fn a_connection_reaches_its_company_while_the_person_is_a_member_of_it() {
    let client = "https://app.example/client.json".parse().unwrap();
    let connection = Some(Connection { client, role: ConnectionRole::ReadOnly });
    let connected = Token { connection, ..primary_only() };
    let members = Role::ALL.map(|role| (Standing::Member(role), true));
    for (membership, reached) in
        members.into_iter().chain([(Standing::Former, false), (Standing::Stranger, false)])
    {
        let standing = company(1, "Acme", None, membership);
        let expected = reached.then(|| vec![(account(1), Via::Primary)]);
        assert_eq!(reach(&connected, std::slice::from_ref(&standing)), expected, "{membership:?}");
        assert_eq!(reach(&connected, &[CompanyStanding { merged: true, ..standing }]), None);
    }
}

#[test]
fn the_primary_account_needs_a_holder_or_an_administrator() {
    for (membership, reached) in [
        (HOLDER, true),
        (ADMINISTRATOR, true),
        (MANAGER, false),
        (Standing::Member(Role::Auditor), false),
        (Standing::Former, false),
        (Standing::Stranger, false),
    ] {
        let standings = [company(1, "Acme", None, membership)];
        let expected = reached.then(|| vec![(account(1), Via::Primary)]);
        assert_eq!(reach(&primary_only(), &standings), expected, "{membership:?}");
    }
    assert_eq!(reach(&primary_only(), &[]), None);
}

#[test]
fn losing_the_parent_company_hides_it_and_what_was_seen_by_it_alone() {
    let token = Token { groups: [group(1)].into(), ..primary_only() };
    let of = |parent, subsidiary| {
        let standings = [
            company(1, "Acme", None, HOLDER),
            company(2, "Beta", Some(top()), parent),
            company(3, "Gamma", Some(below()), subsidiary),
            company(4, "Delta", Some(below()), Standing::Stranger),
        ];
        let reached = reach(&token, &standings).unwrap();
        reached.into_iter().map(|(id, _)| id).collect::<Vec<_>>()
    };
    for administers in [HOLDER, ADMINISTRATOR] {
        assert_eq!(of(administers, Standing::Stranger), [1, 2, 4, 3].map(account), "{administers:?}");
    }
    for lost in [Standing::Former, MANAGER, Standing::Stranger] {
        assert_eq!(of(lost, HOLDER), [1, 3].map(account), "{lost:?}: a subsidiary is no tie to its sisters");
        for less in [Standing::Former, MANAGER, Standing::Stranger] {
            assert_eq!(of(lost, less), [account(1)], "{lost:?}, {less:?}");
        }
    }
}

#[test]
fn the_parent_company_of_another_group_is_no_tie() {
    let token = Token { groups: [group(1), group(2)].into(), ..primary_only() };
    let standings = [
        company(1, "Acme", None, HOLDER),
        company(2, "Beta", Some(GroupPlace::parent(group(2))), HOLDER),
        company(3, "Gamma", Some(below()), Standing::Stranger),
    ];
    assert_eq!(reach(&token, &standings), Some(vec![(account(1), Via::Primary), (account(2), Via::Group)]));
}

#[test]
fn a_token_with_a_lost_primary_account_reaches_nothing_although_it_names_others() {
    let token = Token { companies: [account(2)].into(), groups: [group(1)].into(), ..primary_only() };
    let standings = [
        company(1, "Acme", Some(below()), Standing::Former),
        company(2, "Beta", None, HOLDER),
        company(3, "Gamma", Some(top()), HOLDER),
    ];
    assert_eq!(reach(&token, &standings), None);
}

#[test]
fn a_named_company_is_reached_while_its_creator_administers_it() {
    let token = Token { companies: [2, 3, 4, 5].map(account).into(), ..primary_only() };
    let standings = [
        company(1, "Acme", None, HOLDER),
        company(2, "Beta", None, ADMINISTRATOR),
        company(3, "Gamma", None, MANAGER),
        company(4, "Delta", None, Standing::Former),
        company(5, "Epsilon", None, Standing::Stranger),
    ];
    assert_eq!(reach(&token, &standings), Some(vec![(account(1), Via::Primary), (account(2), Via::Direct)]));
}

#[test]
fn a_group_hides_only_what_its_creator_left_or_serves_in_a_lesser_role() {
    let token = Token { groups: [group(1)].into(), ..primary_only() };
    let standings = [
        company(1, "Acme", None, HOLDER),
        company(2, "Beta", Some(below()), Standing::Stranger),
        company(3, "Gamma", Some(top()), ADMINISTRATOR),
        company(4, "Delta", Some(below()), Standing::Former),
        company(5, "Epsilon", Some(below()), MANAGER),
        company(6, "Zeta", Some(GroupPlace::parent(group(2))), HOLDER),
        company(7, "Eta", None, HOLDER),
    ];
    let expected = vec![(account(1), Via::Primary), (account(2), Via::Group), (account(3), Via::Group)];
    assert_eq!(reach(&token, &standings), Some(expected));
}

#[test]
fn choosing_one_company_of_a_group_does_not_add_the_others() {
    let token = Token { companies: [account(2)].into(), ..primary_only() };
    let standings = [
        company(1, "Acme", Some(top()), HOLDER),
        company(2, "Beta", Some(below()), HOLDER),
        company(3, "Gamma", Some(below()), HOLDER),
    ];
    assert_eq!(reach(&token, &standings), Some(vec![(account(1), Via::Primary), (account(2), Via::Direct)]));
}

#[test]
fn a_merged_company_is_out_of_reach() {
    let token = Token { companies: [account(2)].into(), groups: [group(1)].into(), ..primary_only() };
    let merged = |number, place| CompanyStanding { merged: true, ..company(number, "Merged", place, HOLDER) };
    let standings = [company(1, "Acme", None, HOLDER), merged(2, None), merged(3, Some(top()))];
    assert_eq!(reach(&token, &standings), Some(vec![(account(1), Via::Primary)]));
    assert_eq!(reach(&token, &[merged(1, None)]), None);
}

#[test]
fn the_primary_account_leads_and_the_others_follow_by_name_then_id() {
    let token = Token { companies: [2, 3, 4].map(account).into(), ..primary_only() };
    let standings = [
        company(4, "Alfa", None, HOLDER),
        company(3, "Beta", None, HOLDER),
        company(2, "Beta", None, HOLDER),
        company(1, "Zulu", None, HOLDER),
    ];
    let order: Vec<_> = reach(&token, &standings).unwrap().into_iter().map(|(id, _)| id).collect();
    assert_eq!(order, [1, 4, 2, 3].map(account));
}

#[tokio::test]
async fn a_company_that_joins_a_named_group_later_comes_within_reach() {
    let app = TestApp::new();
    app.storage.put_company(app.acme, "Acme", Some(group(1)));
    app.storage.put_parent(group(1), app.acme);
    let header = app.header(CreateRequest { groups: vec![group(1)], ..app.request() }).await;
    assert_eq!(app.admit(&header).await.unwrap().principal.companies.len(), 1);

    app.storage.put_company(account(2), "Later", Some(group(1)));
    app.clock.advance(Duration::from_mins(1));
    let principal = app.admit(&header).await.unwrap().principal;
    let later = principal.companies.last().unwrap();
    assert_eq!((later.id, later.via, later.role), (account(2), Via::Group, None));
    assert!(principal.scope.contains(account(2)));

    app.storage.put_standing(app.ada, account(2), Standing::Former);
    app.clock.advance(Duration::from_mins(1));
    let principal = app.admit(&header).await.unwrap().principal;
    assert!(!principal.scope.contains(account(2)));
}

#[tokio::test]
async fn losing_another_company_hides_that_company_only() {
    let app = TestApp::new();
    for number in [2, 3] {
        app.storage.put_company(account(number), "Other", None);
        app.storage.put_standing(app.ada, account(number), ADMINISTRATOR);
    }
    let request = CreateRequest { companies: vec![account(2), account(3)], ..app.request() };
    let header = app.header(request).await;
    assert_eq!(app.admit(&header).await.unwrap().principal.companies.len(), 3);
    app.storage.put_standing(app.ada, account(2), MANAGER);
    app.authenticator.forget();
    let scope = app.admit(&header).await.unwrap().principal.scope.clone();
    assert_eq!(scope.companies(), Some(&[app.acme, account(3)].into()));
}
