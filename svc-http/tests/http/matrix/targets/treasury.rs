//! Bank accounts to work on.

use http::Method;
use serde_json::json;

use super::{AtWork, Target, listed, on, refers};

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
            _ => return None,
        })
    }
}
