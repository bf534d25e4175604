//! `/audit-log`: who changed credentials, memberships and subscriptions.

use std::time::Duration;

use serde_json::{Value, json};
use svc_core::audit::{Action, Actor, Who};
use svc_core::clock::Clock;

use crate::client_area::{Browser, ClientAreaApp, user};
use crate::test_app::Answer;

async fn log(browser: &Browser, query: &str) -> Vec<Value> {
    let answer = browser.get(&format!("/audit-log{query}")).await.ok(200);
    answer.json["items"].as_array().unwrap().clone()
}

fn named<'a>(entries: &'a [Value], member: &str) -> Vec<&'a str> {
    entries.iter().map(|entry| entry[member].as_str().unwrap()).collect()
}

/// The actor of the newest record of Acme with this action, as it is sealed.
async fn recorded(area: &ClientAreaApp, action: Action) -> Actor {
    let records = area.database.audit().records(area.acme, 0, 1_000).await.unwrap();
    records.into_iter().flatten().rfind(|record| record.entry.action == action).unwrap().entry.actor
}

async fn created(area: &ClientAreaApp, browser: &Browser, members: &Value) -> Answer {
    let mut body = json!({"name": "Shop", "permissions": ["read"], "primaryAccountId": area.acme});
    body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    browser.post("/tokens", &body).await.ok(201)
}

#[tokio::test]
async fn a_change_is_written_down_with_who_did_it_from_where_and_what_it_was_before() {
    let area = ClientAreaApp::new().await;
    let [ana, ben] = [area.browser("ana").await, area.browser("ben").await];
    let token = created(&area, &ana, &json!({})).await;
    let path = format!("/tokens/{}", token.id());
    area.clock.advance(Duration::from_secs(5));
    let patched = ben.patch(&path, &json!({"personalData": true})).await.ok(200);

    let entries = log(&ana, &format!("?subject={}", token.id())).await;
    assert_eq!(named(&entries, "action"), ["token.update", "token.create"]);
    let update = &entries[0];
    let session = update["actor"]["sessionId"].as_str().unwrap();
    assert!(session.starts_with("ses_"), "{session}");
    let state = |personal_data: bool| {
        json!({
            "name": "Shop", "prefix": token.json["prefix"], "permissions": ["*:*.read"], "expiresAt": null,
            "allowedIps": [], "primaryAccountId": area.acme, "accountIds": [], "groupIds": [],
            "personalData": personal_data, "state": "active",
        })
    };
    let seal = update["seal"].as_str().unwrap();
    assert!(seal.len() == 64 && seal.bytes().all(|byte| byte.is_ascii_hexdigit()), "{seal}");
    let expected = json!({
        "number": entries[1]["number"].as_u64().unwrap() + 1,
        "companyId": area.acme,
        "at": "2025-03-01T12:00:05.123Z",
        "actor": {"type": "person", "id": user("ben"), "sessionId": session},
        "address": "127.0.0.1",
        "requestId": patched.header("x-request-id"),
        "action": "token.update",
        "subject": token.id(),
        "before": state(false),
        "after": state(true),
        "seal": seal,
    });
    assert_eq!(update, &expected);
    assert_eq!((&entries[1]["before"], &entries[1]["actor"]["id"]), (&Value::Null, &json!(user("ana"))));
}

