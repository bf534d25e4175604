//! The `webhooks` section: every event as its receiver sees it (specification, part 6).

use serde_json::{Map, Value, json};
use svc_core::event::{EventCatalogue, EventDeclaration, Language};

/// The headers of a notification with what they carry (specification, part 6.2).
const HEADERS: [(&str, &str); 9] = [
    ("Content-Type", "`application/json`"),
    ("User-Agent", "`SVC-Webhooks/1.0` and an address in parentheses"),
    ("X-SVC-Webhook-Event", "the event type"),
    ("X-SVC-Webhook-Id", "the event's id: the same on every attempt and resend; discard what you have seen"),
    ("X-SVC-Webhook-Delivery", "the delivery's id"),
    ("X-SVC-Webhook-Date", "the instant of this attempt, ISO 8601"),
    ("X-SVC-Webhook-Account-Id", "the company of the event; empty if there is none"),
    ("X-SVC-Webhook-Version", "`v1`"),
    ("X-SVC-Webhook-Signature", "`t=<unix>,sha256=<hex>`: HMAC-SHA256 with the secret over `<t>.<body>`"),
];

/// One entry per event type of the catalogue, and the test event.
pub(super) fn webhooks(catalogue: &EventCatalogue) -> Map<String, Value> {
    all(catalogue)
        .map(|declared| (declared.name().to_owned(), json!({ "post": notification(declared) })))
        .collect()
}

/// The names of all types.
pub(super) fn names(catalogue: &EventCatalogue) -> Value {
    all(catalogue).map(EventDeclaration::name).collect()
}

fn all(catalogue: &EventCatalogue) -> impl Iterator<Item = &EventDeclaration> {
    catalogue.all().chain([&EventDeclaration::TEST])
}

fn notification(declared: &EventDeclaration) -> Value {
    let fetch =
        declared.route().map(|route| format!("Fetch the resource from `{route}`. ")).unwrap_or_default();
    let headers: Vec<Value> = HEADERS
        .iter()
        // Content-Type belongs to the request body, and may not be named as a parameter.
        .filter(|(name, _)| *name != "Content-Type")
        .map(|(name, about)| {
            json!({ "name": name, "in": "header", "required": true, "description": about, "schema": { "type": "string" } })
        })
        .collect();
    json!({
        "tags": ["webhooks"],
        "operationId": format!("on_{}", declared.name().replace('.', "_")),
        "summary": declared.description(Language::English),
        "description": format!("{fetch}Any 2xx within 10 seconds confirms; anything else is retried."),
        "security": [],
        "x-required-permission": declared.permission(),
        "parameters": headers,
        "requestBody": {
            "required": true,
            "content": { "application/json": { "schema": declared.schema(), "example": declared.example() } },
        },
        "responses": { "2XX": { "description": "Received" } },
    })
}
