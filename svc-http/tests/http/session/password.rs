//! What people sign in with.

use std::time::Duration;

use http::Method;
use serde_json::json;
use svc_business::user::{User, UserStatus};
use svc_testkit::business::sample;

use crate::client_area::{ClientAreaApp, PASSWORD, user};

const NEW: &str = "a better one than before";

#[tokio::test]
async fn a_person_who_cannot_sign_in_hears_one_answer() {
    let area = ClientAreaApp::new().await;
    let unit = area.database.business().begin().await.unwrap();
    let dora = unit.people().user(user("dora")).await.unwrap().unwrap();
    let disabled = User { status: UserStatus::Disabled, version: dora.version.next(), ..dora.clone() };
    unit.people().replace_user(dora.version, &disabled).await.unwrap();
    unit.people().insert_user(&sample::user(15, "eve@example.com")).await.unwrap();
    unit.commit().await.unwrap();
    let mut details = Vec::new();
    for (email, password) in [
        ("nobody@example.com", PASSWORD),
        ("ana@example.com", "another password"),
        ("dora@example.com", PASSWORD),
        ("eve@example.com", PASSWORD),
        ("", ""),
    ] {
        let refused = area.sign_in(email, password).await;
        assert_eq!(refused.problem(), (401, "sign_in_failed"), "{email}");
        assert_eq!((refused.header("set-cookie"), refused.header("www-authenticate")), ("", "Session"));
        details.push(refused.json["detail"].clone());
    }
    details.dedup();
    assert_eq!(details.len(), 1, "{details:?}");
}

#[tokio::test]
async fn failed_attempts_make_the_next_one_wait_even_with_the_right_password() {
    let area = ClientAreaApp::new().await;
    for _ in 0..5 {
        assert_eq!(area.sign_in("ana@example.com", "wrong password").await.problem().1, "sign_in_failed");
    }
    let waits = area.sign_in("ana@example.com", PASSWORD).await;
    assert_eq!((waits.problem(), waits.header("retry-after")), ((429, "rate_limited"), "60"));
    area.sign_in("ben@example.com", PASSWORD).await.ok(201);
    area.clock.advance(Duration::from_mins(1));
    area.sign_in("ana@example.com", PASSWORD).await.ok(201);
    // Success cleared the count.
    assert_eq!(area.sign_in("ana@example.com", "wrong password").await.problem().1, "sign_in_failed");
    area.sign_in("ana@example.com", PASSWORD).await.ok(201);
}

#[tokio::test]
async fn changing_the_password_ends_every_other_session() {
    let area = ClientAreaApp::new().await;
    let [here, there] = [area.browser("ana").await, area.browser("ana").await];
    let change = |current: &str, new: &str| json!({"currentPassword": current, "newPassword": new});
    let wrong = here.post("/session/password", &change("another password", "a new long password")).await;
    assert_eq!(
        (wrong.problem(), wrong.field()),
        ((422, "validation_failed"), ("currentPassword", "wrong_password"))
    );
    for (new, code) in [("short", "out_of_range"), ("ANA@example.com", "too_easy")] {
        let refused = here.post("/session/password", &change(PASSWORD, new)).await;
        assert_eq!((refused.problem().0, refused.field()), (422, ("newPassword", code)), "{new}");
    }
    there.get("/session").await.ok(200);
    here.post("/session/password", &change(PASSWORD, "a new long password")).await.ok(204);
    here.get("/session").await.ok(200);
    assert_eq!(there.get("/session").await.problem(), (401, "session_invalid"));
    assert_eq!(area.sign_in("ana@example.com", PASSWORD).await.problem().1, "sign_in_failed");
    area.sign_in("ana@example.com", "a new long password").await.ok(201);
}

#[tokio::test]
async fn nothing_of_a_password_is_kept_for_a_repetition() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let key = [("idempotency-key", "k")];
    let change = |new: &str| json!({"currentPassword": PASSWORD, "newPassword": new});
    ana.post_with("/session/password", &key, &change("short")).await.ok(422);
    // Had the first request been kept, another body under its key would be refused.
    ana.post_with("/session/password", &key, &change("a new long password")).await.ok(204);
}

#[tokio::test]
async fn a_body_that_cannot_be_understood_is_refused_by_its_member() {
    let area = ClientAreaApp::new().await;
    for (body, field, code) in [
        (json!({"email": "ana@example.com"}), "password", "required"),
        (json!({"password": PASSWORD}), "email", "required"),
        (json!({"email": 5, "password": PASSWORD}), "email", "invalid_type"),
        (json!({"email": "a", "password": PASSWORD, "remember": true}), "remember", "unknown_field"),
    ] {
        let refused = area.send(Method::POST, "/session", &[], &body.to_string()).await;
        assert_eq!((refused.problem().0, refused.field()), (422, (field, code)), "{body}");
        assert!(!refused.text.contains(PASSWORD));
    }
}

#[tokio::test]
async fn ten_wrong_passwords_end_the_session_in_which_they_came_and_delay_no_other() {
    let area = ClientAreaApp::new().await;
    let [stolen, own] = [area.browser("ana").await, area.browser("ana").await];
    let wrong = json!({"currentPassword": "not the password", "newPassword": NEW});
    for count in 0..10 {
        let refused = stolen.post("/session/password", &wrong).await;
        assert_eq!(refused.problem(), (422, "validation_failed"), "{count}");
        area.clock.advance(Duration::from_mins(15));
        own.get("/session").await.ok(200);
    }
    assert_eq!(stolen.get("/session").await.problem(), (401, "session_invalid"));
    let right = json!({"currentPassword": PASSWORD, "newPassword": NEW});
    own.post("/session/password", &right).await.ok(204);
}
