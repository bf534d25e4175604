//! Requests about sales documents.

use http::Method;
use serde_json::{Value, json};

use super::request::{Names, Writer};
use super::side::Side;

/// The documents that a side is seeded with, in their order.
const ISSUED: usize = 0;
const TO_ISSUE: usize = 1;
const TO_DELETE: usize = 2;
const TO_ACCEPT: usize = 3;
const TO_REJECT: usize = 4;
const TO_CONVERT: usize = 5;
const TO_VOID: usize = 6;
const TO_ISSUE_IN_BULK: usize = 7;
const PAID: usize = 8;
const INVOICE: usize = 9;

/// Drafts and issued documents in the order of the constants above; each is one line of this text for this customer.
pub(super) fn seeds(text: &str, contact: &str) -> [Value; 10] {
    let one = |doc_type: &str, issue: bool| {
        let mut body = written(text, doc_type);
        body["issue"] = json!(issue);
        if doc_type != "simplified_invoice" {
            body["contactId"] = json!(contact);
        }
        body
    };
    let (draft, issued) = (one("simplified_invoice", false), one("simplified_invoice", true));
    let quote = || one("quote", true);
    [
        issued.clone(),
        draft.clone(),
        draft.clone(),
        quote(),
        quote(),
        quote(),
        issued.clone(),
        draft,
        issued,
        one("invoice", true),
    ]
}

fn written(text: &str, doc_type: &str) -> Value {
    json!({"docType": doc_type, "notes": text, "lines": [{"description": text, "unitPrice": "100.00"}]})
}

/// Which of its own documents a side does this with.
pub(super) fn own<'a>(method: &Method, path: &str, side: &'a Side) -> Option<&'a String> {
    let at = match (method.as_str(), path.trim_start_matches("/billing/{id}")) {
        ("POST", "/issue") => TO_ISSUE,
        ("DELETE", "") => TO_DELETE,
        ("POST", "/accept") => TO_ACCEPT,
        ("POST", "/reject") => TO_REJECT,
        ("POST", "/convert") => TO_CONVERT,
        ("POST", "/void") => TO_VOID,
        ("DELETE", "/payments/{paymentId}") => PAID,
        ("GET", "/pdf" | "/ubl" | "/facturae") => INVOICE,
        _ => ISSUED,
    };
    side.ids("inv").get(at)
}

impl Writer {
    /// A body for what is below `/billing`; `drafts` are documents to issue together.
    pub(super) fn billing(&self, method: &Method, under: &str, names: &Names, mixed: bool) -> Option<Value> {
        let text = &names.text;
        Some(match (method.as_str(), under) {
            ("POST", "/series") => {
                json!({"code": format!("X{}", self.count() % 99_999), "docTypes": ["proforma"]})
            }
            ("POST", "/{id}/send") => json!({"to": ["admin@sol.example"], "subject": text}),
            ("PATCH", "/series/{id}") => json!({"metadata": {"note": text}}),
            ("POST", "" | "/preview") => {
                let mut body = written(text, "simplified_invoice");
                if mixed && self.one_in(2) {
                    body["contactId"] = json!(names.contact);
                    body["companyId"] = json!(names.company);
                    body["externalId"] = json!(names.external);
                }
                if mixed && self.one_in(3) {
                    body["docType"] = json!("rectifying");
                    body["rectifies"] = json!({"documentIds": [names.document], "method": "differences",
                        "reasonCode": "R5", "reason": "Shared"});
                }
                body["issue"] = json!(under.is_empty() && mixed && self.one_in(2));
                body
            }
            ("POST", "/bulk-issue") => json!({"ids": [names.document]}),
            ("PATCH", "/{id}") => json!({"reference": text, "tags": ["shared"]}),
            ("POST", "/{id}/issue") => json!({}),
            ("POST", "/{id}/void") => json!({"reason": text}),
            ("POST", "/{id}/payments") => {
                let mut body = json!({"amount": "1.00", "date": "2025-02-28", "method": "cash",
                    "reference": text});
                if mixed && self.one_in(2) {
                    body["method"] = json!("offset");
                    body["offsetDocumentId"] = json!(names.document);
                }
                body
            }
            ("POST", "/{id}/rectify") => {
                json!({"method": "differences", "reasonCode": "R5", "reason": text, "full": true})
            }
            ("POST", "/{id}/convert") => json!({"docType": "invoice"}),
            ("POST", "/{id}/accept" | "/{id}/reject" | "/{id}/duplicate") => return None,
            (method, under) => panic!("no body is known for {method} /billing{under}"),
        })
    }

    /// The draft that a side issues together with others.
    pub(super) fn bulk(side: &Side) -> String {
        side.ids("inv")[TO_ISSUE_IN_BULK].clone()
    }
}
