//! Fixed assets to work on.

use http::Method;
use serde_json::{Value, json};

use super::{AtWork, Target, on};

impl AtWork<'_> {
    pub(super) async fn assets(&self, method: &Method, path: &str) -> Option<Target> {
        let acme = self.area.acme.to_string();
        let in_acme = path.replace("{companyId}", &acme);
        let laptop = |activate| {
            json!({"name": "Laptop", "assetClass": "it_equipment", "acquisitionDate": "2025-01-01",
                "cost": "1200.00", "frequency": "monthly", "activate": activate})
        };
        let made = async |activate| {
            self.client.post(&format!("/books/{acme}/fixed-assets"), &laptop(activate)).await.ok(201).id()
        };
        let whole = |body| Target { hidden: acme.clone(), ..on(&in_acme, "", body) };
        let one = |id: String, body: Option<Value>| on(&in_acme, &id, body);
        Some(match (method.as_str(), path.trim_start_matches("/books/{companyId}/fixed-assets")) {
            ("GET", "") => whole(None),
            ("POST", "") => whole(Some(laptop(false))),
            ("POST", "/depreciation-runs") => {
                made(true).await;
                whole(Some(json!({"through": "2025-01-31"})))
            }
            ("PATCH", "/{id}") => one(made(false).await, Some(json!({"name": "seen"}))),
            ("GET" | "DELETE", "/{id}") | ("GET", "/{id}/plan") | ("POST", "/{id}/activate") => {
                one(made(false).await, None)
            }
            ("POST", "/{id}/dispose") => {
                one(made(true).await, Some(json!({"date": "2025-01-31", "reason": "scrapped"})))
            }
            _ => return None,
        })
    }
}
