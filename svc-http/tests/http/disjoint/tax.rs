//! Bodies of tax profiles, tax returns and notices.

use http::Method;
use serde_json::{Value, json};

use super::request::{Names, Writer};

impl Writer {
    pub(super) fn tax(&self, method: &Method, path: &str, names: &Names, mixed: bool) -> Option<Value> {
        let Names { text, company, external, .. } = names;
        Some(match (method.as_str(), path) {
            ("POST", "/tax/notices") => {
                let mut body = json!({"source": "aeat", "kind": "notification", "issuer": text, "subject": text,
                    "reference": text, "availableAt": "2025-02-28T09:00:00Z"});
                if mixed && self.one_in(2) {
                    body["companyId"] = json!(company);
                    body["recipientTaxId"] = json!("B12345674");
                    body["reference"] = json!(external);
                }
                body
            }
            ("POST", "/tax/returns") => {
                let mut body =
                    json!({"model": *self.pick(&["303", "111", "347"]), "year": 2024, "period": "0A"});
                if body["model"] != "347" {
                    body["period"] = json!(format!("{}T", 1 + self.below(4)));
                }
                if mixed && self.one_in(2) {
                    body["companyId"] = json!(company);
                }
                body
            }
            ("PATCH", "/tax/returns/{id}") => json!({"refund": self.one_in(2)}),
            ("POST", "/tax/returns/{id}/prepare") => json!({"allowEarly": true}),
            ("POST", "/tax/returns/{id}/submit") => json!({"channel": "manual", "receiptNumber": external}),
            ("POST", "/tax/returns/{id}/outcome") => json!({"outcome": "rejected", "message": text}),
            ("PATCH", "/tax/profile") => {
                json!({"proRataPercent": self.below(100), "representative": {"name": text, "taxId": "A58818501"},
                    "activities": [{"description": text, "main": true}]})
            }
            ("PATCH", "/tax/notices/{id}") => {
                json!({"handled": self.one_in(2), "responseDueOn": "2025-04-01"})
            }
            ("POST", "/tax/notices/{id}/access" | "/tax/notices/{id}/reject") => return None,
            (method, path) => panic!("no body is known for {method} {path}"),
        })
    }
}
