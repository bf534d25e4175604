//! POST /accounts/{id}/reactivate

use http::StatusCode;
use svc_business::account;

use super::{version, view};
use crate::exchange::Exchange;
use crate::idempotency::{Done, Work};
use crate::problem::Problem;

pub(super) async fn reactivate(exchange: Exchange, work: Work) -> Result<Done, Problem> {
    let id = exchange.id("id")?;
    let expected = exchange.expected(version(&exchange, id)).await?;
    exchange.no_body()?;
    let unit = exchange.app.business.begin().await?;
    let active = account::reactivate(unit.as_ref(), exchange.call(), id, expected).await?;
    let duplicates = view::duplicates(&exchange, &active).await?;
    work.finish(unit, view::answer(StatusCode::OK, active, duplicates)).await
}
