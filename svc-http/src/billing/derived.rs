//! Documents that are made of others.

use http::StatusCode;
use svc_business::record;
use svc_business::sales::document::SalesDocument;
use svc_business::sales::input::{ConvertRequest, RectifyRequest};
use svc_business::sales::operations;

use super::view::answer;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;

pub(super) async fn rectify(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::alone::<SalesDocument>(unit.as_ref(), req.call(), id, &[], &expected).await?;
    let request: RectifyRequest = req.json()?;
    let draft = operations::rectify(opened, &request).await?;
    pending.finish(unit, created(&req, draft).await?).await
}

pub(super) async fn duplicate(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::alone::<SalesDocument>(unit.as_ref(), req.call(), id, &[], &expected).await?;
    req.no_body()?;
    let draft = operations::duplicate(opened).await?;
    pending.finish(unit, created(&req, draft).await?).await
}

pub(super) async fn convert(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let (id, expected) = (req.id("id")?, req.if_match());
    let opened = record::alone::<SalesDocument>(unit.as_ref(), req.call(), id, &[], &expected).await?;
    let request: ConvertRequest = req.json()?;
    let draft = operations::convert(opened, request).await?;
    pending.finish(unit, created(&req, draft).await?).await
}

async fn created(req: &ApiRequest, draft: SalesDocument) -> Result<Answer, Problem> {
    let location = format!("/billing/{}", draft.id);
    Ok(answer(req, StatusCode::CREATED, draft).await?.location(&location))
}
