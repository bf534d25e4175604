//! Taxes and notices to work on.

use http::Method;
use serde_json::json;

use super::{AtWork, Stranger, Target, listed, on, refers};

impl AtWork<'_> {
    pub(super) async fn tax(&self, method: &Method, path: &str) -> Option<Target> {
        let acme = self.area.acme.to_string();
        let new = |reference: &str| {
            json!({"companyId": acme, "source": "aeat", "kind": "notification", "issuer": "Agencia Tributaria",
                "subject": "Requerimiento", "reference": reference, "availableAt": "2025-02-28T09:00:00Z"})
        };
        match (method.as_str(), path) {
            ("POST", "/tax/notices") => return Some(refers(path, new("new"), &acme)),
            ("GET" | "PATCH", "/tax/profile") => {
                let body = (method.as_str() == "PATCH").then(|| json!({"proRataPercent": 80}));
                let path = format!("{path}?companyId={acme}");
                return Some(Target { path, body, stranger: Stranger::NotFound, hidden: acme });
            }
            ("GET", "/tax/rates") => {
                let hidden = acme;
                return Some(Target {
                    path: path.to_owned(),
                    body: None,
                    stranger: Stranger::OwnThings,
                    hidden,
                });
            }
            _ => {}
        }
        let reference = format!("{method} {path}");
        let one = self.client.post("/tax/notices", &new(&reference)).await.ok(201).id();
        Some(match (method.as_str(), path) {
            ("GET", "/tax/notices") => listed(path, &one),
            ("GET", "/tax/notices/{id}")
            | ("POST", "/tax/notices/{id}/access" | "/tax/notices/{id}/reject") => on(path, &one, None),
            ("PATCH", "/tax/notices/{id}") => on(path, &one, Some(json!({"handled": true}))),
            _ => return None,
        })
    }
}
