//! GET /webhooks/deliveries/{id}

use http::StatusCode;

use super::View;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::problem::Problem;

pub(crate) async fn get(exchange: Exchange) -> Result<Answer, Problem> {
    let (id, scope) = (exchange.id("id")?, exchange.primary_scope()?);
    let found = exchange.app.webhooks.deliveries().find(&scope, id).await?.ok_or_else(Problem::not_found)?;
    Ok(Answer::plain(StatusCode::OK, &View::of(&found.delivery, &found.attempts)))
}
