//! Companies.

use serde_json::json;

use super::{Office, id};

pub(super) fn play(office: &mut Office) {
    let parent = json!(office.company);
    let child = |name: &str| json!({"legalName": name, "legalForm": "sl", "parentAccountId": parent});
    let one = office.post("/accounts", &child("Filial Uno SL"), 201);
    office.tells("a subsidiary", &[("account.create", Some(&one["id"]), &[])]);
    let two = office.post("/accounts", &child("Filial Dos SL"), 201);
    office.tells("another one", &[("account.create", Some(&two["id"]), &[])]);
    office.post(&format!("/accounts/{}/merge", office.company), &json!({"mergedId": one["id"]}), 200);
    office.tells("a merge", &[("account.merge", Some(&parent), &[("merged_id", &one["id"])])]);
    // A company hears of its own end, which another one brings about.
    let token = office.token_of(id(&two));
    let (_, secret) = office.server.api(&token).subscribe(&office.receiver.url, &["account.delete"]);
    let own = std::mem::replace(&mut office.secret, secret);
    office.delete(&format!("/accounts/{}", id(&two)));
    office.tells("its deactivation", &[("account.delete", Some(&two["id"]), &[])]);
    office.secret = own;
}
