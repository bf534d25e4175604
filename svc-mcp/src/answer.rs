//! What a tool answers: JSON as structured content, and the same as text.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};
use svc_core::clock::Timestamp;
use svc_core::error::FieldError;
use svc_http::Problem;
use svc_http::assistant::Reply;

/// Bytes of an answer.
pub(crate) const LONGEST: usize = 32 * 1024;

/// Why a tool did not do what it was asked for; the model reads it and can put it right.
#[derive(Debug)]
pub(crate) struct Refused(Value);

impl Refused {
    /// An argument is wrong.
    pub(crate) fn argument(name: &str, message: impl Into<String>) -> Self {
        Self(json!({ "code": "invalid_argument", "argument": name, "detail": message.into() }))
    }

    /// A person has to decide, or has decided: where, and until when that counts.
    pub(crate) fn approval(code: &str, detail: &str, page: Option<(&str, Timestamp)>) -> Self {
        let mut told = json!({ "code": code, "detail": detail });
        if let (Some((url, until)), Some(members)) = (page, told.as_object_mut()) {
            members.insert("url".to_owned(), url.into());
            members.insert("expires_at".to_owned(), json!(until));
        }
        Self(told)
    }

    /// What the API said: its code, its words and the fields that are wrong.
    pub(crate) fn of(reply: &Reply) -> Self {
        let mut told = serde_json::Map::new();
        for member in ["code", "detail", "errors", "missing_permissions", "current_state", "existing_id"] {
            if let Some(value) = reply.body.get(member) {
                told.insert(member.to_owned(), value.clone());
            }
        }
        Self(Value::Object(told))
    }

    /// Its code.
    pub(crate) fn code(&self) -> &str {
        self.0.get("code").and_then(Value::as_str).unwrap_or("refused")
    }

    /// Its words.
    pub(crate) fn detail(&self) -> String {
        self.0.get("detail").and_then(Value::as_str).unwrap_or("the call is refused").to_owned()
    }

    pub(crate) fn into_result(self) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text(self.0.to_string())])
    }
}

/// The fields that are wrong, as the API tells them.
fn errors(problem: &Problem) -> Value {
    let told =
        |error: &FieldError| json!({ "field": error.field, "code": error.code, "message": error.message });
    problem.errors().iter().map(told).collect()
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        let mut told = json!({ "code": problem.code().name(), "detail": problem.detail() });
        if let (false, Some(members)) = (problem.errors().is_empty(), told.as_object_mut()) {
            members.insert("errors".to_owned(), errors(&problem));
        }
        Self(told)
    }
}
