//! Signing in with a second factor.

use std::time::Duration;

use http::Method;
use serde_json::json;
use svc_auth::session::{PasswordText, TotpSecret, confirm_enrolment, enrol, resume};
use svc_auth::token::{Pepper, Peppers};
use svc_core::clock::Clock;
use svc_testkit::business::sample;
use svc_testkit::fakes::CheapHasher;

use crate::client_area::{ClientAreaApp, PASSWORD};
use crate::test_app::Answer;

impl ClientAreaApp {
    /// Ana turns it on, as the client area has it done.
    async fn with_factor(&self) -> TotpSecret {
        let signed_in = self.sign_in("ana@example.com", PASSWORD).await.ok(201);
        let value = value(&signed_in);
        let (sessions, scope) = (self.database.sessions(), sample::everything());
        let peppers = Peppers::new(Pepper::new(1, [9; 32]), Vec::new());
        let lifetime = svc_auth::session::Lifetime::default();
        let ana = resume(&*sessions, &peppers, lifetime, &value, self.clock.now()).await.unwrap().unwrap();
        let (call, password) = (self.call(&scope), PasswordText::new(PASSWORD));
        let secret = enrol(&*sessions, &CheapHasher::new(), &peppers, call, &ana, password).await.unwrap();
        let code = secret.code_at(self.clock.now());
        confirm_enrolment(&*sessions, &peppers, self.call(&scope), &ana, &code).await.unwrap();
        self.clock.advance(Duration::from_secs(30));
        secret
    }

    /// Ana has come as far as the password leads: her cookie, and the code of her device.
    pub(crate) async fn halfway(&self) -> (String, String) {
        let secret = self.with_factor().await;
        let half = self.sign_in("ana@example.com", PASSWORD).await.ok(202);
        (cookie(&half), secret.code_at(self.clock.now()))
    }

    async fn give(&self, cookie: &str, code: &str) -> Answer {
        let headers = [("cookie", cookie)];
        self.send(Method::POST, "/session/code", &headers, &json!({"code": code}).to_string()).await
    }
}

fn value(answer: &Answer) -> String {
    cookie(answer).split_once('=').unwrap().1.to_owned()
}

fn cookie(answer: &Answer) -> String {
    answer.header("set-cookie").split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn the_password_leads_halfway_and_the_code_the_rest() {
    let area = ClientAreaApp::new().await;
    let secret = area.with_factor().await;
    let half = area.sign_in("ana@example.com", PASSWORD).await.ok(202);
    assert_eq!(half.json, json!({"expiresAt": area.clock.now().plus(Duration::from_mins(10))}));
    let sid = cookie(&half);
    let seen = area.send(Method::GET, "/session", &[("cookie", &sid)], "").await;
    assert_eq!(seen.problem().1, "session_invalid");

    let wrong = area.give(&sid, "000000").await;
    assert_eq!((wrong.status.as_u16(), wrong.problem().1), (401, "code_rejected"));
    assert_eq!(wrong.header("www-authenticate"), "Session");
    let whole = area.give(&sid, &secret.code_at(area.clock.now())).await.ok(201);
    assert_eq!(whole.json["person"]["email"], "ana@example.com");
    assert_ne!(cookie(&whole), sid);
    area.send(Method::GET, "/session", &[("cookie", &cookie(&whole))], "").await.ok(200);
    for (sid, code) in [(sid.as_str(), "000000"), ("sid=", "000000"), ("", "000000")] {
        assert_eq!(area.give(sid, code).await.problem().1, "session_invalid", "{sid:?}");
    }
    area.give(&sid, "").await.problem();
}

#[tokio::test]
async fn wrong_codes_are_slowed_down() {
    let area = ClientAreaApp::new().await;
    let secret = area.with_factor().await;
    let sid = cookie(&area.sign_in("ana@example.com", PASSWORD).await.ok(202));
    for _ in 0..5 {
        assert_eq!(area.give(&sid, "000000").await.problem().1, "code_rejected");
    }
    let waits = area.give(&sid, &secret.code_at(area.clock.now())).await;
    assert_eq!((waits.status.as_u16(), waits.header("retry-after")), (429, "60"));
    let from_elsewhere = [("cookie", sid.as_str()), ("origin", "https://evil.example")];
    let body = json!({"code": "000000"}).to_string();
    assert_eq!(area.send(Method::POST, "/session/code", &from_elsewhere, &body).await.status.as_u16(), 403);
}
