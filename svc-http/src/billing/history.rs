//! GET /billing/{id}/history

use http::StatusCode;
use svc_business::sales::{HistoryEntry, HistoryKind};
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
    /// Something that happened to a sales document.
    #[derive(Debug)]
    pub(crate) struct View as "SalesDocumentEntry" {
        /// The version of the document since then.
        version: i64,
        at: Timestamp,
        /// The person who did it; null for an integration.
        user_id: Option<UserId> => Form::ANY.json("null"),
        kind: HistoryKind,
        /// What goes with it: an amount, a reason, the number of another document.
        detail: Option<String> => Form::ANY.example("F2025-00042"),
    }
}

pub(super) async fn history(req: ApiRequest) -> Result<Answer, Problem> {
    let request = req.query.page(PageRules::USUAL)?;
    let page = req.app.business.sales().history(&req.caller.principal.scope, req.id("id")?, request).await?;
    let page = page.ok_or_else(Problem::not_found)?;
    Ok(Answer::plain(StatusCode::OK, &Listed::of(&page, View::of)))
}

impl View {
    fn of(entry: &HistoryEntry) -> Self {
        Self {
            version: entry.version,
            at: entry.at,
            user_id: entry.by,
            kind: entry.kind,
            detail: entry.detail.clone(),
        }
    }
}
