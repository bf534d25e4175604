//! The `OpenAPI` 3.1 document, built from the routes themselves.

mod events;
mod operation;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use utoipa::openapi::{RefOr, Schema};

use crate::api::Type;
use crate::problem;
use crate::routes::routes;

/// The `OpenAPI` 3.1 document of the API whose public address is `public_url`.
#[must_use]
pub fn openapi(public_url: &str) -> Value {
    let routes = routes();
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    let mut types = vec![Type::of::<problem::Document<'_>>()];
    for route in &routes {
        let about = route.about();
        let method = about.method.as_str().to_ascii_lowercase();
        paths.entry(about.path).or_default().insert(method, operation::describe(about));
        types.extend(about.request);
        types.extend(about.answer);
        types.extend(about.other.map(|(_, answer)| answer));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Business administration API",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Companies, contacts and signed webhooks",
            "description": include_str!("openapi/introduction.md"),
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": format!("{public_url}/api/v1") }],
        "security": [{ "bearer": [] }],
        "tags": tags(),
        "paths": paths,
        "webhooks": events::webhooks(),
        "components": {
            "schemas": schemas(&types),
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "One token per integration, starting with `svc_live_`. It never travels in a URL.",
                },
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "__Host-sid",
                    "description": "Set by POST /session; `sid` on plain HTTP of the same machine. What changes \
                                    something needs `X-CSRF-Token` as well.",
                },
                "scanner": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "X-SVC-Signature",
                    "description": "`t=<unix>,sha256=<hex>`: HMAC-SHA-256 over `<t>.<body>` with the key that the \
                                    operator shares with secret scanners.",
                },
            },
        },
    })
}

fn tags() -> Value {
    json!([
        { "name": "auth", "description": "The token itself." },
        { "name": "session", "description": "Client area: signing in and out." },
        { "name": "tokens", "description": "Client area: the credentials of integrations." },
        { "name": "audit-log", "description": "Client area: who changed credentials, memberships and subscriptions." },
        { "name": "contacts", "description": "Persons and organisations that a company deals with." },
        { "name": "accounts", "description": "Companies on the platform." },
        { "name": "groups", "description": "Groups of companies." },
        { "name": "secret-scanning", "description": "Tokens that were found in public." },
        { "name": "webhooks", "description": "Subscriptions to events, and their delivery log." },
    ])
}

fn schemas(types: &[Type]) -> BTreeMap<String, Value> {
    let mut all: Vec<(String, RefOr<Schema>)> = Vec::new();
    for each in types {
        (each.collect)(&mut all);
    }
    let described = all.into_iter().map(|(name, schema)| (name, json!(schema)));
    described.collect()
}
