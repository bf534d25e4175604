//! Bodies of envelopes.

use http::Method;
use serde_json::{Value, json};
use svc_testkit::business::envelopes::pdf;

use super::request::{Names, Writer};
use super::side::Side;

/// Drafts that a side begins with, and envelopes that it has sent.
pub(super) const SEEDS: usize = 6;

/// The one whose signer gives the place away; each has one signer.
pub(super) const GIVEN_AWAY: usize = 3;

/// A PDF file of a side.
pub(super) fn file(canary: &str) -> Value {
    let file = String::from_utf8(pdf(canary)).unwrap();
    json!({"properties": {"name": format!("{canary}.pdf")}, "file": file})
}

/// The first ones are sent, and the others drafts.
pub(super) fn seed(canary: &str, file: &str, number: usize) -> Value {
    json!({"subject": format!("{canary} {number}"), "files": [{"fileId": file}], "send": number < 4,
        "signers": [{"name": canary, "email": format!("{canary}@example.com")}]})
}

/// An envelope of a side with which the action works.
pub(super) fn own<'a>(method: &Method, path: &str, side: &'a Side) -> Option<&'a String> {
    let sent = match (method.as_str(), path) {
        ("POST", "/envelopes/{id}/void") => 1,
        ("POST", "/envelopes/{id}/reissue") => 2,
        ("POST", "/envelopes/{id}/reassign") => GIVEN_AWAY,
        ("POST", "/envelopes/{id}/send") => 4,
        ("PATCH" | "DELETE", _) => 5,
        _ => 0,
    };
    side.ids("env").get(sent)
}

impl Writer {
    pub(super) fn envelopes(&self, method: &Method, path: &str, names: &Names, mixed: bool) -> Option<Value> {
        let Names { text, company, contact, file, signer, external, .. } = names;
        Some(match (method.as_str(), path) {
            ("POST", "/envelopes") => {
                let ana = json!({"name": text, "email": "ana@example.com"});
                let mut body = json!({"subject": text, "files": [{"fileId": file}], "signers": [ana]});
                if mixed && self.one_in(2) {
                    body["companyId"] = json!(company);
                    body["externalId"] = json!(external);
                    body["links"] = json!([{"type": "contact", "id": contact}]);
                }
                if mixed && self.one_in(2) {
                    body["send"] = json!(true);
                }
                body
            }
            ("PATCH", "/envelopes/{id}") if mixed => json!({"message": text, "files": [{"fileId": file}]}),
            ("PATCH", "/envelopes/{id}") => json!({ "message": text }),
            ("POST", "/envelopes/{id}/void") => json!({ "reason": text }),
            ("POST", "/envelopes/{id}/reissue") if mixed => json!({"files": [{"fileId": file}]}),
            ("POST", "/envelopes/{id}/reissue") => json!({}),
            ("POST", "/envelopes/{id}/reassign") => {
                json!({"signerId": signer, "name": text, "email": "luis@example.com"})
            }
            ("POST", "/envelopes/{id}/send" | "/envelopes/{id}/remind") => return None,
            (method, path) => panic!("no body is known for {method} {path}"),
        })
    }
}
