//! Who gets past the gate of the client area.

use http::Method;
use serde_json::json;

use crate::client_area::{ClientAreaApp, PASSWORD};

#[tokio::test]
async fn a_request_without_a_good_session_is_answered_401() {
    let area = ClientAreaApp::new().await;
    let missing = area.send(Method::GET, "/session", &[], "").await;
    assert_eq!(
        (missing.problem(), missing.header("www-authenticate")),
        ((401, "session_missing"), "Session")
    );
    let ana = area.browser("ana").await;
    let value = ana.cookie.strip_prefix("sid=").unwrap();
    let other = format!("{}0", &value[..42]);
    for cookie in ["sid=", "sid=x", "sid=é", &format!("sid={other}")] {
        let refused = area.send(Method::GET, "/session", &[("cookie", cookie)], "").await;
        assert_eq!(refused.problem(), (401, "session_invalid"), "{cookie}");
    }
    for cookie in ["other=1", &format!("SID={value}"), &format!("__Host-sid={value}"), "sid=1; sid=2"] {
        let refused = area.send(Method::GET, "/session", &[("cookie", cookie)], "").await;
        assert_eq!(refused.problem(), (401, "session_missing"), "{cookie}");
    }
    let among_others = format!("theme=dunkelgrün; {}; lang=es", ana.cookie);
    area.send(Method::GET, "/session", &[("cookie", &among_others)], "").await.ok(200);
}

#[tokio::test]
async fn what_changes_something_needs_the_sessions_own_csrf_token() {
    let area = ClientAreaApp::new().await;
    let [ana, ben] = [area.browser("ana").await, area.browser("ben").await];
    let body = json!({"name": "Shop", "permissions": ["read"], "primaryAccountId": area.acme}).to_string();
    let wrong = format!("{}x", ana.csrf);
    for headers in [
        vec![],
        vec![("x-csrf-token", "")],
        vec![("x-csrf-token", wrong.as_str())],
        vec![("x-csrf-token", ben.csrf.as_str())],
        vec![("x-csrf-token", ana.csrf.as_str()), ("x-csrf-token", ana.csrf.as_str())],
    ] {
        for (method, path) in [
            (Method::POST, "/tokens"),
            (Method::DELETE, "/session"),
            (Method::PATCH, "/groups/grp_00000000000000000000000001"),
        ] {
            let refused = ana.send_bare(method, path, &headers, &body).await;
            assert_eq!(refused.problem(), (403, "csrf_rejected"), "{path} {headers:?}");
        }
    }
    ana.send_bare(Method::GET, "/session", &[], "").await.ok(200);
    ana.send_bare(Method::HEAD, "/session", &[], "").await.ok(200);
    // A client that is no browser sends neither `Origin` nor `Sec-Fetch-Site`.
    ana.send_bare(Method::POST, "/tokens", &[("x-csrf-token", &ana.csrf)], &body).await.ok(201);
}

#[tokio::test]
async fn another_site_can_neither_use_a_session_nor_sign_a_person_in() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let sign_in = json!({"email": "ana@example.com", "password": PASSWORD}).to_string();
    for (name, value, passes) in [
        ("origin", "https://evil.example", false),
        ("origin", "https://127.0.0.1:8080", false),
        ("origin", "http://127.0.0.1:8081", false),
        ("origin", "null", false),
        ("origin", "http://127.0.0.1:8080.evil.example", false),
        ("sec-fetch-site", "cross-site", false),
        ("sec-fetch-site", "same-site", false),
        ("sec-fetch-site", "none", false),
        ("origin", "http://127.0.0.1:8080", true),
        ("sec-fetch-site", "same-origin", true),
    ] {
        let used =
            ana.send_bare(Method::POST, "/groups", &[("x-csrf-token", &ana.csrf), (name, value)], "{}").await;
        let signed_in = area.send(Method::POST, "/session", &[(name, value)], &sign_in).await;
        if passes {
            assert_eq!((used.problem().0, signed_in.status.as_u16()), (422, 201), "{name}: {value}");
        } else {
            assert_eq!(used.problem(), (403, "csrf_rejected"), "{name}: {value}");
            assert_eq!(signed_in.problem(), (403, "csrf_rejected"), "{name}: {value}");
            assert_eq!(signed_in.header("set-cookie"), "");
        }
    }
    // The host that the request itself names is at home too: a page under another name of this machine.
    let headers = [("host", "localhost:8080"), ("origin", "http://localhost:8080")];
    area.send(Method::POST, "/session", &headers, &sign_in).await.ok(201);
}

#[tokio::test]
async fn a_token_on_a_route_for_people_hears_of_itself_first() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let body = json!({"name": "Shop", "permissions": ["full"], "primaryAccountId": area.acme});
    let created = ana.post("/tokens", &body).await.ok(201);
    let bearer = format!("Bearer {}", created.json["value"].as_str().unwrap());
    let routes = [
        (Method::GET, "/session"),
        (Method::GET, "/tokens"),
        (Method::POST, "/groups"),
        (Method::DELETE, "/session"),
    ];
    for (method, path) in routes {
        let send = async |bearer: &str| {
            // The cookie of a good session changes nothing.
            ana.send(method.clone(), path, &[("authorization", bearer)], "").await
        };
        assert_eq!(send("Bearer junk").await.problem(), (401, "token_invalid"), "{path}");
        assert_eq!(send("Basic YTpi").await.problem(), (401, "token_invalid"), "{path}");
        assert_eq!(send(&bearer).await.problem(), (403, "account_token_not_accepted"), "{path}");
    }
    ana.act(&format!("/tokens/{}/disable", created.id())).await.ok(200);
    let disabled = ana.send(Method::GET, "/session", &[("authorization", &bearer)], "").await;
    assert_eq!(disabled.problem(), (401, "token_disabled"));
}

#[tokio::test]
async fn a_session_opens_no_route_for_tokens() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    for path in ["/contacts", "/accounts", "/auth/whoami", "/webhooks/subscriptions"] {
        assert_eq!(ana.get(path).await.problem(), (401, "token_missing"), "{path}");
    }
}

#[tokio::test]
async fn who_administers_no_company_is_signed_in_but_manages_nothing() {
    let area = ClientAreaApp::new().await;
    let carl = area.browser("carl").await;
    assert_eq!(carl.get("/session").await.ok(200).json["companies"][0]["role"], "accountant");
    for path in ["/tokens", "/audit-log"] {
        assert_eq!(carl.get(path).await.problem(), (403, "role_required"), "{path}");
    }
    let body = json!({"name": "Shop", "permissions": ["read"]});
    assert_eq!(carl.post("/tokens", &body).await.problem(), (403, "role_required"));
}
