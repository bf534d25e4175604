//! The authorization server, as clients and pages of other sites see it.

use axum::body::Body;
use http::{Method, Request};
use serde_json::{Value, json};
use svc_auth::oauth::{CodeVerifier, Grant, RedirectUri, Stage};
use svc_auth::ports::OauthStorage;
use svc_auth::token::{ClientId, Connection, ConnectionRole, Status, Token, TokenValue};
use svc_core::clock::Clock as _;
use svc_core::id::{GrantId, TypedId as _};
use svc_core::mark::Mark;
use svc_testkit::audit::noted;
use svc_testkit::auth::{MemoryOauth, token};
use svc_testkit::fakes::SeededRandom;

use crate::test_app::{Answer, TestApp, answer};

/// The example of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const REDIRECT: &str = "http://localhost/cb";

impl TestApp {
    async fn at(&self, method: Method, path: &str, kind: &str, body: impl Into<Body>) -> Answer {
        let request = Request::builder().method(method).uri(path).header("content-type", kind);
        answer(&self.router, request.header("origin", "https://inspector.example").body(body.into()).unwrap())
            .await
    }

    async fn form(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body: Vec<_> = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        self.at(Method::POST, path, "application/x-www-form-urlencoded", body.join("&")).await
    }

    async fn register(&self, metadata: &Value) -> Answer {
        self.at(Method::POST, "/oauth/register", "application/json", metadata.to_string()).await
    }

    /// A client that has registered.
    async fn desk(&self) -> String {
        let answer =
            self.register(&json!({ "client_name": "Desk", "redirect_uris": [REDIRECT] })).await.ok(201);
        answer.json["client_id"].as_str().unwrap().to_owned()
    }

    /// A code for it, as the client area gives one.
    async fn code(&self, client: &str, number: u64) -> (String, Token) {
        let client: ClientId = client.parse().unwrap();
        let value = TokenValue::generate_marked(Mark::of("mcp_ac_"), &SeededRandom::new(number));
        let plain = token(u128::from(number), self.user, self.ours);
        let credential = Token {
            connection: Some(Connection { client: client.clone(), role: ConnectionRole::Operator }),
            grants: ConnectionRole::Operator.grants(),
            fingerprint: self.peppers().fingerprint(&value),
            ..plain
        };
        let grant = Grant {
            id: GrantId::generate(self.clock.now(), &SeededRandom::new(number)),
            credential: credential.id,
            client,
            redirect: RedirectUri::parse(REDIRECT).unwrap(),
            challenge: CodeVerifier::parse(VERIFIER).unwrap().challenge(),
            code: self.peppers().fingerprint(&value),
            code_until: self.clock.now().plus(std::time::Duration::from_mins(1)),
            stage: Stage::Coded,
        };
        let storage = MemoryOauth::beside(&self.auth);
        let unit = storage.begin().await.unwrap();
        unit.tokens().insert(&credential).await.unwrap();
        unit.grants().add(&grant).await.unwrap();
        noted(&*unit, credential.primary).await.unwrap();
        unit.commit().await.unwrap();
        (value.expose().to_owned(), credential)
    }

    async fn exchange(&self, client: &str, code: &str) -> Answer {
        self.form(
            "/oauth/token",
            &[
                ("grant_type", "authorization_code"),
                ("client_id", client),
                ("code", code),
                ("code_verifier", VERIFIER),
                ("redirect_uri", REDIRECT),
                ("resource", "https://svc.example/mcp"),
            ],
        )
        .await
    }

    async fn refresh(&self, client: &str, token: &str) -> Answer {
        let fields = [("grant_type", "refresh_token"), ("client_id", client), ("refresh_token", token)];
        self.form("/oauth/token", &fields).await
    }
}

fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// Status and error of a refusal, which must be whole.
#[track_caller]
fn told(answer: &Answer) -> (u16, &str) {
    assert_eq!(answer.header("content-type"), "application/json", "{answer:?}");
    assert_eq!(
        (answer.header("cache-control"), answer.header("access-control-allow-origin")),
        ("no-store", "*")
    );
    assert!(!answer.json["error_description"].as_str().unwrap().is_empty());
    (answer.status.as_u16(), answer.json["error"].as_str().unwrap())
}

