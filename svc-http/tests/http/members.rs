//! Members of a company, changed in the client area (specification, domain part 2.2).

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use svc_core::id::AccountId;
use svc_testkit::business::sample;

use crate::client_area::{Browser, ClientAreaApp, user};
use crate::test_app::Answer;

async fn add(browser: &Browser, company: AccountId, body: &Value) -> Answer {
    browser.post(&format!("/accounts/{company}/members"), body).await
}

/// The path of a membership in Acme.
async fn member(area: &ClientAreaApp, name: &str) -> String {
    let people = area.database.business();
    let found = people.people().membership(area.acme, user(name)).await.unwrap().unwrap();
    format!("/accounts/{}/members/{}", area.acme, found.id)
}

fn role(role: &str) -> Value {
    json!({ "role": role })
}

#[tokio::test]
async fn a_person_is_invited_by_id_or_by_mail_address() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let by_mail =
        add(&ana, area.acme, &json!({"email": "DORA@example.com", "role": "manager"})).await.ok(201);
    let id = by_mail.id();
    let expected = json!({
        "id": id, "object": "membership", "companyId": area.acme, "version": 1, "userId": null,
        "name": null, "email": "DORA@example.com", "phone": null, "role": "manager", "status": "invited",
        "invitedAt": "2025-03-01T12:00:00.123Z", "acceptedAt": null,
        "createdAt": "2025-03-01T12:00:00.123Z", "updatedAt": "2025-03-01T12:00:00.123Z",
    });
    assert_eq!(by_mail.json, expected);
    assert_eq!(by_mail.header("location"), format!("/api/v1/accounts/{}/members/{id}", area.acme));
    assert_eq!((by_mail.header("etag"), by_mail.header("x-personal-data")), ("\"1\"", "full"));
    area.clock.advance(Duration::from_secs(1));
    add(&ana, area.beta, &json!({"userId": user("dora"), "role": "auditor"})).await.ok(201);
    let listed = area.browser("dora").await.get("/session/invitations").await.ok(200);
    let roles: Vec<_> =
        listed.json["items"].as_array().unwrap().iter().map(|each| each["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["manager", "auditor"]);
}

#[tokio::test]
async fn who_cannot_become_a_member_is_refused_by_the_member_that_names_them() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let nobody = "usr_7zzzzzzzzzzzzzzzzzzzzzzzzz";
    for (body, code, field, broken) in [
        (json!({"userId": nobody, "role": "manager"}), "unknown_reference", "userId", "unknown_reference"),
        (json!({"email": "x", "role": "manager"}), "validation_failed", "email", "invalid_value"),
        (json!({"role": "manager"}), "validation_failed", "userId", "required"),
        (
            json!({"userId": nobody, "email": "x@example.com", "role": "manager"}),
            "validation_failed",
            "email",
            "invalid_value",
        ),
        (json!({"userId": user("dora"), "role": "owner"}), "validation_failed", "role", "invalid_value"),
        (json!({"userId": user("dora")}), "validation_failed", "role", "required"),
        (json!({"userId": "x", "role": "manager"}), "validation_failed", "userId", "invalid_value"),
        (json!({"id": "x", "role": "manager"}), "validation_failed", "id", "read_only_field"),
    ] {
        let refused = add(&ana, area.acme, &body).await;
        assert_eq!((refused.problem(), refused.field()), ((422, code), (field, broken)), "{body}");
    }
    let twice = add(&ana, area.acme, &json!({"userId": user("carl"), "role": "manager"})).await;
    assert_eq!((twice.problem(), &twice.json["currentState"]), ((409, "already_exists"), &json!("active")));
    assert!(member(&area, "carl").await.ends_with(twice.json["existingId"].as_str().unwrap()));
}

#[tokio::test]
async fn an_administrator_manages_everybody_but_holders() {
    let area = ClientAreaApp::new().await;
    let ben = area.browser("ben").await;
    let dora = json!({"email": "dora@example.com", "role": "holder"});
    assert_eq!(add(&ben, area.acme, &dora).await.problem(), (403, "role_required"));
    let ana = member(&area, "ana").await;
    assert_eq!(ben.patch(&ana, &role("employee")).await.problem(), (403, "role_required"));
    assert_eq!(ben.delete(&ana).await.problem(), (403, "role_required"));
    let carl = member(&area, "carl").await;
    assert_eq!(ben.patch(&carl, &role("holder")).await.problem(), (403, "role_required"));
    let promoted = ben.patch(&carl, &role("administrator")).await.ok(200);
    assert_eq!((&promoted.json["role"], promoted.header("etag")), (&json!("administrator"), "\"2\""));
    let ended = ben.delete(&carl).await.ok(200);
    assert_eq!((&ended.json["status"], &ended.json["version"]), (&json!("ended"), &json!(3)));
    assert_eq!(ben.delete(&carl).await.problem(), (404, "not_found"));
}

