//! Steps of purchases.

use http::Method;
use serde_json::{Value, json};

use super::History;

const CHANGED: &str = "supplier_document.update";
const ENTRY: [&str; 3] = [CHANGED, "journal_entry.create", "journal_entry.post"];
const UNDONE: [&str; 4] = [CHANGED, "journal_entry.create", "journal_entry.post", "journal_entry.update"];

impl History {
    pub(super) async fn buy(&mut self) {
        if self.bought.len() < 2 || self.below(3) == 0 {
            let taxes = ["es_in_21", "es_in_10", "es_in_reverse_21", "es_in_exempt"];
            let deductible = ["100", "100", "50"][self.below(3)];
            let line = json!({"description": "Paper", "quantity": "3", "unitPrice": self.cents(20_000),
                "taxCode": taxes[self.below(4)], "deductiblePercent": deductible});
            let number = if self.below(5) == 0 { 1 } else { self.next() };
            let body = json!({"docType": "invoice", "supplierId": self.supplier, "number": number.to_string(),
                "issueDate": self.day(), "lines": [line]});
            let path = "/supplier-documents";
            let answer = self.act("receive", Method::POST, path, &body, &["supplier_document.create"]).await;
            self.bought.extend(answer.status.is_success().then(|| answer.id()));
            return;
        }
        let path = format!("/supplier-documents/{}", self.pick(&self.bought));
        let under = |verb: &str| format!("{path}/{verb}");
        let before = self.office.client.get(&path).await.ok(200).json;
        match self.below(7) {
            0 | 1 => drop(self.act("approve", Method::POST, &under("approve"), &json!({}), &ENTRY).await),
            2 => {
                let body = json!({"reason": "Never ordered"});
                self.act("reject", Method::POST, &under("reject"), &body, &[CHANGED]).await;
            }
            3 => drop(self.act("reopen", Method::POST, &under("reopen"), &json!({}), &[CHANGED]).await),
            4 => {
                let due = before["totals"]["due"].as_str().unwrap_or_default().to_owned();
                let amount = if self.below(2) == 0 { due } else { self.cents(20_000) };
                let body = json!({"amount": amount, "date": "2025-03-01", "method": "cash"});
                self.act("pay supplier", Method::POST, &under("payments"), &body, &ENTRY).await;
            }
            5 => {
                let Some(payment) = before["payments"][0]["id"].as_str() else { return };
                let path = under(&format!("payments/{payment}"));
                self.act("remove payment to supplier", Method::DELETE, &path, &Value::Null, &UNDONE).await;
            }
            _ => {
                let body = json!({"reason": "Mistake"});
                self.act("void purchase", Method::POST, &under("void"), &body, &UNDONE).await;
            }
        }
    }
}
