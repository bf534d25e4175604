//! Ana lets an assistant act for her: from the address that it sends her to, to its tokens and their end.

use axum::body::Body;
use http::{Method, Request};
use serde_json::{Value, json};

use crate::app::{Browser, TestArea};
use crate::page::{Form, Page};

/// The example of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const REDIRECT: &str = "http://localhost:33418/cb";

impl TestArea {
    async fn client(&self, name: &str) -> String {
        let body = json!({ "client_name": name, "redirect_uris": ["http://localhost/cb", "https://desk.example/cb"] });
        let answer = self.json(Method::POST, "/oauth/register", "application/json", body.to_string()).await;
        answer["client_id"].as_str().unwrap().to_owned()
    }

    async fn json(&self, method: Method, path: &str, kind: &str, body: String) -> Value {
        let request = Request::builder().method(method).uri(path).header("content-type", kind);
        let (_, body) = self.browser().raw(request.body(Body::from(body)).unwrap()).await;
        serde_json::from_slice(&body).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&body)))
    }

    async fn token(&self, fields: &[(&str, &str)]) -> Value {
        let pair = |(name, value): &(&str, &str)| format!("{name}={}", encoded(value));
        let body = fields.iter().map(pair).collect::<Vec<_>>().join("&");
        self.json(Method::POST, "/oauth/token", "application/x-www-form-urlencoded", body).await
    }
}

fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// The address that a client sends people to, with these in the place of the usual parameters.
fn address(client: &str, other: &[(&str, &str)]) -> String {
    let mut parameters = vec![
        ("response_type", "code"),
        ("client_id", client),
        ("redirect_uri", REDIRECT),
        ("state", "a b&c"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("scope", "mcp:read mcp:write"),
    ];
    parameters.retain(|(name, _)| !other.iter().any(|(known, _)| known == name));
    parameters.extend(other.iter().filter(|(_, value)| !value.is_empty()));
    let pair = |(name, value): &(&str, &str)| format!("{name}={}", encoded(value));
    format!("/oauth/authorize?{}", parameters.iter().map(pair).collect::<Vec<_>>().join("&"))
}

/// The parameters of the address that a page leads back to.
fn back(page: &Page) -> Vec<(String, String)> {
    assert_eq!(page.status, 303, "{}", page.text());
    let to = page.headers.get("location").unwrap().to_str().unwrap();
    let (address, query) = to.split_once('?').unwrap();
    assert_eq!(address, REDIRECT);
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

fn of<'a>(parameters: &'a [(String, String)], name: &str) -> &'a str {
    parameters.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
}

async fn approved(area: &TestArea, ana: &Browser, address: &str, role: &str) -> String {
    let form = ana.get(address).await.form_to("/oauth/authorize");
    let form = form.with("company", &area.acme.to_string()).with("role", role).with("decision", "approve");
    let parameters = back(&ana.submit(&form).await);
    assert_eq!((of(&parameters, "state"), of(&parameters, "iss")), ("a b&c", "http://127.0.0.1:8080"));
    of(&parameters, "code").to_owned()
}

