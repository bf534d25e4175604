//! The API below a prefix of another program's router.

use axum::Router;
use axum::body::Body;
use http::{Method, Request};
use serde_json::json;
use svc_auth::limit::Limits;
use svc_http::Settings;
use svc_testkit::fakes::FakeSender;

use crate::client_area::{Chosen, ClientAreaApp};
use crate::test_app::{Answer, TestApp, Want, answer};

const PUBLIC: &str = "https://shop.example/admin";

fn settings() -> Settings {
    Settings { public_url: PUBLIC.to_owned(), ..Settings::default() }
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
    assert_eq!(document.json["components"]["securitySchemes"]["session"]["name"], "__Secure-sid");
    assert_eq!(get(&router, "/admin/docs").await.ok(308).header("location"), "docs/");
    let page = get(&router, "/admin/docs/swagger-initializer.js").await.ok(200);
    assert!(page.text.contains("url: \"../api/v1/openapi.json\""), "{}", page.text);
    let page = get(&router, "/admin/docs/").await.ok(200);
    assert!(!page.text.contains("=\"/"), "every file is named from here: {}", page.text);
}

#[tokio::test]
async fn the_session_is_for_the_prefix_alone() {
    let area = ClientAreaApp::with(Chosen { settings: settings(), ..Chosen::default() }).await;
    let signed_in = area.sign_in("ana@example.com", crate::client_area::PASSWORD).await.ok(201);
    let cookie = signed_in.header("set-cookie");
    assert!(cookie.starts_with("sid=") && cookie.contains("; Path=/admin;"), "{cookie}");
    area.browser("ana").await.get("/session").await.ok(200);
}
