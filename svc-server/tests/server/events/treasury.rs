//! Bank accounts and their movements.

use serde_json::{Value, json};

use super::{Office, id};
use crate::statement;

pub(super) fn play(office: &mut Office) {
    let accounts = "/treasury/bank-accounts";
    let bank = json!({"name": "Main account", "type": "bank", "iban": "ES9121000418450200051332"});
    let bank = office.post(accounts, &bank, 201);
    office.tells("a bank account", &[("bank_account.create", Some(&bank["id"]), &[])]);
    let path = format!("{accounts}/{}", id(&bank));
    office.patch(&path, &json!({"bankName": "CaixaBank"}));
    office.tells("its change", &[("bank_account.update", Some(&bank["id"]), &[])]);
    let till = office.post(accounts, &json!({"name": "Till", "type": "cash", "isDefault": true}), 201);
    let told = [
        ("bank_account.update", Some(&bank["id"]), &[][..]),
        ("bank_account.create", Some(&till["id"]), &[]),
    ];
    office.tells("another default", &told);

    let brought = |office: &mut Office, what, import: &Value, count: usize| {
        let count = json!(count);
        office.tells(what, &[("bank_movement.create", Some(&import["id"]), &[("movement_count", &count)])]);
    };
    let import = statement::send(&office.api, id(&bank), &statement::of(0..3)).expect(201);
    brought(office, "a statement", &import, 3);
    // The same again, and one with nothing new, tell nothing.
    statement::send(&office.api, id(&bank), &statement::of(0..3)).expect(200);
    statement::send(&office.api, id(&bank), &statement::of(1..3)).expect(201);
    let large = statement::send(&office.api, id(&bank), &statement::of(0..2_500)).expect(202);
    brought(office, "a statement that a job takes", &large, 2_497);
    // Today is in the fiscal year with which the company began.
    let today = office.api.get("/api/v1/cases").expect(200)["items"][0]["openedOn"].clone();
    let stamps = json!({"bookingDate": today, "amount": "-8.20", "description": "Stamps"});
    let by_hand = json!({"bankAccountId": till["id"], "movements": [stamps]});
    let by_hand = office.post("/treasury/bank-movements", &by_hand, 201);
    brought(office, "a movement that was written by hand", &by_hand, 1);
    let listed = office.api.get("/api/v1/treasury/bank-movements?limit=1").expect(200);
    assert_eq!(listed["total"], 2_501);
    let by_hand = by_hand["id"].as_str().expect("an id");
    let listed = office.api.get(&format!("/api/v1/treasury/bank-movements?importId={by_hand}")).expect(200);
    let movement = format!("/treasury/bank-movements/{}", id(&listed["items"][0]));
    office.patch(&movement, &json!({"status": "ignored"}));
    office.patch(&movement, &json!({"status": "pending"}));
    let amount = &listed["items"][0]["amount"];
    let fee = json!({"allocations": [{"type": "account", "accountCode": "6260000", "amount": amount}]});
    let done = office.post(&format!("{movement}/reconcile"), &fee, 200);
    let entry = Some(&done["reconciliation"]["entryId"]);
    let told = [
        ("journal_entry.create", entry, &[][..]),
        ("journal_entry.post", entry, &[]),
        ("reconciliation.confirm", Some(&done["id"]), &[]),
    ];
    office.tells("what a movement stands for", &told);
}
