//! Bodies that take their time: what ended meanwhile does not act.

use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::stream::{self, StreamExt as _};
use http::{Method, Request};
use serde_json::{Value, json};
use svc_core::clock::Clock;
use svc_core::id::AccountId;
use svc_webhooks::signature::sign;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::client_area::{Browser, Chosen, ClientAreaApp, SCANNING_KEY, user};
use crate::test_app::{Answer, answer};

/// A request that was let in, and of whose body one half has been read.
struct Slow {
    rest: oneshot::Sender<()>,
    answer: JoinHandle<Answer>,
}

impl Slow {
    async fn begin(
        area: &ClientAreaApp,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> Self {
        let mut request = Request::builder().method(method).uri(format!("/api/v1{path}"));
        for (name, value) in [("content-type", "application/json")].iter().chain(headers) {
            request = request.header(*name, *value);
        }
        let text = body.to_string();
        let (first, second) = text.split_at(text.len() / 2);
        let [first, second] = [first, second].map(|half| Bytes::from(half.to_owned()));
        let (reading, half_read) = oneshot::channel();
        let (rest, go_on) = oneshot::channel::<()>();
        // Who asks for more has read the first half.
        let later = async move {
            reading.send(()).unwrap();
            go_on.await.unwrap();
            Ok::<_, std::io::Error>(second)
        };
        let halves = stream::once(async { Ok(first) }).chain(stream::once(later));
        let (router, request) = (area.router.clone(), request.body(Body::from_stream(halves)).unwrap());
        let answer = tokio::spawn(async move { answer(&router, request).await });
        half_read.await.expect("the request is let in");
        Self { rest, answer }
    }

    async fn by_person(area: &ClientAreaApp, browser: &Browser, path: &str, body: &Value) -> Self {
        let headers = [("cookie", browser.cookie.as_str()), ("x-csrf-token", browser.csrf.as_str())];
        Self::begin(area, Method::POST, path, &headers, body).await
    }

    async fn by_token(area: &ClientAreaApp, token: &str, path: &str, body: &Value) -> Self {
        let bearer = format!("Bearer {token}");
        Self::begin(area, Method::POST, path, &[("authorization", &bearer)], body).await
    }

    /// Sends the second half after so much time.
    async fn end(self, area: &ClientAreaApp, after: Duration) -> Answer {
        area.clock.advance(after);
        self.rest.send(()).unwrap();
        self.answer.await.unwrap()
    }
}

const LONG: Duration = Duration::from_secs(2);

/// Id and value of a new token of Ana's for Acme and Beta.
async fn token(area: &ClientAreaApp, ana: &Browser) -> (String, String) {
    let body = json!({
        "name": "Shop", "permissions": ["full"], "primaryAccountId": area.acme, "accountIds": [area.beta],
    });
    let created = ana.post("/tokens", &body).await.ok(201);
    (created.id(), created.json["value"].as_str().unwrap().to_owned())
}

/// Gives a person another role in a company, or none.
async fn change_role(area: &ClientAreaApp, by: &Browser, company: AccountId, name: &str, role: Option<&str>) {
    let people = area.database.business();
    let found = people.people().membership(company, user(name)).await.unwrap().unwrap();
    let path = format!("/accounts/{company}/members/{}", found.id);
    match role {
        Some(role) => by.patch(&path, &json!({ "role": role })).await.ok(200),
        None => by.delete(&path).await.ok(200),
    };
}

fn new_group(area: &ClientAreaApp) -> Value {
    json!({"name": "Late", "parentAccountId": area.acme})
}

fn new_contact() -> Value {
    json!({"kind": "organization", "legalName": "Late SL"})
}

#[tokio::test]
async fn a_person_whose_role_ended_while_the_body_came_in_does_nothing() {
    for role in [Some("manager"), None] {
        let area = ClientAreaApp::new().await;
        let [ana, ben] = [area.browser("ana").await, area.browser("ben").await];
        let slow = Slow::by_person(&area, &ben, "/groups", &new_group(&area)).await;
        change_role(&area, &ana, area.acme, "ben", role).await;
        let refused = slow.end(&area, LONG).await;
        assert_eq!(refused.problem(), (403, "role_required"), "{role:?}");
        ana.post("/groups", &new_group(&area)).await.ok(201);
    }
}

#[tokio::test]
async fn a_person_whose_session_ended_while_the_body_came_in_does_nothing() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let slow = Slow::by_person(&area, &ana, "/groups", &new_group(&area)).await;
    ana.delete("/session").await.ok(204);
    assert_eq!(slow.end(&area, LONG).await.problem(), (401, "session_invalid"));
    area.browser("ana").await.post("/groups", &new_group(&area)).await.ok(201);
}

