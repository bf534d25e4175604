//! `/session/invitations`: a person becomes a member only by accepting (specification, domain part 2.2).

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use svc_core::id::AccountId;

use crate::client_area::{Browser, ClientAreaApp, PASSWORD, user};
use crate::test_app::Answer;

/// Invites a person; answers the id of the membership.
async fn invite(by: &Browser, company: AccountId, name: &str, role: &str) -> String {
    let body = json!({"userId": user(name), "role": role});
    by.post(&format!("/accounts/{company}/members"), &body).await.ok(201).id()
}

async fn answer(browser: &Browser, id: &str, answer: &str) -> Answer {
    browser.act(&format!("/session/invitations/{id}/{answer}")).await
}

/// A refusal with the state that forbids it.
fn state(refused: &Answer) -> ((u16, &str), &Value) {
    (refused.problem(), &refused.json["currentState"])
}

#[tokio::test]
async fn the_invited_person_sees_who_invites_them_where_and_as_what() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let id = invite(&ana, area.acme, "dora", "auditor").await;
    area.clock.advance(Duration::from_mins(1));
    let later = invite(&ana, area.beta, "dora", "holder").await;
    let dora = area.browser("dora").await;
    let listed = dora.get("/session/invitations").await.ok(200);
    let first = json!({
        "id": id, "object": "membership", "companyId": area.acme, "legalName": "Acme", "version": 1,
        "role": "auditor", "status": "invited", "invitedAt": "2025-03-01T12:00:00.123Z",
        "invitedBy": {"id": user("ana"), "name": "Ángela 11"}, "acceptedAt": null,
    });
    assert_eq!((&listed.json["total"], &listed.json["items"][0]), (&json!(2), &first));
    let second = dora.get("/session/invitations?page=2&limit=1").await.ok(200);
    assert_eq!((&second.json["items"][0]["id"], &second.json["hasMore"]), (&json!(later), &json!(false)));
    for name in ["ana", "carl"] {
        let own = area.browser(name).await.get("/session/invitations").await.ok(200);
        assert_eq!(own.json["items"], json!([]), "{name}");
    }
}

#[tokio::test]
async fn an_invitation_gives_no_role_and_no_reach_until_it_is_accepted() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let id = invite(&ana, area.acme, "dora", "administrator").await;
    let dora = area.browser("dora").await;
    let of_acme = format!("?companyId={}", area.acme);
    let token = json!({"name": "Shop", "permissions": ["read"], "primaryAccountId": area.acme});
    let beside = json!({
        "name": "Shop", "permissions": ["read"], "primaryAccountId": area.gamma, "accountIds": [area.acme],
    });
    let companies = async || dora.get("/session").await.ok(200).json["companies"].clone();
    assert_eq!(companies().await.as_array().unwrap().len(), 1, "Gamma alone");
    for path in ["/tokens", "/audit-log"] {
        assert_eq!(dora.get(&format!("{path}{of_acme}")).await.problem(), (404, "not_found"), "{path}");
    }
    assert_eq!(dora.post("/tokens", &token).await.problem(), (422, "unknown_reference"));
    assert_eq!(dora.post("/tokens", &beside).await.problem(), (422, "unknown_reference"));
    let own = format!("/accounts/{}/members/{id}", area.acme);
    assert_eq!(dora.patch(&own, &json!({"role": "manager"})).await.problem(), (404, "not_found"));

    answer(&dora, &id, "accept").await.ok(200);
    assert_eq!(companies().await.as_array().unwrap().len(), 2);
    dora.get(&format!("/audit-log{of_acme}")).await.ok(200);
    let value = dora.post("/tokens", &token).await.ok(201).json["value"].as_str().unwrap().to_owned();
    area.whoami(&value).await.ok(200);
    dora.post("/tokens", &beside).await.ok(201);
}

#[tokio::test]
async fn a_company_hears_nothing_of_the_password_of_a_person_it_only_invited() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let id = invite(&ana, area.acme, "dora", "auditor").await;
    let dora = area.browser("dora").await;
    let told = async || {
        let query = format!("/audit-log?companyId={}&subject={}", area.acme, user("dora"));
        ana.get(&query).await.ok(200).json["total"].clone()
    };
    let change = async |current: &str, new: &str| {
        let body = json!({"currentPassword": current, "newPassword": new});
        dora.post("/session/password", &body).await.ok(204);
    };
    change(PASSWORD, "another good pass phrase").await;
    assert_eq!(told().await, 0);
    answer(&dora, &id, "accept").await.ok(200);
    change("another good pass phrase", PASSWORD).await;
    assert_eq!(told().await, 1);
}

