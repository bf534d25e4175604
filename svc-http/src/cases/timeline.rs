//! GET /cases/{id}/timeline

use http::StatusCode;
use svc_business::case::{CaseStatus, Entry, EntryKind};
use svc_core::clock::Timestamp;
use svc_core::id::UserId;
use svc_core::page::PageRules;
use svc_core::wire::Form;
use svc_core::wire_view;

use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::list::Listed;
use crate::problem::Problem;

wire_view! {
    /// Something that happened to a case.
    #[derive(Debug)]
    pub(crate) struct View as "CaseEntry" {
        /// Its place in the timeline, from 0.
        position: u32 => Form::ANY.number(0),
        at: Timestamp,
        /// The person who did it; null for an integration.
        user_id: Option<UserId> => Form::ANY.json("null"),
        kind: EntryKind,
        /// The status of the case since then.
        status: &'static str => Form::one_of(CaseStatus::NAMES),
        /// The text of a note, or what a closing left.
        text: Option<String>,
    }
}

pub(super) async fn timeline(req: ApiRequest) -> Result<Answer, Problem> {
    let request = req.query.page(PageRules::USUAL)?;
    let page = req.app.business.cases().timeline(&req.caller.principal.scope, req.id("id")?, request).await?;
    let page = page.ok_or_else(Problem::not_found)?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, View::of)))
}

impl View {
    fn of(entry: &Entry) -> Self {
        Self {
            position: entry.position,
            at: entry.at,
            user_id: entry.by,
            kind: entry.kind,
            status: entry.status.name(),
            text: entry.text.clone(),
        }
    }
}
