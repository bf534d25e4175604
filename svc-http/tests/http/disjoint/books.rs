//! Bodies of ledgers, years, assets and entries.

use http::Method;
use serde_json::{Value, json};

use super::request::{Names, Writer};

impl Writer {
    /// A body for what is below the books of a company.
    pub(super) fn books(&self, method: &Method, under: &str, names: &Names, mixed: bool) -> Option<Value> {
        let text = &names.text;
        let with_contact = mixed && self.one_in(2);
        Some(match (method.as_str(), under) {
            ("PATCH", "") => json!({"metadata": {"note": text}}),
            ("POST", "/accounts") => {
                json!({"code": (6_290_001 + self.count() % 99).to_string(), "name": text})
            }
            ("PATCH", "/accounts/{id}" | "/fixed-assets/{id}") => json!({ "name": text }),
            ("POST", "/fiscal-years") => {
                json!({"name": text, "startDate": "2026-01-01", "endDate": "2026-12-31"})
            }
            ("POST", "/fiscal-years/{id}/close") => json!({}),
            ("POST", "/fixed-assets") => json!({
                "name": text, "assetClass": "it_equipment", "acquisitionDate": "2025-01-01", "cost": "1200.00",
            }),
            ("POST", "/fixed-assets/{id}/dispose") => json!({"date": "2025-02-01", "reason": "scrapped"}),
            ("POST", "/fixed-assets/depreciation-runs") => json!({"through": "2025-12-31"}),
            ("POST", "/journal-entries") => entry(names, with_contact),
            ("POST", "/journal-entries/bulk") => {
                json!({ "entries": [entry(names, with_contact), entry(names, false)] })
            }
            ("PATCH", "/journal-entries/{id}") | ("POST", "/journal-entries/{id}/reverse") => {
                json!({ "description": text })
            }
            (
                "POST",
                "/fiscal-years/{id}/reopen" | "/fixed-assets/{id}/activate" | "/journal-entries/{id}/post",
            ) => return None,
            (method, under) => panic!("no body is known for {method} /books/{{companyId}}{under}"),
        })
    }
}

/// An entry, perhaps with a contact; dated in the next year, which a closing of this one does not look at.
fn entry(names: &Names, with_contact: bool) -> Value {
    let mut entry = json!({"date": "2026-03-01", "description": names.text, "lines": [
        {"accountCode": "6210000", "debit": "10.00"}, {"accountCode": "5720000", "credit": "10.00"},
    ]});
    if with_contact {
        entry["lines"][1]["contactId"] = json!(names.contact);
    }
    entry
}
