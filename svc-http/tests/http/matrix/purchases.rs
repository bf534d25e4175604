//! What the routes of suppliers and their documents work on.

use http::Method;
use serde_json::{Value, json};

use super::targets::{AtWork, Target, listed, on, refers};
use crate::purchases::import::ubl;

impl AtWork<'_> {
    pub(super) async fn suppliers(&self, method: &Method, path: &str) -> Option<Target> {
        let acme = self.area.acme.to_string();
        let new = json!({"contactId": self.contact("Mar SL").await, "companyId": acme});
        if (method, path) == (&Method::POST, "/suppliers") {
            return Some(refers(path, new, &acme));
        }
        let one = self.client.post("/suppliers", &new).await.ok(201).id();
        Some(match (method.as_str(), path) {
            ("GET", "/suppliers") => listed(path, &one),
            ("GET", "/suppliers/{id}") => on(path, &one, None),
            ("PATCH", "/suppliers/{id}") => on(path, &one, Some(json!({"paymentTermDays": 10}))),
            _ => return None,
        })
    }

    pub(super) async fn supplier_documents(&self, method: &Method, path: &str) -> Option<Target> {
        let acme = self.area.acme.to_string();
        let supplier = json!({"contactId": self.contact("Mar SL").await, "companyId": acme});
        let supplier = self.client.post("/suppliers", &supplier).await.ok(201).id();
        let new = json!({"docType": "invoice", "supplierId": supplier, "number": "1", "issueDate": "2025-02-20",
            "companyId": acme, "lines": [{"description": "Paper", "unitPrice": "10.00"}]});
        if (method, path) == (&Method::POST, "/supplier-documents") {
            return Some(refers(path, new, &acme));
        }
        if (method, path) == (&Method::POST, "/supplier-documents/import") {
            let file = ubl("1", "Mar SL", None);
            return Some(refers(path, json!({"file": file, "companyId": acme}), &acme));
        }
        let one = self.client.post("/supplier-documents", &new).await.ok(201).id();
        let act = async |verb: &str, body: Value| {
            self.client.post(&format!("/supplier-documents/{one}/{verb}"), &body).await
        };
        let pay = json!({"amount": "1.00", "date": "2025-03-01", "method": "cash"});
        Some(match (method.as_str(), path.trim_start_matches("/supplier-documents")) {
            ("GET", "") => listed(path, &one),
            ("GET", "/{id}") => on(path, &one, None),
            ("PATCH", "/{id}") => on(path, &one, Some(json!({"notes": "seen"}))),
            ("POST", "/{id}/approve") => on(path, &one, Some(json!({}))),
            ("POST", "/{id}/reject") => on(path, &one, Some(json!({"reason": "Never ordered"}))),
            ("POST", "/{id}/reopen") => {
                act("reject", json!({"reason": "Never ordered"})).await.ok(200);
                on(path, &one, None)
            }
            ("POST", "/{id}/void") => {
                act("approve", json!({})).await.ok(200);
                on(path, &one, Some(json!({"reason": "Mistake"})))
            }
            ("POST", "/{id}/payments") => {
                act("approve", json!({})).await.ok(200);
                on(path, &one, Some(pay))
            }
            ("DELETE", "/{id}/payments/{paymentId}") => {
                act("approve", json!({})).await.ok(200);
                let paid = act("payments", pay).await.ok(201).id();
                on(&path.replace("{paymentId}", &paid), &one, None)
            }
            _ => return None,
        })
    }
}
