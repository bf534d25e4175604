//! Sales documents, and what they post.

use serde_json::{Value, json};

use super::{Office, Told, address, id};

pub(super) fn play(office: &mut Office) {
    let customer = json!({"kind": "organization", "legalName": "Ferretería Sur SL", "taxId": "A58818501",
        "address": address()});
    let customer = office.post("/contacts", &customer, 201);
    office.tells("a customer", &[("contact.create", Some(&customer["id"]), &[])]);
    let draft = |price: &str| {
        json!({"docType": "invoice", "contactId": customer["id"],
            "lines": [{"description": "Obra", "unitPrice": price}]})
    };
    let wrong = office.post("/billing", &draft("1.00"), 201);
    office.tells("a draft", &[("invoice.create", Some(&wrong["id"]), &[])]);
    office.delete(&format!("/billing/{}", id(&wrong)));
    office.tells("its erasure", &[("invoice.delete", Some(&wrong["id"]), &[])]);
    let invoice = office.post("/billing", &draft("100.00"), 201);
    office.tells("another one", &[("invoice.create", Some(&invoice["id"]), &[])]);
    let path = format!("/billing/{}", id(&invoice));
    office.patch(&path, &json!({"notes": "seen"}));
    office.tells("its change", &[("invoice.update", Some(&invoice["id"]), &[])]);
    office.post(&format!("{path}/issue"), &json!({}), 200);
    office.tells("its issue", &issued(&invoice["id"]));
    office.post(&format!("{path}/send"), &json!({"to": ["admin@luna.example"]}), 202);
    office.tells("its mail", &[("invoice.send", Some(&invoice["id"]), &[])]);
    let day = office.api.get(&format!("/api/v1{path}")).expect(200)["issueDate"].clone();
    let payment = json!({"amount": "21.00", "date": day, "method": "cash"});
    let payment = office.post(&format!("{path}/payments"), &payment, 201);
    let paid = [("payment_id", &payment["id"])];
    office.tells(
        "a payment",
        &[
            ("invoice.pay", Some(&invoice["id"]), &paid),
            ("journal_entry.create", None, &[]),
            ("journal_entry.post", None, &[]),
        ],
    );
    let mut last = draft("5.00");
    last["issue"] = json!(true);
    let last = office.post("/billing", &last, 201);
    let told = [&[("invoice.create", Some(&last["id"]), &[] as &[_])], &issued(&last["id"])[..]].concat();
    office.tells("written and issued", &told);
    let entry =
        office.api.get(&format!("/api/v1/billing/{}", id(&last))).expect(200)["journalEntryId"].clone();
    office.post(&format!("/billing/{}/void", id(&last)), &json!({"reason": "Error"}), 200);
    office.tells(
        "a voiding",
        &[
            ("invoice.void", Some(&last["id"]), &[]),
            ("journal_entry.update", Some(&entry), &[]),
            ("journal_entry.create", None, &[("reverses_id", &entry)]),
            ("journal_entry.post", None, &[]),
        ],
    );
}

fn issued(invoice: &Value) -> [Told<'_>; 3] {
    [
        ("invoice.issue", Some(invoice), &[]),
        ("journal_entry.create", None, &[]),
        ("journal_entry.post", None, &[]),
    ]
}
