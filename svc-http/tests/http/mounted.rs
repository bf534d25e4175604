//! The API below a prefix of another program's router.

use axum::Router;
use axum::body::Body;
use http::{Method, Request};
use serde_json::json;
use svc_auth::limit::Limits;
use svc_http::Settings;
use svc_testkit::fakes::FakeSender;

use crate::client_area::{Chosen, ClientAreaApp, PASSWORD};
use crate::test_app::{Answer, TestApp, Want, answer};

const PUBLIC: &str = "https://shop.example/admin";

fn settings() -> Settings {
    Settings::default().public_url(PUBLIC.to_owned())
}

async fn get(router: &Router, path: &str) -> Answer {
    answer(router, Request::get(path).body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn every_link_has_the_prefix() {
    let limits = Limits { per_minute: 1_000, per_month: 1_000 };
    let app = TestApp::with(FakeSender::new(), limits, settings()).await;
    let router = Router::new().nest("/admin", app.router.clone());
    let token = app.client(Want::default()).await.token;
    let ask = async |method: Method, path: &str, body: String| {
        let request = Request::builder().method(method).uri(format!("/admin/api/v1{path}"));
        let request = request.header("authorization", format!("Bearer {token}"));
        let request = request.header("content-type", "application/json").body(Body::from(body));
        answer(&router, request.unwrap()).await
    };
    let body = json!({"kind": "organization", "legalName": "Acme SL"}).to_string();
    let made = ask(Method::POST, "/contacts", body.clone()).await.ok(201);
    let path = format!("/admin/api/v1/contacts/{}", made.id());
    assert_eq!(made.header("location"), path);
    let again = Request::get(&path).header("authorization", format!("Bearer {token}"));
    answer(&router, again.body(Body::empty()).unwrap()).await.ok(200);
    let problem = ask(Method::GET, "/contacts/nothing", String::new()).await;
    assert_eq!(problem.json["type"], format!("{PUBLIC}/docs/errors/not_found"));

    let document = get(&router, "/admin/api/v1/openapi.json").await.ok(200);
    assert_eq!(document.json["servers"][0]["url"], format!("{PUBLIC}/api/v1"));
    assert_eq!(get(&router, "/admin/docs").await.ok(308).header("location"), "docs/");
    for path in ["/admin", "/admin/api/v1"] {
        assert_eq!(get(&router, path).await.ok(307).header("location"), "/admin/docs/", "{path}");
    }
    let page = Router::new().route("/", axum::routing::get("ours")).merge(app.router.clone());
    assert_eq!(get(&page, "/").await.ok(200).text, "ours", "a program may have a page of its own there");
    let page = get(&router, "/admin/docs/swagger-initializer.js").await.ok(200);
    assert!(page.text.contains("url: \"../api/v1/openapi.json\""), "{}", page.text);
    let page = get(&router, "/admin/docs/").await.ok(200);
    assert!(!page.text.contains("=\"/"), "every file is named from here: {}", page.text);
}

#[tokio::test]
async fn the_session_is_for_the_prefix_on_this_machine_and_for_the_host_over_https() {
    let trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    let settings = settings().trusted_proxies(trusted_proxies);
    let area = ClientAreaApp::with(Chosen { settings, ..Chosen::default() }).await;
    let router = Router::new().nest("/admin", area.router.clone());
    let ask = async |request: http::request::Builder, body: String| {
        let request = request.header("content-type", "application/json").body(Body::from(body)).unwrap();
        answer(&router, request).await
    };
    let body = json!({"email": "ana@example.com", "password": PASSWORD}).to_string();
    let https = |method| {
        let request = Request::builder().method(method).uri("/admin/api/v1/session");
        request.header("x-forwarded-proto", "https").header("x-forwarded-for", "203.0.113.9")
    };
    let signed_in = ask(https(Method::POST), body).await.ok(201);
    let cookie = signed_in.header("set-cookie").to_owned();
    assert!(cookie.starts_with("__Host-sid=") && cookie.contains("; Path=/; Secure;"), "{cookie}");
    let pair = cookie.split(';').next().unwrap();
    ask(https(Method::GET).header("cookie", pair), String::new()).await.ok(200);

    let area = ClientAreaApp::with(Chosen { settings: self::settings(), ..Chosen::default() }).await;
    let signed_in = area.sign_in("ana@example.com", PASSWORD).await.ok(201);
    let cookie = signed_in.header("set-cookie");
    assert!(cookie.starts_with("sid=") && cookie.contains("; Path=/admin;"), "{cookie}");
    area.browser("ana").await.get("/session").await.ok(200);
}