#[tokio::test]
async fn who_accepts_is_a_member_with_the_role_that_was_offered_last() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let id = invite(&ana, area.acme, "dora", "auditor").await;
    ana.patch(&format!("/accounts/{}/members/{id}", area.acme), &json!({"role": "manager"})).await.ok(200);
    let dora = area.browser("dora").await;
    let path = format!("/session/invitations/{id}/accept");
    let stale = dora.send(Method::POST, &path, &[("if-match", "\"1\"")], "").await;
    assert_eq!(stale.problem(), (412, "version_conflict"), "she saw another role");
    area.clock.advance(Duration::from_mins(1));
    let accepted = dora.send(Method::POST, &path, &[("if-match", "\"2\"")], "").await.ok(200);
    let members = ["role", "status", "invitedAt", "acceptedAt", "version"].map(|name| &accepted.json[name]);
    let expected = [
        json!("manager"),
        json!("active"),
        json!("2025-03-01T12:00:00.123Z"),
        json!("2025-03-01T12:01:00.123Z"),
        json!(3),
    ];
    assert_eq!((members, accepted.header("etag")), (expected.each_ref(), "\"3\""));
    assert_eq!(dora.get("/session/invitations").await.ok(200).json["total"], 0);
    for reply in ["accept", "decline"] {
        let again = answer(&dora, &id, reply).await;
        assert_eq!(state(&again), ((409, "not_invited"), &json!("active")), "{reply}");
    }
}

#[tokio::test]
async fn what_is_declined_or_withdrawn_has_ended_and_can_be_offered_again() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let dora = area.browser("dora").await;
    let id = invite(&ana, area.acme, "dora", "auditor").await;
    let declined = answer(&dora, &id, "decline").await.ok(200);
    assert_eq!((&declined.json["status"], &declined.json["acceptedAt"]), (&json!("ended"), &Value::Null));
    for reply in ["accept", "decline"] {
        let late = answer(&dora, &id, reply).await;
        assert_eq!(state(&late), ((409, "not_invited"), &json!("ended")), "{reply}");
    }
    let path = format!("/accounts/{}/members/{id}", area.acme);
    assert_eq!(ana.delete(&path).await.problem(), (404, "not_found"), "there is nothing to withdraw");

    assert_eq!(invite(&ana, area.acme, "dora", "manager").await, id, "the same membership");
    let body = json!({"email": "dora@example.com", "role": "manager"});
    let twice = ana.post(&format!("/accounts/{}/members", area.acme), &body).await;
    assert_eq!(state(&twice), ((409, "already_exists"), &json!("invited")));
    assert_eq!(twice.json["existingId"], json!(id));
    assert_eq!(ana.delete(&path).await.ok(200).json["status"], "ended");
    assert_eq!(dora.get("/session/invitations").await.ok(200).json["total"], 0);
    assert_eq!(state(&answer(&dora, &id, "accept").await), ((409, "not_invited"), &json!("ended")));
    assert_eq!(dora.get("/session").await.ok(200).json["companies"].as_array().unwrap().len(), 1);

    invite(&ana, area.acme, "dora", "manager").await;
    answer(&dora, &id, "accept").await.ok(200);
}

#[tokio::test]
async fn no_person_answers_for_another_one() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let id = invite(&ana, area.acme, "dora", "auditor").await;
    let own = area.database.business().people().membership(area.acme, user("ana")).await.unwrap().unwrap();
    for reply in ["accept", "decline"] {
        for name in ["ana", "ben", "carl"] {
            let refused = answer(&area.browser(name).await, &id, reply).await;
            assert_eq!(refused.problem(), (404, "not_found"), "{reply} by {name}");
        }
        let dora = area.browser("dora").await;
        for other in [own.id.to_string(), "mem_7zzzzzzzzzzzzzzzzzzzzzzzzz".to_owned(), "x".to_owned()] {
            assert_eq!(answer(&dora, &other, reply).await.problem(), (404, "not_found"), "{reply} {other}");
        }
    }
    answer(&area.browser("dora").await, &id, "accept").await.ok(200);
}

