//! Looking for a text in all that there is.

use serde_json::{Map, Value, json};
use svc_http::assistant::Assistant;

use super::arguments::Arguments;
use super::rows;
use crate::answer::Refused;
use crate::schema::object;

/// Records of each kind.
const EACH: u32 = 5;

pub(super) async fn search(assistant: &Assistant, arguments: Value) -> Result<Value, Refused> {
    let mut arguments = Arguments::new(arguments)?;
    let company = arguments.company(assistant)?.to_string();
    let text = arguments.text("q")?.ok_or_else(|| Refused::argument("q", "is missing"))?;
    arguments.finish()?;
    let (mut found, mut untrusted) = (Map::new(), Vec::new());
    for (kind, find) in rows::searched() {
        let items = find.first(assistant, &company, &text, EACH).await?;
        if !items.is_empty() {
            untrusted.extend_from_slice(find.untrusted);
            found.insert(kind.to_owned(), Value::Array(items));
        }
    }
    untrusted.sort_unstable();
    untrusted.dedup();
    Ok(json!({ "company": company, "found": found, "untrusted": untrusted }))
}

pub(super) fn input() -> Value {
    object(
        json!({
            "q": { "type": "string", "description": "Two letters at least; a part of a word, with or without accents." },
            "company": { "type": "string" },
        }),
        &["q"],
    )
}

pub(super) fn output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "company": { "type": "string" },
            "found": { "type": "object" },
            "untrusted": { "type": "array" },
        },
        "required": ["found"],
    })
}
