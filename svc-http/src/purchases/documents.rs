//! Writing, getting, changing, approving, rejecting, reopening and voiding a document.

use http::StatusCode;
use svc_business::purchases::document::SupplierDocument;
use svc_business::purchases::input::{ApproveRequest, RejectRequest, SupplierDocumentInput, VoidRequest};
use svc_business::purchases::operations;
use svc_business::record;
use svc_core::resource::ResourceReader;

use super::view::answer;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::{Create, Update};
use crate::problem::Problem;

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let Create::<SupplierDocumentInput> { company, input } = req.json()?;
    let company = req.company(company)?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<SupplierDocument>(unit.as_ref(), req.call(), company).await?;
    let created = operations::create(&home, &input).await?;
    let location = format!("/supplier-documents/{}", created.id);
    let answer = answer(&req, StatusCode::CREATED, created).await?;
    pending.finish(unit, answer.location(&location)).await
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let document = find(&req).await?;
    answer(&req, StatusCode::OK, document).await
}

/// The document that the path names.
pub(super) async fn find(req: &ApiRequest) -> Result<SupplierDocument, Problem> {
    let (scope, documents) = (&req.caller.principal.scope, req.app.business.supplier_documents());
    let found = ResourceReader::<SupplierDocument>::find(documents, scope, req.id("id")?).await?;
    found.ok_or_else(Problem::not_found)
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::open::<SupplierDocument>(unit.as_ref(), req.call(), id, &expected).await?;
    let Update(input) = req.json()?;
    let updated = operations::update(opened, &input).await?;
    unit.commit().await?;
    answer(&req, StatusCode::OK, updated).await
}

pub(super) async fn approve(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::alone::<SupplierDocument>(unit.as_ref(), req.call(), id, &[], &expected).await?;
    let request: ApproveRequest = req.json()?;
    let document = operations::approve(opened, &request).await?;
    pending.finish(unit, answer(&req, StatusCode::OK, document).await?).await
}

pub(super) async fn reject(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::alone::<SupplierDocument>(unit.as_ref(), req.call(), id, &[], &expected).await?;
    let request: RejectRequest = req.json()?;
    let document = operations::reject(opened, &request).await?;
    pending.finish(unit, answer(&req, StatusCode::OK, document).await?).await
}

pub(super) async fn reopen(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::alone::<SupplierDocument>(unit.as_ref(), req.call(), id, &[], &expected).await?;
    req.no_body()?;
    let document = operations::reopen(opened).await?;
    pending.finish(unit, answer(&req, StatusCode::OK, document).await?).await
}

pub(super) async fn void(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::alone::<SupplierDocument>(unit.as_ref(), req.call(), id, &[], &expected).await?;
    let request: VoidRequest = req.json()?;
    let document = operations::void(opened, &request).await?;
    pending.finish(unit, answer(&req, StatusCode::OK, document).await?).await
}
