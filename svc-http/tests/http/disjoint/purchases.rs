//! Requests about suppliers and their documents.

use http::Method;
use serde_json::{Value, json};

use super::request::{Names, Writer};
use super::side::Side;
use crate::purchases::import::ubl;

/// The documents that a side is seeded with, in their order; the first three are approved, and the first of them paid.
pub(super) const SEEDS: usize = 6;
const PAID: usize = 0;
const TO_PAY: usize = 1;
const TO_VOID: usize = 2;
const TO_APPROVE: usize = 3;
const TO_REJECT: usize = 4;
const REJECTED: usize = 5;

/// A document of this supplier.
pub(super) fn seed(text: &str, supplier: &str, number: usize) -> Value {
    json!({"docType": "invoice", "supplierId": supplier, "number": number.to_string(), "issueDate": "2025-02-20",
        "notes": text, "lines": [{"description": text, "unitPrice": "100.00"}]})
}

/// Which of its own documents a side does this with.
pub(super) fn own<'a>(method: &Method, path: &str, side: &'a Side) -> Option<&'a String> {
    let at = match (method.as_str(), path.trim_start_matches("/supplier-documents/{id}")) {
        ("POST", "/approve") => TO_APPROVE,
        ("POST", "/reject") => TO_REJECT,
        ("POST", "/reopen") => REJECTED,
        ("POST", "/void") => TO_VOID,
        ("POST", "/payments") => TO_PAY,
        _ => PAID,
    };
    side.ids("sdc").get(at)
}

impl Writer {
    /// A body for suppliers and their documents.
    pub(super) fn purchases(&self, method: &Method, path: &str, names: &Names, mixed: bool) -> Option<Value> {
        let text = &names.text;
        Some(match (method.as_str(), path) {
            ("POST", "/suppliers") if mixed && self.one_in(2) => json!({"contactId": names.contact}),
            ("POST", "/suppliers") => json!({"contact": {"kind": "organization", "legalName": text}}),
            ("PATCH", "/suppliers/{id}") => json!({"contact": {"notes": text}, "metadata": {"note": text}}),
            ("POST", "/supplier-documents") => {
                let mut body = seed(text, &names.supplier, 100 + self.count());
                if mixed {
                    body["companyId"] = json!(names.company);
                    body["externalId"] = json!(names.external);
                }
                body
            }
            ("POST", "/supplier-documents/import") => {
                json!({"file": ubl(&format!("X-{}", self.count()), text, None)})
            }
            ("PATCH", "/supplier-documents/{id}") => json!({"notes": text, "tags": ["shared"]}),
            ("POST", "/supplier-documents/{id}/approve") => json!({}),
            ("POST", "/supplier-documents/{id}/reject" | "/supplier-documents/{id}/void") => {
                json!({"reason": text})
            }
            ("POST", "/supplier-documents/{id}/payments") => {
                json!({"amount": "1.00", "date": "2025-02-28", "method": "cash", "reference": text})
            }
            ("POST", "/supplier-documents/{id}/reopen") => return None,
            (method, path) => panic!("no body is known for {method} {path}"),
        })
    }
}
