//! POST /billing/bulk-issue: up to 100 drafts, each issued on its own, in the order of their days of issue.
//!
//! Every draft is a unit of work of its own, so one that fails leaves the others as they are. The reply to an
//! idempotent request is kept after the last one; a repetition after a crash in between finds those that were issued
//! by then issued.

use std::collections::BTreeMap;

use http::StatusCode;
use serde_json::Value;
use svc_business::record;
use svc_business::sales::document::SalesDocument;
use svc_business::sales::input::IssueRequest;
use svc_business::sales::operations;
use svc_core::error::ValidationErrors;
use svc_core::id::SalesDocumentId;
use svc_core::rerun;
use svc_core::resource::{Expected, ResourceReader};
use svc_core::wire::Form;
use svc_core::{wire_request, wire_view};
use time::Date;

use crate::api_request::ApiRequest;
use crate::bulk;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::{Document, Problem};

pub(super) const ABOUT: &str = "In the order of their `issueDate`, today where they plan none, and then of the request. \
    Each is judged on its own, by the rules of the single call: look at each `status`.";

const MOST: usize = 100;

wire_request! {
    /// The drafts to issue.
    #[derive(Debug)]
    pub(crate) struct Body as "SalesDocumentBulkIssue" {
        /// Each once.
        ids: Vec<SalesDocumentId> => Form::list(1, MOST, &Form::ANY),
    }
}

wire_view! {
    /// What became of each draft.
    #[derive(Debug)]
    pub(crate) struct Report as "SalesDocumentBulkReport" {
        /// In the order of the request.
        items: Vec<Outcome>,
        /// Drafts that were issued.
        succeeded: usize,
        /// Drafts that were refused.
        failed: usize,
    }
}

wire_view! {
    /// What became of a draft.
    #[derive(Debug)]
    struct Outcome as "SalesDocumentBulkOutcome" {
        /// Its place in the request, from 0.
        index: usize,
        /// The HTTP status of the single call.
        status: u16,
        id: SalesDocumentId,
        /// Its number, when it was issued.
        #[serde(skip_serializing_if = "Option::is_none")]
        [optional] number: Option<String> => Form::ANY.example("F2025-00042"),
        /// The problem that the single call would answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        [optional] error: Option<Value> => Form::ANY.like::<Document<'static>>(),
    }
}

pub(super) async fn bulk_issue(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let Body { ids } = req.json()?;
    if ids.is_empty() || ids.len() > MOST {
        let message = format!("expected 1 to {MOST} ids");
        return Err(ValidationErrors::one("ids", "out_of_range", message).into());
    }
    let planned = planned(&req, &ids).await?;
    let mut order: Vec<_> = ids.iter().copied().enumerate().collect();
    order.sort_by_key(|(index, id)| (planned.get(id).copied(), *index));
    let mut outcomes = Vec::with_capacity(ids.len());
    for (index, id) in order {
        let issued = rerun::until_done(|| one(&req, id)).await;
        outcomes.push(outcome(&req, index, id, issued));
    }
    outcomes.sort_by_key(|outcome| outcome.index);
    let succeeded = outcomes.iter().filter(|outcome| outcome.error.is_none()).count();
    let report = Report { succeeded, failed: outcomes.len() - succeeded, items: outcomes };
    bulk::finish(&req, pending, &report).await
}

/// The day of issue of each document that there is.
async fn planned(
    req: &ApiRequest,
    ids: &[SalesDocumentId],
) -> Result<BTreeMap<SalesDocumentId, Date>, Problem> {
    let (scope, business) = (&req.caller.principal.scope, &req.app.business);
    let found = ResourceReader::<SalesDocument>::find_all(business.sales(), scope, ids).await?;
    let companies: std::collections::BTreeSet<_> = found.iter().map(|document| document.company).collect();
    let companies: Vec<_> = companies.into_iter().collect();
    let companies = business.accounts().find_all(scope, &companies).await?;
    let day = |document: &SalesDocument| {
        let today = super::view::today_of(&companies, document.company, req.context.now);
        (document.id, document.issue_date().unwrap_or(today))
    };
    Ok(found.iter().map(day).collect())
}

/// Issues one draft, in a unit of its own.
async fn one(req: &ApiRequest, id: SalesDocumentId) -> Result<Option<String>, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = record::alone::<SalesDocument>(unit.as_ref(), req.call(), id, &[], &Expected::Any).await?;
    let issued = operations::issue(opened, IssueRequest::default()).await?;
    unit.commit().await?;
    Ok(issued.issue_data().map(|issue| issue.number.to_string()))
}

fn outcome(
    req: &ApiRequest,
    index: usize,
    id: SalesDocumentId,
    result: Result<Option<String>, Problem>,
) -> Outcome {
    match result {
        Ok(number) => Outcome { index, status: StatusCode::OK.as_u16(), id, number, error: None },
        Err(problem) => {
            let (status, error) = bulk::refused(req, &problem);
            Outcome { index, status: status.as_u16(), id, number: None, error: Some(error) }
        }
    }
}
