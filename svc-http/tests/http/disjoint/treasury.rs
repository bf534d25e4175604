//! Bodies of bank accounts, statements and movements.

use http::Method;
use serde_json::{Value, json};

use super::request::{Names, Writer};

/// Numbers that accounts of every side have.
const IBANS: [&str; 2] = ["ES9121000418450200051332", "DE89370400440532013000"];

/// A statement with one movement.
pub(super) fn statement(text: &str) -> String {
    format!("Fecha;Concepto;Importe\r\n15/01/2025;{text};-84,20\r\n")
}

impl Writer {
    pub(super) fn treasury(&self, method: &Method, path: &str, names: &Names, mixed: bool) -> Value {
        let Names { text, bank_account, .. } = names;
        match (method.as_str(), path) {
            ("POST", "/treasury/bank-accounts") => self.bank_account(names, mixed),
            ("PATCH", "/treasury/bank-accounts/{id}") if mixed => {
                json!({"name": text, "status": self.pick(&["active", "archived"])})
            }
            ("PATCH", "/treasury/bank-accounts/{id}") => json!({ "name": text }),
            ("POST", "/treasury/bank-accounts/{id}/imports") => json!({ "file": statement(text) }),
            ("POST", "/treasury/bank-movements") => {
                let movement = json!({"bookingDate": "2025-01-16", "amount": "12.50", "description": text,
                    "counterpartyIban": self.pick(&IBANS)});
                json!({"bankAccountId": bank_account, "movements": [movement]})
            }
            ("PATCH", "/treasury/bank-movements/{id}") if mixed => {
                json!({"notes": text, "status": self.pick(&["ignored", "pending"])})
            }
            ("PATCH", "/treasury/bank-movements/{id}") => json!({ "notes": text }),
            ("POST", "/treasury/bank-movements/{id}/reconcile") if mixed && self.one_in(2) => {
                json!({"allocations": [{"type": "invoice", "id": names.document, "amount": "-84.20"}]})
            }
            ("POST", "/treasury/bank-movements/{id}/reconcile") => {
                let fee = json!({"type": "account", "accountCode": "6260000", "amount": "-84.20", "description": text});
                json!({ "allocations": [fee] })
            }
            ("POST", "/treasury/reconciliations/bulk-confirm") => {
                json!({"items": [{"movementId": names.movement, "proposalId": format!("bpr_{}", "0".repeat(26))}]})
            }
            (method, path) => panic!("no body is known for {method} {path}"),
        }
    }

    fn bank_account(&self, names: &Names, mixed: bool) -> Value {
        let Names { text, company, external, .. } = names;
        let mut body = json!({"name": text, "type": "cash"});
        if mixed {
            body["type"] = json!("bank");
            body["iban"] = json!(self.pick(&IBANS));
        }
        if mixed && self.one_in(2) {
            body["companyId"] = json!(company);
            body["externalId"] = json!(external);
        }
        body
    }
}