#[tokio::test]
async fn an_invited_holder_is_none_yet() {
    let area = ClientAreaApp::new().await;
    let [ana, ben, dora] = [area.browser("ana").await, area.browser("ben").await, area.browser("dora").await];
    let body = json!({"userId": user("dora"), "role": "holder"});
    let by_administrator = ben.post(&format!("/accounts/{}/members", area.acme), &body).await;
    assert_eq!(by_administrator.problem(), (403, "role_required"));
    let id = invite(&ana, area.acme, "dora", "holder").await;
    let people = area.database.business();
    let own = people.people().membership(area.acme, user("ana")).await.unwrap().unwrap().id;
    let own = format!("/accounts/{}/members/{own}", area.acme);
    assert_eq!(ana.delete(&own).await.problem(), (409, "last_holder"));
    let hers = format!("/accounts/{}/members/{id}", area.acme);
    assert_eq!(ben.delete(&hers).await.problem(), (403, "role_required"), "a holder's to withdraw");
    answer(&dora, &id, "decline").await.ok(200);
    assert_eq!(ana.delete(&own).await.problem(), (409, "last_holder"));
    invite(&ana, area.acme, "dora", "holder").await;
    answer(&dora, &id, "accept").await.ok(200);
    ana.delete(&own).await.ok(200);
    assert_eq!(dora.delete(&hers).await.problem(), (409, "last_holder"));
}

#[tokio::test]
async fn each_answer_is_an_entry_of_the_companys_log() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let dora = area.browser("dora").await;
    let id = invite(&ana, area.acme, "dora", "auditor").await;
    answer(&dora, &id, "decline").await.ok(200);
    invite(&ana, area.acme, "dora", "manager").await;
    answer(&dora, &id, "accept").await.ok(200);
    answer(&dora, &id, "accept").await.ok(409);
    let log = ana.get(&format!("/audit-log?companyId={}&subject={id}", area.acme)).await.ok(200);
    let entries = log.json["items"].as_array().unwrap();
    let told: Vec<_> = entries
        .iter()
        .map(|entry| {
            let text = |value: &Value| value.as_str().unwrap_or("none").to_owned();
            let state = |value: &Value| format!("{} {}", text(&value["role"]), text(&value["status"]));
            (text(&entry["action"]), state(&entry["before"]), state(&entry["after"]))
        })
        .collect();
    let expected = [
        ("member.accept", "manager invited", "manager active"),
        ("member.invite", "auditor ended", "manager invited"),
        ("member.decline", "auditor invited", "auditor ended"),
        ("member.invite", "none none", "auditor invited"),
    ];
    assert_eq!(told, expected.map(|(action, before, after)| (action.into(), before.into(), after.into())));
}

#[tokio::test]
async fn an_invitation_expires_after_fourteen_days_and_can_be_made_again() {
    let area = ClientAreaApp::new().await;
    let id = invite(&area.browser("ana").await, area.acme, "dora", "auditor").await;
    area.clock.advance(Duration::from_hours(14 * 24));
    let [ana, dora] = [area.browser("ana").await, area.browser("dora").await];
    assert_eq!(dora.get("/session/invitations").await.ok(200).json["total"], 0);
    assert_eq!(state(&answer(&dora, &id, "accept").await), ((409, "not_invited"), &json!("expired")));
    let path = format!("/accounts/{}/members/{id}", area.acme);
    assert_eq!(ana.patch(&path, &json!({"role": "manager"})).await.ok(200).json["status"], "expired");
    assert_eq!(invite(&ana, area.acme, "dora", "auditor").await, id, "the same membership");
    assert_eq!(answer(&dora, &id, "accept").await.ok(200).json["status"], "active");
}

#[tokio::test]
async fn an_invitation_lapses_with_the_role_of_its_inviter() {
    let area = ClientAreaApp::new().await;
    let [ana, ben, dora] = [area.browser("ana").await, area.browser("ben").await, area.browser("dora").await];
    let id = invite(&ben, area.acme, "dora", "auditor").await;
    let people = area.database.business();
    let own = people.people().membership(area.acme, user("ben")).await.unwrap().unwrap().id;
    let own = format!("/accounts/{}/members/{own}", area.acme);
    ana.patch(&own, &json!({"role": "employee"})).await.ok(200);
    assert_eq!(answer(&dora, &id, "accept").await.problem(), (409, "offer_lapsed"));
    assert_eq!(dora.get("/session").await.ok(200).json["companies"].as_array().unwrap().len(), 1);
    ana.patch(&own, &json!({"role": "administrator"})).await.ok(200);
    answer(&dora, &id, "accept").await.ok(200);
}
