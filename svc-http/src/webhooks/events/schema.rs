//! GET /webhooks/events/{type}/schema

use http::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};
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
        parts.named::<Self>("EventSchema", |_| json!({ "type": "object", "description": about }))
    }
}

/// The schema, under the name of its own address.
pub(crate) async fn schema(req: ApiRequest) -> Result<Answer, Problem> {
    let name: String = req.in_path("type")?;
    let declared = req.app.events.get(&name).ok_or_else(Problem::not_found)?;
    let path = PATH.replace("{type}", declared.name());
    let mut schema = declared.schema();
    if let Some(members) = schema.as_object_mut() {
        members.insert("$id".to_owned(), json!(format!("{}/api/v1{path}", req.app.settings.public_url)));
    }
    Ok(Answer::plain(StatusCode::OK, &EventSchema { schema }).media(MEDIA))
}
