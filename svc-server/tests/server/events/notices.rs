//! Notices of public bodies.

use serde_json::json;

use super::{Office, id};

pub(super) fn play(office: &mut Office) {
    let notice = json!({"source": "aeat", "kind": "notification", "issuer": "Agencia Tributaria",
        "subject": "Requerimiento", "reference": "2025N0001234", "availableAt": "2025-01-31T09:00:00Z"});
    let notice = office.post("/tax/notices", &notice, 201);
    office.tells("a notice", &[("notice.create", Some(&notice["id"]), &[])]);
    // The catalogue has no event for what people say of it.
    office.patch(&format!("/tax/notices/{}", id(&notice)), &json!({"handled": true}));
    office.tells("what people say of a notice", &[]);
}
