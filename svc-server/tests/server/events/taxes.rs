//! What says which returns a company owes, and the returns.

use serde_json::json;

use super::Office;

pub(super) fn play(office: &mut Office) {
    let profile = office.patch("/tax/profile", &json!({"withholds": ["professionals"]}));
    office.tells("a tax profile", &[("tax_profile.update", Some(&profile["id"]), &[])]);
    // What changes nothing tells nothing.
    office.patch("/tax/profile", &json!({"withholds": ["professionals"]}));
    office.tells("nothing new in a tax profile", &[]);
    returns(office);
}

fn returns(office: &mut Office) {
    let year = office.books("/fiscal-years");
    let year = office.api.get(&format!("/api/v1{year}")).expect(200)["items"][0]["startDate"].clone();
    let year =
        year.as_str().and_then(|start| start.get(..4)).expect("a year").parse::<u32>().expect("a year");
    // The calendar of the company makes quarters.
    let new = json!({"model": "303", "year": year, "period": "12"});
    let made = office.post("/tax/returns", &new, 201);
    let (id, path) = (made["id"].clone(), format!("/tax/returns/{}", made["id"].as_str().expect("an id")));
    office.post(&format!("{path}/prepare"), &json!({"allowEarly": true}), 200);
    office.tells("a prepared return", &[("tax_return.update", Some(&id), &[])]);
    office.patch(&path, &json!({"boxes": {"43": "-12.50"}}));
    office.tells("a box of a return", &[("tax_return.update", Some(&id), &[])]);
    office.post(&format!("{path}/submit"), &json!({"channel": "manual"}), 200);
    let entry = ("journal_entry.create", None, &[][..]);
    office.tells("a filed return and its settlement", &[("tax_return.submit", Some(&id), &[]), entry]);
    office.post(&format!("{path}/outcome"), &json!({"outcome": "accepted"}), 200);
    office.tells("what became of a return", &[("tax_return.update", Some(&id), &[])]);
}
