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
            (_, path) if path.starts_with("/tax/returns") => return self.returns(method, path).await,
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

    async fn returns(&self, method: &Method, path: &str) -> Option<Target> {
        let acme = self.area.acme.to_string();
        // A period has one ordinary return, so each is of a month of its own.
        let made = self.client.get("/tax/returns?limit=1").await.ok(200).json["total"].as_u64().unwrap();
        let new = json!({"companyId": acme, "model": "111", "year": 2023 + made / 12, "period": format!("{:02}", made % 12 + 1)});
        if (method.as_str(), path) == ("POST", "/tax/returns") {
            return Some(refers(path, new, &acme));
        }
        let one = self.client.post("/tax/returns", &new).await.ok(201).id();
        let at = |verb: &str| format!("/tax/returns/{one}/{verb}");
        if path.ends_with("/submit") || path.ends_with("/outcome") || path.ends_with("/export") {
            self.client.post(&at("prepare"), &json!({})).await.ok(200);
        }
        if path.ends_with("/outcome") {
            self.client.post(&at("submit"), &json!({"channel": "manual"})).await.ok(200);
        }
        Some(match (method.as_str(), path) {
            ("GET", "/tax/returns") => listed(path, &one),
            ("GET", "/tax/returns/{id}" | "/tax/returns/{id}/parties" | "/tax/returns/{id}/export") => {
                on(path, &one, None)
            }
            ("GET", "/tax/returns/{id}/boxes/{code}/sources") => {
                on(&path.replace("{code}", "03"), &one, None)
            }
            ("PATCH", "/tax/returns/{id}") => on(path, &one, Some(json!({"refund": false}))),
            ("POST", "/tax/returns/{id}/prepare") => on(path, &one, Some(json!({}))),
            ("POST", "/tax/returns/{id}/submit") => on(path, &one, Some(json!({"channel": "manual"}))),
            ("POST", "/tax/returns/{id}/outcome") => on(path, &one, Some(json!({"outcome": "accepted"}))),
            _ => return None,
        })
    }
}