#[tokio::test]
async fn ana_connects_an_assistant_which_comes_for_its_tokens() {
    let area = TestArea::new().await;
    let desk = area.client("Desk").await;
    // She is not signed in: she comes back to the request after that.
    let browser = area.browser();
    let page = browser.get(&address(&desk, &[])).await;
    let form = page.form("/sign-in").with("email", "ana@example.com").with("password", crate::app::PASSWORD);
    let page = browser.submit(&form).await;
    page.is(200).says("Desk asks to act for you").says("http://localhost:33418").says("nothing proves it");
    page.says("Work · asked for").says("your own computer");
    let policy = page.headers.get("content-security-policy").unwrap().to_str().unwrap();
    assert!(policy.contains("form-action 'self' http://localhost:33418;"), "{policy}");
    assert!(policy.contains("frame-ancestors 'none'"));
    assert_eq!(page.headers.get("x-frame-options").unwrap(), "DENY");

    let code = approved(&area, &browser, &address(&desk, &[]), "operator").await;
    let given = area
        .token(&[
            ("grant_type", "authorization_code"),
            ("client_id", &desk),
            ("code", &code),
            ("code_verifier", VERIFIER),
            ("redirect_uri", REDIRECT),
        ])
        .await;
    assert_eq!(given["scope"], "mcp:read mcp:write offline_access", "{given}");
    let refresh = given["refresh_token"].as_str().unwrap();

    // Under Developers she sees it, switches it off and on, and ends it.
    let list = browser.get(&format!("{}/tokens", area.company())).await;
    list.says("Desk");
    let path = list.link_beside("Desk");
    let renewed = async || {
        let fields = [("grant_type", "refresh_token"), ("client_id", &*desk), ("refresh_token", refresh)];
        area.token(&fields).await
    };
    let step = async |step: &str| {
        let page = browser.get(&format!("{path}/{step}")).await;
        browser.submit(&page.form(&format!("/{step}"))).await.is(200);
    };
    step("disable").await;
    assert_eq!(renewed().await["error"], "invalid_grant");
    step("enable").await;
    assert!(renewed().await["access_token"].as_str().unwrap().starts_with("mcp_at_"));
    step("revoke").await;
    assert_eq!(renewed().await["error"], "invalid_grant");
}

#[tokio::test]
async fn a_form_that_is_sent_twice_connects_once() {
    let area = TestArea::new().await;
    let (desk, ana) = (area.client("Desk").await, area.signed_in("ana").await);
    let page = async || ana.get(&address(&desk, &[])).await.form_to("/oauth/authorize");
    let filled = |form: Form| {
        form.with("company", &area.acme.to_string()).with("role", "operator").with("decision", "approve")
    };
    let form = filled(page().await);
    let codes = [back(&ana.submit(&form).await), back(&ana.submit(&form).await)];
    let [first, second] = codes.each_ref().map(|parameters| of(parameters, "code"));
    assert_eq!(first, second);
    let fields = [
        ("grant_type", "authorization_code"),
        ("client_id", &*desk),
        ("code", second),
        ("code_verifier", VERIFIER),
    ];
    assert!(area.token(&fields).await["access_token"].as_str().unwrap().starts_with("mcp_at_"));
    let listed = async || ana.get("/sessions").await.html.matches("action=\"/connections/").count();
    assert_eq!(listed().await, 1);
    // The page, asked for anew, is another form.
    let again = back(&ana.submit(&filled(page().await)).await);
    assert_ne!(of(&again, "code"), first);
    assert_eq!(listed().await, 2);
}

#[tokio::test]
async fn a_member_ends_an_assistant_of_theirs_and_no_other() {
    let area = TestArea::new().await;
    let (desk, carl, ana) =
        (area.client("Desk").await, area.signed_in("carl").await, area.signed_in("ana").await);
    let code = approved(&area, &carl, &address(&desk, &[]), "read_only").await;
    let fields = [
        ("grant_type", "authorization_code"),
        ("client_id", &*desk),
        ("code", &*code),
        ("code_verifier", VERIFIER),
        ("redirect_uri", REDIRECT),
    ];
    let given = area.token(&fields).await;
    // Carl administers nothing: he sees no tokens of the company, and his own assistants all the same.
    assert_eq!(carl.get(&format!("{}/tokens", area.company())).await.status, 403);
    let page = carl.get("/sessions").await;
    page.says("Desk").says("Read").says("Active");
    let form = page.form("/end");
    assert!(form.action.starts_with("/connections/tok_"), "{}", form.action);
    assert!(!ana.get("/sessions").await.html.contains("/connections/"));
    let not_her_own =
        Form { action: form.action.clone(), ..ana.get("/sessions").await.form("/sessions/end-all") };
    assert_eq!(ana.submit(&not_her_own).await.status, 404);
    for _ in 0..2 {
        carl.submit(&form).await.is(200).says("The assistant is disconnected");
    }
    assert!(!carl.get("/sessions").await.html.contains("/connections/"));
    let refresh = given["refresh_token"].as_str().unwrap();
    let fields = [("grant_type", "refresh_token"), ("client_id", &*desk), ("refresh_token", refresh)];
    assert_eq!(area.token(&fields).await["error"], "invalid_grant");
}

