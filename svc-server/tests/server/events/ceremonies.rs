//! The ends of envelopes that their signers make, by the pages behind their links.

use serde_json::{Value, json};
use svc_testkit::business::envelopes::pdf;

use super::files::upload;
use super::{Office, id};
use crate::ceremony::{act, link};

fn sent(office: &mut Office, file: &Value, email: &str) -> Value {
    let draft = json!({"subject": "Lease", "language": "en", "files": [{"fileId": file["id"]}], "send": true,
        "signers": [{"name": "Ben Gil", "email": email}]});
    let envelope = office.post("/envelopes", &draft, 201);
    office.tells("an envelope", &[("envelope.sent", Some(&envelope["id"]), &[])]);
    envelope
}

pub(super) fn play(office: &mut Office) {
    let text = String::from_utf8(pdf("Lease")).expect("ASCII");
    let file = upload(office, "/files", &text);
    office.tells("a file to sign", &[("file.create", Some(&file["id"]), &[])]);
    let browser = office.server.bare();

    let envelope = sent(office, &file, "ben@example.com");
    let path = link(office.site.path(), "ben@example.com");
    act(&browser, &path, "sign", "consent=yes&name=Ben+Gil");
    let told = [
        ("envelope.completed", Some(&envelope["id"]), &[][..]),
        ("file.create", None, &[][..]),
        ("file.create", None, &[][..]),
    ];
    office.tells("the last signature, and what a job seals", &told);
    let sealed = format!("/api/v1/envelopes/{}/documents/{}?signed=true", id(&envelope), id(&file));
    let sealed = office.api.get(&sealed);
    assert!(sealed.status == 200 && sealed.text.starts_with(&text), "{sealed:?}");

    let envelope = sent(office, &file, "eva@example.com");
    let path = link(office.site.path(), "eva@example.com");
    act(&browser, &path, "decline", "reason=The+price");
    office.tells("a refusal", &[("envelope.declined", Some(&envelope["id"]), &[])]);
}
