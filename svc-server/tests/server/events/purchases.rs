//! Suppliers and what they send, with the fixed asset that comes of it.

use serde_json::json;

use super::{Office, id};

pub(super) fn play(office: &mut Office) {
    let supplier = json!({"contact": {"kind": "organization", "legalName": "Papelería Norte SL"}});
    let supplier = office.post("/suppliers", &supplier, 201);
    office.tells(
        "a supplier",
        &[
            ("contact.create", Some(&supplier["contactId"]), &[]),
            ("supplier.create", Some(&supplier["id"]), &[]),
        ],
    );
    office.patch(&format!("/suppliers/{}", id(&supplier)), &json!({"paymentTermDays": 15}));
    let today = office.api.get("/api/v1/cases").expect(200)["items"][0]["openedOn"].clone();
    let document = json!({"docType": "invoice", "supplierId": supplier["id"], "number": "1", "issueDate": today,
        "lines": [{"description": "Torno", "unitPrice": "1200.00", "assetClass": "machinery"}]});
    let document = office.post("/supplier-documents", &document, 201);
    office.tells("a document", &[("supplier_document.create", Some(&document["id"]), &[])]);
    let approved = office.post(&format!("/supplier-documents/{}/approve", id(&document)), &json!({}), 200);
    let (own, asset) = (Some(&document["id"]), &approved["assetIds"][0]);
    office.tells(
        "its approval",
        &[
            ("supplier_document.update", own, &[]),
            ("fixed_asset.create", Some(asset), &[]),
            ("journal_entry.create", Some(&approved["journalEntryId"]), &[]),
            ("journal_entry.post", Some(&approved["journalEntryId"]), &[]),
        ],
    );
    let activate = office.books(&format!("/fixed-assets/{}/activate", asset.as_str().expect("an id")));
    office.post(&activate, &json!({}), 200);
    office.tells("its asset is in use", &[("fixed_asset.update", Some(asset), &[])]);
}
