//! The client area: signing in, tokens and their values.

use serde_json::json;

use super::Story;
use crate::harness::Server;

impl Story<'_> {
    pub(super) fn client_area(&mut self, server: &Server) {
        self.sign_in_badly(server);
        let ana = self.sign_in(server);
        let (id, value) = self.token(&ana, &json!({"personalData": true, "allowedIps": ["127.0.0.0/8"]}));
        server.api(&value).get("/api/v1/auth/whoami").expect(200);
        let one = format!("/api/v1/tokens/{id}");
        let key = [("Content-Type", "application/json"), ("Idempotency-Key", "canary-rotate")];
        let rotated = ana.call("POST", &format!("{one}/rotate"), &key, "{}").expect(200);
        self.canaries.keep("rotated token", rotated["value"].as_str().expect("a value"));
        let again = ana.call("POST", &format!("{one}/rotate"), &key, "{}").expect(200);
        assert!(again["value"].is_null(), "a replay shows no value");
        self.refused("the value before", &server.api(&value), "GET", "/api/v1/auth/whoami", &json!({}));
        ana.patch(&one, &json!({"name": "Web shop"})).expect(200);
        for step in ["disable", "enable", "revoke"] {
            ana.post(&format!("{one}/{step}"), &json!({})).expect(200);
        }
        self.refused("a step of a revoked token", &ana, "POST", &format!("{one}/enable"), &json!({}));
        let choice = self.canaries.personal("unknown choice").to_owned();
        for (told, body) in [
            ("an unknown permission", json!({"name": "x", "permissions": [choice]})),
            ("a broken address", json!({"name": "x", "permissions": ["full"], "allowedIps": [choice]})),
            ("a broken company", json!({"name": "x", "permissions": ["full"], "accountIds": [choice]})),
            ("a broken instant", json!({"name": "x", "permissions": ["full"], "expiresAt": choice})),
        ] {
            self.refused(told, &ana, "POST", "/api/v1/tokens", &body);
        }
        ana.get("/api/v1/audit-log?limit=50").expect(200);

        let (password, new) = (self.canaries.secret("password"), self.canaries.secret("new password"));
        let (wrong, short) = (self.canaries.secret("wrong password"), self.canaries.secret("short password"));
        for (told, current, next) in
            [("a wrong password", &wrong, &new), ("a short password", &password, &short)]
        {
            let body = json!({"currentPassword": current, "newPassword": next});
            self.refused(told, &ana, "POST", "/api/v1/session/password", &body);
        }
        let body = json!({"currentPassword": password, "newPassword": new});
        ana.post("/api/v1/session/password", &body).expect(204);
        ana.call("DELETE", "/api/v1/session", &[], "").expect(204);
        self.refused("a session that ended", &ana, "GET", "/api/v1/session", &json!({}));
    }

    fn sign_in_badly(&mut self, server: &Server) {
        let bare = server.bare();
        let text = |what: &str| self.canaries.personal(what).to_owned();
        let (email, unknown, misplaced) =
            (text("operator's e-mail"), text("unknown e-mail"), text("misplaced"));
        let (password, wrong) = (self.canaries.secret("password"), self.canaries.secret("wrong password"));
        for (told, body) in [
            ("a wrong password", json!({"email": email, "password": wrong})),
            ("an unknown person", json!({"email": unknown, "password": wrong})),
            ("a member too many", json!({"email": email, "password": password, "remember": misplaced})),
            ("a password of another type", json!({"email": email, "password": [wrong]})),
            ("no password", json!({"email": email})),
            ("text for a body", json!(wrong)),
        ] {
            self.refused(&format!("signing in with {told}"), &bare, "POST", "/api/v1/session", &body);
        }
        let cookie = format!("sid={}", self.canaries.secret("junk cookie"));
        let headers = [("Cookie", cookie.as_str())];
        self.places.refusal("a junk cookie", &bare.call("GET", "/api/v1/session", &headers, ""));
        let ana = self.sign_in(server);
        let forged =
            [("Cookie", ana.carries("Cookie")), ("X-CSRF-Token", &*self.canaries.secret("junk csrf token"))];
        self.places.refusal("a junk CSRF token", &bare.call("DELETE", "/api/v1/session", &forged, ""));
        let elsewhere = [("Origin", "https://kanari.example"), ("Sec-Fetch-Site", "cross-site")];
        self.places.refusal("another site", &ana.call("DELETE", "/api/v1/session", &elsewhere, ""));
    }
}
