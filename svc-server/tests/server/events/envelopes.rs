//! Envelopes, as their sender leads them.

use serde_json::json;
use svc_testkit::business::envelopes::pdf;

use super::files::upload;
use super::{Office, id};

pub(super) fn play(office: &mut Office) {
    let text = String::from_utf8(pdf("Contrato")).expect("ASCII");
    let file = upload(office, "/files", &text);
    office.tells("a file to sign", &[("file.create", Some(&file["id"]), &[])]);
    let draft = json!({"subject": "Contrato", "files": [{"fileId": file["id"]}], "signers": [
        {"name": "Ana", "email": "ana@example.com"},
    ]});
    let old = office.post("/envelopes", &draft, 201);
    let path = format!("/envelopes/{}", id(&old));
    office.patch(&path, &json!({"message": "Hola"}));
    office.tells("a draft of an envelope", &[]);
    let sent = office.post(&format!("{path}/send"), &json!({}), 200);
    office.tells("an envelope", &[("envelope.sent", Some(&old["id"]), &[])]);
    let signer = &sent["signers"][0]["id"];
    let luis = json!({"signerId": signer, "name": "Luis", "email": "luis@example.com"});
    let given = office.post(&format!("{path}/reassign"), &luis, 200);
    let both = [("previous_signer_id", signer), ("signer_id", &given["signers"][1]["id"])];
    office.tells("another signer", &[("envelope.reassigned", Some(&old["id"]), &both)]);
    let new = office.post(&format!("{path}/reissue"), &json!({}), 201);
    let previous = [("previous_id", &old["id"])];
    let told = [
        ("envelope.voided", Some(&old["id"]), &[][..]),
        ("envelope.reissued", Some(&new["id"]), &previous[..]),
    ];
    office.tells("another envelope", &told);
    let path = format!("/envelopes/{}", id(&new));
    office.post(&format!("{path}/void"), &json!({"reason": "Ya no hace falta"}), 200);
    office.tells("the end of an envelope", &[("envelope.voided", Some(&new["id"]), &[])]);
}
