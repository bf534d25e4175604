//! Reports of secret scanners: tokens that were found in public.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use svc_auth::token::TokenValue;
use svc_core::clock::Clock;
use svc_testkit::fakes::SeededRandom;
use svc_webhooks::signature::sign;

use crate::client_area::{Chosen, ClientAreaApp, SCANNING_KEY};
use crate::test_app::Answer;

const PATH: &str = "/secret-scanning/reports";
const GOOD: &str = r#"[{"token": "svc_live_0"}]"#;

impl ClientAreaApp {
    async fn scanned() -> Self {
        Self::with(Chosen::scanning()).await
    }

    /// Sends a body with these signature headers.
    async fn report_with(&self, signatures: &[&str], body: &str) -> Answer {
        let headers: Vec<_> = signatures.iter().map(|line| ("x-svc-signature", *line)).collect();
        self.send(Method::POST, PATH, &headers, body).await
    }

    /// Sends a body that is signed now.
    async fn report(&self, body: &Value) -> Answer {
        let body = body.to_string();
        let line = sign(SCANNING_KEY, self.clock.now().unix_seconds(), body.as_bytes());
        self.report_with(&[&line], &body).await
    }

    /// The id and the value of a new token of Ana's.
    async fn token(&self) -> (String, String) {
        let ana = self.browser("ana").await;
        let body = json!({"name": "Shop", "permissions": ["read"], "primaryAccountId": self.acme});
        let created = ana.post("/tokens", &body).await.ok(201);
        (created.id(), created.json["value"].as_str().unwrap().to_owned())
    }
}

/// A value with a good checksum that no token has.
fn unknown() -> String {
    TokenValue::generate(&SeededRandom::new(404)).expose().to_owned()
}

