//! Getting, changing, deactivating and reactivating a company.

use http::StatusCode;
use svc_business::account;

use super::view;
use crate::answer::Answer;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::Update;
use crate::problem::Problem;

pub(super) async fn get(req: ApiRequest) -> Result<Answer, Problem> {
    let id = req.id("id")?;
    let found = account::find(req.app.business.accounts(), &req.caller.principal.scope, id).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    let duplicates = view::duplicates(&req, &found).await?;
    Ok(view::answer(StatusCode::OK, found, duplicates))
}

pub(super) async fn update(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = account::open(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let Update(input) = req.json()?;
    let updated = account::update(opened, input).await?;
    unit.commit().await?;
    let duplicates = view::duplicates(&req, &updated).await?;
    Ok(view::answer(StatusCode::OK, updated, duplicates))
}

pub(super) async fn deactivate(req: ApiRequest) -> Result<Answer, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = account::alone(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    let ended = account::deactivate(opened, Some(req.caller.principal.primary)).await?;
    unit.commit().await?;
    let duplicates = view::duplicates(&req, &ended).await?;
    Ok(view::answer(StatusCode::OK, ended, duplicates))
}

pub(super) async fn reactivate(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let unit = req.app.business.begin().await?;
    let opened = account::alone(unit.as_ref(), req.call(), req.id("id")?, &req.if_match()).await?;
    req.no_body()?;
    let active = account::reactivate(opened).await?;
    let duplicates = view::duplicates(&req, &active).await?;
    pending.finish(unit, view::answer(StatusCode::OK, active, duplicates)).await
}