#[tokio::test]
async fn the_server_says_what_it_is_at_the_addresses_of_the_standards() {
    let app = TestApp::new().await;
    let get = async |path: &str| app.at(Method::GET, path, "", Body::empty()).await.ok(200);
    let resource = get("/.well-known/oauth-protected-resource/mcp").await;
    assert_eq!(
        resource.json,
        json!({
            "resource": "https://svc.example/mcp",
            "authorization_servers": ["https://svc.example"],
            "scopes_supported": ["mcp:read"],
            "bearer_methods_supported": ["header"],
        })
    );
    assert_eq!(get("/.well-known/oauth-protected-resource").await.text, resource.text);
    let server = get("/.well-known/oauth-authorization-server").await;
    assert_eq!(server.header("access-control-allow-origin"), "*");
    for (member, value) in [
        ("issuer", json!("https://svc.example")),
        ("authorization_endpoint", json!("https://svc.example/oauth/authorize")),
        ("token_endpoint", json!("https://svc.example/oauth/token")),
        ("registration_endpoint", json!("https://svc.example/oauth/register")),
        ("code_challenge_methods_supported", json!(["S256"])),
        ("token_endpoint_auth_methods_supported", json!(["none"])),
        ("scopes_supported", json!(["mcp:read", "mcp:write", "mcp:commit", "offline_access"])),
        ("client_id_metadata_document_supported", json!(true)),
        ("authorization_response_iss_parameter_supported", json!(true)),
    ] {
        assert_eq!(server.json[member], value, "{member}");
    }
    for path in ["/oauth/token", "/oauth/register", "/.well-known/oauth-authorization-server"] {
        let asked = app.at(Method::OPTIONS, path, "", Body::empty()).await.ok(204);
        assert_eq!(asked.header("access-control-allow-origin"), "*");
        assert!(asked.header("access-control-allow-headers").contains("Content-Type"));
        assert_eq!(asked.header("access-control-allow-credentials"), "");
    }
}

