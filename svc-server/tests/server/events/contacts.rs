//! Contacts and cases.

use serde_json::json;

use super::{Office, id};

pub(super) fn play(office: &mut Office) {
    let contact = |name: &str| json!({"kind": "organization", "legalName": name});
    let one = office.tool("contact_save", &json!({"data": contact("Luna SA")}))["item"].clone();
    office.tells("a contact that an assistant adds", &[("contact.create", Some(&one["id"]), &[])]);
    office.patch(&format!("/contacts/{}", id(&one)), &json!({"notes": "seen"}));
    office.tells("its change", &[("contact.update", Some(&one["id"]), &[])]);
    office.patch(&format!("/contacts/{}", id(&one)), &json!({"notes": "seen"}));
    let both = json!({"items": [contact("Mar SL"), contact("Sierra SL")]});
    let both = office.post("/contacts/bulk", &both, 200);
    let (other, last) = (&both["items"][0]["id"], &both["items"][1]["id"]);
    office.tells("two at once", &[("contact.create", Some(other), &[]), ("contact.create", Some(last), &[])]);
    office.post(&format!("/contacts/{}/merge", id(&one)), &json!({"mergedId": other}), 200);
    office.tells("a merge", &[("contact.merge", Some(&one["id"]), &[("merged_id", other)])]);
    let case = office.post("/cases", &json!({"title": "Deed", "type": "legal", "contactId": one["id"]}), 201);
    office.tells("a case", &[("case.create", Some(&case["id"]), &[])]);
    office.post(&format!("/cases/{}/close", id(&case)), &json!({"outcome": "won"}), 200);
    office.tells("its end", &[("case.update", Some(&case["id"]), &[])]);
    office.delete(&format!("/contacts/{}", last.as_str().expect("an id")));
    office.tells("an erasure", &[("contact.delete", Some(last), &[])]);
}
