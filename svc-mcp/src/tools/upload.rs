//! A place for a file: a model has no bytes to send, so its person or a program of theirs uploads them.

use serde_json::{Value, json};
use svc_auth::token::ConnectionRole;
use svc_http::assistant::Assistant;

use super::arguments::Arguments;
use super::rows::{Row, grants};
use super::{Does, Effect, Shown, Tool};
use crate::answer::Refused;
use crate::schema::object;

/// How the address is used, for the model to tell.
const HOW: &str = "POST the file as the part `file` of multipart/form-data: curl -F file=@NAME URL";

pub(super) async fn link(assistant: &Assistant, arguments: Value) -> Result<Value, Refused> {
    let mut arguments = Arguments::new(arguments)?;
    let company = arguments.company(assistant)?;
    let data = arguments.optional_object("data")?.unwrap_or_default();
    arguments.finish()?;
    if data.contains_key("companyId") {
        return Err(Refused::argument("data.companyId", "is told by `company`: leave it out"));
    }
    match assistant.upload_link(company, data).await? {
        Ok(place) => Ok(json!({
            "company": company.to_string(),
            "url": place.url,
            "expires_at": place.until,
            "max_bytes": place.most,
            "how": HOW,
        })),
        Err(error) => Err(Refused::approval("too_many_upload_links", &error.to_string(), None)),
    }
}

pub(super) fn row() -> Row {
    let input = object(
        json!({ "company": { "type": "string" }, "data": { "type": "object", "description": SAID } }),
        &[],
    );
    let output = json!({
        "type": "object",
        "properties": {
            "company": { "type": "string" },
            "url": { "type": "string" },
            "expires_at": { "type": "string" },
            "max_bytes": { "type": "integer" },
            "how": { "type": "string" },
        },
        "required": ["url"],
    });
    let (name, role) = ("file_upload_link", ConnectionRole::Operator);
    Row {
        tool: Tool { name, role, needs: grants(&["documents:files.create"]), does: Does::Upload },
        shown: Shown {
            name,
            title: "Get an address for an upload",
            about: "One file can be uploaded there within 15 minutes, without a token. Give it to your person, or to a program.",
            schemas: [&input, &output],
            effect: Effect::Drafts,
        }
        .described(),
    }
}

/// What is said of the file.
const SAID: &str = "`name`, `folderId`, `links` ({type, id} of records that it belongs to), `tags`, `containsPersonalData`, `retainUntil`";