#[tokio::test]
async fn a_client_registers_itself_and_hears_what_became_of_what_it_asked_for() {
    let app = TestApp::new().await;
    let metadata = json!({
        "client_name": "Desk",
        "redirect_uris": [REDIRECT, "https://desk.example/cb"],
        "token_endpoint_auth_method": "client_secret_basic",
        "logo_uri": "https://desk.example/logo.png",
    });
    let answer = app.register(&metadata).await.ok(201);
    assert_eq!(answer.header("cache-control"), "no-store");
    assert!(answer.json["client_id"].as_str().unwrap().starts_with("ocl_"));
    assert_eq!(answer.json["redirect_uris"], metadata["redirect_uris"]);
    assert_eq!(answer.json["token_endpoint_auth_method"], "none");
    assert_eq!(answer.json.get("client_secret"), None);
    let again = app.register(&metadata).await.ok(201);
    assert_eq!(again.json["client_id"], answer.json["client_id"]);
    for (body, error) in [
        (json!({ "redirect_uris": ["http://evil.example/"] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": ["javascript:alert(1)"] }), "invalid_redirect_uri"),
        (json!({ "redirect_uris": [REDIRECT], "grant_types": ["implicit"] }), "invalid_client_metadata"),
        (json!([1]), "invalid_client_metadata"),
        (json!({ "redirect_uris": "x" }), "invalid_client_metadata"),
    ] {
        assert_eq!(told(&app.register(&body).await), (400, error), "{body}");
    }
    let long = json!({ "redirect_uris": [REDIRECT], "x": "x".repeat(17_000) });
    assert_eq!(told(&app.register(&long).await), (413, "invalid_request"));
}

#[tokio::test]
async fn an_address_registers_so_many_clients_in_a_minute() {
    let app = TestApp::new().await;
    let register = async || app.register(&json!({ "redirect_uris": [REDIRECT] })).await;
    for _ in 0..20 {
        register().await.ok(201);
    }
    let refused = register().await;
    assert_eq!(told(&refused), (429, "temporarily_unavailable"));
    assert!(refused.header("retry-after").parse::<u64>().unwrap() <= 60);
    app.clock.advance(std::time::Duration::from_mins(1));
    register().await.ok(201);
}

#[tokio::test]
async fn a_code_buys_tokens_that_are_refreshed_and_ended() {
    let app = TestApp::new().await;
    let desk = app.desk().await;
    let (code, credential) = app.code(&desk, 1).await;
    let first = app.exchange(&desk, &code).await.ok(200);
    assert_eq!((first.header("cache-control"), first.header("pragma")), ("no-store", "no-cache"));
    assert_eq!((&first.json["token_type"], &first.json["expires_in"]), (&json!("Bearer"), &json!(3_600)));
    assert_eq!(first.json["scope"], "mcp:read mcp:write offline_access");
    let value = |answer: &Answer, name: &str| answer.json[name].as_str().unwrap().to_owned();
    assert!(value(&first, "access_token").starts_with("mcp_at_"));

    let second = app.refresh(&desk, &value(&first, "refresh_token")).await.ok(200);
    assert_eq!(
        app.refresh(&desk, &value(&first, "refresh_token")).await.ok(200).json["access_token"],
        second.json["access_token"]
    );
    // The API takes tokens alone.
    let access = value(&second, "access_token");
    let request = Request::get("/api/v1/auth/whoami").header("authorization", format!("Bearer {access}"));
    let refused = answer(&app.router, request.body(Body::empty()).unwrap()).await;
    assert_eq!(refused.problem(), (401, "token_invalid"));

    for token in ["mcp_at_junk", "x", &access, &access] {
        app.form("/oauth/revoke", &[("token", token), ("token_type_hint", "access_token")]).await.ok(200);
    }
    assert_eq!(told(&app.refresh(&desk, &value(&second, "refresh_token")).await), (400, "invalid_grant"));
    let found = MemoryOauth::beside(&app.auth).credentials().find(credential.id).await.unwrap().unwrap();
    assert_eq!(found.status(app.clock.now()), Status::Revoked);
}

#[tokio::test]
async fn each_refusal_has_the_word_of_the_standards() {
    let app = TestApp::new().await;
    let desk = app.desk().await;
    let (code, _) = app.code(&desk, 1).await;
    let good = [
        ("grant_type", "authorization_code"),
        ("client_id", &*desk),
        ("code", &*code),
        ("code_verifier", VERIFIER),
        ("redirect_uri", REDIRECT),
    ];
    let unknown = "ocl_00000000000000000000000000";
    for (name, value, expected) in [
        ("grant_type", "", (400, "invalid_request")),
        ("grant_type", "password", (400, "unsupported_grant_type")),
        ("client_id", "", (400, "invalid_request")),
        ("client_id", "desk", (401, "invalid_client")),
        ("client_id", unknown, (401, "invalid_client")),
        ("client_id", "https://other.example/client.json", (400, "invalid_grant")),
        ("code", "", (400, "invalid_request")),
        ("code", "mcp_ac_guess", (400, "invalid_grant")),
        ("code_verifier", "", (400, "invalid_request")),
        ("code_verifier", "short", (400, "invalid_request")),
        ("code_verifier", &"a".repeat(43), (400, "invalid_grant")),
        ("redirect_uri", "http://localhost/other", (400, "invalid_grant")),
        ("redirect_uri", "nowhere", (400, "invalid_request")),
        ("resource", "https://other.example/mcp", (400, "invalid_target")),
    ] {
        let mut fields = good.to_vec();
        fields.retain(|(field, _)| *field != name);
        fields.push((name, value));
        let refused = app.form("/oauth/token", &fields).await;
        assert_eq!(told(&refused), expected, "{name}={value}");
        let challenge = refused.header("www-authenticate");
        assert_eq!(challenge.is_empty(), expected.0 != 401, "{challenge}");
    }
    let twice = app.form("/oauth/token", &[&good[..], &[("code", "x")]].concat()).await;
    assert_eq!(told(&twice), (400, "invalid_request"));
    let json = app.at(Method::POST, "/oauth/token", "application/json", "{}").await;
    assert_eq!(told(&json), (400, "invalid_request"));
    // OAuth 2.1 leaves the address out, since the proof says as much.
    app.form("/oauth/token", &good[..4]).await.ok(200);
    let refused = app.refresh(&desk, "mcp_rt_guess").await;
    assert_eq!(told(&refused), (400, "invalid_grant"));
}

#[tokio::test]
async fn who_guesses_codes_waits_like_who_guesses_tokens() {
    let app = TestApp::new().await;
    let desk = app.desk().await;
    for _ in 0..60 {
        assert_eq!(told(&app.exchange(&desk, "mcp_ac_guess").await), (400, "invalid_grant"));
    }
    let refused = app.exchange(&desk, "mcp_ac_guess").await;
    assert_eq!(told(&refused), (429, "temporarily_unavailable"));
    assert!(!refused.header("retry-after").is_empty());
}