#[tokio::test]
async fn every_change_of_a_token_and_of_a_member_is_there_and_no_secret_with_it() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let token = created(&area, &ana, &json!({})).await;
    let mut secrets = vec![token.json["value"].as_str().unwrap().to_owned()];
    for step in ["disable", "enable", "rotate", "revoke"] {
        let answer = ana.act(&format!("/tokens/{}/{step}", token.id())).await.ok(200);
        secrets.extend(answer.json["value"].as_str().map(str::to_owned));
    }
    let members = format!("/accounts/{}/members", area.acme);
    let dora = area.join(&ana, area.acme, "dora", "manager").await;
    ana.patch(&format!("{members}/{dora}"), &json!({"role": "auditor"})).await.ok(200);
    ana.delete(&format!("{members}/{dora}")).await.ok(200);
    let body = json!({"currentPassword": crate::client_area::PASSWORD, "newPassword": "a new long password"});
    ana.post("/session/password", &body).await.ok(204);
    let group = ana.post("/groups", &json!({"name": "G", "parentAccountId": area.acme})).await.ok(201).id();
    ana.delete(&format!("/groups/{group}")).await.ok(204);

    let answer = ana.get(&format!("/audit-log?companyId={}&limit=12", area.acme)).await.ok(200);
    let entries = answer.json["items"].as_array().unwrap();
    let actions = [
        "group.leave",
        "group.join",
        "password.set",
        "member.remove",
        "member.update",
        "member.accept",
        "member.invite",
        "token.revoke",
        "token.rotate",
        "token.enable",
        "token.disable",
        "token.create",
    ];
    assert_eq!(named(entries, "action"), actions);
    for entry in entries {
        let who = if entry["action"] == "member.accept" { user("dora") } else { user("ana") };
        assert_eq!(entry["actor"]["id"], json!(who), "{entry}");
    }
    assert_eq!(entries[4]["before"]["role"], "manager");
    assert_eq!(entries[4]["after"]["role"], "auditor");
    for secret in secrets.iter().map(String::as_str).chain(["a new long password", "dora@example.com"]) {
        assert!(!answer.text.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn the_log_of_a_company_is_for_those_who_hold_or_administer_it() {
    let area = ClientAreaApp::new().await;
    let [ana, ben, dora] = [area.browser("ana").await, area.browser("ben").await, area.browser("dora").await];
    let token = created(&area, &ana, &json!({"accountIds": [area.beta]})).await;
    let query = format!("?subject={}", token.id());
    let [acme, beta] = [area.acme.to_string(), area.beta.to_string()];
    let mut companies =
        named(&log(&ana, &query).await, "companyId").into_iter().map(str::to_owned).collect::<Vec<_>>();
    companies.sort();
    assert_eq!(
        companies,
        [acme.clone(), beta.clone()],
        "each company that the token names has it in its log"
    );
    assert_eq!(named(&log(&ben, &query).await, "companyId"), [&acme]);
    assert!(log(&dora, &query).await.is_empty());
    assert_eq!(named(&log(&ana, &format!("{query}&companyId={beta}")).await, "companyId"), [&beta]);
    let gamma = area.gamma.to_string();
    assert!(log(&dora, "").await.iter().all(|entry| entry["companyId"] == gamma.as_str()));
    for (browser, company) in [(&ben, &beta), (&ana, &gamma), (&dora, &acme)] {
        let refused = browser.get(&format!("/audit-log?companyId={company}")).await;
        assert_eq!(refused.problem(), (404, "not_found"), "{company}");
    }
}

#[tokio::test]
async fn the_log_is_narrowed_by_action_and_by_date_and_read_by_pages() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    // What the operator did before: three memberships of Acme, and the passwords of its members.
    let acme = format!("?companyId={}", area.acme);
    let joined = log(&ana, &format!("{acme}&action=member.add")).await;
    assert_eq!(joined.len(), 3);
    assert!(
        joined
            .iter()
            .all(|entry| entry["actor"] == json!({"type": "operator"}) && entry["address"].is_null())
    );

    created(&area, &ana, &json!({"name": "First of March"})).await;
    area.clock.advance(Duration::from_hours(12));
    let ana = area.browser("ana").await;
    created(&area, &ana, &json!({"name": "Second of March"})).await;
    let names = async |query: &str| -> Vec<Value> {
        log(&ana, query).await.iter().map(|entry| entry["after"]["name"].clone()).collect()
    };
    let second = ["Second of March"];
    assert_eq!(names("?from=2025-03-02").await, second);
    assert_eq!(names("?from=2025-03-02&to=2025-03-02&action=token.create").await, second);
    assert_eq!(names("?to=2025-03-01&action=token.create").await, ["First of March"]);
    assert!(names("?to=2025-02-28").await.is_empty());

    let page = ana.get("/audit-log?action=token.create&limit=1&page=2").await.ok(200);
    assert_eq!((&page.json["total"], &page.json["hasMore"]), (&json!(2), &json!(false)));
    assert_eq!(page.json["items"][0]["after"]["name"], "First of March");
    for query in
        ["?action=token.eat", "?from=yesterday", "?from=2025-03-02&to=2025-03-01", "?who=ana", "?page=0"]
    {
        assert_eq!(
            ana.get(&format!("/audit-log{query}")).await.problem(),
            (400, "invalid_parameter"),
            "{query}"
        );
    }
}

#[tokio::test]
async fn a_refused_change_leaves_no_entry() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let before = ana.get("/audit-log").await.ok(200).json["total"].clone();
    ana.post("/tokens", &json!({"name": "", "permissions": []})).await.ok(422);
    let own = area.database.business();
    let own = own.people().membership(area.acme, user("ana")).await.unwrap().unwrap().id;
    ana.delete(&format!("/accounts/{}/members/{own}", area.acme)).await.ok(409);
    assert_eq!(ana.get("/audit-log").await.ok(200).json["total"], before);
}

#[tokio::test]
async fn what_people_do_for_themselves_is_recorded_in_full_and_told_without_address_session_and_request() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let dora = area.join(&ana, area.acme, "dora", "manager").await;
    let browser = area.browser("dora").await;
    let session = browser.get("/session").await.ok(200);
    let body = json!({"currentPassword": crate::client_area::PASSWORD, "newPassword": "a new long password"});
    browser.post("/session/password", &body).await.ok(204);

    let query = format!("?companyId={}&limit=3", area.acme);
    let entries = log(&ana, &query).await;
    assert_eq!(named(&entries, "action"), ["password.set", "member.accept", "member.invite"]);
    let [set, accepted, invited] = entries.as_slice() else { panic!("{entries:?}") };
    for (entry, subject) in [(set, user("dora").to_string()), (accepted, dora)] {
        assert_eq!(entry["actor"], json!({"type": "person", "id": user("dora")}));
        assert_eq!(entry["subject"], json!(subject));
        assert!(entry["address"].is_null() && entry["requestId"].is_null(), "{entry}");
    }
    assert!(set["before"].is_null() && set["after"].is_null(), "{set}");
    assert_eq!(set["at"], json!(area.clock.now()));
    // What is done in the name of the company is told in full.
    assert!(invited["actor"]["sessionId"].is_string() && invited["requestId"].is_string(), "{invited}");
    assert!(invited["address"].is_string(), "{invited}");
    let whole = serde_json::to_string(&[set, accepted]).unwrap();
    for action in [Action::PasswordSet, Action::MemberAccept] {
        let Actor { who, from, request } = recorded(&area, action).await;
        assert!(matches!(who, Who::Person { user: acting, .. } if acting == user("dora")), "{who:?}");
        assert!(from.is_some() && request.is_some(), "{}", action.name());
    }
    assert!(!whole.contains("ses_") && !whole.contains("req_") && session.status == 200, "{whole}");
}
