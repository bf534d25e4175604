//! Bodies of bank accounts.

use http::Method;
use serde_json::{Value, json};

use super::request::{Names, Writer};

/// Numbers that accounts of every side have.
const IBANS: [&str; 2] = ["ES9121000418450200051332", "DE89370400440532013000"];

impl Writer {
    pub(super) fn treasury(&self, method: &Method, names: &Names, mixed: bool) -> Value {
        let Names { text, company, external, .. } = names;
        if *method == Method::PATCH {
            return json!({"name": text, "status": self.pick(&["active", "archived"])});
        }
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
