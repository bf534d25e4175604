//! Tokens in URLs: refused wherever they stand, and never logged.

use axum::body::Body;
use http::{Method, Request};

use crate::test_app::{TestApp, Want, answer};

/// Forms in which a careless client may write a token into a URL.
fn forms(token: &str) -> Vec<String> {
    let secret = token.strip_prefix("svc_live_").unwrap();
    vec![
        token.to_owned(),
        format!("x{token}.json"),
        format!("svc%5Flive%5f{secret}"),
        format!("%73%76%63_live_{secret}"),
        format!("svc%255Flive%255F{secret}"),
        format!("%2573vc_live_{secret}"),
        token.bytes().map(|byte| format!("%{byte:02x}")).collect::<Vec<_>>().concat(),
        format!("100%{token}"),
    ]
}

#[tokio::test]
async fn a_token_anywhere_in_the_url_is_refused_even_beside_a_good_header() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    let token = client.token.clone();
    for form in forms(&token) {
        for place in [
            "/api/v1/contacts?q=FORM",
            "/api/v1/contacts?FORM",
            "/api/v1/contacts?page=1&FORM=1",
            "/api/v1/contacts/FORM",
            "/api/v1/FORM/contacts",
            "/api/v1/nothing/FORM",
            "/FORM",
            "/docs/FORM",
            "/docs/errors/FORM?x",
            "/api/v1/openapi.json?key=FORM",
        ] {
            let uri = place.replace("FORM", &form);
            for method in [Method::GET, Method::PUT, Method::OPTIONS] {
                let request = Request::builder().method(method).uri(&uri);
                let request = request.header("authorization", format!("Bearer {token}"));
                let refused = answer(&app.router, request.body(Body::empty()).unwrap()).await;
                assert_eq!(refused.problem(), (400, "token_in_url"), "{uri}");
                let told = format!("{}{:?}", refused.text, refused.headers);
                assert!(!told.contains(&token) && !told.contains(&form), "{told}");
            }
        }
    }
}

#[tokio::test]
async fn a_parameter_named_like_a_credential_is_refused_whatever_it_holds() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    for query in ["token=x", "access_token=x", "API_KEY=x", "page=1&apikey", "%74oken=x", "access%5Ftoken=x"]
    {
        let refused = client.get(&format!("/contacts?{query}")).await;
        assert_eq!(refused.problem(), (400, "token_in_url"), "{query}");
    }
}

#[tokio::test]
async fn an_absolute_url_with_a_token_as_its_user_is_refused() {
    let app = TestApp::new().await;
    let token = app.token(Want::default()).await;
    let request = Request::get(format!("https://{token}@svc.example.com/api/v1/auth/whoami"));
    let refused = answer(&app.router, request.body(Body::empty()).unwrap()).await;
    assert_eq!(refused.problem(), (400, "token_in_url"));
}

#[tokio::test]
async fn text_that_only_looks_a_little_like_a_token_is_let_through() {
    let app = TestApp::new().await;
    let client = app.client(Want::default()).await;
    for query in ["q=svc_liv", "q=svc%5Flive", "q=100%25", "q=tokens", "q=%C3%A9t%C3%A9"] {
        client.get(&format!("/contacts?{query}")).await.ok(200);
    }
}
