//! Bank accounts.

use serde_json::json;

use super::{Office, id};

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
}
