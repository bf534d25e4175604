//! POST /contacts/{id}/anonymize

use http::StatusCode;
use svc_business::contact;

use super::{version, view};
use crate::exchange::Exchange;
use crate::idempotency::{Done, Work};
use crate::problem::Problem;

pub(super) async fn anonymize(exchange: Exchange, work: Work) -> Result<Done, Problem> {
    let id = exchange.id("id")?;
    let expected = exchange.expected(version(&exchange, id)).await?;
    exchange.no_body()?;
    let unit = exchange.app.business.begin().await?;
    let blank = contact::anonymize(unit.as_ref(), exchange.call(), id, expected).await?;
    work.finish(unit, view::answer(StatusCode::OK, blank)).await
}
