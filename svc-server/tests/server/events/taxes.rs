//! What says which returns a company owes.

use serde_json::json;

use super::Office;

pub(super) fn play(office: &mut Office) {
    let profile = office.patch("/tax/profile", &json!({"withholds": ["professionals"]}));
    office.tells("a tax profile", &[("tax_profile.update", Some(&profile["id"]), &[])]);
    // What changes nothing tells nothing.
    office.patch("/tax/profile", &json!({"withholds": ["professionals"]}));
    office.tells("nothing new in a tax profile", &[]);
}
