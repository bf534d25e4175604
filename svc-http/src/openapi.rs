//! The `OpenAPI` 3.1 document, built from the routes themselves.

mod events;
mod example;
mod operation;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use svc_core::event::EventCatalogue;
use svc_core::wire::{Described, Parts};

use crate::api::about::About;
use crate::problem;
use crate::routes::routes;

/// The `OpenAPI` 3.1 document of the API whose public address is `public_url`, and which sends these events.
#[must_use]
pub fn openapi(public_url: &str, catalogue: &EventCatalogue) -> Value {
    let routes = routes();
    let mut schemas = schemas(routes.iter().map(|route| route.about()));
    if let Some(schema) = schemas.get_mut("EventType").and_then(Value::as_object_mut) {
        schema.insert("enum".to_owned(), events::names(catalogue));
    }
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for route in &routes {
        let about = route.about();
        let method = about.method.as_str().to_ascii_lowercase();
        paths.entry(about.path).or_default().insert(method, operation::describe(about, &schemas));
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
        "webhooks": events::webhooks(catalogue),
        "components": {
            "schemas": schemas,
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

/// What the routes take and answer, and all that it is made of.
fn schemas<'a>(routes: impl Iterator<Item = &'a About>) -> BTreeMap<String, Value> {
    let mut parts = Parts::default();
    problem::Document::schema(&mut parts);
    for about in routes {
        let others = about.others.iter().map(|(_, other)| other);
        for each in about.request.iter().chain(&about.stores).chain(&about.answer).chain(others) {
            (each.schema)(&mut parts);
        }
    }
    parts.into_schemas()
}
