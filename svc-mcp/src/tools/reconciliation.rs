//! What movements of bank accounts stand for: suggesting it, and saying it.

use http::Method;
use serde_json::{Value, json};
use svc_auth::token::ConnectionRole;
use svc_http::assistant::{Assistant, Call};

use super::arguments::Arguments;
use super::find::answered;
use super::rows::{Row, grants, untrusted};
use super::{Does, Effect, Shown, Tool, save};
use crate::answer::Refused;
use crate::schema::Api;

const RECONCILE: &str = "/treasury/bank-movements/{id}/reconcile";
/// Members of proposals that hold text which other people wrote.
const WRITTEN: &[&str] = &["number"];

/// What one movement may stand for.
pub(super) async fn suggest(assistant: &Assistant, arguments: Value) -> Result<Value, Refused> {
    let mut arguments = Arguments::new(arguments)?;
    let company = arguments.company(assistant)?.to_string();
    let id = needed(&mut arguments, "id")?;
    arguments.finish()?;
    let path = format!("/treasury/bank-movements/{}/proposals", Call::segment(&id));
    let mut answer = answered(assistant, Call::new(Method::GET, path)).await?;
    let proposals = answer.get_mut("proposals").map(Value::take).unwrap_or_default();
    Ok(json!({ "company": company, "proposals": proposals, "untrusted": WRITTEN }))
}

/// Says what a movement stands for.
pub(super) async fn apply(assistant: &Assistant, arguments: Value) -> Result<Value, Refused> {
    let mut arguments = Arguments::new(arguments)?;
    let company = arguments.company(assistant)?.to_string();
    let id = needed(&mut arguments, "id")?;
    let (version, key) = (arguments.number("if_version")?, arguments.text("idempotency_key")?);
    let data = arguments.object("data")?;
    arguments.finish()?;
    let call = Call::new(Method::POST, RECONCILE.replace("{id}", &Call::segment(&id)));
    let call = version.into_iter().fold(call.body(Value::Object(data)), Call::if_version);
    let item = answered(assistant, key.iter().fold(call, |call, key| call.once(key))).await?;
    Ok(json!({ "company": company, "item": item, "untrusted": untrusted("bank_movements_find") }))
}

fn needed(arguments: &mut Arguments, name: &str) -> Result<String, Refused> {
    arguments
        .text(name)?
        .ok_or_else(|| Refused::argument(name, "is missing: it must be the id of a movement"))
}

/// The row of suggesting.
pub(super) fn suggesting() -> Row {
    let input = json!({
        "type": "object",
        "properties": {
            "id": { "type": "string", "description": "The movement." },
            "company": { "type": "string" },
        },
        "required": ["id"],
        "additionalProperties": false,
    });
    let output = json!({
        "type": "object",
        "properties": {
            "company": { "type": "string" },
            "proposals": { "type": "array", "items": { "type": "object" } },
            "untrusted": { "type": "array", "items": { "type": "string" } },
        },
        "required": ["company", "proposals", "untrusted"],
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

/// The row of saying it.
pub(super) fn applying(api: Api<'_>) -> Row {
    let input = json!({
        "type": "object",
        "properties": {
            "id": { "type": "string", "description": "The movement." },
            "if_version": { "type": "integer", "description": "Reconcile it only at this version." },
            "idempotency_key": { "type": "string", "description": "Says it once, however often it is sent." },
            "company": { "type": "string" },
            "data": api.request(RECONCILE),
        },
        "required": ["id", "data"],
        "additionalProperties": false,
    });
    let name = "reconciliation_apply";
    Row {
        tool: Tool {
            name,
            role: ConnectionRole::Operator,
            needs: grants(&["treasury:reconciliation.create", "treasury:bank_movements.read"]),
            does: Does::Apply,
        },
        shown: Shown {
            name,
            title: "Say what a bank movement stands for",
            about: "By a proposal or by parts that add up to the movement. It records payments and books them; people \
                    take that back by undoing it.",
            schemas: [&input, &save::output()],
            effect: Effect::Drafts,
        }
        .described(),
    }
}
