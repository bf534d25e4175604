//! Opening, getting, changing, closing and reopening a case, and adding a note to it.

use http::StatusCode;
use svc_business::case::{self, Case, CaseInput, CloseRequest};
use svc_business::record;
use svc_core::wire::Form;
use svc_core::wire_request;

use super::view;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::{Create, Update};
use crate::problem::Problem;

wire_request! {
    /// A note.
    #[derive(Debug)]
    pub(crate) struct Note as "CaseNote" {
        /// What is to be remembered.
        text: String => Form::text(1, 10_000).example("Called the tax office: the hearing is on Friday."),
    }
}

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let Create::<CaseInput> { company, input } = req.json()?;
    let company = req.company(company)?;
    let unit = req.app.business.begin().await?;
    let home = record::home::<Case>(unit.as_ref(), req.call(), company).await?;
    let created = case::create(home, input).await?;
    let location = format!("/cases/{}", created.id);
    pending.finish(unit, view::answer(StatusCode::CREATED, &created).location(&location)).await
}

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let found = req.app.business.cases().find(&req.caller.principal.scope, req.id("id")?).await?;
    Ok(view::answer(StatusCode::OK, &found.ok_or_else(Problem::not_found)?))
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = record::open::<Case>(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let Update(input) = req.json()?;
    let updated = case::update(opened, input).await?;
    unit.commit().await?;
    Ok(view::answer(StatusCode::OK, &updated))
}

pub(super) async fn close(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = record::open::<Case>(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let request: CloseRequest = req.json()?;
    let closed = case::close(opened, request).await?;
    pending.finish(unit, view::answer(StatusCode::OK, &closed)).await
}

pub(super) async fn reopen(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = record::open::<Case>(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    req.no_body()?;
    let reopened = case::reopen(opened).await?;
    pending.finish(unit, view::answer(StatusCode::OK, &reopened)).await
}

pub(super) async fn note(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = record::open::<Case>(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let Note { text } = req.json()?;
    let noted = case::note(opened, &text).await?;
    pending.finish(unit, view::answer(StatusCode::OK, &noted)).await
}
