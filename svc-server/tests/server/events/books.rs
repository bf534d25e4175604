//! Journal entries that people write.

use serde_json::json;

use super::{Office, id};

pub(super) fn play(office: &mut Office) {
    let today = office.api.get("/api/v1/cases").expect(200)["items"][0]["openedOn"].clone();
    let entry = json!({"date": today, "description": "Rent", "lines": [
        {"accountCode": "6210000", "debit": "800.00"}, {"accountCode": "5720000", "credit": "800.00"}]});
    let entries = office.books("/journal-entries");
    let draft = office.post(&entries, &entry, 201);
    office.tells("a draft", &[("journal_entry.create", Some(&draft["id"]), &[])]);
    let path = format!("{entries}/{}", id(&draft));
    office.patch(&path, &json!({"description": "Rent of May"}));
    office.tells("its change", &[("journal_entry.update", Some(&draft["id"]), &[])]);
    office.post(&format!("{path}/post"), &json!({}), 200);
    office.tells("its posting", &[("journal_entry.post", Some(&draft["id"]), &[])]);
    let other = office.post(&entries, &entry, 201);
    office.tells("another one", &[("journal_entry.create", Some(&other["id"]), &[])]);
    office.delete(&format!("{entries}/{}", id(&other)));
    office.tells("its erasure", &[("journal_entry.delete", Some(&other["id"]), &[])]);
    let asset = json!({"name": "Van", "assetClass": "vehicles", "acquisitionDate": today, "cost": "9000.00"});
    let asset = office.post(&office.books("/fixed-assets"), &asset, 201);
    office.tells("an asset", &[("fixed_asset.create", Some(&asset["id"]), &[])]);
}
