//! POST /contacts

use http::StatusCode;
use svc_business::contact;

use super::body::Create;
use super::view;
use crate::exchange::Exchange;
use crate::idempotency::{Done, Work};
use crate::problem::Problem;

pub(super) async fn create(exchange: Exchange, work: Work) -> Result<Done, Problem> {
    let body: Create = exchange.json()?;
    let company = exchange.company(body.company_id)?;
    let unit = exchange.app.business.begin().await?;
    let created = contact::create(unit.as_ref(), exchange.call(), company, body.into()).await?;
    let location = format!("/contacts/{}", created.id);
    work.finish(unit, view::answer(StatusCode::CREATED, created).location(&location)).await
}
