//! Reading what a file holds.

use serde_json::{Map, Value, json};
use svc_auth::token::ConnectionRole;
use svc_http::assistant::Assistant;

use super::arguments::Arguments;
use super::rows::{Row, grants};
use super::{Does, Effect, Shown, Tool};
use crate::answer::{LONGEST, Refused};
use crate::file::{self, Bounds, Content, ELSEWHERE, Piece, Place};
use crate::schema::object;

/// What is told of a file beside its content.
const TOLD: [&str; 7] =
    ["id", "version", "name", "mimeType", "size", "versionNumber", "containsPersonalData"];

pub(super) async fn read(assistant: &Assistant, arguments: Value) -> Result<Value, Refused> {
    let mut arguments = Arguments::new(arguments)?;
    let company = arguments.company(assistant)?.to_string();
    let id = arguments.id("a file")?;
    let place = arguments.text("cursor")?.map(|text| {
        Place::read(&text).ok_or_else(|| Refused::argument("cursor", "is none of an earlier answer"))
    });
    let place = place.transpose()?;
    arguments.finish()?;
    // The answer has each byte twice: as structure and as text.
    let bounds = Bounds { text: LONGEST / 2, other: 0 };
    let Piece { mut file, content } = file::read(assistant, &id, place, bounds).await?;
    let version =
        place.map_or_else(|| file.get("versionNumber").and_then(Value::as_u64), |place| Some(place.version));
    let (text, next) = match content {
        Content::Text(text, next) => (Some(text), next),
        Content::Bytes(_) | Content::Withheld => (None, None),
    };
    let next = version.zip(next).map(|(version, from)| Place { version, from });
    let note = if text.is_some() { Value::Null } else { json!(ELSEWHERE) };
    let company = file.get("companyId").and_then(Value::as_str).map_or(company, str::to_owned);
    let members = file.as_object_mut();
    let item: Map<_, _> = members
        .into_iter()
        .flat_map(|members| TOLD.iter().filter_map(|name| members.remove_entry(*name)).collect::<Vec<_>>())
        .collect();
    Ok(json!({
        "company": company,
        "item": item,
        "text": text,
        "truncated": next.is_some(),
        "next_cursor": next.map(Place::write),
        "note": note,
        "untrusted": ["name", "text"],
    }))
}

pub(super) fn row() -> Row {
    let input = object(
        json!({
            "id": { "type": "string" },
            "cursor": { "type": "string" },
            "company": { "type": "string" },
        }),
        &["id"],
    );
    let output = json!({
        "type": "object",
        "properties": {
            "company": { "type": "string" },
            "item": { "type": "object" },
            "text": { "type": ["string", "null"] },
            "truncated": { "type": "boolean" },
            "next_cursor": { "type": ["string", "null"] },
            "note": { "type": ["string", "null"] },
            "untrusted": { "type": "array" },
        },
        "required": ["item"],
    });
    let name = "file_read";
    Row {
        tool: Tool {
            name,
            role: ConnectionRole::ReadOnly,
            needs: grants(&["documents:files.read"]),
            does: Does::Read,
        },
        shown: Shown {
            name,
            title: "Read a file",
            about: "The text of a text, table, JSON or XML file, 16 KiB at a time. Of others, what is said of them.",
            schemas: [&input, &output],
            effect: Effect::Nothing,
        }
        .described(),
    }
}
