//! How a session begins and ends.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use axum::body::Body;
use http::{Method, Request};
use serde_json::{Value, json};
use svc_auth::ports::{HasherError, PasswordHasher, Salt};
use svc_auth::session::{Argon2id, PasswordHash, PasswordText};
use svc_business::user::{User, UserStatus};
use svc_http::server::Transport;

use crate::client_area::{Chosen, ClientAreaApp, PASSWORD, user};
use crate::test_app::{answer, any_answer};

const MINUTE: Duration = Duration::from_mins(1);

#[tokio::test]
async fn signing_in_shows_the_person_and_their_companies_and_sets_a_cookie() {
    let area = ClientAreaApp::new().await;
    area.set_api_access(area.beta, false).await;
    let signed_in = area.sign_in("ANA@example.com", PASSWORD).await.ok(201);
    let companies = json!([
        {"id": area.acme.to_string(), "legalName": "Acme", "role": "holder", "apiAccessEnabled": true},
        {"id": area.beta.to_string(), "legalName": "Beta", "role": "holder", "apiAccessEnabled": false},
    ]);
    let person = json!({"id": user("ana").to_string(), "email": "ana@example.com", "name": "Ángela 11"});
    assert_eq!((&signed_in.json["person"], &signed_in.json["companies"]), (&person, &companies));
    assert_eq!(signed_in.json["expiresAt"], "2025-03-02T00:00:00.123Z");
    assert_eq!(signed_in.header("location"), "/api/v1/session");
    assert_eq!(signed_in.header("cache-control"), "no-store");
    let cookie = signed_in.header("set-cookie");
    let (value, attributes) = cookie.strip_prefix("sid=").unwrap().split_at(43);
    assert!(value.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{cookie}");
    assert_eq!(attributes, "; Path=/; HttpOnly; SameSite=Lax");
    assert!(!signed_in.text.contains(value), "the value is in the cookie alone");
    let seen = area.browser("ana").await.get("/session").await.ok(200);
    assert_eq!((&seen.json["person"], &seen.json["companies"]), (&person, &companies));
    assert_eq!(seen.header("set-cookie"), "");
}

#[tokio::test]
async fn over_https_the_cookie_is_bound_to_this_host_and_to_https() {
    let area = ClientAreaApp::new().await;
    let body = json!({"email": "ana@example.com", "password": PASSWORD}).to_string();
    let request = |method: Method, cookie: &str, body: &str| {
        let request = Request::builder().method(method).uri("/api/v1/session").header("cookie", cookie);
        let request = request.header("content-type", "application/json").extension(Transport::Tls);
        request.body(Body::from(body.to_owned())).unwrap()
    };
    let signed_in = answer(&area.router, request(Method::POST, "", &body)).await.ok(201);
    let cookie = signed_in.header("set-cookie");
    assert!(cookie.starts_with("__Host-sid="), "{cookie}");
    assert!(cookie.ends_with("; Path=/; Secure; HttpOnly; SameSite=Lax"), "{cookie}");
    let pair = cookie.split(';').next().unwrap();
    answer(&area.router, request(Method::GET, pair, "")).await.ok(200);
    // The name that a plain page could set is not looked at.
    let plain = pair.replace("__Host-sid", "sid");
    let refused = answer(&area.router, request(Method::GET, &plain, "")).await;
    assert_eq!(refused.problem(), (401, "session_missing"));
}

#[tokio::test]
async fn a_session_ends_when_it_is_not_used_for_half_an_hour() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    for _ in 0..3 {
        area.clock.advance(29 * MINUTE);
        ana.get("/session").await.ok(200);
    }
    area.clock.advance(30 * MINUTE);
    assert_eq!(ana.get("/session").await.problem(), (401, "session_invalid"));
}

#[tokio::test]
async fn a_session_ends_after_twelve_hours_however_much_it_is_used() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    for _ in 0..47 {
        area.clock.advance(15 * MINUTE);
        ana.get("/session").await.ok(200);
    }
    area.clock.advance(15 * MINUTE);
    assert_eq!(ana.get("/session").await.problem(), (401, "session_invalid"));
}

#[tokio::test]
async fn signing_out_ends_the_session_and_clears_the_cookie() {
    let area = ClientAreaApp::new().await;
    let [here, there] = [area.browser("ana").await, area.browser("ana").await];
    let out = here.delete("/session").await.ok(204);
    assert_eq!(out.header("set-cookie"), "sid=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax");
    assert_eq!(here.get("/session").await.problem(), (401, "session_invalid"));
    there.get("/session").await.ok(200);
}

#[tokio::test]
async fn a_person_who_is_disabled_is_signed_out() {
    let area = ClientAreaApp::new().await;
    let carl = area.browser("carl").await;
    let unit = area.database.business().begin().await.unwrap();
    let before = unit.people().user(user("carl")).await.unwrap().unwrap();
    let after = User { status: UserStatus::Disabled, version: before.version.next(), ..before.clone() };
    unit.people().replace_user(before.version, &after).await.unwrap();
    unit.commit().await.unwrap();
    assert_eq!(carl.get("/session").await.problem(), (401, "session_invalid"));
}

/// Has no thread to spare, ever.
struct Crowded;

#[async_trait]
impl PasswordHasher for Crowded {
    fn parameters(&self) -> Argon2id {
        Argon2id::default()
    }

    async fn hash(&self, _: PasswordText, _: Salt) -> Result<PasswordHash, HasherError> {
        Err(HasherError::Busy)
    }

    async fn verify(&self, _: PasswordText, _: PasswordHash) -> Result<bool, HasherError> {
        Err(HasherError::Busy)
    }
}

#[tokio::test]
async fn a_crowd_at_the_door_is_asked_to_come_back() {
    let area = ClientAreaApp::with(Chosen { hasher: Arc::new(Crowded), ..Chosen::default() }).await;
    let body = json!({"email": "ana@example.com", "password": PASSWORD}).to_string();
    let request = Request::post("/api/v1/session").header("content-type", "application/json");
    let refused = any_answer(&area.router, request.body(Body::from(body)).unwrap()).await;
    assert_eq!((refused.problem(), refused.header("retry-after")), ((503, "busy"), "1"));
    assert_eq!(refused.json.get("errors"), None::<&Value>);
}
