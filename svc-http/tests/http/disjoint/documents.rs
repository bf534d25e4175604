//! Bodies of files, folders and data rooms.

use http::Method;
use serde_json::{Value, json};

use super::request::{Names, Writer};

impl Writer {
    pub(super) fn documents(&self, method: &Method, path: &str, names: &Names, mixed: bool) -> Value {
        let Names { text, company, contact, file, folder, external, .. } = names;
        match (method.as_str(), path) {
            ("POST", "/files") => {
                let mut said =
                    json!({"name": text, "tags": ["shared"], "containsPersonalData": self.one_in(2)});
                if mixed && self.one_in(2) {
                    said["companyId"] = json!(company);
                    said["externalId"] = json!(external);
                    said["folderId"] = json!(folder);
                }
                if mixed {
                    said["links"] = json!([{"type": "contact", "id": contact}]);
                }
                json!({"properties": said, "file": text})
            }
            ("POST", "/data-room/files") => {
                let mut body = json!({"fileId": file, "section": format!("1 Shared/{text}"), "title": text});
                if mixed && self.one_in(2) {
                    body["companyId"] = json!(company);
                    body["externalId"] = json!(external);
                }
                body
            }
            ("POST", "/files/{id}/versions") => json!({ "file": text }),
            ("PATCH", "/files/{id}") if mixed => json!({"name": text, "folderId": folder}),
            ("PATCH", "/folders/{id}") if mixed && self.one_in(2) => json!({"parentId": folder}),
            ("PATCH", "/files/{id}" | "/folders/{id}") => json!({ "name": text }),
            ("POST", "/folders") => {
                let mut body = json!({ "name": text });
                if mixed && self.one_in(2) {
                    body["companyId"] = json!(company);
                    body["parentId"] = json!(folder);
                }
                body
            }
            (method, path) => panic!("no body is known for {method} {path}"),
        }
    }
}