fn labels(answer: &Answer) -> Vec<&str> {
    let verdicts = answer.json.as_array().unwrap_or_else(|| panic!("no list: {answer:?}"));
    verdicts.iter().map(|verdict| verdict["label"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn without_a_key_the_route_is_one_that_does_not_exist() {
    let area = ClientAreaApp::new().await;
    let body = json!([{"token": area.token().await.1}]);
    let mut refused = area.report(&body).await;
    let mut unknown = area.send(Method::POST, "/secret-scanning/nothing", &[], GOOD).await;
    assert_eq!(refused.problem(), (404, "not_found"));
    for answer in [&mut refused, &mut unknown] {
        answer.json.as_object_mut().unwrap().remove("requestId");
    }
    assert_eq!(refused.json, unknown.json);
    area.whoami(body[0]["token"].as_str().unwrap()).await.ok(200);
}

#[tokio::test]
async fn a_reported_token_is_revoked_at_once_and_the_answer_keeps_the_order() {
    let area = ClientAreaApp::scanned().await;
    let (id, value) = area.token().await;
    area.whoami(&value).await.ok(200);
    let texts = ["svc_live_junk", &value, &unknown(), &value];
    let body = json!([
        {"token": texts[0]},
        {"token": texts[1], "type": "svc_token", "url": null, "source": "commit"},
        {"token": texts[2], "type": "svc_token"},
        {"token": texts[3]},
    ]);
    let answer = area.report(&body).await.ok(200);
    assert_eq!(labels(&answer), ["false_positive", "true_positive", "false_positive", "true_positive"]);
    for ((verdict, text), report) in
        answer.json.as_array().unwrap().iter().zip(texts).zip(body.as_array().unwrap())
    {
        let hash =
            Sha256::digest(text).iter().fold(String::new(), |hash, byte| hash + &format!("{byte:02x}"));
        let expected = json!({"tokenHash": hash, "tokenType": report["type"], "label": verdict["label"]});
        assert_eq!(verdict, &expected);
    }
    assert!(!answer.text.contains("svc_live_"), "{}", answer.text);
    assert_eq!(area.whoami(&value).await.problem(), (401, "token_revoked"));
    let seen = area.browser("ana").await.get(&format!("/tokens/{id}")).await.ok(200);
    assert_eq!(seen.json["state"], "revoked");
}

#[tokio::test]
async fn a_dead_token_stays_dead_and_nothing_is_written_down() {
    let area = ClientAreaApp::scanned().await;
    let (id, value) = area.token().await;
    let ana = area.browser("ana").await;
    ana.act(&format!("/tokens/{id}/revoke")).await.ok(200);
    let before = (ana.get(&format!("/tokens/{id}")).await.text, ana.get("/audit-log").await.text);
    assert_eq!(labels(&area.report(&json!([{"token": value}])).await.ok(200)), ["true_positive"]);
    assert_eq!((ana.get(&format!("/tokens/{id}")).await.text, ana.get("/audit-log").await.text), before);
    assert_eq!(area.whoami(&value).await.problem(), (401, "token_revoked"));
}

#[tokio::test]
async fn the_log_of_the_company_shows_the_host_of_the_place_and_neither_the_rest_nor_the_token() {
    let area = ClientAreaApp::scanned().await;
    let (id, value) = area.token().await;
    let url = format!("https://carl:hunter2@git.example/acme/shop?line={value}#canary");
    let report = json!([{"token": value, "type": value, "url": url, "source": "commit"}]);
    let reported = area.report(&report).await.ok(200);
    let ana = area.browser("ana").await;
    let log = ana.get(&format!("/audit-log?companyId={}&action=token.revoke", area.acme)).await.ok(200);
    let entry = &log.json["items"][0];
    assert_eq!((&log.json["total"], &entry["subject"]), (&json!(1), &json!(id)));
    assert_eq!(entry["actor"], json!({"type": "service", "reason": "secret scanning"}));
    assert_eq!(entry["address"], "127.0.0.1");
    assert_eq!(entry["requestId"], reported.header("x-request-id"));
    let exposure = &entry["after"]["exposure"];
    assert_eq!((&exposure["host"], &exposure["kind"]), (&json!("git.example"), &json!("commit")));
    for secret in [value.as_str(), "hunter2", "canary", "/acme/shop"] {
        assert!(!log.text.contains(secret), "{secret} in {}", log.text);
    }
}

#[tokio::test]
async fn a_signature_that_is_not_good_changes_nothing() {
    let area = ClientAreaApp::scanned().await;
    let (_, value) = area.token().await;
    let body = json!([{"token": value}]).to_string();
    let now = area.clock.now().unix_seconds();
    let good = sign(SCANNING_KEY, now, body.as_bytes());
    let by = |key: &str, t: i64, body: &str| sign(key, t, body.as_bytes());
    for (name, lines) in [
        ("missing", vec![]),
        ("twice", vec![good.clone(), good.clone()]),
        ("empty", vec![String::new()]),
        ("malformed", vec![good.replace("sha256", "sha1")]),
        ("trimmed", vec![format!(" {good}").replace(',', ", ")]),
        ("another key", vec![by("another key that has 32 characters", now, &body)]),
        ("another body", vec![by(SCANNING_KEY, now, GOOD)]),
        ("another instant", vec![good.replace(&format!("t={now}"), &format!("t={}", now + 1))]),
        ("too old", vec![by(SCANNING_KEY, now - 301, &body)]),
        ("of the future", vec![by(SCANNING_KEY, now + 301, &body)]),
    ] {
        let lines: Vec<_> = lines.iter().map(String::as_str).collect();
        let refused = area.report_with(&lines, &body).await;
        assert_eq!(refused.problem(), (401, "signature_invalid"), "{name}: {}", refused.text);
        assert_eq!(refused.header("www-authenticate"), "Signature", "{name}");
        assert!(!refused.text.contains(&value) && !refused.text.contains(SCANNING_KEY), "{name}");
    }
    area.whoami(&value).await.ok(200);
    // One byte more or less is another body, whatever it means.
    assert_eq!(area.report_with(&[&good], &format!("{body} ")).await.problem().0, 401);
    area.report_with(&[&good], &body).await.ok(200);
    assert_eq!(area.whoami(&value).await.problem(), (401, "token_revoked"));
}

#[tokio::test]
async fn a_report_can_be_repeated_for_five_minutes_and_not_longer() {
    let area = ClientAreaApp::scanned().await;
    let line = sign(SCANNING_KEY, area.clock.now().unix_seconds(), GOOD.as_bytes());
    area.report_with(&[&line], GOOD).await.ok(200);
    area.clock.advance(Duration::from_mins(5));
    area.report_with(&[&line], GOOD).await.ok(200);
    area.clock.advance(Duration::from_secs(1));
    assert_eq!(area.report_with(&[&line], GOOD).await.problem(), (401, "signature_invalid"));
}

#[tokio::test]
async fn an_address_that_forges_too_often_has_to_wait_and_good_reports_cost_it_nothing() {
    let area = ClientAreaApp::scanned().await;
    for _ in 0..100 {
        area.report(&json!([{"token": "junk"}])).await.ok(200);
    }
    for number in 0..60 {
        let lines: &[&str] = if number % 2 == 0 { &[] } else { &["t=1,sha256=0"] };
        assert_eq!(area.report_with(lines, GOOD).await.problem().0, 401, "{number}");
    }
    let stopped = area.report(&json!([{"token": "junk"}])).await;
    assert_eq!(stopped.problem(), (429, "rate_limited"));
    assert!(!stopped.header("retry-after").is_empty());
    area.clock.advance(Duration::from_mins(1));
    area.report(&json!([{"token": "junk"}])).await.ok(200);
}

#[tokio::test]
async fn a_report_with_a_bad_member_names_it_and_revokes_nothing() {
    let area = ClientAreaApp::scanned().await;
    let (_, value) = area.token().await;
    let good = json!({"token": value});
    for (bad, field, code) in [
        (json!({}), "[3].token", "required"),
        (json!({"token": ""}), "[3].token", "required"),
        (json!({"token": null}), "[3].token", "required"),
        (json!({"token": "t", "url": [value]}), "[3].url", "invalid_type"),
        (json!({"token": "t", "source": 7}), "[3].source", "invalid_type"),
        (json!({"token": "t", "type": {}}), "[3].type", "invalid_type"),
        (json!({"token": "t", (value.as_str()): 1}), "[3]", "unknown_field"),
        (json!(value), "[3]", "invalid_type"),
    ] {
        let refused = area.report(&json!([good, good, good, bad])).await;
        assert_eq!(refused.problem(), (422, "validation_failed"), "{bad}: {}", refused.text);
        assert_eq!(refused.field(), (field, code), "{bad}");
        assert!(!refused.text.contains(&value), "{}", refused.text);
    }
    let many = Value::Array(vec![good.clone(); 101]);
    for (body, code) in [
        (json!([]), "out_of_range"),
        (many, "out_of_range"),
        (good.clone(), "invalid_type"),
        (json!(value), "invalid_type"),
    ] {
        let refused = area.report(&body).await;
        assert_eq!((refused.status.as_u16(), refused.field()), (422, ("body", code)), "{}", refused.text);
        assert!(!refused.text.contains(&value), "{}", refused.text);
    }
    area.whoami(&value).await.ok(200);
    area.report(&Value::Array(vec![good; 100])).await.ok(200);
    assert_eq!(area.whoami(&value).await.problem(), (401, "token_revoked"));
}
