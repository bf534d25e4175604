//! POST /contacts

use http::StatusCode;
use svc_business::contact;

use super::body::Create;
use super::view;
use crate::api_request::ApiRequest;
use crate::idempotency::{Committed, PendingReply};
use crate::problem::Problem;

pub(super) async fn create(req: ApiRequest, pending: PendingReply) -> Result<Committed, Problem> {
    let body: Create = req.json()?;
    let company = req.company(body.company_id)?;
    let unit = req.app.business.begin().await?;
    let created = contact::create(unit.as_ref(), req.call(), company, body.into()).await?;
    let location = format!("/contacts/{}", created.id);
    pending.finish(unit, view::answer(StatusCode::CREATED, created).location(&location)).await
}
