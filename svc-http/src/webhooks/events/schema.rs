//! GET /webhooks/events/{type}/schema

use http::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};
use svc_business::catalogue::event;
use svc_core::event::EventDeclaration;
use svc_core::wire::{Described, Parts};

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::problem::Problem;

pub(in crate::webhooks) const PATH: &str = "/webhooks/events/{type}/schema";
pub(in crate::webhooks) const MEDIA: &str = "application/schema+json";

/// The JSON Schema (draft 2020-12) of the notifications of an event type.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct EventSchema {
    schema: Value,
}

impl Described for EventSchema {
    fn schema(parts: &mut Parts) -> Value {
        let about = "A JSON Schema (draft 2020-12). It is open: members may be added to what it describes.";
        let text = |about: &str| json!({ "type": "string", "description": about });
        let address = |about: &str| json!({ "type": "string", "format": "uri", "description": about });
        parts.named::<Self>("EventSchema", |_| {
            json!({
                "type": "object",
                "description": about,
                "properties": {
                    "$schema": address("The draft."),
                    "$id": address("The address of this schema."),
                    "title": text("The event type."),
                    "description": text("When it is sent."),
                    "type": { "type": "string", "enum": ["object"] },
                    "required": { "type": "array", "items": { "type": "string" } },
                    "properties": { "type": "object", "description": "The members of a notification." },
                },
                "required": ["$schema", "$id", "title", "description", "type", "required", "properties"],
                "examples": [named(event("contact.create"), "https://api.example.com")],
            })
        })
    }
}

/// The schema of a type, under the name of its own address.
fn named(declared: &EventDeclaration, public_url: &str) -> Value {
    let path = PATH.replace("{type}", declared.name());
    let mut schema = declared.schema();
    if let Some(members) = schema.as_object_mut() {
        members.insert("$id".to_owned(), json!(format!("{public_url}/api/v1{path}")));
    }
    schema
}

pub(crate) async fn schema(req: ApiRequest) -> Result<Answer, Problem> {
    let name: String = req.in_path("type")?;
    let declared = req.app.events.get(&name).ok_or_else(Problem::not_found)?;
    let schema = named(declared, &req.app.settings.public_url);
    Ok(Answer::plain(StatusCode::OK, &EventSchema { schema }).media(MEDIA))
}
