//! What movements of bank accounts may stand for.

use http::Method;
use serde_json::{Value, json};
use svc_auth::token::ConnectionRole;
use svc_http::assistant::{Assistant, Call};

use super::arguments::Arguments;
use super::find::answered;
use super::rows::{Row, grants};
use super::{Does, Effect, Shown, Tool};
use crate::answer::Refused;
use crate::schema::object;

/// Members of proposals that hold text which other people wrote.
const WRITTEN: &[&str] = &["number"];

/// What one movement may stand for.
pub(super) async fn suggest(assistant: &Assistant, arguments: Value) -> Result<Value, Refused> {
    let mut arguments = Arguments::new(arguments)?;
    let company = arguments.company(assistant)?.to_string();
    let id = arguments.id("a movement")?;
    arguments.finish()?;
    let path = format!("/treasury/bank-movements/{}/proposals", Call::segment(&id));
    let mut answer = answered(assistant, Call::new(Method::GET, path)).await?;
    let proposals = answer.get_mut("proposals").map(Value::take).unwrap_or_default();
    Ok(json!({ "company": company, "proposals": proposals, "untrusted": WRITTEN }))
}

/// The row of suggesting.
pub(super) fn suggesting() -> Row {
    let input = object(
        json!({
            "id": { "type": "string", "description": "The movement." },
            "company": { "type": "string" },
        }),
        &["id"],
    );
    let output = json!({
        "type": "object",
        "properties": {
            "company": { "type": "string" },
            "proposals": { "type": "array" },
            "untrusted": { "type": "array" },
        },
        "required": ["proposals"],
    });
    let name = "reconciliation_suggest";
    Row {
        tool: Tool {
            name,
            role: ConnectionRole::ReadOnly,
            needs: grants(&["treasury:reconciliation.read"]),
            does: Does::Suggest,
        },
        shown: Shown {
            name,
            title: "Suggest what a bank movement stands for",
            about: "Proposals for a pending movement, the likeliest first, each with a score of 100 and its reasons.",
            schemas: [&input, &output],
            effect: Effect::Nothing,
        }
        .described(),
    }
}