#[tokio::test]
async fn a_session_that_runs_out_while_the_body_comes_in_does_nothing() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let slow = Slow::by_person(&area, &ana, "/groups", &new_group(&area)).await;
    let refused = slow.end(&area, Duration::from_mins(30)).await;
    assert_eq!(refused.problem(), (401, "session_invalid"));
}

#[tokio::test]
async fn a_token_that_was_stopped_while_the_body_came_in_does_nothing() {
    for (step, code) in
        [("disable", "token_disabled"), ("revoke", "token_revoked"), ("rotate", "token_invalid")]
    {
        let area = ClientAreaApp::new().await;
        let ana = area.browser("ana").await;
        let (id, value) = token(&area, &ana).await;
        let (_, other) = token(&area, &ana).await;
        let slow = Slow::by_token(&area, &value, "/contacts", &new_contact()).await;
        ana.act(&format!("/tokens/{id}/{step}")).await.ok(200);
        let refused = slow.end(&area, LONG).await;
        assert_eq!((refused.problem(), refused.header("ratelimit")), ((401, code), ""));
        let bearer = format!("Bearer {other}");
        let contacts = area.send(Method::GET, "/contacts", &[("authorization", &bearer)], "").await;
        assert_eq!(contacts.ok(200).json["total"], 0, "{step}");
    }
}

#[tokio::test]
async fn a_token_acts_with_what_it_may_do_and_reach_when_its_body_is_there() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let (id, value) = token(&area, &ana).await;
    let into_beta = json!({"kind": "organization", "legalName": "Late SL", "companyId": area.beta});
    let slow = Slow::by_token(&area, &value, "/contacts", &into_beta).await;
    let holder = json!({"userId": user("dora"), "role": "holder"});
    let invited = ana.post(&format!("/accounts/{}/members", area.beta), &holder).await.ok(201).id();
    let dora = area.browser("dora").await;
    dora.act(&format!("/session/invitations/{invited}/accept")).await.ok(200);
    change_role(&area, &ana, area.beta, "ana", None).await;
    assert_eq!(slow.end(&area, LONG).await.problem(), (422, "unknown_reference"));

    let slow = Slow::by_token(&area, &value, "/contacts", &new_contact()).await;
    ana.patch(&format!("/tokens/{id}"), &json!({"permissions": ["read"]})).await.ok(200);
    let refused = slow.end(&area, LONG).await;
    assert_eq!(refused.problem(), (403, "missing_permission"));
    assert!(refused.header("ratelimit").starts_with("\"minute\";r="), "{refused:?}");
}

#[tokio::test]
async fn a_request_whose_body_took_long_is_charged_once() {
    let area = ClientAreaApp::new().await;
    let ana = area.browser("ana").await;
    let (_, value) = token(&area, &ana).await;
    let left = |answer: &Answer| -> u64 {
        let text = answer.header("ratelimit").strip_prefix("\"minute\";r=").unwrap();
        text.split(';').next().unwrap().parse().unwrap()
    };
    let before = left(&area.whoami(&value).await);
    let slow = Slow::by_token(&area, &value, "/contacts", &new_contact()).await;
    slow.end(&area, LONG).await.ok(201);
    assert_eq!(left(&area.whoami(&value).await), before - 2);
}

#[tokio::test]
async fn a_caller_stays_admitted_for_one_second() {
    for (after, status) in [(Duration::from_secs(1), 201), (Duration::from_micros(1_000_001), 403)] {
        let area = ClientAreaApp::new().await;
        let [ana, ben] = [area.browser("ana").await, area.browser("ben").await];
        let slow = Slow::by_person(&area, &ben, "/groups", &new_group(&area)).await;
        change_role(&area, &ana, area.acme, "ben", Some("manager")).await;
        slow.end(&area, after).await.ok(status);
    }
}

#[tokio::test]
async fn a_clock_that_was_set_back_vouches_for_no_caller() {
    let area = ClientAreaApp::new().await;
    let [ana, ben] = [area.browser("ana").await, area.browser("ben").await];
    let slow = Slow::by_person(&area, &ben, "/groups", &new_group(&area)).await;
    change_role(&area, &ana, area.acme, "ben", Some("manager")).await;
    area.clock.set(area.clock.now().minus(LONG));
    assert_eq!(slow.end(&area, Duration::ZERO).await.problem(), (403, "role_required"));
}

#[tokio::test]
async fn a_report_is_as_old_as_it_is_when_its_last_byte_came() {
    let area = ClientAreaApp::with(Chosen::scanning()).await;
    let body = json!([{"token": "svc_live_0"}]);
    let signed = sign(SCANNING_KEY, area.clock.now().unix_seconds(), body.to_string().as_bytes());
    for (after, status) in [(Duration::from_secs(295), 200), (Duration::from_secs(6), 401)] {
        let headers = [("x-svc-signature", signed.as_str())];
        let slow = Slow::begin(&area, Method::POST, "/secret-scanning/reports", &headers, &body).await;
        slow.end(&area, after).await.ok(status);
    }
}
