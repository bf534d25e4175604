//! POST /contacts

use http::StatusCode;
use svc_business::contact;

use super::view;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::json::Create;
use crate::problem::Problem;

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let Create { company, input } = req.json()?;
    let company = req.company(company)?;
    let unit = req.app.business.begin().await?;
    let created = contact::create(unit.as_ref(), req.call(), company, input).await?;
    let location = format!("/contacts/{}", created.id);
    pending.finish(unit, view::answer(StatusCode::CREATED, created).location(&location)).await
}