#[tokio::test]
async fn a_company_keeps_a_holder() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let own = member(&area, "ana").await;
    assert_eq!(ana.patch(&own, &role("administrator")).await.problem(), (409, "last_holder"));
    assert_eq!(ana.delete(&own).await.problem(), (409, "last_holder"));
    ana.patch(&member(&area, "ben").await, &role("holder")).await.ok(200);
    ana.patch(&own, &role("administrator")).await.ok(200);
    // From now on Ana administers only.
    let ben = member(&area, "ben").await;
    assert_eq!(ana.delete(&ben).await.problem(), (403, "role_required"));
}

#[tokio::test]
async fn a_role_that_is_lost_is_lost_to_the_tokens_of_the_person_at_once() {
    let area = ClientAreaApp::new().await;
    let [ana, ben] = [area.browser("ana").await, area.browser("ben").await];
    let body = json!({"name": "Shop", "permissions": ["read"]});
    let token = ben.post("/tokens", &body).await.ok(201).json["value"].as_str().unwrap().to_owned();
    area.whoami(&token).await.ok(200);
    let path = member(&area, "ben").await;
    ana.patch(&path, &role("manager")).await.ok(200);
    assert_eq!(area.whoami(&token).await.problem(), (401, "creator_lost_role"));
    assert_eq!(ben.get("/tokens").await.problem(), (403, "role_required"));
    ana.patch(&path, &role("administrator")).await.ok(200);
    area.whoami(&token).await.ok(200);
    ana.delete(&path).await.ok(200);
    assert_eq!(area.whoami(&token).await.problem(), (401, "creator_lost_role"));
    assert_eq!(ben.get("/session").await.ok(200).json["companies"], json!([]));
}

#[tokio::test]
async fn only_who_administers_the_company_itself_changes_its_members() {
    let area = ClientAreaApp::new().await;
    let carl = member(&area, "carl").await;
    let dora = area.browser("dora").await;
    let body = json!({"email": "dora@example.com", "role": "manager"});
    assert_eq!(add(&dora, area.acme, &body).await.problem(), (404, "not_found"));
    assert_eq!(dora.patch(&carl, &role("auditor")).await.problem(), (404, "not_found"));
    assert_eq!(dora.delete(&carl).await.problem(), (404, "not_found"));
    // The id of a member of Acme is unknown in the company that Dora holds.
    let crossed = carl.replace(&area.acme.to_string(), &area.gamma.to_string());
    assert_eq!(dora.delete(&crossed).await.problem(), (404, "not_found"));
    let ana = area.browser("ana").await;
    area.join(&ana, area.acme, "dora", "manager").await;
    assert_eq!(dora.patch(&carl, &role("auditor")).await.problem(), (403, "role_required"));
    assert_eq!(area.browser("carl").await.delete(&carl).await.problem(), (403, "role_required"));
}

#[tokio::test]
async fn a_members_version_stops_a_change_meant_for_another_one() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let carl = member(&area, "carl").await;
    ana.patch(&carl, &role("auditor")).await.ok(200);
    let old = [("if-match", "\"1\"")];
    let refused = ana.send(Method::PATCH, &carl, &old, "{\"role\": \"manager\"}").await;
    assert_eq!(refused.problem(), (412, "version_conflict"));
    assert_eq!(ana.send(Method::DELETE, &carl, &old, "").await.problem(), (412, "version_conflict"));
    let same = ana.patch(&carl, &role("auditor")).await.ok(200);
    assert_eq!(same.header("etag"), "\"2\"");
    assert_eq!(ana.patch(&carl, &json!({})).await.ok(200).header("etag"), "\"2\"");
    for (body, code) in [(json!({"role": null}), "required"), (json!({"email": "x"}), "read_only_field")] {
        let refused = ana.patch(&carl, &body).await;
        assert_eq!((refused.problem().0, refused.field().1), (422, code), "{body}");
    }
    ana.send(Method::DELETE, &carl, &[("if-match", "\"2\"")], "").await.ok(200);
}