#[tokio::test]
async fn who_does_not_approve_gives_nothing() {
    let area = TestArea::new().await;
    let (desk, ana) = (area.client("Desk").await, area.signed_in("ana").await);
    let form = ana.get(&address(&desk, &[])).await.form_to("/oauth/authorize");
    let parameters = back(&ana.submit(&form.clone().with("decision", "deny")).await);
    assert_eq!((of(&parameters, "error"), of(&parameters, "state")), ("access_denied", "a b&c"));
    assert!(of(&parameters, "code").is_empty());
    ana.get(&format!("{}/tokens", area.company())).await.says("No token yet");
    // What is chosen wrongly is told, and leads nowhere.
    let sent = form.with("decision", "approve").with("company", &area.acme.to_string());
    for (field, value) in [("company", ""), ("company", "acc_00000000000000000000000000"), ("expiry", "8")] {
        ana.submit(&sent.clone().with(field, value)).await.is(422);
    }
    for role in ["root", ""] {
        // What is no role gives the least.
        let parameters = back(&ana.submit(&sent.clone().with("role", role)).await);
        assert!(!of(&parameters, "code").is_empty());
    }
    let list = ana.get(&format!("{}/tokens", area.company())).await;
    list.says("Assistant that reads");
    let parameters = back(&ana.submit(&sent.clone().with("role", "full")).await);
    assert!(!of(&parameters, "code").is_empty());
    ana.get(&format!("{}/tokens", area.company())).await.says("Assistant that commits with approval");
    ana.submit(&sent.clone().with("csrf", "forged")).await.is(403);
    area.browser().submit(&sent).await.is(403);
}

#[tokio::test]
async fn a_request_that_is_not_in_order_is_told_where_it_can_be() {
    let area = TestArea::new().await;
    let (desk, ana) = (area.client("<b>Desk</b>").await, area.signed_in("ana").await);
    ana.get(&address(&desk, &[])).await.is(200).says("<b>Desk</b> asks to act for you");
    for (other, why) in [
        (("client_id", ""), "left client_id out"),
        (("client_id", "desk"), "client_id"),
        (("client_id", "ocl_00000000000000000000000000"), "not known"),
        (("client_id", "https://app.example/client.json"), "404"),
        (("redirect_uri", ""), "left redirect_uri out"),
        (("redirect_uri", "http://localhost:33418/other"), "has not registered"),
        (("redirect_uri", "https://evil.example/cb"), "has not registered"),
        (("redirect_uri", "javascript:alert(1)"), "redirect_uri"),
    ] {
        let page = ana.get(&address(&desk, &[other])).await;
        page.is(400).says("cannot be connected").says(why);
        assert_eq!(page.headers.get("location"), None);
    }
    for (other, error) in [
        (("response_type", "token"), "unsupported_response_type"),
        (("code_challenge", ""), "invalid_request"),
        (("code_challenge_method", "plain"), "invalid_request"),
        (("scope", "everything"), "invalid_scope"),
        (("resource", "https://other.example/mcp"), "invalid_target"),
        (("prompt", "none"), "login_required"),
    ] {
        let parameters = back(&ana.get(&address(&desk, &[other])).await);
        assert_eq!((of(&parameters, "error"), of(&parameters, "state")), (error, "a b&c"));
        assert_eq!(of(&parameters, "iss"), "http://127.0.0.1:8080");
    }
    let twice = format!("{}&state=x", address(&desk, &[]));
    assert_eq!(of(&back(&ana.get(&twice).await), "error"), "invalid_request");
    for resource in ["http://127.0.0.1:8080/mcp", "http://127.0.0.1:8080/", "http://127.0.0.1:8080"] {
        ana.get(&address(&desk, &[("resource", resource)])).await.is(200);
    }
}
