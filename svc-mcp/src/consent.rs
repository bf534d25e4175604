//! Asking a person in the client itself (MCP 2026-07-28, elicitation): a form with what would be done, or the page of the
//! client area opened by the client.
//!
//! What came back is only as good as the approval that it names: the stored one says which call of which credential it is
//! for, and is used once.

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, ElicitRequest, ElicitResult, ElicitationAction, InputRequest, InputRequiredResult,
    ProtocolVersion,
};
use rmcp::service::RequestContext;
use serde_json::{Value, json};
use svc_auth::approval::{Approval, Shown};
use svc_core::id::ApprovalId;

/// The form's place in what a client sends back.
const FORM: &str = "approval";
/// That of the page.
const PAGE: &str = "page";

/// How a client asks its person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Means {
    /// It shows a form.
    Form,
    /// It opens a page.
    Page,
    /// Not at all, or it has just done so.
    None,
}

/// What a client can, and what its person said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Client {
    pub(crate) means: Means,
    pub(crate) said: Option<Said>,
}

/// What a person said about the approval that they were shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) approval: ApprovalId,
    pub(crate) accepts: bool,
}

impl Client {
    /// One that asks its person nothing, and is believed nothing.
    pub(crate) const SILENT: Self = Self { means: Means::None, said: None };

    /// That of a call.
    pub(crate) fn of(request: &CallToolRequestParams, context: &RequestContext<RoleServer>) -> Self {
        let stateless =
            context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
        let can = context.client_capabilities().and_then(|can| can.elicitation).filter(|_| stateless);
        let means = match can {
            // One that names no mode means forms.
            Some(can) if can.form.is_some() || can.url.is_none() => Means::Form,
            Some(_) => Means::Page,
            None => Means::None,
        };
        if request.input_responses.is_none() && request.request_state.is_none() {
            return Self { means, said: None };
        }
        // A client that shows no forms has none to send back.
        Self { means: Means::None, said: said(request).filter(|_| means == Means::Form) }
    }
}

/// What the form says; a form that was closed says nothing.
fn said(request: &CallToolRequestParams) -> Option<Said> {
    let approval = request.request_state.as_deref()?.parse().ok()?;
    let answer = request.input_responses.as_ref()?.get(FORM)?.clone();
    let answer: ElicitResult = serde_json::from_value(answer).ok()?;
    let ticked =
        answer.content.as_ref().and_then(|content| content.get("approve")) == Some(&Value::Bool(true));
    match answer.action {
        ElicitationAction::Accept => Some(Said { approval, accepts: ticked }),
        ElicitationAction::Decline => Some(Said { approval, accepts: false }),
        ElicitationAction::Cancel | _ => None,
    }
}

/// What the client is to ask its person; `None` where it cannot.
pub(crate) fn asked(means: Means, approval: &Approval, page: &str) -> Option<InputRequiredResult> {
    let (place, request) = match means {
        Means::Form => (FORM, form(approval)),
        Means::Page => {
            let message = format!("{} waits for your approval.", approval.tool);
            (
                PAGE,
                json!({ "mode": "url", "message": message, "url": page, "elicitationId": approval.id.to_string() }),
            )
        }
        Means::None => return None,
    };
    let request = json!({ "method": "elicitation/create", "params": request });
    let request: ElicitRequest = serde_json::from_value(request).ok()?;
    let requests = [(place.to_owned(), InputRequest::Elicitation(request))].into();
    Some(InputRequiredResult::new(Some(requests), Some(approval.id.to_string())))
}

fn form(approval: &Approval) -> Value {
    let line = |Shown { name, value }: &Shown| format!("\n{name}: {value}");
    let lines: String = approval.shown.iter().map(line).collect();
    json!({
        "mode": "form",
        "message": format!("{} asks for your approval. It would be done as shown, once.{lines}", approval.tool),
        "requestedSchema": {
            "type": "object",
            "properties": { "approve": { "type": "boolean", "title": "Approve" } },
            "required": ["approve"],
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(answer: Value, state: &str) -> Option<Said> {
        let answers = [(FORM.to_owned(), answer)].into();
        said(
            &CallToolRequestParams::new("invoice_issue")
                .with_input_responses(answers)
                .with_request_state(state),
        )
    }

    #[test]
    fn only_a_ticked_form_that_was_sent_accepts() {
        let state = "apr_00000000000000000000000001";
        let approval = state.parse().expect("an id");
        let accepts = |accepts| Some(Said { approval, accepts });
        for (answer, told) in [
            (json!({ "action": "accept", "content": { "approve": true } }), accepts(true)),
            (json!({ "action": "accept", "content": { "approve": false } }), accepts(false)),
            (json!({ "action": "accept", "content": { "approve": "true" } }), accepts(false)),
            (json!({ "action": "accept" }), accepts(false)),
            (json!({ "action": "decline", "content": { "approve": true } }), accepts(false)),
            (json!({ "action": "cancel", "content": { "approve": true } }), None),
            (json!({ "approve": true }), None),
            (json!(true), None),
        ] {
            assert_eq!(answered(answer.clone(), state), told, "{answer}");
        }
        assert_eq!(answered(json!({ "action": "accept", "content": { "approve": true } }), "apr_1"), None);
    }
}