#[tokio::test]
async fn who_left_comes_back_with_the_same_membership() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let carl = member(&area, "carl").await;
    ana.delete(&carl).await.ok(200);
    let back = add(&ana, area.acme, &json!({"email": "carl@example.com", "role": "manager"})).await.ok(201);
    assert!(carl.ends_with(&back.id()));
    assert_eq!((&back.json["role"], &back.json["status"]), (&json!("manager"), &json!("invited")));
    assert!(back.json["acceptedAt"].is_null(), "the earlier acceptance is no acceptance of this");
    let browser = area.browser("carl").await;
    let accepted = browser.act(&format!("/session/invitations/{}/accept", back.id())).await.ok(200);
    assert_eq!((&accepted.json["role"], &accepted.json["status"]), (&json!("manager"), &json!("active")));
    assert_eq!(browser.get("/session").await.ok(200).json["companies"][0]["role"], "manager");
}

/// What is shown of the person behind a membership.
fn person(member: &Value) -> [&Value; 3] {
    ["userId", "name", "email"].map(|name| &member[name])
}

#[tokio::test]
async fn until_they_accept_people_are_shown_by_what_the_inviter_sent_and_nothing_else() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let members = format!("/accounts/{}/members", area.acme);
    let token = json!({
        "name": "Shop", "permissions": ["read"], "personalData": true, "primaryAccountId": area.acme,
    });
    let token = ana.post("/tokens", &token).await.ok(201).json["value"].as_str().unwrap().to_owned();
    let (dora, null) = (json!(user("dora")), Value::Null);
    let mail = json!("Dora@Example.com");
    for (body, sent) in [
        (json!({"email": mail, "role": "manager"}), [&null, &null, &mail]),
        (json!({"userId": dora, "role": "manager"}), [&dora, &null, &null]),
    ] {
        let invited = ana.post(&members, &body).await.ok(201);
        let path = format!("{members}/{}", invited.id());
        let changed = ana.patch(&path, &role("auditor")).await.ok(200);
        let bearer = format!("Bearer {token}");
        let listed = area.send(Method::GET, &members, &[("authorization", &bearer)], "").await.ok(200);
        let listed = listed.json["items"].as_array().unwrap().clone();
        let listed = listed.iter().find(|member| member["id"] == invited.json["id"]).unwrap();
        let withdrawn = ana.delete(&path).await.ok(200);
        for shown in [&invited.json, &changed.json, listed, &withdrawn.json] {
            assert_eq!(person(shown), sent, "{shown}");
        }
        let log = ana.get(&format!("/audit-log?companyId={}&subject={}", area.acme, invited.id())).await;
        let told = log.ok(200).text.contains(&user("dora").to_string());
        assert_eq!(told, sent[0] == &dora, "the log tells no more either");
    }
    let id = area.join(&ana, area.acme, "dora", "manager").await;
    let path = format!("{members}/{id}");
    let name = json!("Ángela 14");
    let known = [&dora, &name, &json!("dora@example.com")];
    assert_eq!(person(&ana.patch(&path, &role("auditor")).await.ok(200).json), known);
    ana.delete(&path).await.ok(200);
    let back = ana.post(&members, &json!({"email": mail, "role": "manager"})).await.ok(201);
    assert_eq!(person(&back.json), known, "she was a member before");
}

/// The addresses of so many new people.
async fn strangers(area: &ClientAreaApp, many: u128) -> Vec<String> {
    let unit = area.database.business().begin().await.unwrap();
    let mut addresses = Vec::new();
    for number in 0..many {
        let address = format!("guest{number}@example.com");
        unit.people().insert_user(&sample::user(100 + number, &address)).await.unwrap();
        addresses.push(address);
    }
    unit.commit().await.unwrap();
    addresses
}

#[tokio::test]
async fn a_company_has_at_most_twenty_open_invitations() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let guests = strangers(&area, 21).await;
    for guest in &guests[..20] {
        add(&ana, area.acme, &json!({"email": guest, "role": "auditor"})).await.ok(201);
    }
    for email in [guests[20].as_str(), "nobody@example.com"] {
        let refused = add(&ana, area.acme, &json!({"email": email, "role": "auditor"})).await;
        assert_eq!(refused.problem(), (409, "too_many_invitations"), "{email}");
    }
    add(&ana, area.beta, &json!({"email": guests[20], "role": "auditor"})).await.ok(201);
}
