//! Writing, getting, changing, issuing, sending, voiding and deleting a document, and noting what a customer says to a quote.

use http::StatusCode;
use svc_business::catalogue::permission;
use svc_business::record;
use svc_business::sales::document::SalesDocument;
use svc_business::sales::input::{IssueRequest, SalesDocumentInput, SendRequest, VoidRequest};
use svc_business::sales::operations;
use svc_core::permission::Permission;
use svc_core::resource::ResourceReader;

use super::view::{answer, made, shown};
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::{Create, Update};
use crate::problem::{Code, Problem};

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let Create::<SalesDocumentInput> { company, input } = req.json()?;
    permit(&req, input.issue)?;
    let company = req.company(company)?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<SalesDocument>(unit.as_ref(), req.call(), company).await?;
    let created = operations::create(&home, input).await?;
    let location = format!("/billing/{}", created.id);
    let answer = made(&req, created, &home.company).await?;
    pending.finish(unit, answer.location(&location)).await
}

pub(super) async fn preview(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let Create::<SalesDocumentInput> { company, input } = req.json()?;
    let company = req.company(company)?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<SalesDocument>(unit.as_ref(), req.call(), company).await?;
    let document = operations::preview(&home, input).await?;
    pending.finish(unit, shown(&req, StatusCode::OK, document).await?).await
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let document = find(&req).await?;
    answer(&req, StatusCode::OK, document).await
}

/// The document that the path names.
pub(super) async fn find(req: &ApiRequest) -> Result<SalesDocument, Problem> {
    let (scope, sales) = (&req.caller.principal.scope, req.app.business.sales());
    let found = ResourceReader::<SalesDocument>::find(sales, scope, req.id("id")?).await?;
    found.ok_or_else(Problem::not_found)
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::open::<SalesDocument>(unit.as_ref(), req.call(), id, &expected).await?;
    let Update(input) = req.json()?;
    let updated = operations::update(opened, input).await?;
    unit.commit().await?;
    answer(&req, StatusCode::OK, updated).await
}

pub(super) async fn delete(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::alone::<SalesDocument>(unit.as_ref(), req.call(), id, &[], &expected).await?;
    operations::delete(opened).await?;
    unit.commit().await?;
    Ok(Answer::no_content())
}

pub(super) async fn issue(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::alone::<SalesDocument>(unit.as_ref(), req.call(), id, &[], &expected).await?;
    let request: IssueRequest = req.json()?;
    let issued = operations::issue(opened, request).await?;
    pending.finish(unit, answer(&req, StatusCode::OK, issued).await?).await
}

pub(super) async fn send(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::open::<SalesDocument>(unit.as_ref(), req.call(), id, &expected).await?;
    let request: SendRequest = req.json()?;
    let document = operations::send(opened, &request).await?;
    pending.finish(unit, answer(&req, StatusCode::ACCEPTED, document).await?).await
}

pub(super) async fn void(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::alone::<SalesDocument>(unit.as_ref(), req.call(), id, &[], &expected).await?;
    let request: VoidRequest = req.json()?;
    let voided = operations::void(opened, &request).await?;
    pending.finish(unit, answer(&req, StatusCode::OK, voided).await?).await
}

pub(super) async fn accept(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::alone::<SalesDocument>(unit.as_ref(), req.call(), id, &[], &expected).await?;
    req.no_body()?;
    let accepted = operations::accept(opened).await?;
    pending.finish(unit, answer(&req, StatusCode::OK, accepted).await?).await
}

pub(super) async fn reject(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::alone::<SalesDocument>(unit.as_ref(), req.call(), id, &[], &expected).await?;
    req.no_body()?;
    let rejected = operations::reject(opened).await?;
    pending.finish(unit, answer(&req, StatusCode::OK, rejected).await?).await
}

/// Whether the token may issue what it writes.
fn permit(req: &ApiRequest, issues: bool) -> Result<(), Problem> {
    const ISSUE: Permission = permission("sales:invoices.issue");
    if !issues || req.caller.principal.grants.cover(ISSUE) {
        return Ok(());
    }
    let detail = format!("the token lacks the permission {ISSUE}, which `issue` takes");
    Err(Problem::new(Code::MissingPermission, detail).requires(&ISSUE).missing([ISSUE]))
}
