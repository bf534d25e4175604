//! GET /accounts/{id}

use http::StatusCode;

use super::view;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::problem::Problem;

pub(super) async fn get(exchange: Exchange) -> Result<Answer, Problem> {
    let id = exchange.id("id")?;
    let found = exchange.app.business.accounts().find(&exchange.caller.principal.scope, id).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    let duplicates = view::duplicates(&exchange, &found).await?;
    Ok(view::answer(StatusCode::OK, found, duplicates))
}
