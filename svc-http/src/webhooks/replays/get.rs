//! GET /webhooks/replays/{id}

use http::StatusCode;

use super::View;
use crate::answer::Answer;
use crate::exchange::Exchange;
use crate::problem::Problem;

pub(crate) async fn get(exchange: Exchange) -> Result<Answer, Problem> {
    let (id, scope) = (exchange.id("id")?, exchange.primary_scope()?);
    let found = exchange.app.webhooks.replays().find(&scope, id).await?;
    Ok(Answer::plain(StatusCode::OK, &View::of(&found.ok_or_else(Problem::not_found)?)))
}
