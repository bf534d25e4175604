//! Who may call what, and in which order it is checked.

use axum::body::Body;
use http::Request;
use serde_json::json;
use svc_auth::limit::Limits;
use svc_auth::ports::Standing;
use svc_core::role::Role;
use svc_http::Settings;
use svc_testkit::fakes::FakeSender;

use crate::test_app::{TestApp, Want, answer};

#[tokio::test]
async fn whoami_tells_what_the_token_is_and_reaches() {
    let app = TestApp::new().await;
    let client = app
        .client(Want {
            permissions: &["sales:*.read"],
            personal_data: false,
            companies: &[app.other],
            ..Want::default()
        })
        .await;
    let answer = client.get("/auth/whoami").await.ok(200);
    assert_eq!(answer.json["primaryAccountId"], app.ours.to_string());
    assert_eq!(answer.json["token"]["permissions"], json!(["sales:*.read"]));
    assert_eq!(answer.json["token"]["personalData"], false);
    assert_eq!(answer.json["token"]["type"], "api");
    assert_eq!(answer.json["token"]["state"], "active");
    assert_eq!(answer.json["companies"][0]["via"], "primary");
    assert_eq!(answer.json["companies"][0]["role"], "primary");
    assert_eq!(answer.json["companies"][1]["via"], "direct");
    assert_eq!(answer.json["companies"][1]["role"], "holder");
    assert!(answer.header("x-request-id").starts_with("req_"));
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("cache-control"), "no-store");
    assert!(answer.header("ratelimit").starts_with("\"minute\";r=9999;t="));
    assert_eq!(answer.header("ratelimit-policy"), "\"minute\";q=10000;w=60, \"month\";q=1000000");
}

#[tokio::test]
async fn a_request_without_a_good_token_is_answered_401() {
    let app = TestApp::new().await;
    for (header, code) in [
        (None, "token_missing"),
        (Some("Bearer svc_live_junk"), "token_invalid"),
        (Some("Basic x"), "token_invalid"),
    ] {
        let mut request = Request::get("/api/v1/contacts");
        if let Some(header) = header {
            request = request.header("authorization", header);
        }
        let refused = answer(&app.router, request.body(Body::empty()).unwrap()).await;
        assert_eq!(refused.problem(), (401, code));
        assert_eq!(refused.header("www-authenticate"), "Bearer");
    }
}

#[tokio::test]
async fn two_authorization_headers_are_one_too_many() {
    let app = TestApp::new().await;
    let token = app.token(Want::default()).await;
    let request = Request::get("/api/v1/auth/whoami")
        .header("authorization", format!("Bearer {token}"))
        .header("authorization", format!("Bearer {token}"));
    let refused = answer(&app.router, request.body(Body::empty()).unwrap()).await;
    assert_eq!(refused.problem(), (401, "token_invalid"));
}

#[tokio::test]
async fn the_checks_run_in_the_order_of_the_specification() {
    let app =
        TestApp::with(FakeSender::new(), Limits { per_minute: 1, per_month: 9 }, Settings::default()).await;
    // Wrong in every way but the first: no permission, wrong address, and the budget is for one request.
    let client = app
        .client(Want { permissions: &["sales:*.read"], allowed_ips: &["192.0.2.1"], ..Want::default() })
        .await;
    let members = format!("/accounts/{}/members", app.ours);
    assert_eq!(client.post(&members, &json!({})).await.problem(), (403, "account_token_not_accepted"));
    let refused = client.get("/contacts?unknown=1").await;
    assert_eq!(refused.problem(), (403, "missing_permission"));
    assert_eq!(refused.json["required_permission"], "contacts:contacts.read");
    let refused = client.get("/auth/whoami").await;
    assert_eq!(refused.problem(), (403, "ip_not_allowed"));
    // Refusals before the fifth check cost nothing: the budget is still whole.
    let free = app.client(Want::default()).await;
    free.get("/auth/whoami").await.ok(200);
    let refused = free.get("/contacts?unknown=1").await;
    assert_eq!(refused.problem(), (429, "rate_limited"));
    assert!(refused.header("retry-after").parse::<u64>().unwrap() > 0);
    assert!(refused.header("ratelimit").starts_with("\"minute\";r=0;"));
}

#[tokio::test]
async fn a_creator_without_the_role_makes_the_token_useless() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    app.auth.put_standing(app.user, app.ours, Standing::Member(Role::Employee));
    assert_eq!(client.get("/auth/whoami").await.problem(), (401, "creator_lost_role"));
}

#[tokio::test]
async fn unknown_paths_and_methods_are_problems_too() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    assert_eq!(client.get("/nothing").await.problem(), (404, "not_found"));
    assert_eq!(client.get("/contacts/").await.problem(), (404, "not_found"));
    let refused = client.send(http::Method::PUT, "/contacts", &[], String::new()).await;
    assert_eq!(refused.problem(), (405, "method_not_allowed"));
    let allow = refused.header("allow");
    assert!(allow.contains("GET") && allow.contains("HEAD") && allow.contains("POST"), "{allow}");
    let outside = answer(&app.router, Request::get("/nothing").body(Body::empty()).unwrap()).await;
    assert_eq!(outside.problem(), (404, "not_found"));
}

#[tokio::test]
async fn head_is_answered_as_get_without_a_body() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let head = client.send(http::Method::HEAD, "/contacts", &[], String::new()).await.ok(200);
    assert_eq!((head.text.as_str(), head.header("x-personal-data")), ("", "full"));
}
