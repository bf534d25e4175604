//! Reports of secret scanners, whose bodies are full of tokens.

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

use super::Story;
use crate::harness::{Reply, Server, now};

const REPORTS: &str = "/api/v1/secret-scanning/reports";

impl Story<'_> {
    pub(super) fn scanning(&mut self, server: &Server) {
        let ana = self.sign_in(server);
        let (_, live) = self.token(&ana, &json!({"name": "Leaked"}));
        let junk = self.canaries.secret("found token");
        let key = self.canaries.secret("key of secret scanners");
        for (told, body) in [
            ("a text", json!(junk)),
            ("texts", json!([junk, live])),
            ("an unknown member", json!([{"token": live, (junk.clone()): junk}])),
            ("a number", json!([{"token": live, "url": [junk]}])),
        ] {
            let reply = report(server, &key, &body);
            self.places.refusal(&format!("a report of {told}"), &reply);
        }
        let body =
            json!([{"token": live, "type": "svc", "url": "https://code.example/1", "source": "content"}]);
        self.places.refusal("a report that is signed with another key", &report(server, &junk, &body));
        let body = json!([{"token": junk}, body[0]]);
        let told = report(server, &key, &body);
        assert_eq!(told.status, 200, "{}", told.text);
        self.places.add("error report of a scan", told.text);
        self.refused("a reported token", &server.api(&live), "GET", "/api/v1/auth/whoami", &json!({}));
    }
}

fn report(server: &Server, key: &str, body: &Value) -> Reply {
    let (at, body) = (now().unix_seconds(), body.to_string());
    let mut mac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).expect("a key of any length");
    mac.update(format!("{at}.{body}").as_bytes());
    let code =
        mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
    let signature = format!("t={at},sha256={code}");
    let headers = [("Content-Type", "application/json"), ("X-SVC-Signature", &*signature)];
    server.bare().call("POST", REPORTS, &headers, &body)
}
