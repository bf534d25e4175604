//! What the routes of sales documents work on.

use http::Method;
use serde_json::{Value, json};

use super::targets::{AtWork, Target, listed, on, refers};

impl AtWork<'_> {
    pub(super) async fn billing(&self, method: &Method, path: &str) -> Option<Target> {
        let acme = self.area.acme.to_string();
        if path.starts_with("/billing/series") {
            return self.series(method, path).await;
        }
        self.can_issue().await;
        let made = async |doc_type: &str, issue: bool| {
            let body = self.document(doc_type, issue).await;
            self.client.post("/billing", &body).await.ok(201).id()
        };
        let draft = json!({"docType": "simplified_invoice", "companyId": acme,
            "lines": [{"description": "Coffee", "unitPrice": "10.00"}]});
        Some(match (method.as_str(), path.trim_start_matches("/billing")) {
            ("GET", "") => listed(path, &made("simplified_invoice", false).await),
            ("POST", "" | "/preview") => refers(path, draft, &acme),
            ("POST", "/bulk-issue") => {
                let one = made("simplified_invoice", false).await;
                let mut target = on(path, &one, Some(json!({"ids": [one]})));
                // Each item is judged by itself, and a stranger's finds nothing.
                target.stranger = super::targets::Stranger::OwnThings;
                "seen".clone_into(&mut target.hidden);
                target
            }
            ("PATCH", "/{id}") => {
                on(path, &made("simplified_invoice", false).await, Some(json!({"notes": "seen"})))
            }
            ("POST", "/{id}/issue") => on(path, &made("simplified_invoice", false).await, Some(json!({}))),
            ("POST", "/{id}/send") => {
                let mail = json!({"to": ["admin@sol.example"], "attachPdf": false});
                on(path, &made("simplified_invoice", true).await, Some(mail))
            }
            ("POST", "/{id}/void") => {
                on(path, &made("simplified_invoice", true).await, Some(json!({"reason": "Mistake"})))
            }
            ("POST", "/{id}/payments") => {
                let payment = json!({"amount": "1.00", "date": "2025-03-01", "method": "cash"});
                on(path, &made("simplified_invoice", true).await, Some(payment))
            }
            ("DELETE", "/{id}/payments/{paymentId}") => {
                let one = made("simplified_invoice", true).await;
                let payment = json!({"amount": "1.00", "date": "2025-03-01", "method": "cash"});
                let paid = self.client.post(&format!("/billing/{one}/payments"), &payment).await.ok(201).id();
                on(&path.replace("{paymentId}", &paid), &one, None)
            }
            ("POST", "/{id}/rectify") => {
                let how =
                    json!({"method": "differences", "reasonCode": "R5", "reason": "Back", "full": true});
                on(path, &made("simplified_invoice", true).await, Some(how))
            }
            ("POST", "/{id}/convert") => {
                on(path, &made("quote", true).await, Some(json!({"docType": "simplified_invoice"})))
            }
            ("POST", "/{id}/accept" | "/{id}/reject") => on(path, &made("quote", true).await, None),
            ("GET", "/{id}/pdf" | "/{id}/ubl" | "/{id}/facturae") => {
                let customer = json!({"kind": "organization", "legalName": "Sol SL", "companyId": acme,
                    "taxId": "A58818501", "allowDuplicate": true, "address": {"line1": "Calle Mayor 2",
                    "city": "Madrid", "postalCode": "28013", "country": "ES"}});
                let mut body = self.document("invoice", true).await;
                body["contactId"] = json!(self.client.post("/contacts", &customer).await.ok(201).id());
                on(path, &self.client.post("/billing", &body).await.ok(201).id(), None)
            }
            ("GET", "/{id}" | "/{id}/history") | ("POST", "/{id}/duplicate") | ("DELETE", "/{id}") => {
                on(path, &made("simplified_invoice", false).await, None)
            }
            _ => return None,
        })
    }

    async fn series(&self, method: &Method, path: &str) -> Option<Target> {
        let acme = self.area.acme.to_string();
        let new = json!({"code": "X", "docTypes": ["proforma"], "companyId": acme});
        if (method, path) == (&Method::POST, "/billing/series") {
            return Some(refers(path, new, &acme));
        }
        let one = self.client.post("/billing/series", &new).await.ok(201).id();
        Some(match (method.as_str(), path) {
            ("GET", "/billing/series") => listed(path, &one),
            ("GET", "/billing/series/{id}") => on(path, &one, None),
            ("PATCH", "/billing/series/{id}") => on(path, &one, Some(json!({"active": false}))),
            _ => return None,
        })
    }

    /// What a company needs to issue documents.
    async fn can_issue(&self) {
        let body = json!({"taxId": "B12345674", "address": {"line1": "Calle Mayor 1", "city": "Madrid",
            "postalCode": "28013", "country": "ES"}});
        self.client.patch(&format!("/accounts/{}", self.area.acme), &[], &body).await.ok(200);
    }

    async fn document(&self, doc_type: &str, issue: bool) -> Value {
        let mut body = json!({"docType": doc_type, "companyId": self.area.acme, "issue": issue,
            "lines": [{"description": "Coffee", "unitPrice": "10.00"}]});
        if doc_type == "quote" {
            body["contactId"] = json!(self.contact("Sol SL").await);
        }
        body
    }
}
