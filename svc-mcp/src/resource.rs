//! Files as resources: `svc://files/{id}`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use rmcp::model::{
    ErrorData, Implementation, ListResourceTemplatesResult, ReadResourceResult, ResourceContents,
    ResourceTemplate,
};
use serde_json::{Value, json};
use svc_core::permission::Grants;
use svc_http::assistant::Assistant;

use crate::answer::{LONGEST, Refused};
use crate::file::{self, Bounds, Content, ELSEWHERE, Piece};
use crate::{record, text};

/// What the ids of files stand behind.
const FILES: &str = "svc://files/";
/// What reading one is written down as.
const READING: &str = "resources/read";
/// Bytes of a text, and of anything else, of which four are written for three.
const BOUNDS: Bounds = Bounds { text: LONGEST, other: LONGEST / 4 * 3 };

pub(crate) fn templates() -> ListResourceTemplatesResult {
    let template = ResourceTemplate::new(format!("{FILES}{{id}}"), "file");
    let template = template.with_title("File").with_description(
        "A file by its id: its text, cut at 32 KiB, or its bytes up to 24 KiB; what is said of it otherwise.",
    );
    ListResourceTemplatesResult::with_all_items(vec![template])
}

/// Reads the file that an address names, with no other permission than that takes.
pub(crate) async fn read(
    assistant: &Assistant,
    uri: &str,
    headers: &HeaderMap,
    client: Option<&Implementation>,
) -> Result<ReadResourceResult, ErrorData> {
    let told = |code: &str| Some(json!({ "uri": uri, "code": code }));
    let Some(id) = uri.strip_prefix(FILES).filter(|id| !id.is_empty()) else {
        return Err(ErrorData::resource_not_found("there is no such resource", told("not_found")));
    };
    let called = record::called(READING, &json!({ "id": id }), headers, client);
    let needs = Grants::parse(["documents:files.read"]).expect("a test reads it");
    let outcome = file::read(&assistant.within(&needs), id, None, BOUNDS).await;
    let word = outcome.as_ref().map_or_else(Refused::code, |_| "done");
    let item = outcome.as_ref().map_or(&Value::Null, |piece| &piece.file);
    assistant.note(record::ended(called, word, &json!({ "company": item.get("companyId") }))).await;
    match outcome {
        Ok(piece) => Ok(ReadResourceResult::new(vec![contents(uri, piece)])),
        Err(refused) if refused.code() == "not_found" => {
            Err(ErrorData::resource_not_found("there is no such resource", told("not_found")))
        }
        Err(refused) => {
            let (code, detail) = (refused.code().to_owned(), refused.detail());
            Err(ErrorData::invalid_params(detail, told(&code)))
        }
    }
}

/// A piece as the protocol has it; what is said about it stands beside it, for there is nowhere else to mark it.
fn contents(uri: &str, Piece { file, content }: Piece) -> ResourceContents {
    let media_type =
        file.get("mimeType").and_then(Value::as_str).unwrap_or("application/octet-stream").to_owned();
    let mut is_cut = false;
    let (contents, media_type) = match content {
        Content::Text(text, next) => {
            let mut text = Value::String(text);
            text::clean(&mut text);
            is_cut = next.is_some();
            (ResourceContents::text(text.as_str().unwrap_or_default(), uri), media_type)
        }
        Content::Bytes(bytes) => (ResourceContents::blob(STANDARD.encode(&bytes), uri), media_type),
        Content::Withheld => {
            let mut told = json!({ "file": file, "note": ELSEWHERE });
            text::clean(&mut told);
            (ResourceContents::text(told.to_string(), uri), "application/json".to_owned())
        }
    };
    let mut about = json!({
        "name": file.get("name"),
        "size": file.get("size"),
        "truncated": is_cut,
        "untrusted": ["name", "text"],
    });
    text::clean(&mut about);
    let contents = contents.with_mime_type(media_type);
    match serde_json::from_value(about) {
        Ok(about) => contents.with_meta(about),
        Err(_) => contents,
    }
}
