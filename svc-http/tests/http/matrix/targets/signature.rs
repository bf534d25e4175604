//! Envelopes to work on.

use std::time::Duration;

use http::Method;
use serde_json::json;
use svc_core::clock::Clock as _;

use super::{AtWork, Target, listed, on, refers};

impl AtWork<'_> {
    pub(super) async fn envelopes(&self, method: &Method, path: &str) -> Option<Target> {
        let acme = self.area.acme.to_string();
        let file = self.client.pdf(&format!("{method} {}", path.replace('/', "-"))).await;
        let mut new = json!({"companyId": acme, "subject": "Lease", "files": [{"fileId": file}], "signers": [
            {"name": "Ada", "email": "ada@example.com"},
        ]});
        if (method.as_str(), path) == ("POST", "/envelopes") {
            return Some(refers(path, new, &acme));
        }
        let is_draft =
            matches!((method.as_str(), path), ("PATCH" | "DELETE", _) | ("POST", "/envelopes/{id}/send"));
        new["send"] = json!(!is_draft);
        // Whom it asked an hour ago may be reminded.
        let now = self.area.clock.now();
        self.area.clock.set(now.minus(Duration::from_hours(1)));
        let made = self.client.post("/envelopes", &new).await.ok(201);
        self.area.clock.set(now);
        let one = made.id();
        Some(match (method.as_str(), path) {
            ("GET", "/envelopes") => listed(path, &one),
            ("GET" | "DELETE", "/envelopes/{id}")
            | ("GET", "/envelopes/{id}/audit-trail")
            | ("POST", "/envelopes/{id}/send" | "/envelopes/{id}/remind") => on(path, &one, None),
            ("GET", "/envelopes/{id}/documents/{fileId}") => on(&path.replace("{fileId}", &file), &one, None),
            ("PATCH", "/envelopes/{id}") => on(path, &one, Some(json!({"message": "seen"}))),
            ("POST", "/envelopes/{id}/void") => on(path, &one, Some(json!({"reason": "seen"}))),
            ("POST", "/envelopes/{id}/reissue") => on(path, &one, Some(json!({}))),
            ("POST", "/envelopes/{id}/reassign") => {
                let signer = &made.json["signers"][0]["id"];
                let body = json!({"signerId": signer, "name": "Eva", "email": "eva@example.com"});
                on(path, &one, Some(body))
            }
            _ => return None,
        })
    }
}
