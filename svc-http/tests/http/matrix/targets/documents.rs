//! Files, folders and entries of data rooms to work on.

use http::Method;
use serde_json::json;

use super::{AtWork, Target, listed, on, refers};

impl AtWork<'_> {
    pub(super) async fn documents(&self, method: &Method, path: &str) -> Option<Target> {
        let acme = self.area.acme.to_string();
        let new = json!({"properties": {"companyId": acme, "containsPersonalData": false}, "file": "Hola"});
        let folder = json!({"companyId": acme, "name": format!("{method} {}", path.replace('/', "-"))});
        if (method.as_str(), path) == ("POST", "/files") {
            return Some(refers(path, new, &acme));
        }
        if (method.as_str(), path) == ("POST", "/folders") {
            return Some(refers(path, folder, &acme));
        }
        let file = self.client.post("/files", &new).await.ok(201).id();
        if path.starts_with("/data-room/") {
            let entry = json!({"companyId": acme, "fileId": file, "section": "1 Corporate"});
            if method == Method::POST {
                return Some(refers(path, entry, &acme));
            }
            let entry = self.client.post("/data-room/files", &entry).await.ok(201).id();
            return Some(if path.contains("{id}") { on(path, &entry, None) } else { listed(path, &entry) });
        }
        let folder = self.client.post("/folders", &folder).await.ok(201).id();
        Some(match (method.as_str(), path) {
            ("GET", "/files") => listed(path, &file),
            ("GET", "/files/{id}" | "/files/{id}/content") | ("DELETE", "/files/{id}") => {
                on(path, &file, None)
            }
            ("PATCH", "/files/{id}") => on(path, &file, Some(json!({"tags": ["seen"]}))),
            ("POST", "/files/{id}/versions") => on(path, &file, Some(json!({"file": "Adiós"}))),
            ("GET", "/folders") => listed(path, &folder),
            ("GET" | "DELETE", "/folders/{id}") => on(path, &folder, None),
            ("PATCH", "/folders/{id}") => on(path, &folder, Some(json!({"name": "seen"}))),
            _ => return None,
        })
    }
}
