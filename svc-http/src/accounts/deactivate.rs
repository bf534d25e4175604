//! DELETE /accounts/{id}: companies are deactivated, never erased.

use http::StatusCode;
use svc_business::account;

use super::{version, view};
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::problem::Problem;

pub(super) async fn deactivate(exchange: Exchange) -> Result<Answer, Problem> {
    let id = exchange.id("id")?;
    let expected = exchange.expected(version(&exchange, id)).await?;
    let primary = exchange.caller.principal.primary;
    let unit = exchange.app.business.begin().await?;
    let ended = account::deactivate(unit.as_ref(), exchange.call(), id, expected, primary).await?;
    unit.commit().await?;
    let duplicates = view::duplicates(&exchange, &ended).await?;
    Ok(view::answer(StatusCode::OK, ended, duplicates))
}
