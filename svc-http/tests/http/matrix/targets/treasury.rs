//! Bank accounts and their movements to work on.

use http::Method;
use serde_json::json;

use super::{AtWork, Stranger, Target, listed, on, refers};

impl AtWork<'_> {
    pub(super) async fn treasury(&self, method: &Method, path: &str) -> Option<Target> {
        let acme = self.area.acme.to_string();
        let new = json!({"name": "Till", "type": "cash", "companyId": acme});
        let one = self.client.post("/treasury/bank-accounts", &new).await.ok(201).id();
        Some(match (method.as_str(), path) {
            ("GET", "/treasury/bank-accounts") => listed(path, &one),
            ("POST", "/treasury/bank-accounts") => refers(path, new, &acme),
            ("GET", "/treasury/bank-accounts/{id}") => on(path, &one, None),
            ("PATCH", "/treasury/bank-accounts/{id}") => on(path, &one, Some(json!({"name": "seen"}))),
            ("GET", "/treasury/balances") => Target {
                path: format!("{path}?companyId={acme}"),
                body: None,
                stranger: Stranger::NotFound,
                hidden: one,
            },
            _ => return self.movements(method, path, &acme, &one).await,
        })
    }

    async fn movements(&self, method: &Method, path: &str, acme: &str, account: &str) -> Option<Target> {
        let file = json!({"file": "Fecha;Concepto;Importe\r\n15/01/2025;Sellos;-8,20\r\n"});
        let own = json!({"bookingDate": "2025-01-16", "amount": "12.50", "description": "Stamps"});
        let new = json!({"bankAccountId": account, "movements": [own]});
        if (method.as_str(), path) == ("POST", "/treasury/bank-accounts/{id}/imports") {
            return Some(on(path, account, Some(file)));
        }
        if (method.as_str(), path) == ("POST", "/treasury/bank-movements") {
            return Some(refers(path, new, account));
        }
        let import = self.client.post("/treasury/bank-movements", &new).await.ok(201).id();
        let movements = format!("/treasury/bank-movements?companyId={acme}&importId={import}");
        let movement = self.client.get(&movements).await.ok(200).json["items"][0]["id"].clone();
        let movement = movement.as_str().unwrap();
        let fee = json!({"allocations": [{"type": "account", "accountCode": "6260000", "amount": "12.50"}]});
        Some(match (method.as_str(), path) {
            ("GET", "/treasury/imports") => listed(path, &import),
            ("GET", "/treasury/imports/{id}") => on(path, &import, None),
            ("GET", "/treasury/bank-movements") => listed(path, movement),
            ("GET", "/treasury/bank-movements/{id}" | "/treasury/bank-movements/{id}/proposals") => {
                on(path, movement, None)
            }
            ("POST", "/treasury/bank-movements/{id}/reconcile") => on(path, movement, Some(fee)),
            ("POST", "/treasury/reconciliations/bulk-confirm") => {
                let item = json!({"movementId": movement, "proposalId": format!("bpr_{}", "0".repeat(26))});
                Target {
                    path: path.to_owned(),
                    body: Some(json!({"items": [item]})),
                    // Each item is judged by itself, and a stranger's finds nothing.
                    stranger: Stranger::OwnThings,
                    hidden: "succeeded\":1".to_owned(),
                }
            }
            ("DELETE", "/treasury/bank-movements/{id}/reconciliation") => {
                let path_to = format!("/treasury/bank-movements/{movement}/reconcile");
                self.client.post(&path_to, &fee).await.ok(200);
                on(path, movement, None)
            }
            ("PATCH", "/treasury/bank-movements/{id}") => on(path, movement, Some(json!({"notes": "seen"}))),
            _ => return None,
        })
    }
}
