//! The five checks in their order, and what is kept.

use axum::http::StatusCode;
use serde_json::json;
use svc_auth::ip::AllowedIps;
use svc_auth::token::Token;
use svc_core::permission::Grants;

use super::test_app::TestApp;

const PROXIED: (&str, &str) = ("x-forwarded-for", "203.0.113.7");
const JSON: (&str, &str) = ("content-type", "application/json");

#[tokio::test]
async fn a_token_reads_and_adds_files_of_its_tenant() {
    let app = TestApp::new(300).await;
    let bearer = app.bearer();
    let added = app.send("POST /files", &[("authorization", &bearer), JSON]).await;
    assert_eq!((added.status, added.body), (StatusCode::CREATED, json!({ "name": "plan.pdf" })));
    let listed = app.call("GET /files").await;
    assert_eq!((listed.status, listed.body), (StatusCode::OK, json!([{ "name": "plan.pdf" }])));
    let me = app.call("GET /me").await.body;
    assert_eq!(me["companies"], json!([app.tenant]));
    assert_eq!(me["permissions"], json!(["archive:files.*"]));
}

#[tokio::test]
async fn a_request_without_a_good_token_has_no_caller() {
    let app = TestApp::new(300).await;
    let bearer = app.bearer();
    let missing = app.send("GET /files", &[]).await;
    assert_eq!(missing.problem(), (401, "token_missing"));
    assert_eq!(missing.headers["www-authenticate"], "Bearer");
    let mut changed = bearer.clone();
    let last = changed.pop().expect("a character");
    changed.push(if last == '0' { '1' } else { '0' });
    for header in ["Bearer svc_live_junk", "Basic YTpi", "", changed.as_str()] {
        let answer = app.send("GET /files", &[("authorization", header)]).await;
        assert_eq!(answer.problem(), (401, "token_invalid"), "{header}");
    }
    let twice = [("authorization", bearer.as_str()), ("authorization", bearer.as_str())];
    assert_eq!(app.send("GET /files", &twice).await.problem(), (401, "token_invalid"));
}

#[tokio::test]
async fn each_state_of_a_token_has_its_answer() {
    let app = TestApp::new(300).await;
    let now = svc_core::clock::Clock::now(&app.clock);
    let active = app.token().await;
    app.change(|token| token.disable(now).expect("active")).await;
    assert_eq!(app.call("GET /files").await.problem(), (401, "token_disabled"));
    app.change(|token| Token { expires_at: Some(now), lifecycle: active.lifecycle, ..token }).await;
    assert_eq!(app.call("GET /files").await.problem(), (401, "token_expired"));
    app.change(|token| Token { expires_at: None, ..token }).await;
    assert_eq!(app.call("GET /files").await.status, StatusCode::OK);
    app.tenants.remove(app.tenant);
    app.authenticator.refresh().await.expect("read");
    assert_eq!(app.call("GET /files").await.problem(), (401, "tenant_gone"));
    app.tenants.admit(app.tenant, "Acme SL");
    app.authenticator.refresh().await.expect("read");
    assert_eq!(app.call("GET /files").await.status, StatusCode::OK);
    app.change(|token| token.revoke(now).expect("active")).await;
    assert_eq!(app.call("GET /files").await.problem(), (401, "token_revoked"));
}

/// A token that would fail every check is answered by the first, and so on to the last.
#[tokio::test]
async fn the_checks_run_in_their_order() {
    let app = TestApp::new(1).await;
    let now = svc_core::clock::Clock::now(&app.clock);
    assert_eq!(app.call("GET /me").await.status, StatusCode::OK, "and the minute is used up");
    let offices = AllowedIps::parse(["198.51.100.0/24"]).expect("a range");
    let grants = Grants::parse(["sales:*.*"]).expect("a wildcard");
    let active = app.token().await.lifecycle;
    app.change(|token| Token { grants, allowed_ips: offices, ..token.disable(now).expect("active") }).await;
    assert_eq!(app.call("GET /members").await.problem(), (401, "token_disabled"));

    app.change(|token| Token { lifecycle: active, ..token }).await;
    assert_eq!(app.call("GET /members").await.problem(), (403, "account_token_not_accepted"));

    let lacking = app.call("GET /files").await;
    assert_eq!(lacking.problem(), (403, "missing_permission"));
    assert_eq!(lacking.body["required_permission"], "archive:files.read");

    assert_eq!(app.call("GET /me").await.problem(), (403, "ip_not_allowed"));

    app.change(|token| Token { allowed_ips: AllowedIps::default(), ..token }).await;
    let limited = app.call("GET /me").await;
    assert_eq!(limited.problem(), (429, "rate_limited"));
    let wait: u64 = limited.headers["retry-after"].to_str().expect("text").parse().expect("seconds");
    assert!((1..=61).contains(&wait), "{wait}");
}

#[tokio::test]
async fn a_list_of_addresses_is_asked_for_the_client_behind_our_proxy() {
    let app = TestApp::new(300).await;
    let list = AllowedIps::parse(["203.0.113.0/24"]).expect("a range");
    app.change(|token| Token { allowed_ips: list, ..token }).await;
    let bearer = app.bearer();
    let from = |lines: &'static [(&'static str, &'static str)]| {
        let headers: Vec<_> =
            [("authorization", bearer.as_str())].into_iter().chain(lines.iter().copied()).collect();
        let app = &app;
        async move { app.send("GET /files", &headers).await.status }
    };
    assert_eq!(from(&[PROXIED]).await, StatusCode::OK);
    let spoofed = &[("x-forwarded-for", "203.0.113.7, 198.51.100.1")];
    assert_eq!(from(spoofed).await, StatusCode::FORBIDDEN, "what a client claims does not count");
    assert_eq!(from(&[("x-forwarded-for", "203.0.113.7, ?")]).await, StatusCode::FORBIDDEN);
    assert_eq!(from(&[]).await, StatusCode::FORBIDDEN, "a proxy that tells nothing");
}

#[tokio::test]
async fn what_is_kept_survives_and_the_value_is_not_in_it() {
    let app = TestApp::new(300).await;
    app.call("GET /files").await;
    let unit = svc_auth::ports::AuthStorage::begin(&app.store).await.expect("a unit");
    unit.tokens().touch(&app.authenticator.take_uses()).await.expect("touched");
    unit.commit().await.expect("committed");
    let token = app.token().await;
    assert!(token.last_used_at.is_some() && token.created_by.is_none());
    assert_eq!(app.kept(&app.reopened()).await, token);

    let disk = String::from_utf8(app.disk()).expect("text");
    assert!(disk.contains(&token.prefix), "the file is looked at");
    assert!(!disk.contains(app.value.expose()));
}

#[tokio::test]
async fn a_file_that_is_no_list_of_stored_tokens_is_not_opened() {
    let app = TestApp::new(300).await;
    let text = String::from_utf8(app.disk()).expect("text");
    for broken in ["", "[", "{}", &text.replace("\"format\": 1", "\"format\": 2")] {
        app.overwrite(broken);
        assert!(app.try_reopened().is_err(), "{broken}");
    }
    app.overwrite(&text);
    assert!(app.try_reopened().is_ok());
}
