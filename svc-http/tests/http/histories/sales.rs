//! Steps of sales.

use http::Method;
use serde_json::{Value, json};

use super::History;
use super::agreement::cents;

const ENTRY: [&str; 2] = ["journal_entry.create", "journal_entry.post"];
const UNDONE: [&str; 3] = ["journal_entry.create", "journal_entry.post", "journal_entry.update"];

impl History {
    pub(super) async fn sell(&mut self) {
        if self.sales.len() < 3 || self.below(3) == 0 {
            return self.write().await;
        }
        let id = self.pick(&self.sales);
        let path = format!("/billing/{id}");
        let before = self.office.client.get(&path).await.ok(200).json;
        let rectifies = before["rectifies"]["documentIds"].as_array().map_or(0, Vec::len);
        match self.below(7) {
            0 | 1 => {
                let events =
                    [vec!["invoice.issue"], vec!["invoice.update"; rectifies], ENTRY.to_vec()].concat();
                self.act("issue", Method::POST, &format!("{path}/issue"), &json!({}), &events).await;
            }
            2 | 3 => {
                let due = before["totals"]["due"].as_str().unwrap_or_default().to_owned();
                let amount = if self.below(2) == 0 { due } else { self.cents(20_000) };
                let day = before["issueDate"].as_str().unwrap_or("2025-03-01").to_owned();
                let body = json!({"amount": amount, "date": day, "method": "transfer"});
                let events = [vec!["invoice.pay"], ENTRY.to_vec()].concat();
                self.act("pay", Method::POST, &format!("{path}/payments"), &body, &events).await;
            }
            4 => {
                let payments = before["payments"].as_array().unwrap();
                let Some(payment) = payments.first().and_then(|payment| payment["id"].as_str()) else {
                    return;
                };
                let events = [vec!["invoice.update"], UNDONE.to_vec()].concat();
                let path = format!("{path}/payments/{payment}");
                self.act("remove payment", Method::DELETE, &path, &Value::Null, &events).await;
            }
            5 if before["status"] == "draft" => {
                let done = self.act("delete", Method::DELETE, &path, &Value::Null, &["invoice.delete"]).await;
                if done.status.is_success() {
                    self.sales.retain(|other| *other != id);
                }
            }
            5 => {
                let events =
                    [vec!["invoice.void"], vec!["invoice.update"; rectifies], UNDONE.to_vec()].concat();
                let body = json!({"reason": "Mistake"});
                self.act("void", Method::POST, &format!("{path}/void"), &body, &events).await;
            }
            _ => self.rectify(&path).await,
        }
    }

    async fn write(&mut self) {
        let lines: Vec<_> = (0..=self.below(4)).map(|_| self.line()).collect();
        let issue = self.below(2) == 0;
        let mut body = json!({"docType": "invoice", "contactId": self.office.customer, "lines": lines,
            "pricesIncludeTax": self.below(4) == 0, "issue": issue});
        if self.below(3) == 0 {
            body["discount"] = json!({"type": "percent", "value": self.below(40).to_string()});
        }
        let events = if issue {
            [vec!["invoice.create", "invoice.issue"], ENTRY.to_vec()].concat()
        } else {
            vec!["invoice.create"]
        };
        self.in_any_order(&body).await;
        let answer = self.act("write", Method::POST, "/billing", &body, &events).await;
        self.sales.extend(answer.status.is_success().then(|| answer.id()));
    }

    /// I-09: the order of the lines changes no total.
    async fn in_any_order(&self, body: &Value) {
        let mut turned = body.clone();
        turned["lines"].as_array_mut().unwrap().reverse();
        let figures = async |body: &Value| {
            let preview = self.office.client.post("/billing/preview", body).await.ok(200).json;
            let mut taxes = preview["taxes"].as_array().unwrap().clone();
            taxes.sort_by_key(|tax| tax["taxCode"].to_string());
            (preview["totals"].clone(), taxes)
        };
        assert_eq!(figures(body).await, figures(&turned).await, "{body}");
    }

    fn line(&self) -> Value {
        let taxes = ["es_vat_21", "es_vat_21", "es_vat_10", "es_vat_4", "es_reverse"];
        let withheld = ["0", "0", "15", "7"][self.below(4)];
        json!({"description": "Obra", "quantity": (1 + self.below(9)).to_string(), "unitPrice": self.cents(30_000),
            "discountPercent": self.below(30).to_string(), "taxCode": taxes[self.below(taxes.len())],
            "withholdingRate": withheld})
    }

    async fn rectify(&mut self, path: &str) {
        let mut body = json!({"method": "differences", "reasonCode": "R1", "reason": "Goods came back"});
        if self.below(2) == 0 {
            body["full"] = json!(true);
        } else {
            let price = self.cents(5_000);
            body["lines"] = json!([{"description": "Back", "quantity": "-1", "unitPrice": price, "taxCode": "es_vat_21"}]);
        }
        let answer =
            self.act("rectify", Method::POST, &format!("{path}/rectify"), &body, &["invoice.create"]).await;
        if answer.status.is_success() && body["full"] == true {
            // I-10
            let original = self.office.client.get(path).await.ok(200).json;
            for member in ["linesTotal", "discountTotal", "taxTotal", "total", "withholdingTotal", "payable"]
            {
                let (back, before) = (&answer.json["totals"][member], &original["totals"][member]);
                assert_eq!(cents(back), -cents(before), "{member}: {original}");
            }
        }
        self.sales.extend(answer.status.is_success().then(|| answer.id()));
    }
}
